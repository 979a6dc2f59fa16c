import { isDeepStrictEqual } from 'node:util';
import type { PageSettings } from '#shared/model/device.ts';
import type {
  Call,
  CallSummary,
  FrameObservation,
  Input,
  Launch,
  LaunchEntry,
  OpenedLaunch,
  Output,
  ParsedInput,
  SandboxVerdict,
  ViewportSize,
} from '#shared/ipc/index.ts';
import { AppError } from '#shared/errors.ts';
import { summaryOf } from '../calls/call-response.ts';
import type { SendRequest } from '../calls/calls.ts';
import type { GamePicture, GameView } from '../host/host.ts';
import { launchNames, type Naming } from '../history/player-naming.ts';
import type { Reading } from '../untrusted/jobs.ts';
import { responseSubject } from '../untrusted/measure.ts';
import { createLiveLaunches, isOpen, ownOrigin, type LiveDeps } from './live-launches.ts';
import { createLaunchTokens, type LaunchTokensDeps } from './launch-tokens.ts';
import type { NewToken } from './new-token.ts';
import type { NetworkLog } from './network-log.ts';
import { createOpening, mostLogs, type OpeningDeps, type OpenOptions } from './opening.ts';
import { pictureUrl } from './picture-content.ts';
import { searchLaunches } from './search.ts';
import { createTokenHolders } from './token-holders.ts';
import { deviceName } from '#shared/launches/devices.ts';
import { checkPage, settingsNote } from './page-settings.ts';
import { walletCall } from './wallet-entry.ts';

/** Launches of games: requested, checked, opened, watched. An unknown ID fails with `not_found`. */
export type Launches = ReturnType<typeof createLaunches>;

export interface LaunchesDeps extends LiveDeps, OpeningDeps, Omit<LaunchTokensDeps, 'holders'> {
  readonly send: (request: SendRequest) => Promise<Call>;
  /** A call of the history. Fails with `not_found`. */
  readonly call: (id: number) => Call;
  readonly body: (callId: number) => Uint8Array;
  readonly reading: Pick<Reading, 'run'>;
}

/** Number of screenshots that are kept of one launch. */
const mostPictures = 20;

const noPicture: Readonly<Record<Extract<GamePicture, { failure: unknown }>['failure'], string>> = {
  hidden: 'No screenshot: the game is hidden. Close whatever covers it, then try again.',
  late: 'No screenshot: the game drew nothing for 5 seconds. Bring the window to the front or reload the game, then try again.',
  gone: "No screenshot: the game's page is not running. Reload the game, then try again.",
  refused: 'No screenshot: Chromium returned no picture. Reload the game, then try again.',
};

