import { compareLaunchUrl } from '#shared/provider/launcher-url.ts';
import type { StoredLaunch } from './store.ts';
import { isIP } from 'node:net';
import { createHash, X509Certificate } from 'node:crypto';
import { AppError } from '#shared/errors.ts';
import type { OpenedLaunch, ParsedInput } from '#shared/ipc/index.ts';
import type { GameView, Host } from '../host/host.ts';
import { within } from '../host/within.ts';
import { createFilm, type Film } from './film.ts';
import { createFrameObserver, unobservedInFrame } from './frame-observer.ts';
import { framingProblems } from './framing-headers.ts';
import { isOpen, type Live, type LiveDeps, type LiveLaunches } from './live-launches.ts';
import { createObserver } from './observe.ts';
import type { LaunchSignal } from '#shared/model/launch-verdict.ts';
import { deviceName } from '#shared/launches/devices.ts';
import { checkPage, settingsNote } from './page-settings.ts';
import type { Authorities } from '../network/authorities.ts';
import { askBare, reachOrigin, type Reachable } from './reach-origin.ts';
import { createTraffic } from './traffic.ts';
import { createWatch } from './watch.ts';

type Opened = Extract<LaunchSignal, { type: 'opened' }>;

export type OpenOptions = Omit<ParsedInput<'launches.open'>, 'id'>;

export interface OpeningDeps extends Pick<LiveDeps, 'environment' | 'rulesOf' | 'store' | 'emit' | 'now' | 'onFault'> {
  readonly authorities: Authorities;
  readonly host: Pick<Host, 'name' | 'version' | 'engine' | 'gameViews' | 'gameFrames'>;
  /** Returns the IDs of the games of an environment's newest list that have this name. */
  readonly gamesTitled: (environmentId: string, title: string) => readonly string[];
}

/** The snapshot of a game without a view. */
const nothingSeen = { seen: false, replied: null, page: null, png: null } as const;

/** Number of launches whose network log is kept, beside those that are open. */
export const mostLogs = 20;

const mostOpen = 8;
/** Milliseconds: a page leaves within half a second or not at all; the rest of it ends with the program. */
const lastMs = 1_000;

