/**
 * A program that uses homes whose disk is full, whose files may not be written, or that another copy keeps locked, for a user to whom the modes of files
 * apply. Its one argument is a JSON document with the home of each; it prints what each use says, by the entry of the home that it writes: null if nothing.
 */
import { chmodSync, mkdirSync, readdirSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockAtOnce } from '#core/files/locks.ts';
import { createTestApp, draftOf } from './app.ts';
import { launchOf } from './conformance-cases.ts';

export type Befalls = 'the disk is full' | 'it may not be written' | 'another copy keeps it locked';
export type HomeDriverInput = Partial<Readonly<Record<Befalls, string>>>;

/** Locks, which are free when nobody refers to them. */
const held: unknown[] = [];
const befall: Readonly<Record<Befalls, (home: string, files: readonly string[]) => void>> = {
  'the disk is full'(home) {
    const { bavail, bsize } = statfsSync(home);
    writeFileSync(join(home, 'filler'), Buffer.alloc(bavail * bsize));
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
      for (const name of [...(readdirIn(folder) ?? []), 'token-commands.json', 'environment-links.json'])
        held.push(lockAtOnce(join(folder, 'locks', `${name}.lock`)));
    }
  },
};

function readdirIn(path: string): string[] | null {
  try {
    return readdirSync(path);
  } catch {
    return null;
  }
}

/** Makes a home in use, has it meet with something, and returns what its uses say then. */
async function toldIn(home: string, what: Befalls): Promise<Record<string, string | null>> {
  mkdirSync(home, { recursive: true });
  const { client, send, close } = await createTestApp({ home, sandbox: true, host: { allowCommand: async () => true } });
  const directory = join(home, '..', `collection of ${what}`);
  mkdirSync(directory);
  writeFileSync(join(directory, 'a.yaml'), 'operation: gameList\ndata: |\n  {"currency": "EUR"}\n');
  const collection = await client.call('collections.open', { directory });
  const draft = { name: 'A', baseUrl: 'https://a.example', platform: 1, partnerId: 1, production: false };
  const environment = await client.call('environments.create', { environment: draft });
  const { id: launch } = await client.call('launches.prepare', launchOf('sandbox', 'launch'));
  await client.call('settings.write', { name: 'a', value: 'b' });
  const { id } = await client.call('workspaces.open', { page: 'p', line: null, mine: null, begin: true });
  const write = { page: 'p', id, tab: 'a', number: 1, base: null, from: 0, to: 0, text: '{}', rest: 0 };
  await client.call('workspaces.write', write);
  befall[what](
    home,
    readdirSync(home, { recursive: true, encoding: 'utf8' }).map((name) => join(home, name)),
  );
  const uses: Readonly<Record<string, () => Promise<unknown>>> = {
    'history.sqlite': () => send(draftOf('sandbox', { operation: 'gameList', text: '{"currency": "EUR"}' })),
    'settings.json': () => client.call('settings.write', { name: 'a', value: 'c' }),
    'collections.json': () => client.call('collections.open', { directory: join(directory, 'other'), create: true }),
    'token-commands.json': () => client.call('tokens.setCommand', { environmentId: environment.id, command: 'true' }),
    'environment-links.json': () => client.call('collections.shareEnvironment', { directory, environmentId: environment.id }),
    environments: () => client.call('environments.create', { environment: { ...draft, name: 'B' } }),
    workspaces: () => client.call('workspaces.write', { ...write, number: 2, base: 1, text: ' '.repeat(200_000) }),
    'collection-runs': () => client.call('runs.start', { collectionId: collection.id, path: '', environmentId: 'sandbox' }),
    'evidence-key.json': () => client.call('launches.export', { ids: [launch], as: 'html' }),
    evidence: () => client.call('launches.export', { ids: [launch], as: 'folder' }),
    collections: () =>
      client.call('collections.createFromStarter', { starter: 'first-call', directory: join(home, 'collections', 'x') }),
  };
  const told = Object.entries(uses).map(async ([name, use]) => [
    name,
    await use().then(
      () => null,
      (error: unknown) => (error as Error).message.replaceAll(home, 'HOME'),
    ),
  ]);
  const said = await Promise.all(told);
  await close();
  return Object.fromEntries(said) as Record<string, string | null>;
}

const homes = Object.entries(JSON.parse(process.argv[2] ?? '') as HomeDriverInput) as [Befalls, string][];
const all = await Promise.all(homes.map(async ([what, home]) => [what, await toldIn(home, what)]));
process.stdout.write(JSON.stringify(Object.fromEntries(all)));
