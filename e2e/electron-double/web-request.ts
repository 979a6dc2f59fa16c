import { StrictEmitter } from './strict.ts';

/** The fields that every kind of request event has, before a listener's own are added. */
export interface RequestDetails {
  readonly id: number;
  readonly url: string;
  readonly method: string;
  readonly resourceType: string;
  readonly webContentsId: number | undefined;
  readonly timestamp: number;
  readonly referrer: string;
  readonly [further: string]: unknown;
}

type Observed = 'onSendHeaders' | 'onHeadersReceived' | 'onBeforeRedirect' | 'onCompleted' | 'onErrorOccurred';
type Listener = (details: never, callback: (answer: never) => void) => void;
interface Entry {
  readonly matches: (url: string) => boolean;
  readonly listener: Listener;
}
type WebRequestApi = Pick<Electron.WebRequest, 'onBeforeRequest' | Observed>;

/** One listener of each kind, as in Electron: setting another replaces it, null removes it. */
export class WebRequestDouble extends StrictEmitter implements WebRequestApi {
  readonly #entries = new Map<string, Entry>();

  onBeforeRequest(...given: unknown[]): void {
    this.#set('onBeforeRequest', given);
  }
  onSendHeaders(...given: unknown[]): void {
    this.#set('onSendHeaders', given);
  }
  onHeadersReceived(...given: unknown[]): void {
    this.#set('onHeadersReceived', given);
  }
  onBeforeRedirect(...given: unknown[]): void {
    this.#set('onBeforeRedirect', given);
  }
  onCompleted(...given: unknown[]): void {
    this.#set('onCompleted', given);
  }
  onErrorOccurred(...given: unknown[]): void {
    this.#set('onErrorOccurred', given);
  }

  /** Returns the app's decision about a request before it leaves. */
  async decide(details: RequestDetails): Promise<{ cancel?: boolean }> {
    const entry = this.#entries.get('onBeforeRequest');
    if (entry === undefined || !entry.matches(details.url)) return {};
    return new Promise((resolve) => entry.listener(details as never, resolve as never));
  }

  /** Reports to a listener what has happened. Replies that would change headers are not doubled and throw. */
  tell(kind: Observed, details: RequestDetails): void {
    const entry = this.#entries.get(kind);
    if (entry === undefined || !entry.matches(details.url)) return;
    entry.listener(details as never, (answer: object) => {
      if (Object.keys(answer).length > 0) throw new Error(`The electron double cannot change an answer in ${kind}.`);
    });
  }

  #set(kind: string, given: unknown[]): void {
    const [filter, listener] = given.length === 2 ? given : [null, given[0]];
    if (listener === null) {
      this.#entries.delete(kind);
      return;
    }
    const patterns = filter === null ? ['<all_urls>'] : (filter as Partial<Electron.WebRequestFilter>).urls;
    if (!Array.isArray(patterns)) throw new TypeError("Parameter 'filter' must have property 'urls'.");
    for (const pattern of patterns) {
      if (!matchPattern.test(pattern)) throw new TypeError(`Invalid url pattern ${pattern}: not a match pattern`);
    }
    const expressions = patterns.map((pattern) =>
      pattern === '<all_urls>' ? /^/ : new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`),
    );
    this.#entries.set(kind, {
      listener: listener as Listener,
      matches: (url) => expressions.some((expression) => expression.test(url)),
    });
  }
}

/** Matches Chromium's patterns of URLs: a scheme, a host and a path, or all. */
const matchPattern = /^(?:<all_urls>|(?:\*|[a-z][a-z0-9+.-]*):\/\/[^/]*\/.*|[a-z][a-z0-9+.-]*:(?!\/\/).*)$/i;

function escaped(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
}

let numbers = 0;
/** Numbers by the debugging protocol's ID. */
const numbered = new Map<string, number>();

/** Returns Electron's number of a request: the same in all its events, those of its redirects included. */
export function requestNumber(networkId: string | undefined): number {
  const known = networkId === undefined ? undefined : numbered.get(networkId);
  if (known !== undefined) return known;
  numbers += 1;
  if (networkId !== undefined) numbered.set(networkId, numbers);
  return numbers;
}

const resourceTypes: Readonly<Record<string, string>> = {
  Stylesheet: 'stylesheet',
  Script: 'script',
  Image: 'image',
  Font: 'font',
  XHR: 'xhr',
  Fetch: 'xhr',
  Ping: 'ping',
  CSPViolationReport: 'cspReport',
  Media: 'media',
  WebSocket: 'webSocket',
};

/** Returns Electron's word for a kind of request of the debugging protocol. */
export function resourceTypeOf(type: string, main: boolean): string {
  if (type === 'Document') return main ? 'mainFrame' : 'subFrame';
  return resourceTypes[type] ?? 'other';
}
