import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from '#shared/model/schema.ts';
import { setAsideCalls, setAsideWhole } from '#shared/model/limits.ts';
import type { SetAside } from '#shared/ipc/outputs/history.ts';
import { readText } from '../files/files.ts';
import { renameSync, rmSync } from '../files/moves.ts';

/** The record beside a file that was set aside. */
const Record = z.object({
  reason: z.string(),
  at: z.number(),
  /** Number in the order of setting aside: clocks go back. */
  number: z._default(z.int(), 0),
  recovered: z.nullable(z.int()),
  partial: z._default(z.int(), 0),
  about: z._default(z.nullable(z.int()), null),
});

/** Number of recovered calls, of partial ones, and of all calls if it can be estimated. */
export interface Recovered {
  readonly calls: number;
  readonly partial: number;
  readonly about: number | null;
}

const sidecars = ['-wal', '-shm', '-journal'] as const;

/** Path of the mark that is written when damage is found while the file is in use: the next start sets the file aside. */
function markPath(path: string): string {
  return `${path}.damaged`;
}

/** Marks the file as damaged. If even that cannot be written, the next session finds the damage by itself. */
export function markDamaged(path: string, message: string): void {
  try {
    writeFileSync(markPath(path), `${message}\n`, { mode: 0o600 });
  } catch {
    // The session goes on without its history in any case.
  }
}

/** Returns the damage that an earlier session found in the file; null for none. */
export function damageMark(path: string): string | null {
  if (!existsSync(markPath(path))) return null;
  // The mark of a file that was moved away by hand means nothing for its successor.
  if (existsSync(path)) return 'was found damaged';
  rmSync(markPath(path), { force: true });
  return null;
}

/** Renames the file and what belongs to it, next to its old path, and returns its new path. Nothing of it is changed. */
export function setAside(path: string, reason: string, at: number): string {
  const stamp = new Date(at).toISOString().replaceAll(/[-:]/g, '').slice(0, 15);
  const free = (attempt: number): string => {
    const name = `${path}.set-aside-${stamp}${attempt === 0 ? '' : `-${attempt}`}`;
    return ['', ...sidecars, '.json'].some((suffix) => existsSync(name + suffix)) ? free(attempt + 1) : name;
  };
  const aside = interrupted(path) ?? free(0);
  // The file itself goes first: without its write-ahead log it would be taken for a sound one that is merely older.
  for (const suffix of ['', ...sidecars]) if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  const number = Math.max(0, ...recordsOf(path).map((one) => one.number)) + 1;
  writeRecord(aside, { reason, at, number, recovered: null, partial: 0, about: null });
  rmSync(markPath(path), { force: true });
  return aside;
}

/** Returns whether only a write-ahead log is there: it would be taken for that of a new file of the same name. */
export function hasOnlyLeftovers(path: string): boolean {
  return !existsSync(path) && sidecars.some((suffix) => existsSync(path + suffix));
}

/** Returns the path of a file whose renaming was interrupted before that of its write-ahead log. */
function interrupted(path: string): string | null {
  if (existsSync(path)) return null;
  return listSetAside(path).find((one) => one.at === 0 && !existsSync(`${one.path}-wal`))?.path ?? null;
}

/** Remembers the number of calls that could be read out of a file that was set aside. */
export function writeRecovered(aside: string, { calls, partial, about }: Recovered): void {
  writeRecord(aside, { ...readRecord(aside), recovered: calls, partial, about });
}

/** Returns the path of the JSON lines with a file's recovered calls. */
export function recoveredPath(aside: string): string {
  return `${aside}.recovered.jsonl`;
}

/** Lists the files that were set aside next to `path`, newest first; of some only the recovered calls are left. */
export function listSetAside(path: string): SetAside[] {
  return recordsOf(path).map(({ aside, at, reason, recovered: calls, partial, about }) => ({
    path: aside,
    at,
    reason,
    gone: !['', ...sidecars].some((suffix) => existsSync(aside + suffix)),
    recovered: calls === null ? null : { path: recoveredPath(aside), calls, partial, about },
  }));
}

/**
 * Removes files beyond the newest: first the files themselves, of which the recovered calls stay, then those, too. A file whose
 * calls were not recovered stays, as that of another program does. What cannot be removed now goes the next time.
 */
export function boundSetAside(path: string): void {
  for (const [place, { aside, recovered }] of recordsOf(path).entries()) {
    if (place < setAsideWhole || recovered === null) continue;
    const holdsCalls = recovered > 0 && place < setAsideWhole + setAsideCalls;
    // Its record goes last: if this ends halfway, the next time repeats it.
    const suffixes = ['', ...sidecars, ...(holdsCalls ? [] : ['.recovered.jsonl', '.json'])];
    try {
      for (const suffix of suffixes) rmSync(aside + suffix, { force: true });
    } catch {
      // A home that can only be read, or a file that another program has open.
    }
  }
}

/** Returns the records of all, newest first. */
function recordsOf(path: string): (z.infer<typeof Record> & { readonly aside: string })[] {
  const start = `${basename(path)}.set-aside-`;
  const names = existsSync(dirname(path)) ? readdirSync(dirname(path)) : [];
  // Of some only the write-ahead log was left.
  const stems = names.flatMap((name) => {
    const [, stem] = /^(\d{8}T\d{6}(?:-\d+)?)(?:-wal|-shm|-journal|\.json)?$/.exec(name.slice(start.length)) ?? [];
    return name.startsWith(start) && stem !== undefined ? [start + stem] : [];
  });
  return [...new Set(stems)]
    .map((name) => join(dirname(path), name))
    .map((aside) => ({ ...readRecord(aside), aside }))
    .sort((one, other) => other.number - one.number || other.at - one.at || (one.aside < other.aside ? 1 : -1));
}

function readRecord(aside: string): z.infer<typeof Record> {
  try {
    return Record.parse(JSON.parse(readText('home.setAside', `${aside}.json`)));
  } catch {
    return { reason: 'was set aside', at: 0, number: 0, recovered: null, partial: 0, about: null };
  }
}

function writeRecord(aside: string, record: z.infer<typeof Record>): void {
  writeFileSync(`${aside}.json`, `${JSON.stringify(record)}\n`, { mode: 0o600 });
}
