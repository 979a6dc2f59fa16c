import type { LookupFunction, Socket } from 'node:net';
import type { KeyName, Subject } from '#shared/doctor/model.ts';
import type { SearchNews } from '#shared/doctor/turn.ts';
import type {
  Capabilities,
  DirectoryPurpose,
  OpenedOutside,
  SandboxPlayer,
  SandboxSamples,
  SandboxVerdict,
  ViewBounds,
  ViewportSize,
} from '#shared/ipc/index.ts';
import type { Embedding, PageSettings } from '#shared/model/device.ts';
import type { OpenActionName } from '#shared/model/operations.ts';
import type { OwnFolder } from './own-folder.ts';

/**
 * Abilities that core needs from whatever runs it. It grows only when core needs something that hosts do differently; a host
 * without an ability says so through `capabilities` and is never asked.
 */
export interface Host {
  /** Name for the user: `Desktop`, `Browser`, `Command line`. */
  readonly name: string;
  readonly version: string;
  /** The engine of its game views with its version, as `Chromium 140.0.7339.41, Electron 38.1.0`; absent if others show the games. */
  readonly engine?: string;
  /** Without `openOutside` and `pickDirectory`, which follow from the functions. */
  readonly capabilities: Omit<Capabilities, 'openOutside' | 'pickDirectory'>;
  readonly secrets: Secrets;
  /** Starts the built-in provider; absent if this host has none to offer. */
  readonly startSandbox?: (options: SandboxOptions) => Promise<RunningSandbox>;
  /** Opens a port over TLS and gives its connections away as they are; absent if this host can't. Fails with `conflict` (the port is taken) and `storage`. */
  readonly openEntrance?: (options: EntranceOptions, onConnection: (socket: Socket) => void) => Promise<Entrance>;
  /** Shows game pages over the window, each with a session of its own; absent if this host cannot. */
  readonly gameViews?: GameViews;
  /** Lets the page frame game pages; absent if this host cannot or has views. */
  readonly gameFrames?: GameFrames;
  /**
   * Path of the program of the thread that searches the history and keeps its index; absent in a host that lives too shortly for
   * one.
   */
  readonly searchWorker?: string | URL;
  /** Path of the program of the threads that read untrusted text. */
  readonly readingWorker: string | URL;
  /** Path of the program of the thread that writes an export. */
  readonly exportWorker: string | URL;
  /** Checks a URL, asks the user, and opens it in the user's browser; absent if this host cannot. */
  readonly openOutside?: (url: string) => Promise<OpenedOutside>;
  /**
   * Asks for a directory in the system's own dialog; null if the user declined. Fails with `unsupported`. Absent if this host has
   * no dialogs.
   */
  readonly pickDirectory?: (purpose: DirectoryPurpose) => Promise<string | null>;
  /**
   * Asks the user, where no page can answer for them, whether a program may run when games of an environment are launched; absent if
   * this host cannot ask.
   */
  readonly allowCommand?: (environmentName: string, command: string) => Promise<boolean>;
  /** The system's word on screen readers; absent in a host that gets none, as a browser tells a page nothing of it. */
  readonly screenReader?: {
    /** Returns whether one runs; null if this system does not tell. */
    heard(): boolean | null;
    /** Calls the listener at each change, until the process ends. */
    watch(listener: () => void): void;
  };
  /** The starter collections, with a directory for each; absent if this host offers none. */
  readonly starters?: OwnFolder;
  /** Reads Croupier's licence and those of the packages it holds; absent in a host without a page. */
  readonly licences?: () => Promise<Buffer>;
}

interface EntranceOptions {
  /** Name of the listener, for messages. */
  readonly name: string;
  /** Keeps its certificate, which one process of a home makes at a time. */
  readonly directory: string;
  readonly exclusively: <T>(work: () => Promise<T>) => Promise<T>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Host names and addresses for the certificate. */
  readonly names: readonly string[];
  /** 0 for any free one. */
  readonly port: number;
  readonly reach: 'loopback' | { readonly address: string };
  readonly onFault: (error: unknown) => void;
}

/** A port of this machine over TLS. */
export interface Entrance {
  readonly port: number;
  /** The file of the authority that clients have to trust. */
  readonly certificate: { readonly caFile: string };
  close(): Promise<void>;
}

