import { describe, expect, it } from 'vitest';
import { checkTree, importsOf, refusal } from './import-table.mjs';

const aliases: [string, string][] = [
  ['#shared/', 'src/shared/'],
  ['#core/', 'src/main/core/'],
  ['#sandbox/', 'src/main/sandbox/'],
];

describe('the import table', () => {
  it('sees static, dynamic, re-exported, side-effect and type-only imports', () => {
    const source = `import a from 'one';\nimport type { B } from "two";\nexport * from 'three';\nimport 'four';\nconst x = await import('five');\nimport {\n  c,\n  d,\n} from 'six';\n`;
    expect(importsOf(source)).toEqual(['one', 'two', 'three', 'four', 'five', 'six']);
  });

  it.each([
    ['src/shared/json/parse.ts', 'node:fs'],
    ['src/shared/ipc/index.ts', 'react'],
    ['src/main/core/app.ts', 'electron'],
    ['src/main/core/app.ts', '#sandbox/server.ts'],
    ['src/main/core/app.ts', '../sandbox/server.ts'],
    ['src/main/sandbox/server.ts', '#core/host.ts'],
    ['src/main/cli/main.ts', '#core/calls/send.ts'],
    ['src/main/loopback/server.ts', 'undici'],
    ['src/shared/ipc/contract.ts', 'zod'],
    ['src/renderer/app/remembered.ts', 'zod/mini'],
    ['src/renderer/app/shell.tsx', 'node:fs'],
    ['src/renderer/app/shell.tsx', 'electron'],
    ['src/renderer/app/shell.tsx', '#core/app.ts'],
    ['src/renderer/features/history/list.tsx', '../request/request-store.ts'],
    ['src/renderer/features/history/list.tsx', '../../app/commands.ts'],
    ['src/renderer/ui/button.tsx', '../api/connect.ts'],
  ])('refuses %s importing %s', (file, specifier) => {
    expect(refusal(file, specifier, aliases)).not.toBeNull();
  });

  it.each([
    ['src/shared/ipc/contract.ts', 'zod/mini'],
    ['src/main/core/app.ts', 'node:fs'],
    ['src/main/core/app.ts', '#shared/errors.ts'],
    ['src/main/loopback/main.ts', '#core/app.ts'],
    ['src/main/electron/main.ts', 'electron'],
    ['src/renderer/app/shell.tsx', '../features/history/list.tsx'],
    ['src/renderer/features/history/list.tsx', '../../ui/button.tsx'],
  ])('allows %s importing %s', (file, specifier) => {
    expect(refusal(file, specifier, aliases)).toBeNull();
  });

  it('holds for the whole tree', () => {
    expect(checkTree(process.cwd())).toEqual([]);
  });
});
