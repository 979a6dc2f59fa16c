import { randomUUID } from 'node:crypto';
import { AppError } from '#shared/errors.ts';
import type {
  Call,
  CallSummary,
  Environment,
  FrameObservation,
  GameMode,
  Launch,
  LaunchEntry,
  OpenedLaunch,
  SandboxVerdict,
  ViewBounds,
} from '#shared/ipc/index.ts';
import { readAnswer, summaryOf } from '../calls/answer.ts';
import type { SendRequest } from '../calls/calls.ts';
import type { Events } from '../events.ts';
import type { GameView, Host } from '../host.ts';
import { createAddressPolicy, type AddressPolicy, type Resolve } from '../network/address-policy.ts';
import { isExit } from './arrival.ts';
import { isIssuedByOwn } from './certificate.ts';
import { createFrameObserver, unobservedInFrame } from './frame.ts';
import { readLaunch, type ReadLaunch } from './read-launch.ts';
import { readNewToken, type NewToken } from './new-token.ts';
import { createObserver } from './observe.ts';
import { createLaunchRecord, type LaunchRecord } from './record.ts';
import type { LaunchStore, StoredLaunch } from './store.ts';
import { walletEntry } from './wallet-entry.ts';

export interface LaunchQuestion {
  readonly environmentId: string;
  readonly gameMode: GameMode;
  readonly gameId: string;
  readonly gameName: string;
  readonly lang: string;
  readonly externalToken: string;
  readonly playerId: string;
  readonly country: string;
  readonly ip: string;
  readonly exitURL: string;
  readonly ticket: string;
  readonly confirmed: boolean;
}

/** Launches of games: asked for, checked, opened, watched. `not_found` is the answer to an id that is none. */
export interface Launcher {
  /** Fails as `calls.send` does. */
  prepare(question: LaunchQuestion): Promise<Launch>;
  /** Fails with `invalid_input` for a call of another operation. */
  fromCall(callId: number, gameName: string): Launch;
  /** Fails with `refused` where the launch cannot be opened and `conflict` where too many are. */
  open(id: string, bounds: ViewBounds, redirects: 'origin' | 'https'): Promise<OpenedLaunch>;
  /** Does something to the view; false where there is none. */
  withView(id: string, work: (view: GameView) => void): boolean;
  close(id: string): Promise<Launch>;
  screenshot(id: string): Promise<{ dataUrl: string | null; message: string | null }>;
  note(id: string, observation: FrameObservation): Launch;
  list(limit: number): Launch[];
  get(id: string): { launch: Launch; entries: LaunchEntry[] };
  /** The session tokens of a launch of this run, for the scan of what is exported. */
  secretsOf(id: string): readonly string[];
  renewToken(question: {
    environmentId: string;
    token: string;
    newGameId: string;
    ticket: string;
    confirmed: boolean;
  }): Promise<NewToken & { call: CallSummary }>;
  /** Told of every request that the built-in provider judged. */
  judged(verdict: SandboxVerdict): void;
  closeAll(): Promise<void>;
}

export interface LauncherDeps {
  readonly host: Pick<Host, 'gameViews' | 'gameFrames'>;
  readonly send: (request: SendRequest) => Promise<Call>;
  /** A call of the history. Fails with `not_found`. */
  readonly call: (id: number) => Call;
  readonly body: (callId: number) => Uint8Array;
  readonly environment: (id: string) => Environment;
  /** Of the built-in provider, while it runs. */
  readonly sandboxOrigin: () => string | null;
  readonly store: LaunchStore;
  readonly resolve: Resolve;
  readonly now: () => number;
  readonly emit: Events['emit'];
  readonly onFault: (error: unknown) => void;
}

/** A launch of this run: what is stored, and what must not be. */
interface Live {
  stored: StoredLaunch;
  readonly url: string | null;
  readonly secrets: readonly string[];
  readonly record: LaunchRecord;
  readonly admits: AddressPolicy;
  view: GameView | null;
  /** Told what the page sees of its frame; null where there is none. */
  framed: ((observation: FrameObservation) => void) | null;
  closed: boolean;
  /** Distinguishes the views that one launch had: a closed one may still have something to tell. */
  turn: number;
}

const mostOpen = 8;
/** Launches of this run that can still be opened. */
const mostLive = 100;