/** Opens games on the screen in whatever way the host has, and closes them with everything that they stored. */
export function createOpening(deps: OpeningDeps, launches: LiveLaunches) {
  const { gameViews, gameFrames } = deps.host;
  /** Are off the screen, and not noted as closed yet. */
  const leaving = new Set<Live>();

  function leave(live: Live): Pick<Live, 'view' | 'film'> {
    const { view, film } = live;
    if (isOpen(live)) leaving.add(live);
    live.watch?.stop();
    live.watch = null;
    live.view = null;
    live.film = null;
    live.page = null;
    live.embedding = null;
    live.framed = null;
    // Also if it is only being opened: that belongs to an older turn from now on.
    live.turn += 1;
    return { view, film };
  }

  function noteClosed(live: Live, detail: string): void {
    if (!leaving.delete(live)) return;
    live.closed = true;
    live.record.add({ kind: 'closed', group: 'other', level: 'info', title: 'Closed', detail, signal: { type: 'closed' } });
    live.record.flush();
  }

  /** Does nothing if it is not open. */
  async function end(live: Live): Promise<void> {
    const { view, film } = leave(live);
    await film?.end(true);
    // The browser keeps the storage of a framed game.
    const detail = await view?.close().then(
      () => 'Its session data was deleted.',
      (error: unknown) => {
        if (error instanceof AppError) return error.message;
        deps.onFault(error);
        return "Croupier doesn't know whether its session data was deleted.";
      },
    );
    noteClosed(live, detail ?? '');
  }

  /** For a program that ends: notes of each game that it closed, then gives their pages a moment to leave. */
  async function endAll(): Promise<void> {
    const views = launches.all().flatMap((live) => {
      const { view, film } = leave(live);
      void film?.end(false);
      return view ?? [];
    });
    for (const live of leaving) noteClosed(live, gameViews === undefined ? '' : 'Croupier ended, and the session with it.');
    await within(lastMs, Promise.allSettled(views.map((view) => view.close())));
  }

  /** Forgets the oldest network logs, so that there is room for another one. */
  function dropLogs(): void {
    const logged = launches.all().filter((live) => !isOpen(live) && live.network.requests.length > 0);
    for (const { network } of logged.slice(0, Math.max(0, logged.length - mostLogs + 1))) network.clear();
  }

  /** Notes that it was opened before the first that the page does, and not where the host could not open it. */
  async function openView(
    views: NonNullable<Host['gameViews']>,
    live: Live,
    url: string,
    { bounds, page, embedding }: OpenOptions,
  ): Promise<GameView> {
    dropLogs();
    const turn = live.turn;
    let noted = false;
    const opened = () => {
      if (noted || live.turn !== turn) return;
      noted = true;
      const detail = [live.stored.gameMode ?? 'replay', 'private session'].join(', ');
      noteOpened(live, { host: 'view', embedded: embedding !== null }, detail);
    };
    const rules = deps.rulesOf(live.stored.environmentId);
    const { now } = live.record;
    const traffic = createTraffic(now, rules.noise);
    const watch = createWatch({
      rules,
      snapshot: async (wanted) => (await live.view?.snapshot(wanted)) ?? nothingSeen,
      onPicture: (png, content) => live.film?.saw(png, content),
      traffic,
      note: live.record.add,
      onFault: deps.onFault,
      now,
      gamesTitled: (title) => deps.gamesTitled(live.stored.environmentId, title),
      hasLeft: () => live.stored.exited,
    });
    live.watch = watch;
    const observe = createObserver({
      note: live.record.add,
      arrives: (address) => launches.arrives(live, address),
      traffic: traffic.follow,
      follow: watch.follow,
      hear: watch.hear,
      now,
      askedAgain() {
        const asked = live.asksAgain;
        live.asksAgain = false;
        return asked;
      },
      changed: (address) => changedParameters(address, live.stored, live.secrets[0] ?? ''),
      hasStarted: () => watch.started,
      embedding,
      exited: (detail) => launches.exited(live, detail),
    });
    const view = await views.open({
      url,
      trust: createHash('sha256').update(deps.environment(live.stored.environmentId).ca).digest('hex'),
      bounds,
      page,
      embedding,
      admits: (address) => live.admits(address),
      trusts(certificate, hostname) {
        const { ca } = deps.environment(live.stored.environmentId);
        return ca !== '' && isIssuedByOwn(certificate, hostname, ca, deps.now());
      },
      onEvent(event) {
        if (live.turn !== turn) return;
        opened();
        if (event.type === 'network') return live.network.follow(event);
        if (event.type === 'prepared') live.record.add(settingsNote(page, embedding, event));
        observe(event);
        if (event.type === 'gone') void end(live).then(() => launches.changed(live), deps.onFault);
      },
    });
    opened();
    return view;
  }

  function filmOf({ stored: { id } }: Live, view: GameView): Film {
    return createFilm({
      take: () => view.capture('small'),
      keep(takenAt, image, moment) {
        deps.store.addPicture(id, takenAt, image, moment);
        deps.emit('launches.changed', { id });
      },
      now: deps.now,
      onFault: deps.onFault,
    });
  }

  function noteOpened(live: Live, how: Pick<Opened, 'host' | 'embedded'>, detail: string): void {
    const title = `Opened ${live.stored.origin ?? ''}`;
    const program = { host: deps.host.name, version: deps.host.version, engine: deps.host.engine ?? null };
    const signal = { type: 'opened', ...how, wallet: seesWallet(live), program } as const;
    live.record.add({ kind: 'opened', group: 'navigation', level: 'info', title, detail, signal });
  }

  /** Notes what a connection to the origin of a framed game shows, of which the browser says nothing. */
  async function noteOrigin(live: Live, origin: string, judged: Reachable): Promise<void> {
    const { turn } = live;
    const reach = await reachOrigin(origin, judged, deps.authorities);
    if (live.turn !== turn) return;
    const good = reach.outcome === 'reached';
    live.record.add({
      kind: 'origin',
      group: 'navigation',
      level: good ? 'info' : 'warning',
      title: good
        ? 'Croupier reached the origin, and its certificate is valid'
        : reach.outcome === 'untrusted'
          ? `The certificate of ${origin} ${reach.reason}`
          : `Croupier did not reach ${origin}: ${reach.reason}`,
      detail: 'Croupier checked only the origin. It did not request the launcher URL.',
      signal: { type: 'origin', outcome: reach.outcome },
    });
  }

  /** Notes what the address of a framed game's page says of framing, where it answers without parameters. */
  async function noteFraming(live: Live, url: string, judged: Reachable): Promise<void> {
    const { turn } = live;
    const { ca } = deps.environment(live.stored.environmentId);
    const response = await askBare(url, judged, ca);
    if (live.turn !== turn || response === null || response.status < 200 || response.status > 299) return;
    const [problem] = framingProblems(response.headers);
    live.record.add({
      kind: 'framing',
      group: 'navigation',
      level: problem === undefined ? 'info' : 'warning',
      title: `URL without parameters: ${problem?.message ?? 'any page may embed it'}`,
      detail: 'Croupier left out the parameters because a token may work only once. With them, the response may differ.',
      signal: { type: 'framing', allows: problem?.allows ?? 'all', bare: true },
    });
  }

  /** Returns whether its wallet is the built-in provider's, which reports each call. */
  function seesWallet({ stored }: Live): boolean {
    try {
      return deps.environment(stored.environmentId).kind === 'sandbox';
    } catch {
      return false;
    }
  }

  /** Notes why a launch was not opened, then fails with it. */
  function refuse(live: Live, because: 'url' | 'croupier', error: AppError): never {
    live.record.add({
      kind: 'unopened',
      group: 'blocked',
      level: 'blocked',
      title: 'Not opened',
      detail: error.message,
      signal: { type: 'unopened', because },
    });
    live.record.flush();
    throw error;
  }

  return {
    end,
    endAll,
    /**
     * Fails with `refused` if the launch cannot be opened, `conflict` if too many are open, `cancelled` if it was closed meanwhile, and
     * `invalid_input` for settings that no browser knows.
     */
    async open(live: Live, how: OpenOptions): Promise<OpenedLaunch> {
      const { url } = live;
      const { problem, exitURL, origin } = live.stored;
      const { page, embedding, redirects } = how;
      checkPage(page, embedding);
      if (url === null || problem !== null) throw new AppError('refused', problem ?? 'This launch has no URL to open.');
      if (gameViews === undefined && gameFrames === undefined) {
        return { kind: 'none', message: "Croupier can't show games here. Use the desktop app or the workbench in a browser." };
      }
      await end(live);
      if (launches.all().filter(isOpen).length >= mostOpen) {
        refuse(live, 'croupier', new AppError('conflict', `${mostOpen} games are open. Close one of them first.`));
      }
      const verdict = await live.admits(url);
      if (!verdict.ok) refuse(live, 'url', new AppError('refused', `The launcher URL was not opened. ${verdict.message}`));
      live.closed = false;
      live.stored = { ...live.stored, device: gameViews === undefined ? '' : deviceName(page), exited: false };
      if (gameViews !== undefined) {
        const turn = live.turn;
        const view = await openView(gameViews, live, url, how).catch((error: unknown) => {
          live.watch?.stop();
          live.watch = null;
          // It was closed meanwhile, perhaps with the workbench, which notes nothing any more.
          if (!(error instanceof AppError) || live.turn !== turn) throw error;
          return refuse(live, 'croupier', error);
        });
        if (live.turn !== turn) {
          // It was closed or opened again meanwhile.
          await view.close().catch(() => undefined);
          throw new AppError('cancelled', 'The launch was closed while it was opening.');
        }
        live.view = view;
        live.film = filmOf(live, view);
        live.page = page;
        live.embedding = embedding;
        launches.changed(live);
        return { kind: 'view' };
      }
      const src = gameFrames?.offer({ url, redirects }) ?? '';
      noteOpened(live, { host: 'frame' }, redirects === 'origin' ? 'in a frame that stays on this origin' : 'in a frame');
      live.framed = createFrameObserver({
        note: live.record.add,
        exited: (detail) => launches.exited(live, detail),
        exitURL,
        origin,
      });
      launches.changed(live);
      // Not awaited: the browser asks by itself, whatever this finds.
      if (origin !== null) void noteOrigin(live, origin, verdict).catch(deps.onFault);
      void noteFraming(live, url, verdict).catch(deps.onFault);
      return { kind: 'frame', src, unobserved: [...unobservedInFrame] };
    },
  };
}

