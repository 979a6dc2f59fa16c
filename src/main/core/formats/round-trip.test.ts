import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AppError } from '#shared/errors.ts';
import type { Input, Output } from '#shared/ipc/index.ts';
import { createTestApp, temporaryFolder, type TestApp } from '#testing/app.ts';
import { collectionRounds } from '#testing/collection-rounds.ts';
import { chooseSeed } from '#testing/seeded-random.ts';

const tools = ['postman', 'bruno', 'opencollection'] as const;

let test: TestApp;
let folder: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  test = await createTestApp({ home: join(folder, 'home'), sandbox: { key: 'a key of a test' } });
});
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

const open = async (name: string) =>
  (await test.client.call('collections.open', { directory: join(folder, name), create: true })).id;

const exportOf = (id: string, format: (typeof tools)[number]) =>
  test.client.call('collections.export', { id, path: '', format, environmentId: 'sandbox' });

type Files = Input<'collections.import'>['files'];

async function exported(id: string, format: (typeof tools)[number] = 'postman'): Promise<Files> {
  const { files } = await exportOf(id, format);
  // A directory is imported by the names below it.
  return files.map(({ name, text }) => ({
    name: name
      .split('/')
      .slice(name.includes('/') ? 1 : 0)
      .join('/'),
    text,
  }));
}

function imported(id: string, files: Files): Promise<Output<'collections.import'>> {
  return test.client.call('collections.import', { files, id, folder: '' });
}

/** Texts by path. The format that a new collection names is none of what came. */
function textsOf(name: string): Record<string, string> {
  const directory = join(folder, name);
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));
  return Object.fromEntries(
    files.sort().map((file) => [file, readFileSync(join(directory, file), 'utf8').replace(/^format: 1\n/, '')]),
  );
}

// `npm run test:long -- round-trips` exports and imports 1,000 of them.
it('random collections come back from other tools as they went, or what did not is named', async () => {
  const { requests, problems } = await collectionRounds(60, chooseSeed());
  expect(problems.slice(0, 10)).toEqual([]);
  expect(requests).toBeGreaterThan(100);
});

it.each(tools)('each starter comes back from %s byte for byte, its comments too', async (format) => {
  const { starters } = await test.client.call('collections.starters', {});
  for (const { id: starter } of starters) {
    const name = `${format}-${starter}`;
    const { id } = await test.client.call('collections.createFromStarter', { starter, directory: join(folder, name) });
    for (const file of Object.keys(textsOf(name)).filter((one) => one !== 'collection.yaml'))
      appendFileSync(join(folder, name, file), `# About ${file}: // croupier "1"\n#\n#   tests {\n`);
    const { notCarried } = await imported(await open(`${name}-back`), await exported(id, format));
    expect(textsOf(`${name}-back`)).toEqual(textsOf(name));
    expect(notCarried.map(({ why }) => why)).toEqual(['They come from the selected environment.']);
  }
  expect(starters.length).toBeGreaterThan(3);
});

it.each(tools)(
  'comments above and beside fields come back from %s below them, and those of folders are named',
  async (format) => {
    const name = `comments-${format}`;
    const id = await open(name);
    await test.client.call('collections.createFolder', { id, folder: '', name: 'sub' });
    const file = '# first\noperation: bet # beside\ndata: | # head\n  {\n    "note": "# none"\n  }\n# last\n';
    writeFileSync(join(folder, name, 'sub/a.yaml'), file);
    writeFileSync(join(folder, name, 'sub/folder.yaml'), '# of the folder\nvariables:\n  x: "1"\n');
    writeFileSync(join(folder, name, 'collection.yaml'), 'format: 1 # of the collection\n');
    const { notCarried } = await exportOf(id, format);
    expect(notCarried.map(({ where, what, why }) => [where, what, why])).toEqual([
      ['the collection', 'the comment of the collection', 'Croupier exports only the comments of requests.'],
      ['sub', 'the comment of the folder', 'Croupier exports only the comments of requests.'],
    ]);
    await imported(await open(`${name}-back`), await exported(id, format));
    expect(textsOf(`${name}-back`)['sub/a.yaml']).toBe(
      'operation: bet\ndata: |\n  {\n    "note": "# none"\n  }\n# first\n# beside\n# head\n# last\n',
    );
  },
);

