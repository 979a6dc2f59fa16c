import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#testing/app.ts';

let test: TestApp;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'croupier-entries-'));
  test = await createTestApp({ sandbox: true });
});
afterAll(async () => {
  await test.close();
  rmSync(folder, { recursive: true, force: true });
});

const request = 'operation: gameList\ndata: |\n  {"currency":"EUR"}\n';
const put = (directory: string, name: string | Buffer, text = request) =>
  writeFileSync(Buffer.concat([Buffer.from(`${directory}/`), Buffer.from(name)]), text);

/** Meaning of an entry of a collection's directory: a request, passed over by a documented rule, named, or an error of a run. */
type Meaning = 'request' | 'passed over' | 'named' | 'error';

const isWindows = process.platform === 'win32';
const mayReadAll = process.getuid?.() === 0;
const link = "is a link, and Croupier doesn't follow links. Put the";
const itself = "Croupier doesn't follow links. Put the file itself there.";

const entries: [string, Meaning, string, (directory: string) => void][] = [
  ['a request', 'request', '', (at) => put(at, 'b.yaml')],
  ['a request with a line end in its name', 'request', '', (at) => put(at, 'b\nc.yaml')],
  ['a hidden file', 'passed over', '', (at) => put(at, '.b.yaml')],
  ['a file of another type', 'passed over', '', (at) => put(at, 'README')],
  ['packages', 'passed over', '', (at) => (mkdirSync(join(at, 'node_modules')), put(join(at, 'node_modules'), 'b.yaml'))],
  ['a link to a file of another type', 'passed over', '', (at) => symlinkSync('/etc/hosts', join(at, 'hosts'))],
  ['a file that ends with .yml and is no request', 'passed over', '', (at) => put(at, 'compose.yml', 'services: {}\n')],
  ['settings that end with .yml', 'named', 'collection.yml is not read: settings are in', (at) => put(at, 'collection.yml', '')],
  ['another version', 'named', 'Another program changed a.yaml', (at) => put(at, 'a.yaml.other-version')],
  ['a name that differs by case only', 'named', 'A.yaml and a.yaml are the same name', (at) => put(at, 'A.yaml')],
  [
    'a name with a colon',
    'error',
    "b:c.yaml is not read: a name in a collection can't contain a colon",
    (at) => put(at, 'b:c.yaml'),
  ],
  ['a name with a backslash', 'error', "can't contain a colon or a backslash", (at) => put(at, 'b\\c.yaml')],
  ['a request that ends with .yml', 'error', 'b.yml is not read: request files end', (at) => put(at, 'b.yml')],
  ['another case of the ending', 'error', 'b.YAML is not read: request files end with .yaml', (at) => put(at, 'b.YAML')],
  ['settings in another case of the ending', 'error', 'settings are in collection.yaml', (at) => put(at, 'collection.Yaml', '')],
  [
    'a name that is not UTF-8',
    'error',
    'is not read: its name is not UTF-8',
    (at) => put(at, Buffer.from('b\xff.yaml', 'latin1')),
  ],
  ['a folder with a colon', 'error', 'b:c is not read', (at) => (mkdirSync(join(at, 'b:c')), put(join(at, 'b:c'), 'd.yaml'))],
  ['a link to a request', 'error', itself, (at) => symlinkSync('a.yaml', join(at, 'b.yaml'))],
  ['a link to nothing', 'error', itself, (at) => symlinkSync('nothing', join(at, 'b.yaml'))],
  ['a link to a folder', 'error', `b ${link} folder itself there.`, (at) => symlinkSync('..', join(at, 'b'))],
  ['a pipe', 'error', 'b.yaml: It is not a file', (at) => execFileSync('mkfifo', [join(at, 'b.yaml')])],
  ...(mayReadAll
    ? []
    : ([
        ['a folder of another account', 'error', 'b cannot be read (EACCES)', (at) => mkdirSync(join(at, 'b'), { mode: 0 })],
      ] as typeof entries)),
  [
    'a check of an unknown kind',
    'error',
    'ine 3, column 5: sparkle is not a field of expect, item 1, so Croupier skips the check.',
    (at) => put(at, 'b.yaml', 'operation: gameList\nexpect:\n  - sparkle: 1\n'),
  ],
];

describe.skipIf(isWindows)('an entry of a directory', () => {
  it.each(entries)('%s is %s on screen, in a run and in an export', async (_, meaning, words, make) => {
    const directory = mkdtempSync(join(folder, 'c-'));
    put(directory, 'a.yaml');
    make(directory);
    const { client } = test;
    const { id } = await client.call('collections.open', { directory });
    const tree = await client.call('collections.tree', { id });
    const ended = async (unreadable: 'refuse' | 'report') => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const stop = client.on('runs.progressed', ({ state }) => state !== 'running' && resolve());
      try {
        await client.call('runs.start', { collectionId: id, environmentId: 'sandbox', options: { unreadable } });
        await promise;
        return (await client.call('runs.list', { collectionId: id })).runs[0];
      } finally {
        stop();
      }
    };
    const exported = await client.call('collections.export', { id, path: '', format: 'postman', environmentId: null });
    const said = [
      [
        ...tree.notices,
        ...tree.nodes.flatMap(({ path, problem, warnings }) =>
          [...(problem ? [problem] : []), ...warnings].map(
            ({ message, line, column }) => `${path}${line === null ? '' : `, line ${line}, column ${column}`}: ${message}`,
          ),
        ),
      ],
      exported.notCarried.map(({ where, why }) => (why.includes(where) ? why : `${where}: ${why}`)),
    ].map((lines) => lines.join('\n'));
    if (meaning === 'error') {
      const refused = ended('refuse');
      await expect(refused).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringContaining(words) as string });
      expect((await ended('report'))?.planned).toBe(2);
    } else {
      const run = await ended('refuse');
      expect(run?.planned).toBe(meaning === 'request' || words.includes('A.yaml') ? 2 : 1);
      said.push(run?.warnings.join('\n') ?? '');
    }
    for (const text of said) expect(text).toContain(words);
    if (words === '') expect(said[0]).toBe('');
  });
});
