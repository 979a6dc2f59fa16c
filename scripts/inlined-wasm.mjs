// The interpreter's bytes in the program itself: a package, a single file and an archive then have no file to find.
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** @returns {import('vite').Plugin} */
export function inlinedWasm(root) {
  const bytes = () => readFileSync(path.join(root, 'node_modules', 'quickjs-wasi', 'quickjs.wasm')).toString('base64');
  return {
    name: 'inlined-wasm',
    enforce: 'pre',
    load: (id) =>
      id.endsWith('/core/network/quickjs-wasm.ts')
        ? `export const quickjsWasm = () => Buffer.from(${JSON.stringify(bytes())}, 'base64');`
        : null,
  };
}
