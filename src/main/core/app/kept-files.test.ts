import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, temporaryFolder, type TestApp } from '#testing/app.ts';
import { createSecretChoices } from '../settings/secret-choices.ts';
import { createSettings } from '../settings/settings.ts';
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
  { file: 'keys.json', holds: { format: 2, later: 1 }, change: () => keyOf('b'), refused: true },
  {
    file: 'collections.json',
    holds: { later: { '/a': { color: 'red' } }, directories: [] },
    change: () => createOpened(join(home, 'collections.json')).add('/b'),
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
  it.each(files.map((entry, at) => ({ ...entry, at })))('stays in $file ($at)', async ({ file, holds, change, refused }) => {
    const path = join(home, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(holds));
    if (refused === true) {
      await expect(change()).rejects.toMatchObject({ code: expect.stringMatching(/storage|conflict/) as string });
      expect(readFileSync(path, 'utf8')).toBe(JSON.stringify(holds));
      return;
    }
    await change();
    const after: unknown = JSON.parse(readFileSync(path, 'utf8'));
    expect(JSON.stringify(after)).not.toBe(JSON.stringify(holds));
    // The list that the change adds to is empty before.
    expect(unfolded(after)).toMatchObject(unfolded({ ...(holds as object), directories: undefined }));
  });
});

/** Replaces texts that are JSON by their values. */
function unfolded(value: unknown): object {
  return JSON.parse(JSON.stringify(value), (_name, one: unknown): unknown => {
    if (typeof one !== 'string' || !one.startsWith('{')) return one;
    return JSON.parse(one);
  }) as object;
}
