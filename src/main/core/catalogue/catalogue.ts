import { setImmediate } from 'node:timers/promises';
import { AppError } from '#shared/errors.ts';
import type {
  Call,
  CatalogueComparison,
  CatalogueGame,
  CatalogueSnapshot,
  CallSummary,
  Environment,
  Output,
  ParsedInput,
} from '#shared/ipc/index.ts';
import type { KnownGames } from '#shared/provider/known-games.ts';
import { unreadFinding } from '#shared/provider/findings.ts';
import { summaryOf } from '../calls/call-response.ts';
import type { Reading } from '../untrusted/jobs.ts';
import type { SendRequest } from '../calls/calls.ts';
import { compareSnapshots } from './compare-snapshots.ts';
import { gameOf, knownRows, type GameRow } from './read-games.ts';
import { beginList, listedBy, type Found, type Listed } from './received-list.ts';
import type { KeptList, SnapshotStore } from './store.ts';

export interface CatalogueDeps {
  readonly send: (request: SendRequest) => Promise<Call>;
  readonly body: (callId: number) => Uint8Array;
  readonly reading: Pick<Reading, 'run'>;
  /** Fails with `not_found`. */
  readonly environment: (id: string) => Environment;
  readonly store: SnapshotStore;
  /** Does work after so many milliseconds, unless the returned function is called before. */
  readonly later: (work: () => void, milliseconds: number) => () => void;
  readonly onChange: () => void;
  readonly onFault: (error: unknown) => void;
}

/** Games whose bets are read in one step: some 20 ms. */
const mostInStep = 2_000;
/** Number of pictures of shown lists that are known at once. */
const mostPictures = 100_000;
/** Milliseconds between two polls for game lists of other processes. */
const pollMs = 2_000;

/** The games of the providers: every list that a call brought, kept as snapshots. */
export function createCatalogue(deps: CatalogueDeps) {
  const { send, body, store, onChange } = deps;
  /** Lists that are read before they are kept. */
  const keeping = new Set<Promise<unknown>>();
  const pictures = new Set<string>();
  let stopPolling: (() => void) | null = null;
  let stamp = '';
  /** Until another list comes, or may have been kept by another process. */
  let lastKnown: { readonly environmentId: string; readonly games: KnownGames | null; readonly stop: () => void } | null = null;

  const begin = (found: Found) => beginList(found, deps.reading);
  const ofRuns = createListsOfRuns({ begin, keep: keepQuietly, later: deps.later, onNews: forgetKnown });

  /** Keeps a list; null if the response is not a game list. Fails with `storage`. */
  async function keep(listed: Listed): Promise<CatalogueSnapshot | null> {
    const { list } = listed.content;
    if (list === null) return null;
    forgetKnown();
    const { call, currency } = listed;
    const { environmentId, environmentName } = call;
    const problems = [...list.problems];
    const snapshot = await store.add(
      { environmentId, environmentName, currency, callId: call.id, fetchedAt: call.sentAt, problems },
      list.games,
    );
    forgetKnown();
    if (stopPolling !== null) stamp = store.stamp();
    onChange();
    return snapshot;
  }

  /** Keeps a list without failing: the response is in the history, and must not fail for a list that cannot be kept. */
  function keepQuietly(listed: Listed): void {
    const kept = (listed.ready === null ? keep(listed) : listed.ready.then(() => keep(listed))).catch(deps.onFault);
    keeping.add(kept);
    void kept.then(() => keeping.delete(kept));
  }

  function quietly(work: () => void): void {
    try {
      work();
    } catch (error) {
      deps.onFault(error);
    }
  }

  /** Those that are being read are kept when this is done. */
  async function allKept(): Promise<void> {
    while (keeping.size > 0) await Promise.all(keeping);
  }

  /** Notes the pictures of a list that somebody is shown. */
  function shown<T extends { readonly games: readonly GameRow[] }>(list: T): T {
    if (pictures.size > mostPictures) pictures.clear();
    for (const { thumbnail } of list.games) pictures.add(thumbnail);
    return list;
  }

  const get = async (snapshotId: number): Promise<KeptList> => shown(await store.get(snapshotId));

  function newestGames(environmentId: string): KnownGames | null {
    const waitingGames = ofRuns.known(environmentId);
    if (waitingGames !== null) return waitingGames;
    try {
      const [newest] = store.list(environmentId);
      return newest === undefined ? null : knownRows(newest.currency, store.games(newest.id));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // A finding is not worth a call: where the history is in trouble, recording the call says so.
      return null;
    }
  }

  function forgetKnown(): void {
    lastKnown?.stop();
    lastKnown = null;
  }

  /** Polls for lists of other processes that use the same home, such as a command line, which report nothing here. */
  function poll(): void {
    stopPolling = deps.later(poll, pollMs);
    try {
      const now = store.stamp();
      if (now === stamp) return;
      stamp = now;
      onChange();
    } catch {
      // Whoever asks for the lists hears why there are none.
    }
  }

  return {
    /** Sends gameList and returns the list of a code 0. Fails as `calls.send` does. */
    async fetch({
      environmentId,
      currency,
      ticket,
      confirmed,
    }: ParsedInput<'catalogue.fetch'>): Promise<{ call: CallSummary; snapshot: CatalogueSnapshot | null }> {
      const text = JSON.stringify({ currency });
      const call = await send({
        draft: { environmentId, operation: 'gameList', form: 'main', text, overrides: {} },
        ticket,
        confirmed,
      });
      await allKept();
      const kept = store.list(environmentId).find(({ callId }) => callId === call.id);
      if (kept !== undefined) return { call: summaryOf(call), snapshot: kept };
      // Asked again, so that a list that could not be kept is refused here with its reason.
      const found = call.code === 0 ? listedBy(call, body(call.id), deps.environment(environmentId)) : null;
      const listed = found === null ? null : begin(found);
      await listed?.ready;
      return { call: summaryOf(call), snapshot: listed === null ? null : await keep(listed) };
    },
    /** Keeps the list that any call brought, whoever sent it; those of a run a moment later and together. Never throws. */
    delivered(call: Call, bytes: Uint8Array, environment: Environment): void {
      // Whoever asks for the list hears why it is not read.
      const found = unreadFinding(call.findings) === null ? listedBy(call, bytes, environment) : null;
      if (found === null) return;
      quietly(() => (call.collectionRun === null ? keepQuietly(begin(found)) : ofRuns.add(found)));
    },
    async snapshots(environmentId?: string): Promise<CatalogueSnapshot[]> {
      ofRuns.keepAll();
      await allKept();
      if (stopPolling === null) {
        stamp = store.stamp();
        stopPolling = deps.later(poll, pollMs);
      }
      return store.list(environmentId);
    },
    /** Returns the environment's newest list for the checks of a request; null without one, or if it cannot be read. */
    known(environmentId: string): KnownGames | null {
      if (lastKnown?.environmentId === environmentId) return lastKnown.games;
      forgetKnown();
      const games = newestGames(environmentId);
      lastKnown = { environmentId, games, stop: deps.later(forgetKnown, pollMs) };
      return games;
    },
    /** Returns whether a list that was shown here, or the newest of the environment, names the picture: nobody loads another one. */
    names(environmentId: string, url: string): boolean {
      if (pictures.has(url)) return true;
      const [newest] = store.list(environmentId);
      if (newest !== undefined) shown({ games: store.games(newest.id) });
      return pictures.has(url);
    },
    /** Fails with `not_found`. */
    async games(snapshotId: number): Promise<Output<'catalogue.games'>> {
      const { snapshot, games: rows } = await get(snapshotId);
      const games: CatalogueGame[] = [];
      for (const row of rows) {
        if (games.length % mostInStep === mostInStep - 1) await setImmediate();
        games.push(gameOf(row));
      }
      return { snapshot, games };
    },
    /** Fails with `not_found`. */
    compare: async (from: number, to: number): Promise<CatalogueComparison> => compareSnapshots(await get(from), await get(to)),
    /** Keeps what still waits. */
    async close(): Promise<void> {
      ofRuns.keepAll();
      await allKept();
      forgetKnown();
      stopPolling?.();
    },
  };
}