/** State of a key, without the key. `locked`: not readable now, which is not the same as absent. */
export interface SecretStatus {
  readonly state: 'present' | 'absent' | 'locked';
  readonly storage: 'keychain' | 'session' | null;
  readonly fingerprint: string | null;
  readonly bytes: number | null;
  /** Message for the user, if the state needs words. */
  readonly message?: string;
}

/** Relation of a given key to the one of an account, which may have none. */
export type KeyRelation = 'same' | 'other' | 'none';

/**
 * The one way to private keys. A key goes in and never comes out; only the digest of key + parts does. Every call fails with
 * `key_unavailable` after its own deadline, never later.
 */
export interface Secrets {
  set(account: string, key: string, storage: 'keychain' | 'session'): Promise<SecretStatus>;
  /**
   * Holds a key that this process made itself and goes on knowing, for this session; `key` is asked again by whatever process holds
   * the keys next. Null if none takes it now: the next use gives it.
   */
  lend(account: string, key: () => string): Promise<SecretStatus | null>;
  /**
   * Calls the listener, once for each loss, with the keys of this session that are gone because the process that held them ended:
   * they can only be entered again.
   */
  onLost(listener: (accounts: readonly string[]) => void): void;
  remove(account: string): Promise<void>;
  /** Forgets a key of this session. One that the keychain has under the same account is used again. */
  release(account: string): Promise<void>;
  /** Compares a key with the one that the account has now. `expected`: as for `status`. */
  compare(account: string, key: string, expected: boolean): Promise<KeyRelation>;
  /** Gives the key of `from` to `to` as well, in the same storage. Fails with `key_missing` if `from` has none. */
  copy(from: string, to: string): Promise<SecretStatus>;
  /** Returns the state of a key. `expected`: the index says that the account has a key, so an empty reply means locked. */
  status(account: string, expected: boolean): Promise<SecretStatus>;
  /**
   * Returns the lowercase hexadecimal SHA-256 of the key's UTF-8 bytes followed by the parts. `version` changes when the stored key
   * may have.
   */
  digest(account: string, version: string, parts: readonly Uint8Array[]): Promise<string>;
  /** Returns the same digest, and in the same message the positions of keys in a text that is about to leave. */
  sign(
    account: string,
    version: string,
    parts: readonly Uint8Array[],
    inspection: KeyInspection,
  ): Promise<{ digest: string } & KeysFound>;
  /** Returns the value of Proxy-Authorization for the login of an account, `user:password`. `version`: as for `digest`. */
  answer(account: string, version: string, question: LoginQuestion): Promise<string>;
  /** Finds these keys in a text, in any form that redaction knows. Never fails because of a keychain: unreadable keys are `unknown`. */
  find(inspection: KeyInspection): Promise<KeysFound>;
  /**
   * Returns whether the bytes, as UTF-8 text, hold the key in any form that redaction knows; false if there is no key, and where none is expected and
   * none was fetched. `version`, `expected`: as for `digest` and `status`.
   */
  contains(account: string, version: string, expected: boolean, bytes: Uint8Array): Promise<boolean>;
  /**
   * Begins a search for the mistake in a hash, away from what signs. The first key is the environment's own, and is fetched if it has to be; of the
   * others only those take part that are open in this session. Fails as `digest` does.
   */
  search(keys: readonly [SearchedKey, ...SearchedKey[]], subject: Subject): Promise<KeySearch>;
  /**
   * Returns the private key of a client certificate, for a connection of this process. Fails as `digest` does, and for every account of
   * another kind: a key that signs never comes out.
   */
  take(account: string, version: string): Promise<string>;
  /** Returns null if the OS keychain works; else a sentence for the user. */
  keychainMessage(): Promise<string | null>;
  close(): Promise<void>;
}

/** A proxy's question for a login, with what belongs to one answer. */
export type LoginQuestion =
  | { readonly scheme: 'basic' }
  | {
      readonly scheme: 'digest';
      /** As the proxy writes it. */
      readonly algorithm: string;
      readonly hash: 'md5' | 'sha256';
      readonly session: boolean;
      readonly realm: string;
      readonly nonce: string;
      readonly opaque: string | null;
      readonly qop: boolean;
      /** As `api.example.com:443`. */
      readonly target: string;
      /** Number of answers to this nonce, from 1. */
      readonly count: number;
      readonly clientNonce: string;
    };