export function createLauncher(deps: LauncherDeps): Launcher {
  const { host, store, now, emit } = deps;
  const lives = new Map<string, Live>();

  function guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      deps.onFault(error);
    }
  }

  function admit(call: Call, read: ReadLaunch, gameName: string): Launch {
    const id = randomUUID();
    const preparedAt = now();
    const stored: StoredLaunch = {
      id,
      environmentId: call.environmentId,
      environmentName: call.environmentName,
      call: summaryOf(call),
      gameName,
      preparedAt,
      ...read.shown,
      exited: false,
      entries: 0,
      dropped: 0,
    };
    const started = performance.now();
    const record = createLaunchRecord({
      secrets: read.secrets,
      elapsed: () => Math.round(performance.now() - started),
      onEntries(entries) {
        const live = lives.get(id);
        if (live !== undefined) live.stored = { ...live.stored, entries: record.count, dropped: record.dropped };
        guarded(() => store.addEntries(id, entries));
        if (live !== undefined) guarded(() => store.save(live.stored));
        emit('launches.recorded', { id, entries: [...entries], dropped: record.dropped });
      },
    });
    const isSandbox = environmentKind(call.environmentId) === 'sandbox';
    const admits = createAddressPolicy({
      resolve: deps.resolve,
      schemes: ['https:', 'wss:'],
      ownOrigins: () => {
        const origin = isSandbox ? deps.sandboxOrigin() : null;
        return origin === null ? [] : [origin];
      },
    });
    const live: Live = {
      stored,
      url: read.url,
      secrets: read.secrets,
      record,
      admits,
      view: null,
      framed: null,
      closed: false,
      turn: 0,
    };
    store.save(stored);
    lives.set(id, live);
    forgetOldest();
    record.add({
      kind: 'call',
      group: 'navigation',
      level: call.code === 0 ? 'info' : 'error',
      title: `${call.operation} ${call.code === null ? 'brought no code' : `answered ${call.code}`}`,
      detail: call.durationMs === null ? '' : `${Math.round(call.durationMs)} ms`,
    });
    record.flush();
    emit('launches.listed', {});
    return shownOf(live);
  }

  function environmentKind(id: string): Environment['kind'] | null {
    try {
      return deps.environment(id).kind;
    } catch {
      return null;
    }
  }

  function forgetOldest(): void {
    for (const [id, live] of lives) {
      if (lives.size <= mostLive) return;
      if (live.view === null && live.framed === null) lives.delete(id);
    }
  }

  function shownOf(live: Live): Launch {
    const { stored, view, framed, closed, record } = live;
    return {
      ...stored,
      state: view !== null || framed !== null ? 'open' : closed ? 'closed' : 'ready',
      entries: record.count,
      dropped: record.dropped,
      screenshot: store.get(stored.id).screenshot,
    };
  }

  function show(id: string): Launch {
    const live = lives.get(id);
    if (live !== undefined) return shownOf(live);
    const { launch, screenshot } = store.get(id);
    return { ...launch, state: 'expired', screenshot };
  }

  /** Fails with `not_found`, and with `refused` for a launch of an earlier run. */
  function liveOf(id: string): Live {
    const live = lives.get(id);
    if (live !== undefined) return live;
    store.get(id);
    throw new AppError('refused', 'The address of a launch is kept for this run only. Launch the game again.');
  }

  function changed(live: Live): void {
    guarded(() => store.save(live.stored));
    emit('launches.changed', { id: live.stored.id });
  }

  /** Notes the arrival at the exit once for each time the page goes there. */
  function arrives(live: Live, url: string): boolean {
    if (!isExit(url, live.stored.exitURL)) return false;
    if (!live.stored.exited) exited(live, url);
    return true;
  }

  function exited(live: Live, detail: string): void {
    live.record.add({ kind: 'exit', group: 'navigation', level: 'good', title: 'Left through exitURL', detail });
    live.stored = { ...live.stored, exited: true };
    changed(live);
  }

  async function endView(live: Live): Promise<void> {
    const { view, framed } = live;
    live.view = null;
    live.framed = null;
    live.turn += 1;
    if (view !== null) await view.close().catch(deps.onFault);
    if (view === null && framed === null) return;
    live.closed = true;
    live.record.add({ kind: 'closed', group: 'other', level: 'info', title: 'Closed', detail: 'Its session was forgotten.' });
    live.record.flush();
  }

  async function openView(live: Live, url: string, bounds: ViewBounds): Promise<GameView> {
    const views = host.gameViews;
    if (views === undefined) throw new AppError('unsupported', 'This host shows no games.');
    const turn = live.turn;
    const observe = createObserver({ note: live.record.add, arrives: (address) => arrives(live, address) });
    return views.open({
      url,
      partition: `game-${randomUUID()}`,
      bounds,
      admits: (address) => live.admits(address),
      trusts(certificate, hostname) {
        const { ca } = deps.environment(live.stored.environmentId);
        return ca !== '' && isIssuedByOwn(certificate, hostname, ca, now());
      },
      onEvent(event) {
        if (live.turn === turn) observe(event);
      },
    });
  }

  function countOpen(): number {
    return [...lives.values()].filter(({ view, framed }) => view !== null || framed !== null).length;
  }

  const launcher: Launcher = {
    async prepare(question) {
      const { environmentId, gameName, ticket, confirmed, ...fields } = question;
      const { gameMode, gameId, lang, playerId, country, ip, exitURL } = fields;
      const externalToken = gameMode === 'fun' ? '' : fields.externalToken;
      // In the spec's order (Endpoints, 4).
      const text = JSON.stringify({ gameMode, gameId, lang, externalToken, playerId, country, ip, exitURL }, null, 2);
      const draft = { environmentId, operation: 'getLauncherURL' as const, form: 'main', text, overrides: {} };
      const call = await deps.send({ draft, ticket, confirmed });
      return launcher.fromCall(call.id, gameName);
    },
    fromCall(callId, gameName) {
      const call = deps.call(callId);
      const answer = call.response === null ? null : deps.body(callId);
      const read = readLaunch(call, answer, environmentKind(call.environmentId) === 'sandbox' ? deps.sandboxOrigin() : null);
      return admit(call, read, gameName);
    },
    async open(id, bounds, redirects) {
      const live = liveOf(id);
      const { url } = live;
      if (url === null || live.stored.problem !== null) {
        throw new AppError('refused', live.stored.problem ?? 'This launch has no address to open.');
      }
      if (host.gameViews === undefined && host.gameFrames === undefined) {
        return { kind: 'none', message: 'This host shows no games. Use the desktop or the browser host.' };
      }
      await endView(live);
      if (countOpen() >= mostOpen) {
        throw new AppError('conflict', `${mostOpen} games are open. Close one of them first.`);
      }
      const verdict = await live.admits(url);
      if (!verdict.ok) throw new AppError('refused', `The launch URL was not opened. ${verdict.message}`);
      const opened = (detail: string) =>
        live.record.add({
          kind: 'opened',
          group: 'navigation',
          level: 'info',
          title: `Opened ${live.stored.origin ?? ''}`,
          detail,
        });
      live.closed = false;
      live.stored = { ...live.stored, exited: false };
      if (host.gameViews !== undefined) {
        opened([live.stored.gameMode ?? 'replay', 'private session'].join(', '));
        const turn = live.turn;
        const view = await openView(live, url, bounds);
        if (live.turn !== turn) {
          // It was closed or opened again meanwhile.
          await view.close();
          throw new AppError('cancelled', 'The launch was closed while it was being opened.');
        }
        live.view = view;
        changed(live);
        return { kind: 'view' };
      }
      const src = host.gameFrames?.offer({ url, redirects }) ?? '';
      opened(redirects === 'origin' ? 'in a frame that stays on this origin' : 'in a frame');
      live.framed = createFrameObserver({
        note: live.record.add,
        exited(detail) {
          if (!live.stored.exited) exited(live, detail);
        },
        exitURL: live.stored.exitURL,
        origin: live.stored.origin,
      });
      changed(live);
      return { kind: 'frame', src, unobserved: [...unobservedInFrame] };
    },
    withView(id, work) {
      const view = lives.get(id)?.view ?? null;
      if (view === null) {
        if (!lives.has(id)) store.get(id);
        return false;
      }
      work(view);
      return true;
    },
    async close(id) {
      const live = lives.get(id);
      if (live !== undefined) {
        await endView(live);
        changed(live);
      }
      return show(id);
    },
    async screenshot(id) {
      const view = lives.get(id)?.view ?? null;
      if (view === null) {
        store.get(id);
        const message =
          host.gameViews === undefined
            ? 'A screenshot can be taken on the desktop only.'
            : 'The game is not open. Open it first.';
        return { dataUrl: null, message };
      }
      const png = await view.capture();
      if (png.length === 0) return { dataUrl: null, message: 'The game’s view has no picture now. Show it and try again.' };
      store.setScreenshot(id, png);
      return { dataUrl: `data:image/png;base64,${Buffer.from(png).toString('base64')}`, message: null };
    },
    note(id, observation) {
      const live = liveOf(id);
      // What comes after it was closed is about nothing any more.
      live.framed?.(observation);
      live.record.flush();
      return shownOf(live);
    },
    list: (limit) =>
      store.list(limit).map(({ launch, screenshot }) => {
        const live = lives.get(launch.id);
        return live === undefined ? { ...launch, state: 'expired', screenshot } : { ...shownOf(live), screenshot };
      }),
    get(id) {
      lives.get(id)?.record.flush();
      return { launch: show(id), entries: store.entries(id) };
    },
    secretsOf: (id) => lives.get(id)?.secrets ?? [],
    async renewToken({ environmentId, token, newGameId, ticket, confirmed }) {
      const text = JSON.stringify({ token, newGameId }, null, 2);
      const draft = { environmentId, operation: 'generateNewToken' as const, form: 'main', text, overrides: {} };
      const call = await deps.send({ draft, ticket, confirmed });
      const answer = call.response === null ? null : readAnswer(deps.body(call.id));
      return { call: summaryOf(call), ...readNewToken(call, answer, deps.environment(environmentId)) };
    },
    judged(verdict) {
      for (const live of lives.values()) {
        if (live.view === null && live.framed === null) continue;
        const entry = walletEntry(verdict, live.secrets);
        if (entry !== null) live.record.add(entry);
      }
    },
    async closeAll() {
      for (const live of lives.values()) await endView(live);
      for (const live of lives.values()) live.record.close();
      lives.clear();
    },
  };

  return launcher;
}
