import { describe, expect, it } from 'vitest';
import { checkTree, readTree, refused } from './import-table.mjs';
import { importsOf } from './imports-of.mjs';

const tree = readTree(process.cwd());

/** What the table says of a file of the tree that has this text added. */
function planted(file: string, text: string): string[] {
  const imports = new Map([...tree.imports, [file, importsOf(text, file)] as const]);
  return refused({ ...tree, files: new Set([...tree.files, file]), imports }, {}, []).filter((line) =>
    line.startsWith(`${file}: `),
  );
}

describe('the import table', () => {
  it.each([
    ['src/shared/json/planted.ts', "import 'node:fs';"],
    ['src/main/helper.ts', "import 'electron';"],
    ['src/main/helper.ts', "import '#core/keys/keys.ts';"],
    ['src/main/core/planted.ts', 'export {};'],
    ['src/main/core/export/planted.ts', "import '../keys/agent.ts';"],
    ['src/main/core/collections/planted.ts', "import '#sandbox/server.ts';"],
    ['src/main/sandbox/planted.ts', "import '#core/host/host.ts';"],
    ['src/renderer/calls/planted.ts', "import '../app/shell.tsx';"],
    ['src/renderer/features/history/planted.ts', "import type {} from '../request/request-store.ts';"],
    ['src/renderer/ui/planted.tsx', "export * from '../api/connect.ts';"],
  ])('refuses in %s: %s', (file, text) => {
    expect(planted(file, text)).toHaveLength(1);
  });

  it('holds for the whole tree', () => {
    expect(checkTree(process.cwd())).toEqual([]);
  });
});
