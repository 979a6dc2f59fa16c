import type { X509Certificate } from 'node:crypto';
import { isIP, type LookupFunction, type OnReadOpts } from 'node:net';
import { getSystemErrorName } from 'node:util';
import type { connect as connectTls, ConnectionOptions, SecureContext, TLSSocket } from 'node:tls';
import type { Voucher } from '#shared/ipc/calls.ts';
import type { Environment } from '#shared/ipc/index.ts';
import { pemOfBase64 } from '#shared/json/file-text.ts';
import {
  authorityCodes,
  pemBlocks,
  trustingAlso,
  UntrustedChain,
  voucherOf,
  watchRefusal,
  type Authorities,
  type Authority,
} from './authorities.ts';
import { directWay, type Way } from './proxies.ts';
import { unusableProxy } from './proxy-failure.ts';

/** The settings that decide whom a connection trusts. */
export type Trust = Pick<Environment, 'id' | 'kind' | 'baseUrl' | 'walletUrl' | 'ca' | 'proxy'>;

/** News of a connection for the exchange on it. */
export interface ConnectionEvents {
  /** The connection is there; what was handed to it leaves now. */
  onReady(): void;
  /** `bytes` are others after the call. */
  onBytes(bytes: Buffer): void;
  /** The other side ended the connection. `marked`: by a close_notify of TLS, so that nothing was cut off. */
  onEnd(marked: boolean): void;
  onError(error: Error): void;
  /** The bytes that were handed to `send` have left. */
  onWritten?(): void;
  /** The bytes that `write` had to keep have left. */
  onDrain?(): void;
}

/** A connection that carries one exchange at a time. */
export interface Connection {
  /** True if it carried an exchange before. */
  readonly reused: boolean;
  /** The address of the proxy that it goes through; null without one. */
  readonly proxy: string | null;
  /** PEM of the certificate that it shows to a server that asks for one; null for none. */
  readonly clientCertificate: string | null;
  /** The set of authorities that vouched for the server; null until then, and for the built-in provider. */
  readonly voucher: Voucher | null;
  /** Times of `performance.now()`, null until it happened. */
  readonly times: {
    readonly startedAt: number;
    /** The proxy was reached. */
    readonly reachedAt: number | null;
    readonly lookedUpAt: number | null;
    readonly connectedAt: number | null;
    readonly securedAt: number | null;
  };
  /** Writes a request as soon as the connection is there, and reports to `events` until it is released or destroyed. */
  send(request: Buffer, events: ConnectionEvents): void;
  /** Writes more of what `send` began, after `onReady`. Returns false if it has to be kept until `onDrain`. */
  write(bytes: Buffer): boolean;
  /** Lets what comes wait, or goes on with it. */
  pause(): void;
  resume(): void;
  /** Says that nothing more is written. */
  end(): void;
  /** The exchange is over, and the next one may take the connection. */
  release(): void;
  /** Ends the connection; nothing more is reported. */
  destroy(): void;
}

/** Keeps connections open per trust and origin, so that a change of trust never reuses an old connection. */
export type Connections = ReturnType<typeof createConnections>;

/** Gives the authority (PEM) that the built-in provider's next connection has to trust. */
type CurrentAuthority = (environment: Trust) => string | Promise<string>;

export interface ConnectionsOptions {
  readonly authority?: CurrentAuthority;
  /** Finds authorities of this computer for a chain that Node's own and the environment's don't complete. */
  readonly authorities?: Authorities;
  readonly clientCertificates?: ClientCertificates;
  /** Takes the place of the system's look-up of names. Fails with `RefusedAddress` for a name that may not be connected to by any way. */
  readonly lookup?: LookupFunction;
  /** Decides how a connection leaves; absent: without a proxy. The built-in provider's never has one. */
  readonly wayTo?: (environment: Trust, url: URL) => Way | Promise<Way>;
}

/** An address that is out of reach by our own rules. */
export class RefusedAddress extends Error {}

/** The certificates with which environments show who they are, and their keys. */
export interface ClientCertificates {
  /** Returns the certificate (PEM, the own one first); null without one. `version`: another one each time it is set. */
  of(environmentId: string): { readonly certificate: string; readonly version: string } | null;
  /** Returns its private key (PKCS#8, base64). Fails with an AppError. */
  key(environmentId: string): Promise<string>;
}

/** All that decides whom a connection trusts and as whom it is made; `key` differs where one of these does. */
interface Footing extends Pick<Trust, 'id' | 'kind' | 'ca'> {
  readonly certificate: string | null;
  readonly key: string;
}

