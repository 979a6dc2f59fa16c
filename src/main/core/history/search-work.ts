import { existsSync } from 'node:fs';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { AppError, reasonAndAdvice } from '#shared/errors.ts';
import type { CallPage } from '#shared/ipc/index.ts';
import { checkSteps, DamageFound } from '../database/damage-check.ts';
import { recoverCalls } from '../database/recover.ts';
import { reasonOf, storageFailure, sqliteCode } from '../files/disk-failures.ts';
import { erase, type Erased, type EraseExtent } from './erase.ts';
import { findCalls, type Control, type FoundCalls, type PlayerQuestion } from './find-calls.ts';
import { createSearchEngine, type EngineOptions, type HeldWords, type SearchEngine, type SearchQuery } from './search-engine.ts';

/** Questions about the history and work on its files, in whatever thread. Each fails with `storage`. */
export type SearchWork = Omit<ReturnType<typeof createSearchWork>, 'close'>;

/** Milliseconds for the next step of a search to be asked for. */
const nextStepMs = 150;

/**
 * Does the work in the calling thread, which it leaves to others every some tens of milliseconds. `onDamage` is called if the history
 * itself is broken.
 */
export function createSearchWork(options: EngineOptions & { readonly onDamage: (message: string) => void }) {
  const { historyPath, indexPath, write, onDamage } = options;
  let engine: SearchEngine | null = null;
  const own = () => (engine ??= createSearchEngine(options));
  /** Ends with the last erasure: they take turns. */
  let erasing: Promise<unknown> = Promise.resolve();
  let indexing: Promise<void> | null = null;
  /** Ends when nobody has asked for the next step of a search. */
  let searching: Promise<unknown> = Promise.resolve();

  async function guarded<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (sqliteCode(error) === 11) onDamage('it is damaged');
      throw storageFailure(historyPath, error);
    }
  }

  async function indexAll(stop: Control['stop']): Promise<void> {
    try {
      for (let more = true; more;) {
        await setImmediate();
        // New calls wait for an erasure, as each would leave a piece more to be merged, and for a search that goes on in a moment.
        for (let last: Promise<unknown> | null = null; last !== searching;) {
          await erasing;
          await (last = searching);
        }
        more = stop?.aborted !== true && own().index();
      }
    } catch (error) {
      // A damaged index was begun again: it is the history then.
      if (error instanceof AppError || sqliteCode(error) === 11) throw storageFailure(historyPath, error);
      throw new AppError('storage', `The search index ${indexPath} could not be updated: ${reasonOf(error)}.`);
    }
  }

  async function eraseNow(extent: EraseExtent, stop: Control['stop']): Promise<Erased> {
    if (write) return erase(options, own(), extent, { whole: false, stop });
    close();
    // An index that is not there is not made.
    const writer = existsSync(indexPath) ? createSearchEngine({ ...options, write: true }) : null;
    try {
      return await erase(options, writer, extent, { whole: true, stop });
    } finally {
      writer?.close();
    }
  }

  function close(): void {
    engine?.close();
    engine = null;
  }

  return {
    close,
    search: (query: SearchQuery): Promise<CallPage> =>
      guarded(async () => {
        // Between its steps, a search leaves this thread to others, also to a signal.
        await setImmediate();
        const page = own().search(query);
        searching = page.rest === null ? Promise.resolve() : setTimeout(nextStepMs, null, { ref: false });
        return page;
      }),
    /** Returns the number of calls that are read one by one because the index does not hold them yet. */
    unindexed: (): Promise<number> => guarded(() => own().unindexed()),
    /** Returns what of removed calls is still in the index. */
    held: (): Promise<HeldWords> => guarded(() => own().holds()),
    /** Takes removed calls out of the index, and their remains out of the files. */
    erase(extent: EraseExtent, { stop }: Control = {}): Promise<Erased> {
      const erased = erasing.then(() => eraseNow(extent, stop));
      erasing = erased.catch(() => undefined);
      return guarded(() => erased);
    },
    /** Searches every call for those that name a player; null if it was stopped. */
    findCalls: (question: PlayerQuestion, control?: Control): Promise<FoundCalls | null> =>
      guarded(() => findCalls(historyPath, question, control)),
    /** Brings the index up to date. */
    index: (_?: undefined, { stop }: Control = {}): Promise<void> =>
      (indexing ??= indexAll(stop).finally(() => (indexing = null))),
    /** Checks the file. `thorough`: also if that takes long. */
    async check(thorough: boolean, { stop }: Control = {}): Promise<void> {
      try {
        for (const _ of checkSteps(historyPath, thorough)) {
          if (stop?.aborted === true) return;
          await setImmediate();
        }
      } catch (error) {
        if (!(error instanceof DamageFound) && sqliteCode(error) !== 11) throw storageFailure(historyPath, error);
        onDamage(
          'a check of the whole file found damage. Restart the workbench: it sets the file aside and saves what it can still read of it',
        );
      }
    },
    /** Reads out a file that was set aside. */
    async recover(path: string, _control?: Control): Promise<void> {
      try {
        recoverCalls(path);
      } catch (error) {
        throw new AppError('storage', `${path} could not be recovered: ${reasonAndAdvice(error)}`);
      }
    },
  };
}
