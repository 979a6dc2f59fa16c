import { randomUUID } from 'node:crypto';
import { AppError } from '#shared/errors.ts';
import type { Embedding, PageSettings } from '#shared/model/device.ts';
import type { Call, Environment, FrameObservation, Launch, LaunchEntry, LaunchRules } from '#shared/ipc/index.ts';
import { judgeLaunch } from '#shared/launches/judge.ts';
import { summaryOf } from '../calls/call-response.ts';
import type { Events } from '../host/events.ts';
import type { GameView } from '../host/host.ts';
import { createAddressPolicy, type AddressPolicy, type Resolve } from '../network/address-policy.ts';
import type { Way } from '../network/proxies.ts';
import { limitLookups } from '../network/limit-lookups.ts';
import type { Film } from './film.ts';
import { createNetworkLog, type NetworkLog } from './network-log.ts';
import type { ReadLaunch } from './read-launch.ts';
import { createLaunchRecord, type LaunchRecord } from './record.ts';
import type { FoundLaunch, LaunchStore, StoredLaunch } from './store.ts';
import type { Watch } from './watch.ts';

/** A launch of this session: the stored part, and the part that must not be stored. */
export interface Live {
  stored: StoredLaunch;
  readonly url: string | null;
  readonly secrets: readonly string[];
  readonly record: LaunchRecord;
  /** The entries that the rules look at, by number. */
  readonly signalled: Map<number, LaunchEntry>;
  readonly admits: AddressPolicy;
  readonly network: NetworkLog;
  view: GameView | null;
  /** The surroundings that its page has; null without a view. */
  page: PageSettings | null;
  /** The operator's page around it; null for a page of its own, and without a view. */
  embedding: Embedding | null;
  /** Null without a view. */
  watch: Watch | null;
  film: Film | null;
  /** Called with what the page sees of its frame; null without a frame. */
  framed: ((observation: FrameObservation) => void) | null;
  closed: boolean;
  /** The user had its page loaded again, which has not begun yet. */
  asksAgain: boolean;
  /** Distinguishes the views that one launch had: a closed one may still report something. */
  turn: number;
}

/** The launches of this session, each with its record; earlier ones are in the store alone. */
export type LiveLaunches = ReturnType<typeof createLiveLaunches>;

export interface LiveDeps {
  /** Fails with `not_found`. */
  readonly environment: (id: string) => Environment;
  /** Returns the origin of the built-in provider, while it runs. */
  readonly sandboxOrigin: () => string | null;
  /** Returns the rules of an environment; the usual ones if there is none. */
  readonly rulesOf: (environmentId: string) => LaunchRules;
  /** Returns the hosts of an environment that may lead to a private address. */
  readonly privateHosts: (environmentId: string) => readonly string[];
  readonly store: LaunchStore;
  readonly resolve: Resolve;
  /** Decides whether a URL of an environment's game is reached through a proxy. */
  readonly wayTo: (environmentId: string, url: URL) => Way | Promise<Way>;
  readonly now: () => number;
  readonly emit: Events['emit'];
  readonly onFault: (error: unknown) => void;
}

/** Number of names that one game may have looked up at a time. */
const mostLookups = 2;

/** Number of launches of this session that can still be opened. */
const mostLive = 100;

