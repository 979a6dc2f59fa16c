/**
 * A program that uses homes to which something happens, for a user to whom the modes of files apply. Its one argument is a JSON document with the
 * home of each; it prints what each use says, by the entry of the home that it writes: null if nothing. With `{"writes": home}` it uses that home
 * until it is killed, and prints a line after each use.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { homeEntries } from '#core/app/home.ts';
import { createThumbnailFiles } from '#core/catalogue/thumbnail-files.ts';
import { createEnvironmentLinks } from '#core/collections/environments/links.ts';
import { lockAtOnce, withLock } from '#core/files/locks.ts';
import { createSessionLock } from '#core/files/session-lock.ts';
import { createAgentSecrets } from '#core/keys/agent-secrets.ts';
import { prepareCertificate } from '#sandbox/certificate.ts';
import { keepPort } from '../main/loopback/ports.ts';
import { createAgentsInProcess } from './agents-in-process.ts';
import { createTestApp, draftOf } from './app.ts';
import { launchOf } from './conformance-cases.ts';

export type Befalls =
  | 'the disk is full'
  | 'it may not be written'
  | 'another copy keeps it locked'
  | 'a program that wrote it was killed';
export type HomeDriverInput = Partial<Readonly<Record<Befalls, string>>>;
/** Entries of the home that a use writes; the desktop's are Chromium's. */
export type UsedEntry = Exclude<(typeof homeEntries)[number], 'desktop'>;

/** Locks, which are free when nobody refers to them. */
const held: unknown[] = [];
const befall: Readonly<Record<Befalls, (home: string, files: readonly string[]) => void>> = {
  'the disk is full'(home) {
    const filler = openSync(join(home, 'filler'), 'a');
    const page = Buffer.alloc(4096);
    try {
      for (;;) writeSync(filler, page);
    } catch {
      closeSync(filler);
    }
  },
  'it may not be written'(home, files) {
    for (const file of files) chmodSync(file, readdirIn(file) === null ? 0o400 : 0o500);
    chmodSync(home, 0o500);
  },
  'another copy keeps it locked'(home, files) {
    for (const folder of [home, ...files].filter(
      (file) => readdirIn(file) !== null && !/[\\/](?:locks|runs)$/.test(file.slice(home.length)),
    )) {
      mkdirSync(join(folder, 'locks'), { recursive: true });
      for (const name of [...(readdirIn(folder) ?? []), 'key-changes'])
        held.push(lockAtOnce(join(folder, 'locks', `${name}.lock`)));
    }
    for (const name of ['history.sqlite', 'history-index.sqlite']) {
      const writer = new DatabaseSync(join(home, name));
      writer.exec('BEGIN IMMEDIATE');
      held.push(writer);
    }
  },
  // It was, before the home is used here.
  'a program that wrote it was killed': () => undefined,
};

function readdirIn(path: string): string[] | null {
  try {
    return readdirSync(path);
  } catch {
    return null;
  }
}