/** Milliseconds that a connection waits for the next exchange. Servers usually allow 5 s and more: none must go out on one that is being closed. */
const waitsMs = 4_000;

/** TLS 1.2 or newer, certificates always checked whatever the process environment says. */
export function createConnections(options: ConnectionsOptions = {}) {
  const {
    authority = ({ ca }) => ca,
    authorities = async () => [],
    clientCertificates,
    lookup,
    wayTo = () => directWay,
  } = options;
  const clients = new Map<string, Promise<TlsClient>>();
  /** The authorities of this computer that a trust needed, by its key. */
  const added = new Map<string, readonly Authority[]>();
  const sessions = new Map<string, Buffer>();
  /** By the key of a session: one that is resumed shows no chain. */
  const vouchers = new Map<string, Voucher>();
  /** The newest last: it is the one that the server closes last. */
  const waiting = new Map<string, OpenConnection[]>();
  const open = new Set<OpenConnection>();

  function clientOf(footing: Footing): Promise<TlsClient> {
    const { key } = footing;
    const known = clients.get(key) ?? loadClient(footing, added.get(key) ?? [], clientCertificates);
    clients.set(key, known);
    // A keychain that is locked now may be open for the next call.
    known.catch(() => clients.delete(key));
    return known;
  }

  /** Returns what trusts a chain by authorities of this computer, too; null if there are none that `client` did not have. */
  async function extended(footing: Footing, client: TlsClient, chain: readonly X509Certificate[]) {
    if (footing.kind === 'sandbox') return null;
    const before = added.get(footing.key) ?? [];
    const fresh = (await authorities(chain)).filter(({ pem }) => before.every((one) => one.pem !== pem));
    if (fresh.length > 0) {
      added.set(footing.key, [...before, ...fresh]);
      clients.delete(footing.key);
    }
    const now = await clientOf(footing);
    return now === client ? null : now;
  }

  async function footingOf(environment: Trust, url: URL): Promise<Footing> {
    const { id, kind } = environment;
    const ca = kind === 'sandbox' ? await authority(environment) : environment.ca;
    const client = clientCertificates?.of(id) ?? null;
    const footing = { id, kind, ca, certificate: null, key: `${kind}\n${ca}` };
    if (client === null || !isOf(environment, url)) return footing;
    return { ...footing, certificate: client.certificate, key: `${footing.key}\n${id} ${client.version}` };
  }

  return {
    /** Takes a connection that waits, unless it has to be a fresh one, or starts one. */
    async take(environment: Trust, url: URL, fresh = false): Promise<Connection> {
      const footing = await footingOf(environment, url);
      const { proxy, problem } = footing.kind === 'sandbox' ? directWay : await wayTo(environment, url);
      const key = `${url.origin}\n${proxy?.address ?? problem ?? ''}\n${footing.key}`;
      const next = () => (fresh ? undefined : waiting.get(key)?.pop());
      for (let kept = next(); kept !== undefined; kept = next()) {
        kept.reuse();
        // An end or bytes that nobody asked for may have come and not been read: they must not be taken for this exchange's.
        await new Promise(setImmediate);
        if (kept.isOpen()) return kept;
      }
      const client = await clientOf(footing);
      const host = url.hostname.replace(/^\[|\]$/g, '');
      const port = Number(url.port) || 443;
      // As browsers do: by the name that the certificate is for.
      const sessionKey = `${host}\n${footing.key}`;
      const session = sessions.get(sessionKey);
      const connectBy =
        ({ connect, secureContext }: TlsClient): Connect =>
        ({ onread, ...options }) => {
          const secured = (to: ConnectionOptions & Partial<Pick<Beginning, 'onread'>>) =>
            withoutOverride(() =>
              connect({
                ...(isAddress(url) ? {} : { servername: host }),
                secureContext,
                rejectUnauthorized: true,
                ALPNProtocols: ['http/1.1'],
                ...(session === undefined ? {} : { session }),
                ...to,
              }),
            );
          if (problem !== undefined) return Promise.reject(unusableProxy(problem));
          if (proxy === null) return secured({ host, port, ...(lookup === undefined ? {} : { lookup }), onread });
          const allowed = lookup === undefined || isIP(host) !== 0 ? Promise.resolve() : refuseKnown(lookup, host);
          return allowed
            .then(() => proxy.tunnel(`${url.hostname}:${port}`, { ...options, lookup: lookup ?? null, ca: footing.ca }))
            .then((socket) => secured({ host, socket }));
        };
      const connection = openConnection(
        connectBy(client),
        { proxy: proxy?.address ?? null, clientCertificate: footing.certificate },
        {
          async again(chain) {
            const other = await extended(footing, client, chain);
            return other === null ? null : connectBy(other);
          },
          session: (fresh) => sessions.set(sessionKey, fresh),
          voucher(socket) {
            if (footing.kind === 'sandbox') return null;
            const own = pemBlocks(footing.ca).map((pem): Authority => ({ pem, from: 'environment' }));
            const beside = [...own, ...client.extra, ...(added.get(footing.key) ?? [])];
            const by = (socket.isSessionReused() ? vouchers.get(sessionKey) : undefined) ?? voucherOf(socket, beside);
            vouchers.set(sessionKey, by);
            return by;
          },
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
        },
      );
      open.add(connection);
      return connection;
    },
    async close(): Promise<void> {
      for (const connection of open) connection.destroy();
    },
  };
}