/** `version` as for `digest`. */
export interface SearchedKey {
  readonly account: string;
  readonly version: string;
  readonly name: KeyName;
}

/** A search under way, in steps that its caller asks for. */
export interface KeySearch {
  /** Number of keys that take part. */
  readonly keys: number;
  /** Searches on for a tenth of a second at most. Fails as `digest` does. */
  next(): Promise<SearchNews>;
  /** Ends it at once. */
  end(): void;
}

/** A text, and the accounts whose keys to find in it; `version` as for `digest`. */
export interface KeyInspection {
  readonly accounts: readonly { readonly account: string; readonly version: string }[];
  /** UTF-8. */
  readonly bytes: Uint8Array;
}

export interface KeysFound {
  /** Only accounts whose key is there. A start and an end in bytes for each position, one after the other. */
  readonly found: readonly { readonly account: string; readonly places: readonly number[] }[];
  /** Accounts whose key could not be read. */
  readonly unknown: readonly string[];
}

export interface SandboxOptions {
  /** The key by which the provider checks hashes. */
  readonly privateKey: string;
  readonly platform: number;
  readonly partnerId: number;
  /** Directory that keeps its certificate authority. */
  readonly directory: string;
  /** Runs the work while no other process of this home does so. */
  readonly exclusively: <T>(work: () => Promise<T>) => Promise<T>;
  readonly port: number;
  readonly onVerdict: (verdict: SandboxVerdict) => void;
  /** Called with the authority (PEM) of each new certificate. */
  readonly onRenewed: (ca: string) => void;
  /** Called once with the reason why there is no new certificate. */
  readonly onFault: (error: unknown) => void;
  /**
   * Returns names for the actions whose names the spec does not show, called at each request; without one, there is no such action.
   */
  readonly actions: () => Readonly<Partial<Record<OpenActionName, string>>>;
}

export interface RunningSandbox {
  /** `https://localhost:<port>`: serves both /serviceApi.php and the wallet methods. */
  readonly baseUrl: string;
  /** PEM of the authority of the certificate that it presents now, made for this machine. */
  readonly ca: string;
  readonly caFile: string;
  /** The page for faults and state. Whoever knows the URL can use it. */
  readonly controlUrl: string;
  /** Replaces the certificate if it has to be. Returns null if not, else a promise that settles when it is done. Never fails. */
  renew(): Promise<void> | null;
  players(): SandboxPlayer[];
  /** Returns values with which each operation succeeds now, for this player; for the first one if there is no such player. */
  samples(playerId: string): SandboxSamples;
  close(): Promise<void>;
}

/** A proxy that connections leave through. */
export interface Proxy {
  /** As `http://proxy.example:8080`, without a login. */
  readonly address: string;
  /** True if a login came with the address. */
  readonly hasLogin: boolean;
  /** Connects through it to a target such as `api.example.com:443`. Fails with `ProxyFailure`, within its own limit of time. */
  tunnel(target: string, options: TunnelOptions): Promise<Socket>;
}

export interface TunnelOptions {
  /** Ends the connection if it is not there yet. */
  readonly signal: AbortSignal;
  /** PEM of an authority that may vouch for a proxy that speaks TLS itself, beside Node's and this computer's. */
  readonly ca?: string;
  /** Called when the proxy itself is reached. */
  readonly onReached?: () => void;
  /** Called with the address of each proxy that is tried; null for a connection without one, which a list of proxies may end in. */
  readonly onTry?: (address: string | null) => void;
  /** Looks up the target's name for such a connection; null: the system does. */
  readonly lookup: LookupFunction | null;
}

/**
 * Verdict on a request: it may leave to the judged addresses (none for one that never touches the network), or through a proxy, which looks
 * the name up itself; or a sentence says why not. `local`: because it leads to this machine or its network.
 */
export type AddressVerdict =
  | { readonly ok: true; readonly addresses: readonly string[]; readonly proxy?: Proxy }
  | { readonly ok: false; readonly local: boolean; readonly message: string };

export interface GameViews {
  /** Opens a page that nothing is granted to. Rejects if there is no window to show it. */
  open(options: GameViewOptions): Promise<GameView>;
}