/** Opens a home, uses each of its entries once, and returns these uses. */
async function usesOf(home: string, outside: string) {
  mkdirSync(home, { recursive: true });
  const secrets = createAgentSecrets({ spawn: createAgentsInProcess().spawn });
  const searchWorker = fileURLToPath(new URL('../main/core/history/search-worker.ts', import.meta.url));
  const { client, send, close, faults } = await createTestApp({
    home,
    sandbox: true,
    host: { secrets, searchWorker, allowCommand: async () => true },
  });
  const directories = ['runs', 'removals'].map((name) => join(outside, name));
  for (const directory of directories) {
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'a.yaml'), 'operation: gameList\ndata: |\n  {"currency": "EUR"}\n');
  }
  const [directory = ''] = directories;
  const [ran, removals] = [
    await client.call('collections.open', { directory }),
    await client.call('collections.open', { directory: directories[1] ?? '' }),
  ];
  const draft = { baseUrl: 'https://a.example', platform: 1, partnerId: 1, production: false };
  // Names that a program before this one cannot have taken.
  const fresh = () => randomBytes(4).toString('hex');
  const environment = await client.call('environments.create', { environment: { ...draft, name: `A ${fresh()}` } });
  const { id: launch } = await client.call('launches.prepare', launchOf('sandbox', 'launch'));
  const { id } = await client.call('workspaces.open', { page: 'p', line: null, mine: null, begin: true });
  const links = createEnvironmentLinks(join(home, 'environment-links.json'));
  let number = 0;
  const uses: Readonly<Record<UsedEntry, () => Promise<unknown>>> = {
    'history.sqlite': async () => {
      await send(draftOf('sandbox', { operation: 'gameList', text: '{"currency": "EUR"}' }));
      const { message } = await client.call('history.status', {});
      if (message !== null) throw new Error(`Sent, but: ${message}`);
    },
    'history-index.sqlite': async () => {
      const { calls } = await client.call('calls.list', { limit: 1, text: 'EUR' });
      if (calls.length === 0) throw new Error('The call was not found.');
      // The call of the row above may fail to be recorded at any moment of this one.
      const fault = () => faults.find((one) => !(one instanceof Error && one.message.includes('history.sqlite')));
      while (fault() === undefined && (await client.call('history.status', {})).unindexed > 0) await setTimeout(20);
      if (fault() !== undefined) throw fault();
    },
    'settings.json': () => client.call('settings.write', { name: 'a', value: fresh() }),
    'keys.json': () => client.call('keys.set', { environmentId: environment.id, key: `key ${fresh()}` }),
    'collections.json': () => client.call('collections.open', { directory: join(outside, fresh()), create: true }),
    'token-commands.json': () => client.call('tokens.setCommand', { environmentId: environment.id, command: `echo ${fresh()}` }),
    'environment-links.json': () => withLock(links.path, () => links.set(fresh(), { directory, name: 'a' })),
    'browser-host.json': () => keepPort(home, 1 + (parseInt(fresh(), 16) % 65_000)),
    'evidence-key.json': () => client.call('launches.export', { ids: [launch], as: 'html' }),
    environments: () => client.call('environments.create', { environment: { ...draft, name: `B ${fresh()}` } }),
    workspaces: () => {
      number += 1;
      const text = ' '.repeat(number === 1 ? 1 : 200_000);
      return client.call('workspaces.write', { page: 'p', id, tab: 'a', number, base: null, from: 0, to: 0, text, rest: 0 });
    },
    runs: async () => createSessionLock(join(home, 'runs')).exclusively(() => undefined),
    'collection-runs': () => client.call('runs.start', { collectionId: ran.id, path: 'a.yaml', environmentId: 'sandbox' }),
    collections: () =>
      client.call('collections.createFromStarter', {
        starter: 'first-call',
        directory: join(home, 'collections', `x-${fresh()}`),
      }),
    evidence: () => client.call('launches.export', { ids: [launch], as: 'folder' }),
    cache: () => createThumbnailFiles(join(home, 'cache', 'thumbnails')).write('0'.repeat(64), Buffer.from('a picture')),
    sandbox: () => {
      // Later than the one there, whoever made that.
      const now = Date.now() + (1 + (parseInt(fresh(), 16) % 10_000)) * 86_400_000;
      return prepareCertificate(join(home, 'sandbox'), now, (work) => withLock(join(home, 'sandbox'), work));
    },
    removed: () => {
      const path = `${fresh()}.yaml`;
      writeFileSync(join(removals.directory, path), 'operation: gameList\n');
      return client.call('collections.remove', { id: removals.id, path });
    },
    locks: () => withLock(join(home, fresh()), () => Promise.resolve()),
  };
  for (const write of Object.values(uses)) await write();
  return { uses: Object.entries(uses), close };
}

/** Makes a home in use, has it meet with something, and returns what its uses say then. */
async function toldIn(home: string, what: Befalls): Promise<Record<string, string | null>> {
  const outside = join(home, '..', `collections of ${what}`);
  if (what === 'a program that wrote it was killed') await killWhileWriting(home);
  const { uses, close } = await usesOf(home, outside);
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).map((name) => join(home, name));
  befall[what](home, files);
  const told: Record<string, string | null> = {};
  const writeOne = async ([name, write]: (typeof uses)[number]) => {
    told[name] = await write().then(
      () => null,
      (error: unknown) => (error as Error).message.replaceAll(home, 'HOME'),
    );
  };
  if (what === 'the disk is full')
    for (const one of uses) {
      // A write that failed removes what it had written, and would leave the next one room.
      befall[what](home, files);
      await writeOne(one);
    }
  else await Promise.all(uses.map(writeOne));
  await close();
  return told;
}

/** Kills a program that writes everything of a home, at a moment that its own output sets. */
async function killWhileWriting(home: string): Promise<void> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), JSON.stringify({ writes: home })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const most = 40 + Math.floor(Math.random() * 40);
  let lines = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    lines += chunk.toString().split('\n').length - 1;
    if (lines >= most) child.kill('SIGKILL');
  });
  await once(child, 'close');
}

async function writeForever(home: string): Promise<void> {
  const { uses } = await usesOf(home, join(home, '..', 'collections of a program that wrote it was killed'));
  for (;;)
    await Promise.all(
      uses.map(async ([name, write]) => {
        await write();
        process.stdout.write(`${name}\n`);
      }),
    );
}

const input = JSON.parse(process.argv[2] ?? '') as HomeDriverInput | { readonly writes: string };
if ('writes' in input) await writeForever(input.writes);
else {
  const homes = Object.entries(input) as [Befalls, string][];
  const all = await Promise.all(homes.map(async ([what, home]) => [what, await toldIn(home, what)]));
  process.stdout.write(JSON.stringify(Object.fromEntries(all)));
}
