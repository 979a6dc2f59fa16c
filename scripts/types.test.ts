import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programOf } from './program-of.mjs';

const configurations = [
  'package.json',
  'tsconfig.base.json',
  'tsconfig.json',
  'src/shared/tsconfig.json',
  'src/main/tsconfig.json',
  'src/renderer/tsconfig.json',
];

/** Folder → names that it must not have, and names that it has. */
const names: Readonly<Record<string, { refused: readonly string[]; known: readonly string[] }>> = {
  'src/shared': { refused: ['document', 'window', 'fetch', 'setTimeout', 'process', 'Buffer'], known: ['Math'] },
  'src/shared/new-room': { refused: ['document', 'process'], known: ['Math'] },
  'src/main/core': { refused: ['document', 'window', 'customElements'], known: ['process', 'Buffer', 'fetch'] },
  'src/main/cli': { refused: ['document', 'window'], known: ['process'] },
  'src/main/new-room': { refused: ['document', 'window'], known: ['process'] },
  'src/renderer': { refused: ['process', 'Buffer', 'require', '__dirname'], known: ['document', 'window', 'fetch'] },
  'src/renderer/new-room': { refused: ['process', 'Buffer'], known: ['document'] },
  'src/testing': { refused: ['nobody'], known: ['document', 'process'] },
  e2e: { refused: ['nobody'], known: ['document', 'process'] },
  bench: { refused: ['nobody'], known: ['document', 'process'] },
  scripts: { refused: ['nobody'], known: ['document', 'process'] },
};

/** File → its text, and the reason for which the worlds refuse it. */
const refused: Readonly<Record<string, [text: string, reason: RegExp]>> = {
  'src/shared/planted-module.ts': ["import 'node:fs';", /node:fs/],
  'src/renderer/planted-module.ts': ["import 'node:fs';", /node:fs/],
  'src/shared/planted-import.ts': ["import '../main/core/plain.ts';", /not listed within the file list/],
  'src/renderer/planted-import.ts': ["import '#core/plain.ts';", /not listed within the file list/],
  'src/main/planted-import.ts': ["import '#renderer/plain.ts';", /not listed within the file list/],
  'src/main/planted-shared.ts': ["import { text } from '#shared/plain.ts';\nexport const one: number = text;", /'string'/],
  'src/shared/planted.test.ts': ["export const one: number = 'one';", /'string'/],
  'src/main/core/planted.test.ts': ["import { text } from './plain.ts';\nexport const one: number = text;", /'string'/],
  'src/renderer/planted.test.tsx': ['export const one: number = document.title;', /'string'/],
  'planted.config.ts': ["export const one: number = 'one';", /'string'/],
};

let copy: string;
/** File → the messages of `npm run types` for it. */
let said: Map<string, string[]>;

function plant(file: string, text: string): void {
  mkdirSync(path.join(copy, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(copy, file), `${text}\n`);
}

function runIn(folder: string, command: string, ...more: string[]): string {
  const [tool = '', ...args] = command.split(' ');
  return spawnSync(...programOf(tool, [...args, ...more]), { cwd: folder, encoding: 'utf8' }).stdout;
}

// The worlds with their configurations but few files: the whole tree would take ten times as long.
beforeAll(() => {
  copy = mkdtempSync(path.join(tmpdir(), 'croupier-types-'));
  for (const file of configurations) cpSync(file, path.join(copy, file));
  symlinkSync(path.resolve('node_modules'), path.join(copy, 'node_modules'), 'junction');
  for (const folder of Object.keys(names)) {
    plant(`${folder}/plain.ts`, "export const text = 'plain';");
    for (const name of [...names[folder]!.refused, ...names[folder]!.known])
      plant(`${folder}/names-${name}.ts`, `export const planted: unknown = ${name};`);
  }
  for (const [file, [text]] of Object.entries(refused)) plant(file, text);
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { types: string } };
  said = new Map();
  for (const line of runIn(copy, scripts.types, '--pretty', 'false').split('\n')) {
    const [, file, text] = /^(\S+)\(\d+,\d+\): (error .*)$/.exec(line) ?? [];
    if (file !== undefined && text !== undefined) said.set(file, [...(said.get(file) ?? []), text]);
  }
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

describe('npm run types', () => {
  it.each(Object.entries(names))('knows in %s only the names of its world', (folder, { refused: strangers, known }) => {
    const of = (name: string): string[] => said.get(`${folder}/names-${name}.ts`) ?? [];
    expect(strangers.filter((name) => !of(name).some((text) => text.includes(`'${name}'`)))).toEqual([]);
    expect(known.flatMap(of)).toEqual([]);
  });

  it.each(Object.entries(refused))('refuses %s', (file, [, reason]) => {
    expect(said.get(file)).toEqual([expect.stringMatching(reason)]);
  });

  it('says nothing of a file without a fault', () => {
    const planted = new Set([
      ...Object.keys(refused),
      ...Object.entries(names).flatMap(([folder, { refused: strangers }]) =>
        strangers.map((name) => `${folder}/names-${name}.ts`),
      ),
    ]);
    expect([...said].filter(([file]) => !planted.has(file))).toEqual([]);
  });

  it('checks each file of the tree in one world', () => {
    const notOurs = new Set(['node_modules', 'out', 'release', 'test-results', '.cache', '.git']);
    const files = globSync('**/*.{ts,tsx}', { exclude: (name) => notOurs.has(name) });
    const worlds = configurations.filter((file) => file.endsWith('/tsconfig.json') || file === 'tsconfig.json');
    // Without their texts the files import nothing: what remains is what each world names.
    const tree = path.join(copy, 'tree');
    mkdirSync(tree);
    for (const file of configurations) cpSync(file, path.join(tree, file));
    for (const file of files) {
      mkdirSync(path.join(tree, path.dirname(file)), { recursive: true });
      writeFileSync(path.join(tree, file), '');
    }
    const checked = new Map<string, number>();
    for (const world of worlds)
      for (const file of runIn(tree, `tsc --listFilesOnly -p ${world}`).split('\n')) {
        const relative = path.normalize(path.relative(tree, file));
        checked.set(relative, (checked.get(relative) ?? 0) + 1);
      }
    const times = files.map((file) => [file, checked.get(file) ?? 0] as const);
    // Declarations of others' packages belong to the world that uses them and to its tests.
    expect(times.filter(([file, count]) => count !== 1 && !file.endsWith('.d.ts'))).toEqual([]);
    expect(times.filter(([, count]) => count === 0)).toEqual([]);
  });
});
