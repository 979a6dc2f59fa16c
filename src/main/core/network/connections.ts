import type { X509Certificate } from 'node:crypto';
import type { LookupFunction, OnReadOpts } from 'node:net';
import { getSystemErrorName } from 'node:util';
import type { connect as connectTls, SecureContext, TLSSocket } from 'node:tls';
import type { Environment } from '#shared/ipc/index.ts';
import { chainOf, UntrustedChain, type Authorities } from './authorities.ts';

/** The settings that decide whom a connection trusts. */
export type Trust = Pick<Environment, 'id' | 'kind' | 'baseUrl' | 'ca'>;

/** News of a connection for the exchange on it. */
export interface ConnectionEvents {
  /** The connection is there; what was handed to it leaves now. */
  onReady(): void;
  /** `bytes` are others after the call. */
  onBytes(bytes: Buffer): void;
  /** The other side ended the connection. `marked`: by a close_notify of TLS, so that nothing was cut off. */
  onEnd(marked: boolean): void;
  onError(error: Error): void;
}

/** A connection that carries one exchange at a time. */
export interface Connection {
  /** True if it carried an exchange before. */
  readonly reused: boolean;
  /** Times of `performance.now()`, null until it happened. */
  readonly times: {
    readonly startedAt: number;
    readonly lookedUpAt: number | null;
    readonly connectedAt: number | null;
    readonly securedAt: number | null;
  };
  /** Writes a request as soon as the connection is there, and reports to `events` until it is released or destroyed. */
  send(request: Buffer, events: ConnectionEvents): void;
  /** The exchange is over, and the next one may take the connection. */
  release(): void;
  /** Ends the connection; nothing more is reported. */
  destroy(): void;
}

/** Keeps connections open per trust and origin, so that a change of trust never reuses an old connection. */
export type Connections = ReturnType<typeof createConnections>;

/** Gives the authority (PEM) that the built-in provider's next connection has to trust. */
type CurrentAuthority = (environment: Trust) => string | Promise<string>;

interface ConnectionsOptions {
  readonly authority?: CurrentAuthority;
  /** Finds authorities of this computer for a chain that Node's own and the environment's don't complete. */
  readonly authorities?: Authorities;
  /** Takes the place of the system's look-up of names. */
  readonly lookup?: LookupFunction;
}

/** Milliseconds that a connection waits for the next exchange. Servers usually allow 5 s and more: none must go out on one that is being closed. */
const waitsMs = 4_000;

