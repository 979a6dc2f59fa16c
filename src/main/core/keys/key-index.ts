import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeFileDurably } from '#core/files/files.ts';
import { vouched } from '#core/files/passed.ts';
import { readHomeFile } from '#core/files/home-file.ts';
import { withLock } from '#core/files/locks.ts';
import { AppError } from '#shared/errors.ts';
import { z } from '#shared/model/schema.ts';
import { keepUnknown } from '#shared/json/keep-unknown.ts';
import { renameSync } from '../files/moves.ts';

const Entry = z.object({
  /** As in KeyStatus. */
  fingerprint: z.nullable(z.string()),
  /** Length of the key in UTF-8 bytes. */
  bytes: z.int(),
  /** Another one each time the key is set, by which every process notices that its copy of the keychain's key is old. */
  version: z.string(),
  /** Milliseconds since the epoch; missing for a key that an earlier version stored. */
  setAt: z.optional(z.int()),
  /** True for a new key as long as the user has the older one sign. */
  rests: z.optional(z.boolean()),
  /** PEM of the client certificate that the key is for; missing for a key that signs. */
  certificate: z.optional(z.string()),
});
/** Facts about a stored key, without the key. */
export type KeyIndexEntry = z.infer<typeof Entry>;

const format = 1;
const IndexFile = z.object({ format: z.literal(format), accounts: z.record(z.string(), Entry) });
/** The fields of the file. */
export const keyIndexFields = Object.keys(IndexFile.shape);
type Accounts = Map<string, KeyIndexEntry>;

/**
 * The accounts that should have a key in the keychain. Without it a locked keyring, which replies as if it were empty, would look
 * like a key that was never set. It holds no secret and several processes may share it.
 */
export type KeyIndex = ReturnType<typeof createKeyIndex>;

/**
 * Creates the index in the file at `path`. A damaged file is renamed to `<path>.broken-<time>` and reported through `report`; the
 * keys themselves are in the keychain and still work. One of another form is refused and left alone.
 */
export function createKeyIndex(options: { path: string; report: (message: string) => void; now?: () => number }) {
  const { path, report, now = Date.now } = options;
  let accounts: Accounts = new Map();
  /** The content of the file, of which a newer version may understand more. */
  let raw: unknown = {};
  let seen = '';
  /** Nobody else's write can be known in the turn of the event loop in which the file was looked at. */
  let isFresh = false;

  function current(): Accounts {
    if (isFresh) return accounts;
    const stamp = stampOf(path);
    if (stamp !== seen) {
      raw = {};
      accounts = stamp === '' ? new Map() : load();
      // Of before the file was read: if it was written in between, the next look reads it again.
      seen = stamp;
    }
    isFresh = true;
    setImmediate(() => (isFresh = false));
    return accounts;
  }

  function load(): Accounts {
    const found = readHomeFile({
      kind: 'home.keys',
      path,
      schema: IndexFile,
      holds: 'lists the stored keys',
      onDamaged: setAside,
    });
    raw = found?.raw ?? {};
    return new Map(Object.entries(found?.value.accounts ?? {}));
  }

  function setAside(): void {
    const aside = `${path}.broken-${now()}`;
    try {
      renameSync(path, aside);
    } catch (cause) {
      // Another process that looked at the same time has moved it, and reported it.
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return;
      throw new AppError('storage', `${path} is damaged and cannot be moved aside. Check the folder's permissions.`, undefined, {
        cause,
      });
    }
    report(
      `The list of stored keys (${path}) was damaged and moved to ${aside}. Keys in the keychain still work; set one again to list it.`,
    );
  }

  /** Changes several entries in one write of the file. */
  function change(edit: (accounts: Accounts) => void): Promise<void> {
    return withLock(path, async () => {
      // Read again under the lock, so that nothing another process added is lost.
      [seen, isFresh] = ['unknown', false];
      const known = fileOf(current());
      const changed = new Map(current());
      edit(changed);
      const file = keepUnknown(raw, known, fileOf(changed)) as ReturnType<typeof fileOf>;
      const accounts = inOrder(Object.entries(file.accounts));
      await writeFileDurably(path, vouched('home', 'own', `${JSON.stringify({ ...file, accounts }, null, 2)}\n`));
      isFresh = false;
    });
  }

  return {
    /** Returns null if no key is expected. Checks once in each turn whether another process wrote the file. Throws `storage`. */
    entry: (account: string): KeyIndexEntry | null => current().get(account) ?? null,
    accounts: (): string[] => [...current().keys()],
    put: (account: string, entry: KeyIndexEntry): Promise<void> => change((changed) => void changed.set(account, entry)),
    remove: (account: string): Promise<void> => change((changed) => void changed.delete(account)),
    change,
    /** Runs `work`, which changes keys step by step, while no other program on this home changes any. Fails as `withLock` does. */
    // Another lock than the file's, which each step takes.
    alone: <T>(work: () => Promise<T>): Promise<T> => withLock(join(dirname(path), 'key-changes'), work, { named: 'The key' }),
  };
}

function fileOf(accounts: Accounts) {
  return { format, accounts: inOrder([...accounts]) };
}

function inOrder<T>(entries: [string, T][]): Record<string, T> {
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Returns a text that differs between two contents of a file, without reading it; '' if it is missing. Synchronous on purpose: some
 * 5 µs against some 100 for a turn through the thread pool, before every signed call.
 */
function stampOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.ino}:${stat.mtimeNs}:${stat.size}`;
}
