import { readFileSync } from 'node:fs';

/** Returns the interpreter that runs scripts of others. The build puts its bytes in place of this file (scripts/inlined-wasm.mjs). */
export const quickjsWasm = (): Buffer<ArrayBuffer> => readFileSync(new URL(import.meta.resolve('quickjs-wasi/quickjs.wasm')));