interface ListsOfRunsDeps extends Pick<CatalogueDeps, 'later'> {
  /** Begins to read a list. */
  readonly begin: (found: Found) => Listed;
  readonly keep: (listed: Listed) => void;
  /** The newest list may be another one now. */
  readonly onNews: () => void;
}

/** Milliseconds that game lists of a run wait for each other. */
const runWaitMs = 250;
/** Number of different lists of a run that are held in memory. */
const mostWaiting = 20;

/** The lists that runs brought, which wait for each other: a run that asks a thousand times and gets the same list holds, reads and keeps one. */
function createListsOfRuns({ begin, keep, later, onNews }: ListsOfRunsDeps) {
  let waiting: Listed[] = [];
  let stopWaiting: (() => void) | null = null;

  /** Keeps those that wait, now. */
  function keepAll(): void {
    stopWaiting?.();
    stopWaiting = null;
    const lists = waiting;
    waiting = [];
    for (const listed of lists) keep(listed);
  }

  return {
    keepAll,
    add(found: Found): void {
      const { call, currency, body: bytes } = found;
      const at = waiting.findLastIndex((one) => one.call.environmentId === call.environmentId && one.currency === currency);
      const last = waiting[at];
      const again = last !== undefined && Buffer.compare(last.body, bytes) === 0;
      if (again) waiting[at] = { ...last, ...found };
      else waiting.push(begin(found));
      if (!again || waiting.length > 1) onNews();
      if (waiting.length >= mostWaiting) keepAll();
      else stopWaiting ??= later(keepAll, runWaitMs);
    },
    /** The newest of an environment that is read by now. */
    // Read while it waits: a run that asks for the games before each request must not write the list as often.
    known(environmentId: string): KnownGames | null {
      const lists = waiting.filter(({ call }) => call.environmentId === environmentId);
      const newest = lists.reduce<Listed | null>(
        (one, other) => ((one?.call.sentAt ?? 0) > other.call.sentAt ? one : other),
        null,
      );
      // Until a long one is read, the list before it is the newest that is known.
      const list = newest?.content.list ?? null;
      return newest === null || list === null ? null : knownRows(newest.currency, list.games);
    },
  };
}
