import { assertNever } from '#shared/errors.ts';
import type { LaunchEntry } from '#shared/ipc/index.ts';
import type { Embedding } from '#shared/model/device.ts';
import type { GameViewEvent } from '../host/host.ts';
import { messageNote } from './frame-observer.ts';
import { framingProblems } from './framing-headers.ts';
import type { Note } from './record.ts';
import type { Traffic } from './traffic.ts';
import type { Watch } from './watch.ts';

const slowMs = 3_000;

type ChangedParameters = Extract<NonNullable<LaunchEntry['signal']>, { type: 'document' }>['changed'];

/** Turns a host's events into entries of the record. */
export function createObserver(options: {
  note: (note: Note) => void;
  /** Called when the page is on its way to a URL; returns true if that is the exit. */
  arrives: (url: string) => boolean;
  /** Called when the game asks, by a message, to leave. */
  exited: (detail: string) => void;
  /** The operator's page around the game; null without one. */
  embedding: Embedding | null;
  /** Called for each step of a request. */
  traffic: Traffic['follow'];
  /** Called for each step of the main document. */
  follow: Watch['follow'];
  /** Called for what may be a sign of a game that is ready. */
  hear: Watch['hear'];
  /** Milliseconds of the record's clock. */
  now: () => number;
  /** Returns whether the user had the page loaded again, once. */
  askedAgain: () => boolean;
  /** Returns the parameters of a page's URL that are not as they should be. */
  changed: (url: string) => ChangedParameters;
  /** Returns whether the game has started: what it loads next does not belong to its start. */
  hasStarted: () => boolean;
}): (event: Exclude<GameViewEvent, { type: 'network' }>) => void {
  const { note, follow } = options;
  // Since the page began to go to its present URL.
  let requests = 0;
  let slowest = 0;
  /** Its URL, and the URL that has loaded. */
  let place = '';
  const loaded = new Set<string>();
  /** Addresses of requests and WebSockets that failed. */
  const failures = new Set<string>();
  /** Servers to which a connection was refused. */
  const refused = new Set<string>();

  /** Notes a URL that a browser would have another program open. */
  function external(url: string): void {
    note({
      kind: 'address',
      group: 'blocked',
      level: 'blocked',
      title: `Refused: ${url.slice(0, 200)}`,
      detail: 'A browser would ask another program to open it.',
      signal: { type: 'protocol' },
    });
  }

  function navigated(words: string, kind: 'navigation' | 'redirect', url: string): void {
    if (options.arrives(url)) return;
    if (isExternal(url)) return external(url);
    const secure = URL.parse(url)?.protocol === 'https:';
    const elsewhere = options.hasStarted() && withoutQuery(url) !== withoutQuery(place);
    const signal =
      kind === 'redirect'
        ? ({ type: 'redirect', secure } as const)
        : options.askedAgain()
          ? ({ type: 'asked again' } as const)
          : elsewhere
            ? ({ type: 'elsewhere' } as const)
            : null;
    const at = options.now();
    note({ kind, group: 'navigation', level: 'info', title: `${words} ${pathOf(url)}`, detail: url, signal, at });
    follow('navigation', at);
  }

  /** Notes that a request or a WebSocket failed, or that it came after it had failed. */
  function tried(detail: string, title: string, outcome: 'failed' | 'error status' | 'socket ended' | null): void {
    const common = { kind: 'request', group: 'requests', detail } as const;
    const address = withoutQuery(detail);
    if (outcome !== null) {
      failures.add(address);
      return note({
        ...common,
        level: outcome === 'socket ended' ? 'warning' : 'error',
        title,
        signal: { type: 'request', outcome },
      });
    }
    if (failures.delete(address))
      note({ ...common, level: 'info', title, signal: { type: 'request', outcome: 'succeeded after all' } });
  }

  function responded(event: Extract<GameViewEvent, { type: 'request' }>): void {
    requests += 1;
    slowest = Math.max(slowest, event.ms);
    // A request that was refused before it left has an entry with the reason.
    if (event.error === 'net::ERR_BLOCKED_BY_CLIENT') return;
    const detail = `${event.method} ${event.url}`;
    const failed = event.error !== null || (event.status ?? 0) >= 400;
    const title = event.error === null ? `Request answered HTTP ${event.status}` : `Request failed: ${event.error}`;
    const common = { kind: 'request', group: 'requests', detail } as const;
    // Chromium asks for the icon, nobody waits for a beacon, and WebSockets report themselves. The main document has a rule of its own.
    const own = event.error === null && withoutQuery(event.url) === withoutQuery(place);
    const apart = uncounted.includes(event.resourceType) || pathOf(event.url).endsWith('/favicon.ico') || own;
    if (failed && apart) note({ ...common, level: own ? 'error' : 'info', title });
    else if (failed) tried(detail, title, event.error === null ? 'error status' : 'failed');
    else if (!apart) tried(detail, 'Request succeeded after it had failed', null);
    if (!failed && event.ms > slowMs)
      note({ ...common, level: 'warning', title: `Slow request: ${(event.ms / 1_000).toFixed(1)} s` });
  }

  function socket({ step, url, error }: Extract<GameViewEvent, { type: 'socket' }>): void {
    const detail = `GET ${url}`;
    // Its refusal has an entry with the reason.
    if (refused.has(hostOf(url))) return;
    if (step === 'opened') tried(detail, 'WebSocket is open again', null);
    else if (step === 'failed') tried(detail, `WebSocket failed: ${error}`, 'failed');
    // One that failed ends, too.
    else if (!failures.has(withoutQuery(detail))) tried(detail, 'WebSocket ended', 'socket ended');
  }

  function noted(title: string, detail: string): void {
    note({ kind: 'note', group: 'other', level: 'info', title, detail });
  }

  /** Notes that the game became visible or hidden, because a hidden page behaves differently. */
  function sighted({ seen, window }: Extract<GameViewEvent, { type: 'sight' }>): void {
    if (seen) return noted('The game is shown again', '');
    const because = window
      ? 'Its window is minimised or hidden.'
      : 'Croupier shows something else in its place, such as a dialog or another screen, or has no room for it.';
    noted('The game is hidden', `${because} Chromium tells its page, stops its drawing and slows its timers.`);
  }

  return (event) => {
    const blocked = (kind: Note['kind'], title: string, detail: string, signal: Note['signal'] = null) =>
      note({ kind, group: 'blocked', level: 'blocked', title, detail, signal });
    switch (event.type) {
      case 'navigation':
        if (event.main) [requests, slowest] = [0, 0];
        return event.main ? navigated('Going to', 'navigation', event.url) : undefined;
      case 'redirect':
        return event.main ? navigated('Redirected to', 'redirect', event.url) : undefined;
      case 'traffic':
        return options.traffic(event);
      case 'arrived':
        place = event.url;
        follow('document');
        return note({
          kind: 'navigation',
          group: 'navigation',
          level: event.status >= 400 ? 'error' : 'info',
          // Without HTTP, as at about:blank, there is no response.
          title: event.status > 0 ? `${pathOf(event.url)} answered HTTP ${event.status}` : `Arrived at ${pathOf(event.url)}`,
          detail: event.url,
          signal: { type: 'document', status: event.status, place: pathOf(event.url), changed: options.changed(event.url) },
        });
      case 'loaded': {
        const again = loaded.has(place);
        loaded.add(place);
        follow('loaded');
        return note({
          kind: 'loaded',
          group: 'navigation',
          level: 'info',
          title: again ? 'Loaded again' : 'Loaded',
          detail:
            requests === 0 ? '' : `${requests} ${requests === 1 ? 'request' : 'requests'}, slowest ${Math.round(slowest)} ms`,
        });
      }
      case 'failed':
        return note({
          kind: 'navigation',
          group: 'navigation',
          level: event.main ? 'error' : 'warning',
          title: `${event.main ? 'The page' : 'A frame'} did not load: ${event.reason}`,
          detail: event.url,
          signal: event.main ? { type: 'not loaded' } : { type: 'request', outcome: 'failed' },
        });
      case 'console':
        options.hear('console', event.text);
        return note({
          kind: 'console',
          group: 'console',
          level: event.level === 'debug' ? 'info' : event.level,
          title: consoleTitle(event),
          detail: event.source === '' ? event.text : `${event.text}\n${event.source}:${event.line}`,
          signal: consoleSignal(event),
        });
      case 'uncaught':
        return note({
          kind: 'console',
          group: 'console',
          level: 'error',
          title: 'Uncaught error',
          detail: event.source === '' ? event.text : `${event.text}\n${event.source}:${event.line}`,
          signal: { type: 'uncaught error' },
        });
      case 'socket':
        return socket(event);
      case 'request':
        return responded(event);
      case 'headers':
        // The page stays where it was; a launch that has none then has no page at all.
        if (place === '' && (event.status === 204 || event.status === 205))
          note({
            kind: 'navigation',
            group: 'navigation',
            level: 'error',
            title: `No page: HTTP ${event.status} has no content`,
            detail: event.url,
            signal: { type: 'not loaded' },
          });
        // The operator's own page is not what an operator frames, and a game in a frame shows whether it may be there.
        if (options.arrives(event.url) || options.embedding !== null) return;
        for (const { message, allows } of framingProblems(event.headers)) {
          note({
            kind: 'framing',
            group: 'navigation',
            level: 'warning',
            title: message,
            signal: { type: 'framing', allows },
            detail: "An operator's page could not show the game in a frame.",
          });
        }
        return;
      case 'unframed':
        return note({
          kind: 'framing',
          group: 'navigation',
          level: 'error',
          title: `The game refuses to be framed by ${options.embedding?.origin ?? ''}`,
          signal: { type: 'framing', allows: 'nobody' },
          detail: "The X-Frame-Options or frame-ancestors of its page don't allow that origin.",
        });
      case 'message':
        options.hear('message', event.data);
        return messageNote(event, options);
      case 'prepared':
        return event.webgl === null ? note(withoutWebgl) : undefined;
      case 'dialog':
        return blocked(
          'dialog',
          event.dialog === 'file' ? 'File picker was not shown' : `Dialog (${event.dialog}) was not shown`,
          event.text,
          { type: 'dialog' },
        );
      case 'permission':
        if (!event.granted)
          return blocked(
            'permission',
            `Permission denied: ${event.permission}`,
            'Croupier grants games only full screen and a wake lock.',
            { type: 'permission' },
          );
        return note({
          kind: 'permission',
          group: 'other',
          level: 'info',
          title: `Permission granted: ${event.permission}`,
          detail: event.permission === 'fullscreen' ? 'Full screen fills the game view, not the window.' : '',
        });
      case 'fullscreen':
        return noted(event.full ? 'The game entered full screen' : 'The game left full screen', '');
      case 'sight':
        return sighted(event);
      case 'sound':
        return noted(event.muted ? 'Muted in Croupier' : 'No longer muted in Croupier', '');
      case 'download':
        return blocked('download', `Download refused: ${event.name}`, event.url, { type: 'download' });
      case 'window':
        return blocked('window', 'New window refused', event.url, { type: 'window' });
      case 'refused':
        // The exit is an exit also where its page is not shown.
        if (options.arrives(event.url)) return;
        if (isExternal(event.url)) return external(event.url);
        refused.add(hostOf(event.url));
        return blocked('address', `Blocked: request to ${hostOf(event.url)}`, event.message, { type: 'blocked' });
      case 'crash':
        return note({
          kind: 'crash',
          group: 'other',
          level: 'error',
          title: crashes[event.reason] ?? 'The game page crashed',
          detail: event.reason,
          signal: { type: 'crash' },
        });
      case 'gone':
        return note({
          kind: 'note',
          group: 'other',
          level: 'warning',
          title: 'The game closed its own page',
          detail: '',
          signal: { type: 'closed itself' },
        });
      case 'note':
        return note({ kind: 'note', group: 'other', level: 'info', title: event.message, detail: '' });
      default:
        return assertNever(event);
    }
  };
}