/** TLS 1.2 or newer, certificates always checked whatever the process environment says. */
export function createConnections({ authority = ({ ca }) => ca, authorities = async () => [], lookup }: ConnectionsOptions = {}) {
  const clients = new Map<string, Promise<TlsClient>>();
  /** The authorities of this computer that a trust needed, by its key. */
  const added = new Map<string, readonly string[]>();
  const sessions = new Map<string, Buffer>();
  /** The newest last: it is the one that the server closes last. */
  const waiting = new Map<string, OpenConnection[]>();
  const open = new Set<OpenConnection>();

  function clientOf(trust: Pick<Trust, 'ca' | 'kind'>): Promise<TlsClient> {
    const key = `${trust.kind}\n${trust.ca}`;
    const known = clients.get(key) ?? loadClient(trust, added.get(key) ?? []);
    clients.set(key, known);
    return known;
  }

  /** Returns what trusts a chain by authorities of this computer, too; null if there are none that `client` did not have. */
  async function extended(trust: Pick<Trust, 'ca' | 'kind'>, client: TlsClient, chain: readonly X509Certificate[]) {
    if (trust.kind === 'sandbox') return null;
    const key = `${trust.kind}\n${trust.ca}`;
    const before = added.get(key) ?? [];
    const fresh = (await authorities(chain)).filter((pem) => !before.includes(pem));
    if (fresh.length > 0) {
      added.set(key, [...before, ...fresh]);
      clients.delete(key);
    }
    const now = await clientOf(trust);
    return now === client ? null : now;
  }

  return {
    /** Takes a connection that waits, or starts one. */
    async take(environment: Trust, url: URL): Promise<Connection> {
      const { kind } = environment;
      const trust = { kind, ca: kind === 'sandbox' ? await authority(environment) : environment.ca };
      const key = `${url.origin}\n${kind}\n${trust.ca}`;
      for (let kept = waiting.get(key)?.pop(); kept !== undefined; kept = waiting.get(key)?.pop()) {
        kept.reuse();
        // An end or bytes that nobody asked for may have come and not been read: they must not be taken for this exchange's.
        await new Promise(setImmediate);
        if (kept.isOpen()) return kept;
      }
      const client = await clientOf(trust);
      const host = url.hostname.replace(/^\[|\]$/g, '');
      // As browsers do: by the name that the certificate is for.
      const sessionKey = `${host}\n${kind}\n${trust.ca}`;
      const session = sessions.get(sessionKey);
      const connectBy =
        ({ connect, secureContext }: TlsClient): Connect =>
        (onread) =>
          withoutOverride(() =>
            connect({
              host,
              port: Number(url.port) || 443,
              ...(lookup === undefined ? {} : { lookup }),
              ...(isAddress(url) ? {} : { servername: host }),
              secureContext,
              rejectUnauthorized: true,
              ALPNProtocols: ['http/1.1'],
              ...(session === undefined ? {} : { session }),
              ...onread,
            }),
          );
      const connection = openConnection(connectBy(client), {
        async again(chain) {
          const other = await extended(trust, client, chain);
          return other === null ? null : connectBy(other);
        },
        session: (fresh) => sessions.set(sessionKey, fresh),
        waits(one) {
          waiting.set(key, [...(waiting.get(key) ?? []), one]);
        },
        ended(one) {
          open.delete(one);
          waiting.set(
            key,
            (waiting.get(key) ?? []).filter((other) => other !== one),
          );
        },
      });
      open.add(connection);
      return connection;
    },
    async close(): Promise<void> {
      for (const connection of open) connection.destroy();
    },
  };
}

/** Returns whether the host of a URL is an address: a name that ends in a number is none, so a URL has it as the address that it means. */
export function isAddress({ hostname }: URL): boolean {
  return hostname.startsWith('[') || /^[0-9.]+$/.test(hostname);
}

interface TlsClient {
  readonly connect: typeof connectTls;
  readonly secureContext: SecureContext;
}

/** `added`: PEM of authorities that are trusted beside the public ones. */
async function loadClient({ ca, kind }: Pick<Trust, 'ca' | 'kind'>, added: readonly string[]): Promise<TlsClient> {
  const { connect, createSecureContext } = await import('node:tls');
  const minVersion = 'TLSv1.2';
  // The built-in provider's own authority alone; for others the public ones, and the extra one.
  if (ca !== '' && kind === 'sandbox') return { connect, secureContext: createSecureContext({ minVersion, ca }) };
  // A pinned certificate need not be an authority: then the chain ends at it.
  const secureContext = createSecureContext({ minVersion, allowPartialTrustChain: ca !== '' });
  // What `ca` does (lib/internal/tls/secure-context.js), but beside the public ones, which would be parsed again: 45 ms of a first call.
  for (const pem of ca === '' ? added : [ca, ...added])
    (secureContext.context as { addCACert(pem: string): void }).addCACert(pem);
  return { connect, secureContext };
}

interface OpenConnection extends Connection {
  /** Takes it out of its waiting. */
  reuse(): void;
  isOpen(): boolean;
}

/** Room for the bytes of every connection, one part of one connection at a time: as many as TLS opens in one step. */
const arrivals = Buffer.allocUnsafeSlow(16_384);