export function createLiveLaunches(deps: LiveDeps) {
  const { store, now, emit } = deps;
  const lives = new Map<string, Live>();

  /** Does work on the record. A record that cannot be kept does not stop the game. */
  function guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      deps.onFault(error);
    }
  }

  function recordOf(id: string, secrets: readonly string[]): LaunchRecord {
    const started = performance.now();
    const record = createLaunchRecord({
      secrets,
      elapsed: () => Math.round(performance.now() - started),
      onEntries(entries) {
        guarded(() => store.addEntries(id, entries));
        const live = lives.get(id);
        if (live === undefined) return;
        for (const entry of entries) if (entry.signal !== null) live.signalled.set(entry.seq, entry);
        live.stored = { ...live.stored, entries: record.count, dropped: record.dropped };
        const before = live.stored.verdict;
        launches.judge(live);
        guarded(() => store.save(live.stored));
        const { verdict } = live.stored;
        live.film?.follow(entries, before, verdict);
        emit('launches.recorded', { id, entries: [...entries], dropped: record.dropped, verdict });
      },
    });
    return record;
  }

  function policyFor(environmentId: string): AddressPolicy {
    return createAddressPolicy({
      resolve: limitLookups(deps.resolve, mostLookups),
      schemes: ['https:', 'wss:'],
      wayTo: (url) => deps.wayTo(environmentId, url),
      ownOrigins() {
        const origin = ownOrigin(deps, environmentId);
        return origin === null ? [] : [origin];
      },
      isAllowed: (host) => deps.privateHosts(environmentId).includes(host),
    });
  }

  function forgetOldest(): void {
    for (const [id, live] of lives) {
      if (lives.size <= mostLive) return;
      if (!isOpen(live)) lives.delete(id);
    }
  }

  function shownOf(live: Live, beside: FoundLaunch['beside']): Launch {
    // Its environment may have other rules by now.
    launches.judge(live);
    const { stored, closed, record } = live;
    const state = isOpen(live) ? 'open' : closed ? 'closed' : 'ready';
    return { ...stored, state, entries: record.count, dropped: record.dropped, ...beside };
  }

  function toShown({ launch, beside }: FoundLaunch): Launch {
    const live = lives.get(launch.id);
    return live === undefined ? { ...launch, state: 'expired', ...beside } : shownOf(live, beside);
  }

  const launches = {
    /** Adds the launch that a call brought; `tokenFrom` says where its session token came from, empty if that is not known. */
    admit(call: Call, read: ReadLaunch, gameName: string, tokenFrom: string): Launch {
      const id = randomUUID();
      const judged = { call: summaryOf(call), gameName, ...read.shown };
      const stored: StoredLaunch = {
        id,
        environmentId: call.environmentId,
        environmentName: call.environmentName,
        ...judged,
        device: '',
        preparedAt: now(),
        exited: false,
        entries: 0,
        dropped: 0,
        verdict: judgeLaunch(judged, [], deps.rulesOf(call.environmentId)),
        overruled: null,
      };
      const record = recordOf(id, read.secrets);
      const live: Live = {
        stored,
        url: read.url,
        secrets: read.secrets,
        record,
        signalled: new Map(),
        admits: policyFor(call.environmentId),
        network: createNetworkLog(),
        view: null,
        page: null,
        embedding: null,
        watch: null,
        film: null,
        framed: null,
        closed: false,
        asksAgain: false,
        turn: 0,
      };
      store.save(stored);
      lives.set(id, live);
      forgetOldest();
      record.add({
        kind: 'call',
        group: 'navigation',
        level: call.code === 0 ? 'info' : 'error',
        title: `${call.operation} ${call.code === null ? 'returned no readable code' : `answered ${call.code}`}`,
        detail: [
          ...(call.durationMs === null ? [] : [`${Math.round(call.durationMs)} ms`]),
          ...(tokenFrom === '' ? [] : [`session token: ${tokenFrom}`]),
        ].join(', '),
      });
      record.flush();
      emit('launches.listed', {});
      return shownOf(live, { pictures: [], note: '' });
    },
    find: (id: string): Live | undefined => lives.get(id),
    /** Fails with `not_found`, and with `refused` for a launch of an earlier session. */
    get(id: string): Live {
      const live = lives.get(id);
      if (live !== undefined) return live;
      store.get(id);
      throw new AppError('refused', 'The URL of a launch is kept for this session only. Launch the game again.');
    },
    all: (): readonly Live[] => [...lives.values()],
    /** Returns a launch, also of an earlier session. Fails with `not_found`. */
    show: (id: string): Launch => toShown(store.get(id)),
    /** Returns those of the launches that still exist, in their order. */
    some: (ids: readonly string[]): Launch[] => store.some(ids).map(toShown),
    /** Stores its present state and reports it to the page. */
    changed(live: Live): void {
      guarded(() => store.save(live.stored));
      emit('launches.changed', { id: live.stored.id });
    },
    /** Returns whether a URL is the launch's exit; notes the arrival once for each time it was opened. */
    arrives(live: Live, url: string): boolean {
      if (!isExit(url, live.stored.exitURL)) return false;
      launches.exited(live, url);
      return true;
    },
    exited(live: Live, detail: string): void {
      if (live.stored.exited) return;
      live.record.add({
        kind: 'exit',
        group: 'navigation',
        level: 'good',
        title: 'Left through exitURL',
        detail,
        signal: { type: 'exit' },
      });
      live.stored = { ...live.stored, exited: true };
      launches.changed(live);
    },
    /** Judges it again, for what no entry says. */
    judge(live: Live): void {
      const entries = [...live.signalled.values()].toSorted((a, b) => a.seq - b.seq);
      live.stored = { ...live.stored, verdict: judgeLaunch(live.stored, entries, deps.rulesOf(live.stored.environmentId)) };
    },
    /** Removes a launch that is not on the screen from this session and from the store. */
    remove(id: string): void {
      lives.get(id)?.record.close();
      lives.delete(id);
      store.remove(id);
    },
    clear(): void {
      for (const live of lives.values()) live.record.close();
      lives.clear();
    },
  };
  return launches;
}

/** Returns whether its game is on the screen. */
export function isOpen({ view, framed }: Live): boolean {
  return view !== null || framed !== null;
}

/** Returns the built-in provider's origin if an environment is that provider's: it may be opened although it is local. */
export function ownOrigin(deps: Pick<LiveDeps, 'environment' | 'sandboxOrigin'>, environmentId: string): string | null {
  try {
    return deps.environment(environmentId).kind === 'sandbox' ? deps.sandboxOrigin() : null;
  } catch {
    return null;
  }
}

/**
 * Returns whether a URL is the requested exit URL. Scheme, host, port and path have to be the same, except for a slash at the
 * path's end; every parameter of the exit URL has to be there with its value. Parameters that a game adds, and any fragment, do not
 * matter.
 */
export function isExit(address: string, exitURL: string): boolean {
  if (exitURL === '') return false;
  const at = URL.parse(address);
  const exit = URL.parse(exitURL);
  if (at === null || exit === null) return false;
  if (at.protocol !== exit.protocol || at.host !== exit.host) return false;
  if (at.pathname.replace(/\/+$/, '') !== exit.pathname.replace(/\/+$/, '')) return false;
  return [...exit.searchParams].every(([name, value]) => at.searchParams.getAll(name).includes(value));
}
