import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from '#shared/model/schema.ts';
import { createOpened } from '../collections/opened-directories.ts';
import { createSessionLock } from '../files/session-lock.ts';
import type { Secrets } from '../host/host.ts';
import { fingerprintAccount } from '../keys/keys.ts';
import { sizeOf, sizesIn } from './diagnostics.ts';
import { isOfCroupier } from './home.ts';
import { readText } from '../files/files.ts';
import { rm } from '../files/moves.ts';

const KeyList = z.object({ accounts: z.record(z.string(), z.unknown()) });

/** Traces of Croupier in one home and in the keychain. Nothing is opened or changed to find it. */
export interface Traces {
  readonly home: string;
  /** Files and folders of the home that Croupier made, with their sizes in bytes. */
  readonly entries: readonly { readonly name: string; readonly bytes: number; readonly files: number }[];
  /** Folders of Croupier's elsewhere, with their sizes. */
  readonly outside: readonly { readonly name: string; readonly bytes: number; readonly files: number }[];
  /** Names in the home that are the user's own: collections among them. */
  readonly own: readonly string[];
  /** Directories of the collections that are open, which are the user's. */
  readonly collections: readonly string[];
  /** Accounts of the service `Croupier` in the keychain; null if the list of them cannot be read. */
  readonly accounts: readonly string[] | null;
  /** True while another copy of Croupier runs on the home. */
  readonly isInUse: boolean;
}

/** Finds them; a home that is not there has none. `outside`: absolute paths of the folders elsewhere. */
export async function findTraces(home: string, outside: readonly string[]): Promise<Traces> {
  const elsewhere = await Promise.all(outside.map(async (path) => ({ name: path, ...(await sizeOf(path)) })));
  const sizes = await sizesIn(home);
  const isTrace = (name: string) => isOfCroupier(name) && name !== 'collections';
  const opened = await createOpened(join(home, 'collections.json'))
    .list()
    .catch(() => []);
  return {
    home,
    entries: sizes.filter(({ name }) => isTrace(name)),
    outside: elsewhere.filter(({ files }) => files > 0),
    own: sizes.map(({ name }) => name).filter((name) => !isTrace(name)),
    collections: opened.map(({ directory }) => directory),
    accounts: accountsIn(join(home, 'keys.json')),
    isInUse: createSessionLock(join(home, 'runs')).hasOthers(),
  };
}

/**
 * Removes them: the keychain's entries first, because the home has the only list of them, and the home itself if nothing is left in it. The key
 * for fingerprints goes with the last of them if `isOnlyHome`; other homes of the user share it. Fails with `key_unavailable` if the
 * keychain does not let an entry go; the home is whole then.
 */
export async function removeTraces(
  { home: directory, entries, outside, accounts }: Traces,
  secrets: Pick<Secrets, 'remove'>,
  isOnlyHome: boolean,
): Promise<void> {
  for (const account of accounts ?? []) await secrets.remove(account);
  if (isOnlyHome && (accounts ?? []).length > 0) await secrets.remove(fingerprintAccount);
  await Promise.all(entries.map(({ name }) => rm(join(directory, name), { recursive: true, force: true })));
  await Promise.all(outside.map(({ name }) => rm(name, { recursive: true, force: true })));
  if ((await readdir(directory).catch(() => [directory])).length === 0) await rm(directory, { recursive: true, force: true });
}

/** Read without the index of keys, which sets a damaged file aside. */
function accountsIn(path: string): string[] | null {
  try {
    const { accounts } = KeyList.parse(JSON.parse(readText('home.keys', path)));
    return Object.keys(accounts).sort();
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? [] : null;
  }
}