/**
 * Returns whether a server's certificate (PEM) was issued for the host by one of the environment's own authorities (PEM, any
 * number), or is itself one of them. Checks signature, names and dates; does not follow longer chains. `now` is in milliseconds
 * since the epoch.
 */
export function isIssuedByOwn(certificate: string, hostname: string, authorities: string, now: number): boolean {
  try {
    const leaf = new X509Certificate(certificate);
    const host = hostname.replace(/^\[|\]$/g, '');
    const named = isIP(host) === 0 ? leaf.checkHost(host) : leaf.checkIP(host);
    if (named === undefined || !isValidAt(leaf, now)) return false;
    return (authorities.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).some((pem) => {
      const authority = new X509Certificate(pem);
      if (authority.raw.equals(leaf.raw)) return true;
      return authority.ca && isValidAt(authority, now) && leaf.checkIssued(authority) && leaf.verify(authority.publicKey);
    });
  } catch {
    return false;
  }
}

function isValidAt({ validFromDate, validToDate }: X509Certificate, now: number): boolean {
  return validFromDate.getTime() <= now && now <= validToDate.getTime();
}

type Changed = NonNullable<Extract<LaunchSignal, { type: 'document' }>['changed']>;

/** Parameters that rules of their own compare, also with what the page states. */
const compared: readonly string[] = ['gameId', 'gameMode', 'lang'];

/**
 * Returns the parameters of the URL at which a game's page arrived that differ from the request, and those that the launcher URL had and it lost. A
 * page whose URL has none of them says nothing. Tokens are masked.
 */
export function changedParameters(
  url: string,
  { source, parameters }: Pick<StoredLaunch, 'source' | 'parameters'>,
  token: string,
): Changed {
  if (source === 'replay') return [];
  const asked = new Map(parameters.map(({ name, requested }) => [name, requested]));
  const now = compareLaunchUrl(url, (name) => (name === 'externalToken' ? token : (asked.get(name) ?? null))).parameters;
  if (!now.some(({ state, returned }) => state !== 'unexpected' && returned !== null)) return [];
  return now.flatMap(({ name, state, requested, returned }): Changed => {
    const before = parameters.find((one) => one.name === name);
    // What the launcher URL has wrong has a rule of its own.
    if (compared.includes(name) || (before?.state === state && before.returned === returned)) return [];
    const wanted = requested ?? '';
    if (state === 'different' || state === 'duplicated') return [{ name, asked: wanted, got: returned }];
    return state === 'missing' && (before?.returned ?? '') !== '' ? [{ name, asked: wanted, got: null }] : [];
  });
}
