import { AppError } from '#shared/errors.ts';
import type { Call, CatalogueComparison, CatalogueSnapshot, CallSummary, Confirmed, Environment } from '#shared/ipc/index.ts';
import { knownGames, type KnownGames } from '#shared/provider/known-games.ts';
import { nodeAt } from '#shared/provider/launcher-url.ts';
import { readAnswer, summaryOf } from '../calls/answer.ts';
import type { Reading } from '../untrusted/jobs.ts';
import { responseSubject, smallBytes, unreadAdvice } from '../untrusted/measure.ts';
import type { SendRequest } from '../calls/calls.ts';
import { compareSnapshots, type SnapshotGames } from './compare.ts';
import { readGamesJob, textOf, type GameList } from './read-games.ts';
import type { SnapshotStore } from './store.ts';

interface FetchRequest {
  readonly environmentId: string;
  readonly currency: string;
  readonly ticket: string;
  readonly confirmed: Confirmed;
}

export interface Catalogue {
  /** Sends gameList and gives what a code 0 brought. Fails as `calls.send` does. */
  fetch(request: FetchRequest): Promise<{ call: CallSummary; snapshot: CatalogueSnapshot | null }>;
  /** Keeps the list that any call brought, whoever sent it; those of a run a moment later and together. Never throws. */
  answered(call: Call, body: Uint8Array, environment: Environment): void;
  snapshots(environmentId?: string): Promise<CatalogueSnapshot[]>;
  /** The environment's newest list as the checks of a request need it; null where there is none, or where it cannot be read. */
  known(environmentId: string): KnownGames | null;
  /** Fails with `not_found`. */
  games(snapshotId: number): SnapshotGames;
  /** Fails with `not_found`. */
  compare(from: number, to: number): CatalogueComparison;
  /** Keeps what still waits. */
  close(): Promise<void>;
}

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

/** A list that came, with its call. */
interface Found {
  readonly call: Call;
  readonly currency: string;
  readonly body: Uint8Array;
}

/** One that is to be kept. */
interface Listed extends Found {
  /** What is in it, for each that is the same; null where it is not read yet, and where it is not a list. */
  readonly content: { list: GameList | null };
  /** Settles when a long list is read; null for a short one. */
  readonly ready: Promise<void> | null;
}

/** Milliseconds that game lists of a run wait for each other. */
const runWaitMs = 250;
/** So many different lists of a run are not held in memory. */
const mostWaiting = 20;
/** Milliseconds between two checks for game lists of other processes. */
const lookMs = 2_000;