/** Fails for a name that is known to lead where nothing may connect to. A name that only the proxy can look up passes. */
function refuseKnown(lookup: LookupFunction, host: string): Promise<void> {
  return new Promise((resolve, reject) =>
    lookup(host, { all: true }, (error) => (error instanceof RefusedAddress ? reject(error) : resolve())),
  );
}

/** Returns whether the host of a URL is an address: a name that ends in a number is none, so a URL has it as the address that it means. */
export function isAddress({ hostname }: URL): boolean {
  return hostname.startsWith('[') || /^[0-9.]+$/.test(hostname);
}

/** Returns whether a URL is the provider's: nobody else learns by a certificate who this is. */
function isOf({ baseUrl, walletUrl }: Trust, { origin }: URL): boolean {
  return [baseUrl, walletUrl].some((own) => URL.parse(own)?.origin === origin);
}

interface TlsClient {
  readonly connect: typeof connectTls;
  readonly secureContext: SecureContext;
  /** Authorities that Node adds to its own when it starts. */
  readonly extra: readonly Authority[];
}

/** `added`: PEM of authorities that are trusted beside the public ones. Fails with an AppError if the key of its certificate is not there. */
async function loadClient(
  { id, ca, kind, certificate }: Footing,
  added: readonly Authority[],
  keys?: ClientCertificates,
): Promise<TlsClient> {
  const { connect, createSecureContext, getCACertificates } = await import('node:tls');
  // The built-in provider's own authority alone; for others the public ones, and the extra one.
  if (ca !== '' && kind === 'sandbox')
    return { connect, secureContext: createSecureContext({ minVersion: 'TLSv1.2', ca }), extra: [] };
  const own = certificate === null ? null : { cert: certificate, key: pemOfBase64((await keys?.key(id)) ?? '', 'PRIVATE KEY') };
  const secureContext = await trustingAlso(ca, added, own);
  const named = (process.env['NODE_EXTRA_CA_CERTS'] ?? '') !== '';
  const extra = (named ? getCACertificates('extra') : []).map((pem): Authority => ({ pem, from: 'NODE_EXTRA_CA_CERTS' }));
  return { connect, secureContext, extra };
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
  voucher(socket: TLSSocket): Voucher | null;
  /** Returns how to connect with more authorities, if there are any that vouch for the chain. Never fails. */
  again(chain: readonly X509Certificate[]): Promise<Connect | null>;
}

/** Wishes of a connection that begins: how its bytes are read, when it is to end, and who hears which proxy is tried and reached. */
interface Beginning {
  readonly onread: OnReadOpts;
  readonly signal: AbortSignal;
  readonly onReached: () => void;
  readonly onTry: (proxy: string | null) => void;
}

type Connect = (beginning: Beginning) => TLSSocket | Promise<TLSSocket>;