/** A collection of Postman with a comment in a body, and a test that no check says. */
const withOddTests = JSON.stringify({
  info: { name: 'kept', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
  item: [
    {
      name: 'a',
      request: { method: 'POST', url: '{{walletUrl}}/bet', body: { mode: 'raw', raw: '{"amount": 1 /* a cent */}' } },
      event: [{ listen: 'test', script: { exec: ['if (pm.response.code > 1) {', '', '  console.log("x");', '}'] } }],
    },
  ],
});

it('what other tools wrote comes back from each format as it was imported, its comments too', async () => {
  const id = await open('real');
  const real = join(import.meta.dirname, 'read/fixtures/real');
  const notFiles = ['README.md', 'LICENSES.txt', 'bodies.json', 'outcome.txt'];
  let read = 0;
  const others = readdirSync(real).filter((one) => !notFiles.includes(one));
  for (const file of [...others, 'kept.json']) {
    const { path } = await test.client.call('collections.createFolder', { id, folder: '', name: file.replaceAll('.', '-') });
    const files = [{ name: file, text: file === 'kept.json' ? withOddTests : readFileSync(join(real, file), 'utf8') }];
    const plan = await test.client.call('collections.import', { files, id, folder: path }).catch((error: unknown) => error);
    if (!(plan instanceof AppError)) read += 1;
  }
  expect(read).toBeGreaterThan(30);
  // Empty folders follow the others.
  const { 'collection.yaml': _, ...texts } = textsOf('real');
  expect(texts['kept-json/a.yaml']).toMatch(
    /\n# Not imported from the test script:\n# if .*\n#   console.*\n# \/\* a cent \*\/\n$/s,
  );
  for (const format of tools) {
    const { notCarried } = await imported(await open(`real-${format}`), await exported(id, format));
    const { 'collection.yaml': _order, ...back } = textsOf(`real-${format}`);
    expect(back).toEqual(texts);
    expect(notCarried.map(({ why }) => why)).toEqual(['They come from the selected environment.']);
  }
});

it('what was changed in Postman counts', async () => {
  const id = await open('changed');
  const request: Input<'collections.create'>['request'] = {
    operation: 'bet',
    data: '{ "amount": 0.10, "playerId": "{{player}}" }',
    take: { balance: '/balance' },
    expect: [{ code: '0' }, { shape: 'documented' }, { status: '200' }],
  };
  await test.client.call('collections.create', { id, folder: '', name: 'a', request });
  const [file] = await exported(id);
  const text = (file?.text ?? '')
    .replace(String.raw`\"amount\": 0.10`, String.raw`\"amount\": 0.20`)
    .replace(/^.*codeIs\(\\"0\\"\)\);.*\n/m, '')
    .replace('compare(String(pm.response.code), \\"200\\")', 'compare(String(pm.response.code), \\"201\\")');
  const { requests, notCarried } = await imported(await open('changed-back'), [{ name: 'x.json', text }]);
  const back = requests[0]?.request;
  expect(textsOf('changed-back')['a.yaml']).toMatch(
    /\n# Not imported from the test script:\n# check\("HTTP status is 200", .*\n$/,
  );
  expect(back).toMatchObject({ operation: 'bet', take: { balance: '/balance' } });
  expect(back?.data).toBe('{ "amount": 0.20, "playerId": "{{player}}" }');
  expect(back?.expect).toEqual([{ shape: 'documented' }]);
  expect(notCarried.map(({ what }) => what)).toEqual(
    expect.arrayContaining(['how its data was typed in Croupier', 'part of the test script']),
  );
});

it.each(['bruno', 'opencollection'] as const)('what was changed in files of %s counts', async (format) => {
  const id = await open(`changed-${format}`);
  const request: Input<'collections.create'>['request'] = {
    operation: 'bet',
    data: '{ "amount": 0.10, "playerId": "{{player}}" }',
    take: { balance: '/balance' },
    expect: [{ code: '0' }, { status: '200' }],
    notes: 'Mine.',
  };
  await test.client.call('collections.create', { id, folder: '', name: 'a', request });
  const files = (await exported(id, format)).map(({ name, text }) => ({
    name,
    text: text
      .replace('"amount": 0.10', '"amount": 0.20')
      .replace(/^.*codeIs\("0"\)\);.*\n/m, '')
      .replace(/(  |docs: )Mine\./, '$1Theirs.')
      .replace('vars {', 'vars {\n  added: 1')
      .replace('\nvariables:', "\nvariables:\n  - name: added\n    value: '1'"),
  }));
  const { requests, notCarried, variables } = await imported(await open(`changed-${format}-back`), files);
  const back = requests[0]?.request;
  expect(back).toMatchObject({ operation: 'bet', take: { balance: '/balance' }, expect: [{ status: '200' }], notes: 'Theirs.' });
  expect(back?.data).toBe('{ "amount": 0.20, "playerId": "{{player}}" }');
  expect(variables).toEqual({ added: '1' });
  expect(notCarried.map(({ what }) => what)).toContain('how its data was typed in Croupier');
});
