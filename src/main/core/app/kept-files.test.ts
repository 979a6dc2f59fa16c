import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, temporaryFolder, type TestApp } from '#testing/app.ts';
import { createSecretChoices } from '../settings/secret-choices.ts';
import { createSettings } from '../settings/settings.ts';
import { createEnvironmentLinks } from '../collections/environments/links.ts';
import { createOpened } from '../collections/opened-directories.ts';
import { createTokenCommands } from '../session-tokens/token-commands.ts';
import { createKeyIndex } from '../keys/key-index.ts';

let home: string;
let app: TestApp | null;
beforeEach(async () => {
  home = await temporaryFolder();
  app = null;
});
afterEach(async () => {
  await app?.close();
  await rm(home, { recursive: true });
});

const workspace = 'a'.repeat(24);
const environment = { id: 'e', name: 'E', baseUrl: 'https://e.example', platform: 1, partnerId: 2 };

/**
 * Every JSON file of the home that Croupier reads, changes and writes back: its contents with fields that only a later version
 * knows (`later`), and the change. Reports of runs, evidence and the history are only added to and removed. Settings of the page
 * are in `remembered.test.ts`, tabs in `kept-tabs.test.ts`.
 */
const files: readonly {
  readonly file: string;
  readonly holds: unknown;
  readonly change: () => Promise<unknown>;
  /** The change is refused: nothing in the file may change. */
  readonly refused?: true;
  /** Nothing is said, because nothing is lost. */
  readonly unchanged?: true;
}[] = [
  {
    file: 'settings.json',
    holds: { layout: '{}', later: { x: [1] } },
    change: () => createSettings(join(home, 'settings.json')).write('other', 'y'),
  },
  {
    file: 'settings.json',
    holds: { later: 1, secretChoices: JSON.stringify({ salt: 's', later: 2, choices: { token: { abcd: 'later' } } }) },
    change: () =>
      createSecretChoices(createSettings(join(home, 'settings.json'))).add([{ name: 'token', mark: 'ef01', choice: 'keep' }]),
  },
  {
    file: 'keys.json',
    holds: { format: 1, later: 1, accounts: { a: { fingerprint: null, bytes: 1, version: 'v', later: 2 } } },
    change: () => keyOf('b'),
  },
  {
    file: 'collections.json',
    holds: { later: { '/a': { color: 'red' } }, directories: [] },
    change: () => createOpened(join(home, 'collections.json')).add('/b'),
  },
  {
    file: 'environment-links.json',
    holds: { later: 1, environments: { a: { directory: '/a', name: 'a', later: 2 } } },
    change: () => createEnvironmentLinks(join(home, 'environment-links.json')).set('b', { directory: '/b', name: 'b' }),
  },
  {
    file: 'settings.json',
    holds: { secretChoices: JSON.stringify({ salts: ['later'] }) },
    change: () =>
      createSecretChoices(createSettings(join(home, 'settings.json'))).add([{ name: 'token', mark: 'ef01', choice: 'keep' }]),
    unchanged: true,
  },
  {
    file: 'token-commands.json',
    holds: { later: 1, commands: { a: ['x'] } },
    change: () => createTokenCommands(join(home, 'token-commands.json'), () => true).set('b', ['y']),
  },
  {
    file: 'environments/e.json',
    holds: { ...environment, later: 1 },
    change: () => save(),
    refused: true,
  },
  {
    file: `workspaces/${workspace}/list.json`,
    holds: { version: 2, later: 1, tabs: [] },
    change: () => openAndWrite(),
    refused: true,
  },
];

const keyOf = (account: string) =>
  createKeyIndex({ path: join(home, 'keys.json'), report: () => undefined }).put(account, {
    fingerprint: null,
    bytes: 2,
    version: 'w',
  });

async function save() {
  app = await createTestApp({ home });
  const { environments } = await app.client.call('environments.list', {});
  expect(environments.map(({ id }) => id)).not.toContain('e');
  await app.client.call('environments.save', { environment: { ...environment, production: false } });
}

async function openAndWrite() {
  app = await createTestApp({ home });
  const { client } = app;
  const { id } = await client.call('workspaces.open', {
    page: 'p',
    line: null,
    mine: { page: 'p', id: workspace },
    begin: false,
  });
  await client.call('workspaces.list', { page: 'p', id, number: 1, text: '{"version":1,"tabs":[]}', closed: [] });
  await client.call('workspaces.list', { page: 'p', id: workspace, number: 2, text: '{}', closed: [] });
}

describe('what a newer version wrote into a file', () => {
  it.each(files.map((entry, at) => ({ ...entry, at })))(
    'stays in $file ($at)',
    async ({ file, holds, change, refused, unchanged }) => {
      const path = join(home, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, JSON.stringify(holds));
      if (refused === true) {
        await expect(change()).rejects.toMatchObject({ code: expect.stringMatching(/storage|conflict/) as string });
        expect(readFileSync(path, 'utf8')).toBe(JSON.stringify(holds));
        return;
      }
      await change();
      if (unchanged === true) return expect(readFileSync(path, 'utf8')).toBe(JSON.stringify(holds));
      const after: unknown = JSON.parse(readFileSync(path, 'utf8'));
      expect(JSON.stringify(after)).not.toBe(JSON.stringify(holds));
      // The list that the change adds to is empty before.
      expect(unfolded(after)).toMatchObject(unfolded({ ...(holds as object), directories: undefined }));
    },
  );
});