/** Requests whose failure says nothing, or that are reported otherwise. */
const uncounted: readonly string[] = ['ping', 'cspReport', 'webSocket'];

/** Chromium's own texts: of what a secure page may not load, and of graphics that it lacks. A game may write any of the others. */
function consoleSignal({ level, text }: Extract<GameViewEvent, { type: 'console' }>): LaunchEntry['signal'] {
  if ((level === 'error' || level === 'warning') && /webgl/i.test(text)) return { type: 'webgl wanted' };
  return text.startsWith('Mixed Content: ') && level === 'error' ? { type: 'mixed content' } : null;
}

function consoleTitle(event: Extract<GameViewEvent, { type: 'console' }>): string {
  const signal = consoleSignal(event);
  if (signal?.type === 'mixed content') return 'Mixed content was blocked';
  return event.level === 'error' ? 'Console error' : event.level === 'warning' ? 'Console warning' : 'Console';
}

const withoutWebgl: Note = {
  kind: 'note',
  group: 'other',
  level: 'warning',
  title: "WebGL isn't available on this computer",
  detail: "Games that need it can't start here. That isn't a problem of the game.",
  signal: { type: 'no webgl' },
};

/** Returns whether a URL is none that a page of a browser has. */
function isExternal(url: string): boolean {
  return !/^(?:https?|wss?|about|blob|data|file|javascript|chrome-error|devtools):/i.test(url);
}

function withoutQuery(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? '';
}

function pathOf(address: string): string {
  const url = URL.parse(address);
  return url === null || url.host === '' ? address.slice(0, 200) : `${url.host}${url.pathname}`;
}

/** Ends of a game's process that are no crash, by Electron's names. */
const crashes: Readonly<Record<string, string>> = {
  killed: "The game page's process was killed",
  'launch-failed': "The game page's process did not start",
  'memory-eviction': "The game page's process was killed to free memory",
  oom: 'The game page ran out of memory',
};

function hostOf(address: string): string {
  const url = URL.parse(address);
  return url === null || url.host === '' ? address.slice(0, 200) : url.host;
}