export interface GameViewOptions {
  /** Carries the session token: loaded, and neither logged nor shown. */
  readonly url: string;
  /** Games with the same text trust the same authorities: a session may serve one after the other, emptied between them. */
  readonly trust: string;
  readonly bounds: ViewBounds;
  readonly page: PageSettings;
  /** The operator's page that frames it; null for a page of its own. */
  readonly embedding: Embedding | null;
  /** Called before each request of the page and its frames leaves. */
  readonly admits: (url: string) => Promise<AddressVerdict>;
  /** Called for a certificate (PEM) that the public authorities do not vouch for. */
  readonly trusts: (certificate: string, hostname: string) => boolean;
  readonly onEvent: (event: GameViewEvent) => void;
}

/** One game page on the screen. Every method is harmless after `close` and after a crash. */
export interface GameView {
  setBounds(bounds: ViewBounds): void;
  setVisible(visible: boolean): void;
  reload(): void;
  goBack(): void;
  /** Sets the CSS pixels that the page has in its bounds, however large it is drawn, and its surroundings. */
  setPage(viewport: ViewportSize, page: PageSettings): void;
  setMuted(muted: boolean): void;
  /** Gives it the keyboard, as soon as it is shown. */
  focus(): void;
  /** Takes a PNG at the viewport's size, or a JPEG of 640 pixels at most. Ends within seconds. */
  capture(size: 'whole' | 'small'): Promise<GamePicture>;
  /** Takes the state of the page, with a small picture if asked, and elements that show. Ends within seconds, also if the page hangs. */
  snapshot(wanted: { readonly picture: boolean; readonly selectors: readonly string[] }): Promise<GameSnapshot>;
  /** Ends the page and forgets everything it stored; fails if that is not certain, and always ends. */
  close(): Promise<void>;
}

/**
 * A picture, or why there is none. `hidden`: nothing is drawn; `late`: nothing was drawn in time; `gone`: there is no page; `refused`:
 * the host failed.
 */
export type GamePicture = { readonly image: Uint8Array } | { readonly failure: 'hidden' | 'late' | 'gone' | 'refused' };

/** A part of a page: 0 to 1 each. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The state of a game's page at one moment. */
export interface GameSnapshot {
  /** True if the game is visible: a hidden page draws nothing and may be slow. */
  readonly seen: boolean;
  /** True if the page replied within 5 s; null without a visible page. */
  readonly replied: boolean | null;
  /** Statements of the page; null if it did not reply. */
  readonly page: {
    readonly url: string;
    readonly title: string;
    /** `lang` of the document's element; empty without one. */
    readonly lang: string;
    /** The browser as the page sees it: user agent, size in CSS pixels, pixel ratio, language and time zone. */
    readonly surroundings: string;
    /** Milliseconds from the start of the page's navigation; null for what has not happened. */
    readonly times: { readonly firstByte: number | null; readonly firstPaint: number | null; readonly load: number | null };
    /** The text that it shows, in lines. */
    readonly text: string;
    /** The selector of the first wanted element that is visible; null without one. */
    readonly found: string | null;
    /** The place of its largest canvas, in parts of the page; null without one. */
    readonly canvas: Area | null;
    /** Canvases whose WebGL context is lost now. */
    readonly lostContexts: number;
    /** Parts of its policy that stopped something since the last snapshot, with the URL. */
    readonly stopped: readonly { readonly directive: string; readonly url: string }[];
    /** Messages that it posted to itself since the last snapshot, as JSON if they are no texts. */
    readonly messages: readonly string[];
    /** Words of an element for leaving that was pressed some seconds ago, if the page still says the same; null without one. */
    readonly deadExit: string | null;
  } | null;
  /** A PNG of 160 pixels at most; null if it was not wanted, or none could be taken. */
  readonly png: Uint8Array | null;
}

type Headers = readonly (readonly [name: string, value: string])[];