/** The games of the providers: every list that a call brought, kept as snapshots. */
export function createCatalogue(deps: CatalogueDeps): Catalogue {
  const { send, body, store, onChange } = deps;
  let waiting: Listed[] = [];
  /** Lists that are read before they are kept. */
  const keeping = new Set<Promise<void>>();
  let stopWaiting: (() => void) | null = null;
  let stopLooking: (() => void) | null = null;
  let stamp = '';
  /** Until another list comes, or may have been kept by another process. */
  let lastKnown: { readonly environmentId: string; readonly games: KnownGames | null; readonly stop: () => void } | null = null;

  /** Begins to read a list; a short one is read when this returns. Fails with `refused` where that is too long to be kept. */
  function begin(found: Found): Listed {
    const bytes = found.body.length;
    if (bytes <= smallBytes) return { ...found, content: { list: readGamesJob(found.body) }, ready: null };
    const options = { subject: responseSubject, advice: unreadAdvice, bytes };
    const read = deps.reading.run('catalogue.games', found.body, options);
    const content: Listed['content'] = { list: null };
    const ready = read.then((list) => void (content.list = list));
    // Whoever keeps it is told.
    ready.catch(() => undefined);
    return { ...found, content, ready };
  }

  /** Null where the answer is not a game list. Fails with `storage`. */
  function keep(listed: Listed): CatalogueSnapshot | null {
    const { list } = listed.content;
    if (list === null) return null;
    forgetKnown();
    const { call, currency } = listed;
    const { environmentId, environmentName } = call;
    const problems = [...list.problems];
    const snapshot = store.add(
      { environmentId, environmentName, currency, callId: call.id, fetchedAt: call.sentAt, problems },
      list.games,
    );
    if (stopLooking !== null) stamp = store.stamp();
    onChange();
    return snapshot;
  }

  function keepWaiting(): void {
    stopWaiting?.();
    stopWaiting = null;
    const lists = waiting;
    waiting = [];
    for (const listed of lists) keepQuietly(listed);
  }

  /** The answer is there and in the history: it must not fail for a list that cannot be kept. */
  function keepQuietly(listed: Listed): void {
    if (listed.ready === null) return quietly(() => keep(listed));
    const kept = listed.ready.then(() => void keep(listed)).catch(deps.onFault);
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

  function wait(found: Found): void {
    const { call, currency, body: bytes } = found;
    const at = waiting.findLastIndex((one) => one.call.environmentId === call.environmentId && one.currency === currency);
    const last = waiting[at];
    // A run that asks a thousand times and gets the same list holds, reads and keeps one.
    const again = last !== undefined && Buffer.compare(last.body, bytes) === 0;
    if (again) waiting[at] = { ...last, ...found };
    else waiting.push(begin(found));
    if (!again || waiting.length > 1) forgetKnown();
    if (waiting.length >= mostWaiting) keepWaiting();
    else stopWaiting ??= deps.later(keepWaiting, runWaitMs);
  }

  /** Read where it waits: a run that asks for the games before each request must not write the list as often. */
  function knownWaiting(environmentId: string): KnownGames | null {
    const lists = waiting.filter(({ call }) => call.environmentId === environmentId);
    const newest = lists.reduce<Listed | null>((one, other) => ((one?.call.sentAt ?? 0) > other.call.sentAt ? one : other), null);
    // Until a long one is read, the list before it is the newest that is known.
    const list = newest?.content.list ?? null;
    return newest === null || list === null ? null : knownGames(newest.currency, list.games);
  }

  function newestGames(environmentId: string): KnownGames | null {
    const waitingGames = knownWaiting(environmentId);
    if (waitingGames !== null) return waitingGames;
    try {
      const [newest] = store.list(environmentId);
      return newest === undefined ? null : knownGames(newest.currency, store.get(newest.id).games);
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

  /** Another process that uses the same home, such as a command line, tells nobody here. */
  function look(): void {
    stopLooking = deps.later(look, lookMs);
    try {
      const now = store.stamp();
      if (now === stamp) return;
      stamp = now;
      onChange();
    } catch {
      // Whoever asks for the lists is told why there are none.
    }
  }

  return {
    async fetch({ environmentId, currency, ticket, confirmed }) {
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
      return { call: summaryOf(call), snapshot: listed === null ? null : keep(listed) };
    },
    answered(call, bytes, environment) {
      const found = listedBy(call, bytes, environment);
      if (found === null) return;
      quietly(() => (call.collectionRun === null ? keepQuietly(begin(found)) : wait(found)));
    },
    async snapshots(environmentId) {
      keepWaiting();
      await allKept();
      if (stopLooking === null) {
        stamp = store.stamp();
        stopLooking = deps.later(look, lookMs);
      }
      return store.list(environmentId);
    },
    known(environmentId) {
      if (lastKnown?.environmentId === environmentId) return lastKnown.games;
      forgetKnown();
      const games = newestGames(environmentId);
      lastKnown = { environmentId, games, stop: deps.later(forgetKnown, lookMs) };
      return games;
    },
    games: (snapshotId) => store.get(snapshotId),
    compare: (from, to) => compareSnapshots(store.get(from), store.get(to)),
    async close() {
      keepWaiting();
      await allKept();
      forgetKnown();
      stopLooking?.();
    },
  };
}

/**
 * The list that a call may have brought, with its currency as it stands in the bytes that were sent; null for any other call, and for one
 * that was sent as another platform or partner: its games are not those of the environment.
 */
function listedBy(call: Call, body: Uint8Array, environment: Environment): Found | null {
  if (call.operation !== 'gameList' || call.state !== 'answered' || call.code !== 0) return null;
  const sent = readAnswer(Buffer.from(call.request.bodyText));
  const asked = (name: string) => textOf(nodeAt(sent, [name]));
  if (asked('platform') !== String(environment.platform) || asked('partnerId') !== String(environment.partnerId)) return null;
  return { call, currency: asked('currency') ?? '', body };
}
