import { join } from 'node:path';
import { withLock } from '../files/locks.ts';
import type { Directory } from './directory.ts';
import type { LiveCollections } from './live-collections.ts';

export interface TurnsDeps {
  readonly home: string;
  readonly directoryOf: (id: string) => Promise<string>;
  readonly filesOf: (id: string) => Promise<Directory>;
  readonly lives: Pick<LiveCollections, 'of'>;
}

/** Lets changes of a collection take turns, here and (by its lock) among the programs of a home. */
export interface Turns {
  /** Runs a change while no other one is under way, then reports its changes. */
  take<T>(id: string, work: (directory: Directory) => Promise<T>): Promise<T>;
  /** Waits for the changes that are under way. */
  done(): Promise<void>;
}

export function createTurns({ home, directoryOf, filesOf, lives }: TurnsDeps): Turns {
  const turns = new Map<string, Promise<unknown>>();

  return {
    async take(id, work) {
      const directory = await filesOf(id);
      const live = await lives.of(id);
      const changed = async () => {
        await directory.checkFormat();
        return work(directory);
      };
      const result = (turns.get(id) ?? Promise.resolve()).then(async () => {
        try {
          // In the home, not beside the directory that it guards: that is in git.
          return await withLock(join(home, `collection-${id}`), () => live.quietly(changed), { named: await directoryOf(id) });
        } finally {
          // A change that failed halfway is one too.
          await live.look().catch(() => undefined);
        }
      });
      turns.set(
        id,
        result.catch(() => undefined),
      );
      return result;
    },
    async done() {
      await Promise.all(turns.values());
    },
  };
}
