import { statSync } from 'node:fs';
import { AppError } from '#shared/errors.ts';
import { z } from '#shared/model/schema.ts';
import type { WriteOrder } from '#shared/ipc/settings.ts';
import { beyond, readers } from '#shared/model/readers.ts';
import { keyMarksInBody, masked } from '../masking/mask-places.ts';
import type { HeldKey } from '../keys/keys.ts';
import { writeFileDurably } from '../files/files.ts';
import { vouched, type Passed } from '../files/passed.ts';
import { readHomeFile } from '../files/home-file.ts';
import { withLock } from '../files/locks.ts';

/** `masked`: the text held a private key, and has its mark in the file. */
export type Settings = ReturnType<typeof createSettings>;

/** A newer version may keep other values than texts. */
const Content = z.record(z.string(), z.unknown());
type Values = Readonly<Record<string, unknown>>;

export type FindKeys = (text: string) => Promise<readonly HeldKey[]>;

/**
 * Creates the memory of a page, in one JSON file at `path`. Another process's changes to other names are kept. A text is written
 * without the private keys that `findKeys` finds in it: a key that the user is just typing into a tab must not cost them the rest
 * of their tabs.
 */
export function createSettings(path: string, findKeys: FindKeys = async () => []) {
  let cached: { stamp: string; values: Values } | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  const newest = new Map<string, WriteOrder>();

  /** Returns everything in the file. */
  function all(): Values {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return {};
    const stamp = `${found.ino}:${found.size}:${found.mtimeMs}`;
    if (cached?.stamp !== stamp)
      cached = {
        stamp,
        values: readHomeFile({ kind: 'home.settings', path, schema: Content, holds: 'has the settings' })?.value ?? {},
      };
    return cached.values;
  }

  /** Returns texts by name, as they are on the disk. Fails as `readHomeFile` does. */
  function read(): Record<string, string> {
    return Object.fromEntries(Object.entries(all()).filter((one): one is [string, string] => typeof one[1] === 'string'));
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  }

  async function change(toText: (values: Values) => string): Promise<void> {
    await withLock(path, async () => writeFileDurably(path, vouched('home', 'masked', toText(all()))));
  }

  return {
    read,
    /** Settles when every write that has begun is on the disk: a page that is loaded again asks while writes go on. */
    async settled(): Promise<void> {
      await turn;
    },
    /**
     * Writes a text. Fails with `storage`; then the file is as before. A write that a later one of the same page has overtaken does
     * nothing.
     */
    write(name: string, value: string, order?: WriteOrder): Promise<{ readonly masked: boolean }> {
      const last = newest.get(name);
      if (order !== undefined && last?.page === order.page && last.number > order.number)
        return Promise.resolve({ masked: false });
      if (order !== undefined) newest.set(name, order);
      return inTurn(async () => {
        const clean = await withoutKeys(value, findKeys);
        await change((values) => {
          const text = textOf({ ...values, [name]: clean });
          if (beyond('home.settings', { bytes: Buffer.byteLength(text, 'utf8') }) !== null) {
            throw new AppError(
              'storage',
              `${name} was not saved: the settings would be larger than ${readers['home.settings'].bytes / 1_000_000} MB. Close tabs that you don't need.`,
            );
          }
          return text;
        });
        return { masked: clean !== value };
      });
    },
    /** Removes a text that is kept elsewhere now; one that was written meanwhile stays. Fails as `write` does. */
    remove: (name: string, value: string): Promise<void> =>
      inTurn(() =>
        change((values) =>
          textOf(Object.fromEntries(Object.entries(values).filter((one) => one[0] !== name || one[1] !== value))),
        ),
      ),
    /** Masks a private key that was just stored in the texts kept before. Fails as `write` does. */
    clean: (): Promise<void> =>
      inTurn(async () => {
        const cleaned: Record<string, { before: string; after: string }> = {};
        for (const [name, before] of Object.entries(read())) {
          const after = await withoutKeys(before, findKeys);
          if (after !== before) cleaned[name] = { before, after };
        }
        if (Object.keys(cleaned).length === 0) return;
        await change((values) =>
          textOf(
            Object.fromEntries(
              Object.entries(values).map(([name, value]) => {
                const found = Object.hasOwn(cleaned, name) ? cleaned[name] : undefined;
                // Another program has masked what it wrote meanwhile.
                return [name, found !== undefined && found.before === value ? found.after : value];
              }),
            ),
          ),
        );
      }),
  };
}

function textOf(values: Values): string {
  const ordered = Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify(ordered, null, 2)}\n`;
}

/** Returns a text with a mark in place of each private key in it. Fails with `refused` if JSON would not be JSON any more. */
export async function withoutKeys(value: string, findKeys: FindKeys): Promise<Passed<'home', string>> {
  const held = await findKeys(value);
  if (held.length === 0) return vouched('home', 'masked', value);
  const bytes = Buffer.from(value, 'utf8');
  const marks = keyMarksInBody(
    bytes,
    held.flatMap(({ places }) => places),
  );
  const clean = masked(bytes, marks).toString('utf8');
  if (isJson(value) && !isJson(clean))
    throw new AppError('refused', 'Not saved: the text contains a private key. Remove it; Croupier signs without it.');
  return vouched('home', 'masked', clean);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
