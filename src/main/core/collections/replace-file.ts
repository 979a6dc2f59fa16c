import { randomBytes } from 'node:crypto';
import { lstatSync, renameSync } from 'node:fs';
import { link, open, readdir, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError } from '#shared/errors.ts';
import { replaceFileDurably } from '../files/files.ts';
import type { Passed } from '../files/passed.ts';
import { readingFlags, revisionOf } from './disk.ts';
import { moveBeside, writeBeside, type OnKept } from './keep-beside.ts';
import { patiently, unlink } from '../files/moves.ts';

/** Puts new contents in the place of files that other programs may write at the same moment. */
export type Replacing = ReturnType<typeof createReplacing>;

export interface ReplacingDeps {
  readonly onKept: OnKept;
  readonly onFault: (error: unknown) => void;
  /** Runs something later; returns the function that cancels it. */
  readonly later?: (work: () => void, milliseconds: number) => () => void;
  readonly link?: typeof link;
  readonly platform?: NodeJS.Platform;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** A program that has opened the old file writes into it within moments. It is held open for as long; nothing of it is in the folder any more. */
const readAgainMs = 1_000;
const abandonedAfterMs = 60_000;
/** Of an old file: hidden; the name says what should be in it. */
const oldName = /^\.(.+)\.([0-9a-f]{32})\.[0-9a-f]{8}\.old$/;

/** The file that is about to be replaced, and stays within reach when it is. */
interface OldFile {
  /** Its second name; null where the file system has no links. Then it is held open, which ends with the program. */
  readonly name: string | null;
  readonly open: () => Promise<FileHandle>;
  readonly giveUp: () => Promise<void>;
}

export function createReplacing(deps: ReplacingDeps) {
  const { onKept, onFault, later = timer, link: addName = link, platform = process.platform, now = Date.now } = deps;
  /** Readings of old files that are yet to come. */
  const waiting = new Set<() => Promise<void>>();

  async function hold(absolute: string, revision: string): Promise<OldFile | null> {
    const short = basename(absolute).slice(0, 50);
    const name = join(dirname(absolute), `.${short}.${revision}.${randomBytes(4).toString('hex')}.old`);
    try {
      await addName(absolute, name);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') throw changed(absolute);
      // Windows replaces no file that is open: there it can only be compared before.
      if (platform === 'win32') return null;
      const handle = await open(absolute, readingFlags);
      return { name: null, open: async () => handle, giveUp: () => handle.close() };
    }
    return { name, open: () => open(name, readingFlags), giveUp: () => unlink(name) };
  }

  /** Puts the new file in the place of the one that `revision` names, in one turn, and of no other. */
  async function exchange(temporary: string, absolute: string, old: OldFile | null, revision: string): Promise<void> {
    const { seen, found } = await readOld(old ?? { name: absolute, open: () => open(absolute, readingFlags) });
    if (revisionOf(found) !== revision) throw changed(absolute);
    // Another program has microseconds to put a file here that nobody sees again.
    const there = lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
    const same = there?.ino === seen.ino && there.size === seen.size && there.mtimeNs === seen.mtimeNs;
    if (!same) throw changed(absolute);
    renameSync(temporary, absolute);
  }

  async function readOld(old: Pick<OldFile, 'name' | 'open'>) {
    const handle = await old.open();
    try {
      return { seen: await handle.stat({ bigint: true }), found: await readAll(handle) };
    } finally {
      // Windows replaces no file that is open.
      if (old.name !== null) await handle.close();
    }
  }

  /** Keeps the old file beside the new one if it is not the replaced one by now. */
  async function settle(absolute: string, old: OldFile, known: readonly string[]): Promise<void> {
    const handle = await old.open();
    let found: Buffer;
    try {
      found = await readAll(handle);
      if (known.includes(revisionOf(found))) {
        if (old.name !== null) await unlink(old.name);
        readLater(absolute, handle, known);
        return;
      }
    } catch (error) {
      await handle.close();
      throw error;
    }
    await handle.close();
    if (old.name === null) await writeBeside(absolute, found, onKept);
    else await moveBeside(absolute, old.name, onKept);
  }

  function readLater(absolute: string, handle: FileHandle, known: readonly string[]): void {
    const readAgain = async () => {
      giveUp();
      waiting.delete(readAgain);
      try {
        const found = await readAll(handle);
        if (!known.includes(revisionOf(found))) await writeBeside(absolute, found, onKept);
      } catch (error) {
        onFault(error);
      } finally {
        await handle.close();
      }
    };
    const giveUp = later(() => void readAgain(), readAgainMs);
    waiting.add(readAgain);
  }

  return {
    /**
     * Replaces the file whose bytes `revision` names. Fails with `conflict` if the file is another one by now, and with `storage`;
     * then it stays as it is. A version that another program wrote too late for that is kept beside the file, and `onKept` is called.
     */
    async replace(absolute: string, bytes: Passed<'team', Uint8Array>, revision: string): Promise<void> {
      const known = [revision, revisionOf(bytes)];
      await replaceFileDurably(absolute, bytes, 'shared', async (temporary) => {
        const old = await hold(absolute, revision);
        try {
          await patiently(() => exchange(temporary, absolute, old, revision));
        } catch (error) {
          await old?.giveUp();
          throw error;
        }
        // It is saved, whatever happens here; a copy that cannot be handled now is found by the next sweep.
        if (old !== null) await settle(absolute, old, known).catch(onFault);
      });
    },
    /** Deals with what killed programs left in a folder. Returns whether some is too young for that. */
    async sweep(folder: string): Promise<boolean> {
      let isYoung = false;
      for (const entry of await readdir(folder).catch(() => [])) {
        const [, file, revision] = oldName.exec(entry) ?? [];
        const name = join(folder, entry);
        if (file === undefined || revision === undefined) continue;
        const found = await stat(name).catch(() => null);
        // A younger one is another program's, which is just saving.
        if (found === null) continue;
        if (now() - found.ctimeMs < abandonedAfterMs) {
          isYoung = true;
          continue;
        }
        const old: OldFile = { name, open: () => open(name, readingFlags), giveUp: () => unlink(name) };
        await settle(join(folder, file), old, [revision]).catch(onFault);
      }
      return isYoung;
    },
    /** Reads the files that were replaced a last time. */
    async close(): Promise<void> {
      await Promise.all([...waiting].map((readAgain) => readAgain()));
    },
  };
}

function changed(absolute: string): AppError {
  return new AppError('conflict', `Nothing was written: another program changed ${absolute}.`);
}

/** From its beginning, wherever the handle stands. */
async function readAll(handle: FileHandle): Promise<Buffer> {
  const { size } = await handle.stat();
  const bytes = Buffer.allocUnsafe(size + 65_536);
  let length = 0;
  for (;;) {
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
    length += bytesRead;
    if (bytesRead === 0 || length === bytes.length) return bytes.subarray(0, length);
  }
}

function timer(work: () => void, milliseconds: number): () => void {
  const started = setTimeout(work, milliseconds);
  started.unref();
  return () => clearTimeout(started);
}
