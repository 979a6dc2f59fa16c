import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestApp, temporaryFolder } from '#testing/app.ts';
import { AppError } from '#shared/errors.ts';
import { findTraces, removeTraces } from './traces.ts';

let folder: string;
let home: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  home = join(folder, 'home');
});
afterEach(() => rm(folder, { recursive: true }));

/** Records what it is asked to remove. */
function keychain(refused?: string) {
  const removed: string[] = [];
  const remove = async (account: string) => {
    if (account === refused) throw new AppError('key_unavailable', 'Locked.');
    removed.push(account);
  };
  return { removed, secrets: { remove } };
}

it('a home that was used is found whole and goes, and what is not of Croupier stays', async () => {
  const { client, close } = await createTestApp({ home });
  await client.call('environments.create', {
    environment: { name: 'Staging', baseUrl: 'https://api.example', platform: 1, partnerId: 2, production: false },
  });
  // A workbench opens its history at once.
  await client.call('app.info', {});
  const inUse = await findTraces(home, []);
  await close();
  await writeFile(join(home, 'devices.json'), '{}');
  await mkdir(join(home, 'collections', 'mine'), { recursive: true });
  await writeFile(join(home, 'keys.json'), JSON.stringify({ format: 1, accounts: { 'croupier/a': {}, 'croupier-new/a': {} } }));
  const cache = join(folder, 'cache');
  await mkdir(cache);
  await writeFile(join(cache, 'x'), '123');

  const found = await findTraces(home, [cache, join(folder, 'none')]);
  expect(found).toMatchObject({
    own: ['collections', 'devices.json'],
    outside: [{ name: cache, bytes: 3, files: 1 }],
    accounts: ['croupier-new/a', 'croupier/a'],
    isInUse: false,
  });
  expect(inUse.isInUse).toBe(true);
  expect(found.entries.find(({ name }) => name === 'environments')).toMatchObject({ files: 1 });
  const { removed, secrets } = keychain();
  await removeTraces(found, secrets, false);
  expect(removed).toEqual(['croupier-new/a', 'croupier/a']);
  expect(readdirSync(home).sort()).toEqual(['collections', 'devices.json']);
  expect(existsSync(cache)).toBe(false);
});

it('an empty home goes too, with the key for fingerprints of the last one', async () => {
  await mkdir(join(home, 'locks'), { recursive: true });
  await writeFile(join(home, 'keys.json'), JSON.stringify({ format: 1, accounts: { 'croupier/a': {} } }));
  const { removed, secrets } = keychain();
  await removeTraces(await findTraces(home, []), secrets, true);
  expect(removed).toEqual(['croupier/a', 'fingerprint-key']);
  expect(existsSync(home)).toBe(false);
  expect(await findTraces(home, [])).toMatchObject({ entries: [], accounts: [], own: [] });
});

it('a keychain that keeps an entry leaves the home with its list whole', async () => {
  await mkdir(home);
  await writeFile(join(home, 'keys.json'), JSON.stringify({ format: 1, accounts: { 'croupier/a': {}, 'croupier/b': {} } }));
  const { secrets } = keychain('croupier/b');
  await expect(removeTraces(await findTraces(home, []), secrets, true)).rejects.toThrow('Locked.');
  expect(existsSync(join(home, 'keys.json'))).toBe(true);
});

it('a list of keys that cannot be read is left as it is, and said to be unknown', async () => {
  await mkdir(home);
  await writeFile(join(home, 'keys.json'), '{');
  expect(await findTraces(home, [])).toMatchObject({ accounts: null });
  expect(readdirSync(home)).toEqual(['keys.json']);
});