/** One step of a request, with the parts that it shows. A redirect ends a request; the next one has an `id` of its own. */
export type NetworkStep =
  | { readonly step: 'asked'; readonly method: string; readonly url: string; readonly resourceType: string }
  | { readonly step: 'sent'; readonly headers: Headers }
  /** `statusLine` as `HTTP/1.1 200 OK`. */
  | { readonly step: 'responded'; readonly status: number; readonly statusLine: string; readonly headers: Headers }
  /** `error`: Chromium's name; null if it succeeded. `redirectURL`: null unless it was redirected. */
  | { readonly step: 'ended'; readonly error: string | null; readonly fromCache: boolean; readonly redirectURL: string | null };

/** A game page's event, as a host saw it. `main` is false for frames inside it. */
export type GameViewEvent =
  | { readonly type: 'navigation'; readonly url: string; readonly main: boolean }
  | { readonly type: 'redirect'; readonly url: string; readonly main: boolean }
  /** A message that a framed game posted to the operator's page; `data` as JSON if it is not a text. */
  | { readonly type: 'message'; readonly origin: string; readonly data: string }
  /** The operator's page may not frame the game. */
  | { readonly type: 'unframed'; readonly url: string }
  /**
   * The empty page has its settings: the graphics that pages of this machine get, null without WebGL; and the milliseconds that a round trip
   * takes on a network that is slowed, null if it could not be measured.
   */
  | { readonly type: 'prepared'; readonly webgl: string | null; readonly roundTripMs: number | null }
  | { readonly type: 'arrived'; readonly url: string; readonly status: number }
  | { readonly type: 'loaded' }
  | { readonly type: 'failed'; readonly url: string; readonly reason: string; readonly main: boolean }
  | {
      readonly type: 'console';
      readonly level: 'debug' | 'info' | 'warning' | 'error';
      readonly text: string;
      readonly source: string;
      readonly line: number;
    }
  | {
      readonly type: 'request';
      readonly url: string;
      readonly method: string;
      /** As Electron names it; `other` where it is not known. */
      readonly resourceType: string;
      /** Null without a response; `error` then gives the reason. */
      readonly status: number | null;
      readonly error: string | null;
      readonly ms: number;
    }
  /** An error that nothing caught, in the page, its frames or its workers. */
  | { readonly type: 'uncaught'; readonly text: string; readonly source: string; readonly line: number }
  /** A WebSocket began, could not be opened, or ended. */
  | { readonly type: 'socket'; readonly step: 'opened' | 'failed' | 'ended'; readonly url: string; readonly error: string }
  /** A request began, got a response, or ended. */
  | {
      readonly type: 'traffic';
      readonly step: 'asked' | 'responded' | 'ended';
      readonly id: string;
      readonly method: string;
      readonly url: string;
      readonly resourceType: string;
    }
  /** One more step of a request, for the network log; `id` as in traffic, `at` in milliseconds since the epoch. */
  | ({ readonly type: 'network'; readonly id: string; readonly at: number } & NetworkStep)
  /** Headers of a document of the page, or of a redirect to one. */
  | {
      readonly type: 'headers';
      readonly url: string;
      readonly status: number;
      readonly method: string;
      readonly headers: readonly (readonly [name: string, value: string])[];
    }
  | { readonly type: 'dialog'; readonly dialog: string; readonly text: string }
  | { readonly type: 'permission'; readonly permission: string; readonly granted: boolean }
  /** An element of the page fills the view, or does no longer. */
  | { readonly type: 'fullscreen'; readonly full: boolean }
  /** `window`: it is hidden because its window is. */
  | { readonly type: 'sight'; readonly seen: boolean; readonly window: boolean }
  | { readonly type: 'sound'; readonly muted: boolean }
  | { readonly type: 'download'; readonly url: string; readonly name: string }
  | { readonly type: 'window'; readonly url: string }
  /** A request that `admits` refused, in its words. */
  | { readonly type: 'refused'; readonly url: string; readonly message: string; readonly local: boolean }
  | { readonly type: 'crash'; readonly reason: string }
  /** The page closed itself: there is no view any more. */
  | { readonly type: 'gone' }
  /** A message to show as it is. */
  | { readonly type: 'note'; readonly message: string };

export interface GameFrames {
  /** Returns the path of a page that frames `url`, good for one load within a minute. */
  offer(frame: GameFrame): string;
}

export interface GameFrame {
  readonly url: string;
  /** `origin`: the frame stays on the origin of `url`; `https`: it may go to any https URL. */
  readonly redirects: 'origin' | 'https';
}