/** Events that may befall a file of the home, with what is said of it then. */
const states = {
  'written by a newer version': { holds: '{"format":2,"all":["other"]}', says: 'was written by a newer version of Croupier.' },
  'in a form that nobody here knows': { holds: '["other"]', says: "has a format that this version doesn't know" },
  empty: { holds: '', says: 'is damaged and was left unchanged.' },
  damaged: { holds: '{"half', says: 'is damaged and was left unchanged.' },
  'not UTF-8': { holds: Buffer.from('{"a":"\xff"}', 'latin1'), says: 'is damaged and was left unchanged.' },
  'a folder': { holds: null, says: 'cannot be read. It is not a file.' },
} as const;
type State = keyof typeof states;

/** The JSON files of the home, with how each is read, and where it is not said as `states` has it. */
const readers: Readonly<
  Record<string, { readonly read: () => unknown; readonly write: () => Promise<unknown>; readonly aside?: readonly State[] }>
> = {
  'settings.json': {
    read: () => createSettings(join(home, 'settings.json')).read(),
    write: () => createSettings(join(home, 'settings.json')).write('layout', '{}'),
  },
  // Keys are in the keychain: without their list they still work.
  'keys.json': {
    read: () => createKeyIndex({ path: join(home, 'keys.json'), report }).accounts(),
    write: () => keyOf('b'),
    aside: ['empty', 'damaged', 'not UTF-8'],
  },
  'collections.json': {
    read: () => createOpened(join(home, 'collections.json')).list(),
    write: () => createOpened(join(home, 'collections.json')).add('/b'),
  },
  'token-commands.json': {
    read: () => createTokenCommands(join(home, 'token-commands.json'), () => true).get('e'),
    write: () => createTokenCommands(join(home, 'token-commands.json'), () => true).set('b', ['y']),
  },
  'environment-links.json': {
    read: () => createEnvironmentLinks(join(home, 'environment-links.json')).all(),
    write: () => createEnvironmentLinks(join(home, 'environment-links.json')).set('b', { directory: '/b', name: 'b' }),
  },
};
const reports: string[] = [];
const report = (message: string) => void reports.push(message);
const thrown = async (work: () => unknown) => {
  try {
    return await work();
  } catch (error) {
    return error;
  }
};

describe('a file of the home that cannot be used', () => {
  it.each(
    Object.entries(readers).flatMap(([file, reader]) =>
      (Object.keys(states) as State[]).map((state) => [file, state, reader] as const),
    ),
  )('%s, %s, is said so and left alone', async (file, state, { read, write, aside }) => {
    const path = join(home, file);
    const { holds, says } = states[state];
    if (holds === null) mkdirSync(path);
    else writeFileSync(path, holds);
    if (aside?.includes(state) === true) {
      reports.length = 0;
      await read();
      expect(reports).toEqual([expect.stringContaining('was damaged and moved to')]);
      expect(readdirSync(home).filter((name) => name.startsWith(`${file}.broken-`))).toHaveLength(1);
      return;
    }
    const said = { code: 'storage', message: expect.stringMatching(new RegExp(`^${path} ${says}`)) as string };
    expect(await thrown(read)).toMatchObject(said);
    expect(await thrown(write)).toMatchObject(said);
    expect(readdirSync(home).filter((name) => name !== 'locks')).toEqual([file]);
    if (holds !== null) expect(readFileSync(path)).toEqual(Buffer.from(holds));
  });

  it('is a row above, or of a test of its own', () => {
    const others = ['browser-host.json'];
    const ground = [
      'use-cases.ts',
      'ground.ts',
      'collection-services.ts',
      '../collections/collections.ts',
      '../../loopback/ports.ts',
    ];
    const named = ground.flatMap((file) =>
      [...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(/join\(home, '([^']+\.json)'/g)].map(([, name]) => name),
    );
    expect(new Set(named)).toEqual(new Set([...Object.keys(readers), ...others]));
  });

  it.each([
    ['written by a newer version', { format: 2, id: 'e-123abc', servers: [] }, 'A newer version of Croupier wrote it.'],
    ['with a field nobody knows', { ...environment, id: 'e-123abc', later: 1 }, 'Unrecognized key'],
    ['damaged', '{', 'It is not JSON'],
  ])('an environment, %s, is not created a second time', async (_what, holds, says) => {
    const path = join(home, 'environments', 'e-123abc.json');
    mkdirSync(dirname(path));
    const text = typeof holds === 'string' ? holds : JSON.stringify(holds);
    writeFileSync(path, text);
    app = await createTestApp({ home });
    const { id: _id, ...draft } = { ...environment, production: false };
    const refused = { code: 'conflict', message: expect.stringMatching(new RegExp(`^${path} may be E. .*${says}`)) as string };
    await expect(app.client.call('environments.create', { environment: draft })).rejects.toMatchObject(refused);
    expect(readFileSync(path, 'utf8')).toBe(text);
    rmSync(path);
    expect((await app.client.call('environments.create', { environment: draft })).name).toBe('E');
  });
});

/** Replaces texts that are JSON by their values. */
function unfolded(value: unknown): object {
  return JSON.parse(JSON.stringify(value), (_name, one: unknown): unknown => {
    if (typeof one !== 'string' || !one.startsWith('{')) return one;
    return JSON.parse(one);
  }) as object;
}