/** Opens a connection and watches it from its start. */
function openConnection(
  connect: Connect,
  { proxy, clientCertificate }: Pick<Connection, 'proxy' | 'clientCertificate'>,
  owner: Owner,
): OpenConnection {
  const stopped = new AbortController();
  /** Null until a proxy is passed. */
  let socket: TLSSocket | null = null;
  /** The reason why there is none, if that came before anybody listened. */
  let failure: Error | null = null;
  let events: ConnectionEvents | null = null;
  let request: Buffer | null = null;
  let timer: NodeJS.Timeout | null = null;
  /** Since when it waits, if it does. */
  let waitsFrom = 0;
  const times: { -readonly [Name in keyof Connection['times']]: number | null } & { startedAt: number } = {
    startedAt: performance.now(),
    reachedAt: null,
    lookedUpAt: null,
    connectedAt: null,
    securedAt: null,
  };
  const connection: { -readonly [Name in keyof OpenConnection]: OpenConnection[Name] } = {
    reused: false,
    proxy,
    clientCertificate,
    voucher: null,
    times,
    reuse() {
      connection.reused = true;
    },
    send(bytes, to) {
      request = bytes;
      events = to;
      if (times.securedAt !== null) write();
      else if (failure !== null) fail(failure);
    },
    write: (bytes) => socket?.write(bytes) ?? true,
    pause: () => void socket?.pause(),
    resume: () => void socket?.resume(),
    end: () => void socket?.end(),
    release() {
      events = null;
      if (socket === null || socket.destroyed) return;
      waitsFrom = performance.now();
      if (timer === null) {
        // From here on it keeps no program alive: whoever uses it again has a limit of time that does.
        socket.unref();
        timer = setTimeout(endIfIdle, waitsMs).unref();
      }
      owner.waits(connection);
    },
    isOpen: () => socket?.destroyed === false,
    destroy() {
      events = null;
      if (timer !== null) clearTimeout(timer);
      owner.ended(connection);
      stopped.abort();
      socket?.destroy();
    },
  };

  /** Ends it if it has waited long enough. One timer asks again and again: each exchange would cost one of its own. */
  function endIfIdle(): void {
    const left = events === null ? waitsFrom + waitsMs - performance.now() : waitsMs;
    if (left < 1) connection.destroy();
    else timer = setTimeout(endIfIdle, left).unref();
  }

  function onArrived(bytes: Buffer): void {
    // Nothing was asked for.
    if (events === null) connection.destroy();
    else events.onBytes(bytes);
  }

  function onBytes(size: number): boolean {
    onArrived(arrivals.subarray(0, size));
    return true;
  }

  function write(): void {
    if (request === null || events === null) return;
    events.onReady();
    // Whoever hears of it may have ended it.
    if (socket?.destroyed === false) socket.write(request, () => events?.onWritten?.());
    request = null;
  }

  function over(tell: (to: ConnectionEvents) => void): void {
    const to = events;
    connection.destroy();
    if (to !== null) tell(to);
  }

  /** The first handshake alone may find that an authority is missing: nothing was written then, and a second one begins. */
  function begin(start: Connect, isFirst = true): void {
    const begun = start({
      onread: { buffer: arrivals, callback: onBytes },
      signal: stopped.signal,
      onReached: () => (times.reachedAt ??= performance.now()),
      onTry: (tried) => (connection.proxy = tried),
    });
    if (!(begun instanceof Promise)) return watch(begun, isFirst);
    begun.then((opened) => {
      times.connectedAt ??= performance.now();
      watch(opened, isFirst);
      // Over a connection that another one made, Node reads into parts of its own.
      opened.on('data', onArrived);
      if (stopped.signal.aborted) opened.destroy();
    }, fail);
  }

  function watch(begun: TLSSocket, isFirst: boolean): void {
    socket = begun;
    let refused = false;
    begun.setNoDelay(true).setKeepAlive(true, 60_000);
    begun.on('session', owner.session);
    begun.once('lookup', () => (times.lookedUpAt ??= performance.now()));
    begun.once('connect', () => (times.connectedAt ??= performance.now()));
    const refusedChain = watchRefusal(begun);
    begun.on('drain', () => events?.onDrain?.());
    begun.once('secureConnect', () => {
      times.securedAt = performance.now();
      connection.voucher = owner.voucher(begun);
      write();
    });
    begun.on('end', () => {
      const marked = isMarked(begun);
      over((to) => to.onEnd(marked));
    });
    begun.on('error', (error: NodeJS.ErrnoException) => {
      const chain = authorityCodes.has(error.code) ? refusedChain() : [];
      const last = chain.at(-1);
      if (last === undefined) return fail(error);
      const untrusted = new UntrustedChain(error, last);
      if (!isFirst) return fail(untrusted);
      refused = true;
      void owner.again(chain).then((next) => {
        if (stopped.signal.aborted) return;
        if (next === null) fail(untrusted);
        else begin(next, false);
      });
    });
    begun.on('close', () => refused || over((to) => to.onEnd(false)));
  }

  // One of the connection itself cuts off what TLS has begun; of a handshake that breaks off, and of TLS, Node tells.
  function fail(error: NodeJS.ErrnoException): void {
    failure = error;
    over((to) => (times.securedAt !== null && error.syscall !== undefined ? to.onEnd(false) : to.onError(error)));
  }

  begin(connect);
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