/** Hears of a connection: that it waits for an exchange, that it ended, and its TLS session. */
interface Owner {
  waits(connection: OpenConnection): void;
  ended(connection: OpenConnection): void;
  session(fresh: Buffer): void;
  /** Returns how to connect with more authorities, if there are any that vouch for the chain. Never fails. */
  again(chain: readonly X509Certificate[]): Promise<Connect | null>;
}

type Connect = (reading: { readonly onread: OnReadOpts }) => TLSSocket;

/** The checks that other authorities can change. */
export const authorityCodes: ReadonlySet<string | undefined> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Opens a connection and watches it from its start. */
function openConnection(connect: Connect, owner: Owner): OpenConnection {
  let events: ConnectionEvents | null = null;
  let request: Buffer | null = null;
  let timer: NodeJS.Timeout | null = null;
  /** Since when it waits, if it does. */
  let waitsFrom = 0;
  let ended = false;
  const times: { -readonly [Name in keyof Connection['times']]: number | null } & { startedAt: number } = {
    startedAt: performance.now(),
    lookedUpAt: null,
    connectedAt: null,
    securedAt: null,
  };
  let socket = begin(connect);
  const connection: { -readonly [Name in keyof OpenConnection]: OpenConnection[Name] } = {
    reused: false,
    times,
    reuse() {
      connection.reused = true;
    },
    send(bytes, to) {
      request = bytes;
      events = to;
      if (times.securedAt !== null) write();
    },
    release() {
      events = null;
      if (socket.destroyed) return;
      waitsFrom = performance.now();
      if (timer === null) {
        // From here on it keeps no program alive: whoever uses it again has a limit of time that does.
        socket.unref();
        timer = setTimeout(endIfIdle, waitsMs).unref();
      }
      owner.waits(connection);
    },
    isOpen: () => !socket.destroyed,
    destroy() {
      ended = true;
      events = null;
      if (timer !== null) clearTimeout(timer);
      owner.ended(connection);
      socket.destroy();
    },
  };

  /** Ends it if it has waited long enough. One timer asks again and again: each exchange would cost one of its own. */
  function endIfIdle(): void {
    const left = events === null ? waitsFrom + waitsMs - performance.now() : waitsMs;
    if (left < 1) connection.destroy();
    else timer = setTimeout(endIfIdle, left).unref();
  }

  function onBytes(size: number): boolean {
    // Nothing was asked for.
    if (events === null) connection.destroy();
    else events.onBytes(arrivals.subarray(0, size));
    return true;
  }

  function write(): void {
    if (request === null || events === null) return;
    events.onReady();
    // Whoever hears of it may have ended it.
    if (!socket.destroyed) socket.write(request);
    request = null;
  }

  function over(tell: (to: ConnectionEvents) => void): void {
    const to = events;
    connection.destroy();
    if (to !== null) tell(to);
  }

  /** The first handshake alone may find that an authority is missing: nothing was written then, and a second one begins. */
  function begin(start: Connect, isFirst = true): TLSSocket {
    const begun = start({ onread: { buffer: arrivals, callback: onBytes } });
    let leaf: X509Certificate | undefined;
    let refused = false;
    begun.setNoDelay(true).setKeepAlive(true, 60_000);
    begun.on('session', owner.session);
    begun.once('lookup', () => (times.lookedUpAt ??= performance.now()));
    begun.once('connect', () => (times.connectedAt ??= performance.now()));
    // Before Node looks at it: with a connection that it refuses, the chain is gone.
    begun.prependOnceListener('secure', () => {
      if (isRefused(begun)) leaf = begun.getPeerX509Certificate();
    });
    begun.once('secureConnect', () => {
      times.securedAt = performance.now();
      write();
    });
    begun.on('end', () => {
      const marked = isMarked(begun);
      over((to) => to.onEnd(marked));
    });
    begun.on('error', (error: NodeJS.ErrnoException) => {
      const chain = authorityCodes.has(error.code) ? chainOf(leaf) : [];
      const last = chain.at(-1);
      if (last === undefined) return fail(error);
      const untrusted = new UntrustedChain(error, last);
      if (!isFirst) return fail(untrusted);
      refused = true;
      void owner.again(chain).then((next) => {
        if (ended) return;
        if (next === null) fail(untrusted);
        else socket = begin(next, false);
      });
    });
    begun.on('close', () => refused || over((to) => to.onEnd(false)));
    return begun;
  }

  // One of the connection itself cuts off what TLS has begun; of a handshake that breaks off, and of TLS, Node tells.
  function fail(error: NodeJS.ErrnoException): void {
    over((to) => (times.securedAt !== null && error.syscall !== undefined ? to.onEnd(false) : to.onError(error)));
  }

  return connection;
}