export function createLaunches(deps: LaunchesDeps) {
  const { store } = deps;
  const launches = createLiveLaunches(deps);
  const opening = createOpening(deps, launches);
  const holders = createTokenHolders(launches);
  const takeToken = createLaunchTokens({ ...deps, holders });

  async function read(callId: number, gameName: string, tokenFrom: string): Promise<Launch> {
    const call = deps.call(callId);
    const body = call.response === null ? null : deps.body(callId);
    const { environmentId } = call;
    const source = { call, body, ownOrigin: ownOrigin(deps, environmentId), privateHosts: deps.privateHosts(environmentId) };
    return launches.admit(call, await deps.reading.run('launch.read', source, about(call, body)), gameName, tokenFrom);
  }

  const launcher = {
    /** Fails as `calls.send` and the taking of a token do. */
    async prepare(question: ParsedInput<'launches.prepare'>): Promise<Launch> {
      const { environmentId, gameMode, gameId, gameName, ip, exitURL, ticket, confirmed } = question;
      const taken = await takeToken(question);
      try {
        const playerId = taken.player.playerId || question.playerId;
        const lang = taken.player.lang || question.lang;
        const country = taken.player.country || question.country;
        // In the spec's order (Endpoints, 4).
        const fields = { gameMode, gameId, lang, externalToken: taken.token, playerId, country, ip, exitURL };
        const text = JSON.stringify(fields, null, 2);
        const draft = { environmentId, operation: 'getLauncherURL' as const, form: 'main', text, overrides: {} };
        const call = await deps.send({ draft, ticket, confirmed }).catch((error: unknown) => {
          taken.unsent();
          throw error;
        });
        taken.sent();
        const launch = await read(call.id, gameName, taken.from);
        if (launch.problem === null) taken.accepted();
        return launch;
      } finally {
        taken.release();
      }
    },
    /** Fails with `invalid_input` for a call of another operation. */
    fromCall: (callId: number, gameName: string): Promise<Launch> => read(callId, gameName, ''),
    /** Fails as `Opening.open` does. */
    open: async (id: string, how: OpenOptions): Promise<OpenedLaunch> => opening.open(launches.get(id), how),
    /** Sets what the page sees; returns false without a view. */
    setPage(id: string, viewport: ViewportSize, page: PageSettings): boolean {
      checkPage(page, null);
      return launcher.withView(id, (view) => {
        const live = launches.get(id);
        if (live.page !== null && !isDeepStrictEqual(live.page, page)) {
          live.record.add(settingsNote(page, live.embedding, null));
          const { device } = live.stored;
          const next = deviceName(page);
          if (!device.endsWith(next)) live.stored = { ...live.stored, device: `${device}, then ${next}`.slice(-200) };
        }
        live.page = page;
        view.setPage(viewport, page);
      });
    },
    /** Loads the page again, or goes back; returns false without a view. */
    load(id: string, how: 'reload' | 'goBack'): boolean {
      return launcher.withView(id, (view) => {
        launches.get(id).asksAgain = true;
        view[how]();
      });
    },
    /** Does something to the view; returns false without one. */
    withView(id: string, work: (view: GameView) => void): boolean {
      const live = launches.find(id);
      if (live === undefined) store.get(id);
      if (live === undefined || live.view === null) return false;
      work(live.view);
      return true;
    },
    async close(id: string): Promise<Launch> {
      const live = launches.find(id);
      if (live !== undefined) {
        await opening.end(live);
        launches.changed(live);
      }
      return launches.show(id);
    },
    async screenshot(id: string): Promise<Output<'launches.screenshot'>> {
      const view = launches.find(id)?.view ?? null;
      if (view === null) {
        store.get(id);
        const message =
          deps.host.gameViews === undefined
            ? 'Screenshots work only in the desktop app.'
            : 'The game is not open. Open it first.';
        return { picture: null, message };
      }
      if (launches.show(id).pictures.filter(({ moment }) => moment === null).length >= mostPictures) {
        const message = `No screenshot: this launch already has ${mostPictures} screenshots, the most Croupier keeps. Remove one, then try again.`;
        return { picture: null, message };
      }
      const taken = await view.capture('whole');
      if ('failure' in taken) return { picture: null, message: noPicture[taken.failure] };
      const picture = store.addPicture(id, deps.now(), taken.image, null);
      deps.emit('launches.changed', { id });
      return { picture, message: null };
    },
    picture(id: string, number: number): Output<'launches.picture'> {
      store.get(id);
      const image = store.picture(id, number);
      return { dataUrl: image === null ? null : pictureUrl(image) };
    },
    removePicture(id: string, number: number): Launch {
      store.get(id);
      store.removePicture(id, number);
      deps.emit('launches.changed', { id });
      return launches.show(id);
    },
    setNote(id: string, note: string): Launch {
      store.get(id);
      store.setNote(id, note);
      deps.emit('launches.changed', { id });
      return launches.show(id);
    },
    note(id: string, observation: FrameObservation): Launch {
      const live = launches.get(id);
      // Observations after its close are about nothing any more.
      live.framed?.(observation);
      live.record.flush();
      return launches.show(id);
    },
    /** A person's own verdict; null takes it back. */
    overrule(id: string, overruling: Input<'launches.overrule'>['overruling']): Launch {
      const { launch } = store.get(id);
      const overruled = overruling === null ? null : { ...overruling, at: deps.now() };
      const live = launches.find(id);
      if (live === undefined) store.save({ ...launch, overruled });
      else {
        live.stored = { ...live.stored, overruled };
        store.save(live.stored);
      }
      deps.emit('launches.changed', { id });
      deps.emit('launches.listed', {});
      return launches.show(id);
    },
    /** Returns the newest launches with a verdict and words, and the number of all of them. */
    async list({ text, state, offset, limit }: ParsedInput<'launches.list'>): Promise<Output<'launches.list'>> {
      for (const { record } of launches.all()) record.flush();
      const ids = await searchLaunches(store, { text, state });
      return { launches: launches.some(ids.slice(offset, offset + limit)), total: ids.length };
    },
    keeping: store.keeping,
    /** Fails with `conflict` unless it removes as many as the user saw. */
    keep(most: number, removes: number): Output<'launches.keeping'> {
      store.keep(most, removes);
      deps.emit('launches.listed', {});
      return store.keeping();
    },
    get(id: string): { launch: Launch; entries: LaunchEntry[] } {
      launches.find(id)?.record.flush();
      return { launch: launches.show(id), entries: store.entries(id) };
    },
    /** Returns the network log of a launch, or a sentence that says why there is none. */
    network(id: string): Pick<NetworkLog, 'requests' | 'left'> | { readonly none: string } {
      const live = launches.find(id);
      if (live === undefined) {
        store.get(id);
        return { none: 'The network log is gone: Croupier keeps it only until it exits. Launch the game again.' };
      }
      if (deps.host.gameViews === undefined)
        return { none: "A browser doesn't show Croupier a game's requests. Use the desktop app." };
      if (live.network.requests.length > 0) return live.network;
      if (live.network.cleared)
        return {
          none: `Newer network logs replaced this one: Croupier keeps those of ${mostLogs} launches. Open the game again.`,
        };
      return { none: 'Croupier saw no requests from the game. Open it first.' };
    },
    /** Returns the session tokens of a launch of this session, to search exports for them. */
    secretsOf: (id: string): readonly string[] => launches.find(id)?.secrets ?? [],
    /** Returns the name of the launch that has a token; null if none has. */
    userOf: holders.userOf,
    /** Fails with `conflict` if a launch has the token: one that is made from it would end it. */
    async renewToken({
      environmentId,
      token,
      newGameId,
      ticket,
      confirmed,
    }: ParsedInput<'launches.renewToken'>): Promise<NewToken & { call: CallSummary }> {
      const user = holders.userOf(token);
      if (user !== null) throw inUse(user);
      const release = holders.hold(token, 'A renewal');
      try {
        const text = JSON.stringify({ token, newGameId }, null, 2);
        const draft = { environmentId, operation: 'generateNewToken' as const, form: 'main', text, overrides: {} };
        const call = await deps.send({ draft, ticket, confirmed });
        const body = call.response === null ? null : deps.body(call.id);
        const { kind, answers } = deps.environment(environmentId);
        const source = { call, body, environment: { kind, answers } };
        return { call: summaryOf(call), ...(await deps.reading.run('launch.token', source, about(call, body))) };
      } finally {
        release();
      }
    },
    /** Returns the IDs of launches that name a player. */
    naming(naming: Naming): string[] {
      for (const { record } of launches.all()) record.flush();
      return store
        .all()
        .filter(({ launch, beside }) => launchNames(naming, { ...launch, ...beside }, store.entries(launch.id)))
        .map(({ launch }) => launch.id);
    },
    /** Closes launches and removes them, with their records and pictures, for good. */
    async remove(ids: readonly string[]): Promise<void> {
      for (const id of ids) {
        const live = launches.find(id);
        if (live !== undefined) await opening.end(live);
        launches.remove(id);
      }
      if (ids.length > 0) deps.emit('launches.listed', {});
    },
    /** Called for every request that the built-in provider judged. */
    judged(verdict: SandboxVerdict): void {
      const open = launches.all().filter(isOpen);
      const call = walletCall(
        verdict,
        open.map((live) => ({ ...live.stored, secrets: live.secrets, live })),
      );
      for (const { live } of call?.owners ?? []) if (call !== null) live.record.add(call.note);
    },
    async closeAll(): Promise<void> {
      await opening.endAll();
      launches.clear();
    },
  };

  return launcher;
}

function about({ request }: Call, body: Uint8Array | null) {
  return { subject: responseSubject, bytes: request.bodyText.length + (body?.length ?? 0) };
}

function inUse(user: string): AppError {
  return new AppError(
    'conflict',
    `${user} is using this token. Renewing it would end that session: close the game first, then renew the token.`,
  );
}
