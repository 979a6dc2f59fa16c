import { AppError } from '#shared/errors.ts';
import { within } from '../host/within.ts';
import { endLockWaits } from '../files/locks.ts';
import type { Ground } from './ground.ts';
import type { KeyProofs, Sending } from './sending.ts';
import { later } from './runtime.ts';
import type { UseCases } from './use-cases.ts';

/** Most milliseconds that an ending program waits for each of its parts. */
const endWithin = {
  /** Changes that write several files, such as an import. */
  changes: 5_000,
  /** Work that waits for another copy's lock on the home, usually for milliseconds. */
  locks: 1_000,
  /** All other calls of the page; those that wait for a key have failed by then. */
  responses: 3_000,
  /** Calls that were stopped, listeners, connections: none of them waits for anybody. */
  others: 1_000,
  /** Longer than the search gives its own thread. */
  search: 2_500,
  /** From here on a key agent that does not respond holds nothing up. A signature takes milliseconds. */
  keys: 1_500,
};

/**
 * Ends an application part by part, each within its bound: first the parts that write, then those that they use. `replying` are
 * the replies that somebody still waits for. `loading` is null if nothing but calls was asked
 * for. Resolves to false if a part did not end.
 */
export async function closeParts(
  ground: Ground,
  sending: Sending,
  loading: Promise<UseCases> | null,
  { replying, proofs, swept }: { replying: ReadonlySet<Promise<unknown>>; proofs: KeyProofs; swept: Promise<unknown> },
): Promise<boolean> {
  const { home, host, onFault, events, environments, run, database, history, historyService } = ground;
  const { connections, reading, calls, sandbox } = sending;
  const loaded = await loading;

  const ending = createEnding(onFault);
  const { part } = ending;
  const { changes, responses, others } = endWithin;
  loaded?.forget.close();
  loaded?.tokens.close();
  later(() => endLockWaits(home), endWithin.locks);
  await part('An export', others, () => loaded?.exports.close());
  await part('The check for a new version', others, () => loaded?.updates.close());
  const giveUpKeys = later(() => void host.secrets.close().catch(onFault), endWithin.keys);
  // First what writes rows and files. The pages of games leave meanwhile.
  const games = part('A game', 2 * others, () => loaded?.launcher.closeAll());
  await part('A run or a change of a collection', changes, () => loaded?.collections.close());
  await part('A probe', others, () => loaded?.probes.close());
  await part('A search for a mistake', others, () => loaded?.doctor.close());
  await part('The gateway', changes, () => loaded?.gateway.close());
  await part('A call', others, () => calls.close());
  await part('A request from the page', responses, () => Promise.allSettled(replying));
  await part('The removal of an older key', responses, () => proofs.close());
  await games;
  giveUpKeys();
  await Promise.all([
    part('Loading pictures', others, () => loaded?.thumbnails.close()),
    part('The built-in provider', others, () => sandbox.close()),
    part('A connection', others, () => connections.close()),
    part('A support pack', endWithin.search, () => loaded?.packs.closeAll()),
  ]);
  loaded?.stopDropping?.();
  await part('The game lists', others, () => loaded?.catalogue.close());
  await part('Reading a text', others, () => reading.close());
  await part('The history', others, () => history.close());
  await part('The history search', endWithin.search, () => historyService.close());
  await part('The history file', others, () => database.close());
  await part('The session lock', others, () => run.close());
  await part('The key agent', 2 * others, () => host.secrets.close());
  await part('The search for keys without an environment', others, () => swept);
  await part('The environments', others, () => environments.close());
  await part('The events', others, () => events.close());
  return ending.complete;
}

/** Ends the parts of a program. One that fails or hangs keeps no other from ending. */
export function createEnding(onFault: (error: unknown) => void) {
  let complete = true;
  return {
    /** Ends a part. `what` begins a sentence about a part that did not end within `withinMs` milliseconds. */
    async part(what: string, withinMs: number, end: () => unknown): Promise<void> {
      try {
        const ended = Promise.resolve(end()).then(() => true);
        if ((await within(withinMs, ended)) !== null) return;
        complete = false;
        onFault(new AppError('internal', `${what} did not end within ${withinMs / 1_000} s. Croupier exits anyway.`));
      } catch (error) {
        onFault(error);
      }
    },
    /** True while every part ended in time. */
    get complete(): boolean {
      return complete;
    },
  };
}