/**
 * Returns whether TLS announced, by its close_notify, the end that was just read. A FIN without one can come from anybody on the way,
 * and Node shows both as `end` (docs/decisions/0019). A FIN ends the reading of the handle below TLS; a close_notify is read from it, so it
 * is reading still and refuses to begin.
 */
function isMarked(socket: TLSSocket): boolean {
  const { _handle } = socket as { _handle?: { _parent?: { readStart?(): number } } | null };
  const begun = _handle?._parent?.readStart?.() ?? 0;
  return begun !== 0 && getSystemErrorName(begun) === 'EALREADY';
}

/** Returns whether Node is about to refuse the certificate. Of one that it takes, nothing is read: Node would then find other names in it. */
function isRefused(socket: TLSSocket): boolean {
  const { _handle } = socket as { _handle?: { verifyError?(): unknown } | null };
  return (_handle?.verifyError?.() ?? null) !== null;
}

/** Connects as if NODE_TLS_REJECT_UNAUTHORIZED were not there: Node would warn of a verification that is off, and it is on. */
export function withoutOverride<T>(connect: () => T): T {
  const name = 'NODE_TLS_REJECT_UNAUTHORIZED';
  const given = process.env[name];
  if (given === undefined) return connect();
  delete process.env[name];
  try {
    return connect();
  } finally {
    process.env[name] = given;
  }
}

/** An address as calls use it, or a sentence that says why it is refused. */
export type ParsedAddress =
  | { readonly ok: true; readonly address: string; readonly url: URL }
  | { readonly ok: false; readonly message: string };

// Calls go to one address again and again.
let last: { readonly text: string; readonly parsed: ParsedAddress } | null = null;

/** Parses an https address and trims its trailing slashes. `what` names it in the message, as `The base URL`. */
export function parseAddress(text: string, what: string): ParsedAddress {
  if (last?.text === text) return last.parsed;
  const parsed = readAddress(text, what);
  if (parsed.ok) last = { text, parsed };
  return parsed;
}

function readAddress(text: string, what: string): ParsedAddress {
  const trimmed = text.trim();
  const refuse = (message: string): ParsedAddress => ({ ok: false, message });
  if (trimmed === '') return refuse(`${what} is missing. Enter a URL that starts with https://.`);
  const url = URL.parse(trimmed);
  if (url === null) return refuse(`${what} is not a web URL: ${trimmed}. It looks like https://api.example.com.`);
  if (url.protocol === 'http:')
    return refuse(`${what} starts with http://. The service accepts https only, so nothing is sent in clear: use https://.`);
  if (url.protocol !== 'https:') return refuse(`${what} starts with ${url.protocol}. It must start with https://.`);
  if (url.username !== '' || url.password !== '') return refuse(`${what} contains a user name or password. Leave them out.`);
  if (url.search !== '' || trimmed.includes('?'))
    return refuse(`${what} has a query. Remove everything from the question mark on.`);
  if (url.hash !== '' || trimmed.includes('#')) return refuse(`${what} has a fragment. Remove everything from the # on.`);
  return { ok: true, address: url.href.replace(/\/+$/, ''), url };
}
