import { Buffer } from 'node:buffer';
import { AppError } from '#shared/errors.ts';
import type { Environment, Failure, Finding, Timings } from '#shared/ipc/index.ts';
import { startDeadline } from '../host/deadline.ts';
import type { Cancellation } from './cancellation.ts';
import { isAddress, type Connection, type Connections } from '../network/connections.ts';
import {
  breachWords,
  createResponseReader,
  mostHeadBytes,
  type HeaderList,
  type MessageReader,
} from '../network/http-message.ts';
import {
  cancelledFailure,
  cutFailure,
  describeFailure,
  faultFailure,
  throughProxy,
  timeoutFailure,
  tooLargeFailure,
  withExpiry,
} from './failures.ts';
import { readableBody } from './readable-body.ts';

/** One complete request. It is sent once: nothing here repeats it or follows a redirect. */
export interface Transmission {
  readonly environment: Environment;
  readonly url: URL;
  readonly headers: HeaderList;
  readonly body: Buffer;
  /** True if every limit of the environment but that of the connection is this call's alone. */
  readonly ownTimeout?: boolean;
  readonly cut?: Cut;
}

/** The place where this side ends the connection: in the body of the request, before the response, or right after it. */
export type Cut = 'upload' | 'response' | 'after';

export interface Transmitted {
  readonly response: {
    readonly status: number;
    readonly headers: HeaderList;
    readonly body: Buffer;
    readonly truncated: boolean;
  } | null;
  readonly failure: Failure | null;
  /** All that came, byte for byte, if the response does not hold all of it as it came. */
  readonly raw: Buffer | null;
  /** Oddities of the response as it came, past which it was read. */
  readonly findings: readonly Finding[];
  /** Null if durations are unknown, because some of the time was not seen. */
  readonly timings: Timings | null;
  /** Milliseconds in which Croupier saw nothing, because it was suspended or asleep. */
  readonly unseenMs: number;
  /**
   * Milliseconds since the epoch by our clock, half of `timings.firstByte` before the response's start. Null without a
   * response, and if our clock was set between the two or saw nothing of a time in between: then it shows nothing about the
   * server's.
   */
  readonly respondedAt: number | null;
}

type Settled = { failure: Failure | null; truncated: boolean };

/** Sends a request and waits for the response's end, the first limit that is hit, or the user's stop. Never rejects. */
export async function transmit(
  connections: Connections,
  transmission: Transmission,
  cancellation: Cancellation,
): Promise<Transmitted> {
  const { environment, url } = transmission;
  let connection: Connection;
  try {
    connection = await connections.take(environment, url);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const hint = 'Choose the certificate again in the environment, or unlock the keychain. Nothing was sent.';
    const message = `The key of the client certificate is not available. ${error.message}`;
    return unsent({ kind: 'tls', phase: 'tls', message, hint });
  }
  const startedAt = connection.reused ? performance.now() : connection.times.startedAt;
  const exchange = await runExchange(connection, transmission, cancellation);
  return readExchange(exchange, startedAt, environment.maxResponseBytes);
}

/**
 * Reads what came on an exchange that has ended now. `isExact`: the bytes as they came are kept even if only the borders of chunks
 * would be lost.
 */
export async function readExchange(
  exchange: Exchange,
  startedAt: number,
  maxResponseBytes: number,
  isExact = false,
): Promise<Transmitted> {
  const { connection, reader, body, settled, unseenMs } = exchange;
  const timings = unseenMs > 0 ? null : toTimings(startedAt, performance.now(), exchange);
  const isLost = reader.isLossy() || exchange.respondedAt === null || (isExact && reader.chunked);
  const came = isLost ? Buffer.concat(exchange.came) : null;
  const raw = came === null || came.length === 0 ? null : came;
  const known = { timings, unseenMs, findings: httpFindings(reader) };
  if (reader.status === null || reader.status < 200) {
    return {
      ...known,
      response: null,
      raw,
      failure: withExpiry(settled.failure, connection.clientCertificate),
      respondedAt: null,
    };
  }
  const { status, headers } = reader;
  const encoding = [headerValue(headers, 'content-encoding'), ...reader.codings].filter((one) => one !== null).join(', ');
  const received = { status, headers, body: body.take(), truncated: settled.truncated };
  const respondedAt = unseenMs > 0 ? null : halfWay(exchange);
  // No request asks for compression, so most programs never need this code.
  const decoded =
    encoding === ''
      ? { body: received.body, truncated: false, failure: null, findings: [] }
      : await (await import('./decode-body.ts')).decodeBody(received.body, encoding, maxResponseBytes);
  // A response that broke off cannot be unpacked to its end either: the first cause counts.
  const failure = settled.failure ?? decoded.failure;
  const readable =
    failure === null ? readableBody(decoded.body, headerValue(headers, 'content-type')) : { ...decoded, findings: [] };
  return {
    ...known,
    findings: [...known.findings, ...decoded.findings, ...readable.findings],
    response: { ...received, body: readable.body, truncated: received.truncated || decoded.truncated },
    raw: raw ?? (readable.body === received.body ? null : Buffer.concat(exchange.came)),
    failure,
    respondedAt,
  };
}

/** Returns the rules of HTTP that a response breaks, and the news before it that was not asked for. */
function httpFindings({ breaches, news }: MessageReader): Finding[] {
  if (breaches.size + news.length === 0) return [];
  const found = Array.from(breaches, ([breach, at]): Finding => {
    return { rule: `http.${breach}`, severity: 'warning', path: '', message: breachWords[breach](at) };
  });
  if (news.includes(100)) {
    const message = "The server sent 100 Continue before its response, which this call didn't ask for.";
    found.push({ rule: 'http.unasked', severity: 'note', path: '', message });
  }
  return found;
}

/** Returns the outcome of a call whose URL is refused: nothing was looked up, connected to or sent. */
export function refusedAddress(message: string): Transmitted {
  const hint = 'Nothing was sent. Correct the base URL or the wallet URL in the environment.';
  return unsent({ kind: 'address', phase: 'address', message, hint });
}

/** Returns the outcome of a call for which no connection began. */
function unsent(failure: Failure): Transmitted {
  return {
    response: null,
    failure,
    raw: null,
    findings: [],
    timings: { dns: null, connect: null, tls: null, firstByte: null, download: null, total: 0, reused: false },
    unseenMs: 0,
    respondedAt: null,
  };
}

/** Returns the first value of a header, by its lowercase name. */
export function headerValue(headers: HeaderList, name: string): string | null {
  for (const [key, value] of headers) if (key.length === name.length && key.toLowerCase() === name) return value;
  return null;
}

/** A request that left, and what came for it. */
export interface Exchange {
  readonly connection: Pick<Connection, 'times' | 'reused' | 'proxy' | 'clientCertificate' | 'voucher'>;
  readonly reader: MessageReader;
  /** Everything that came, up to the limit of the response and its head. */
  readonly came: Buffer[];
  body: GatheredBody;
  settled: Settled;
  writtenAt: Moment | null;
  respondedAt: Moment | null;
  unseenMs: number;
}

/** A moment by two clocks: the monotonic one for durations, the wall clock for the time of day. */
export interface Moment {
  readonly at: number;
  readonly wall: number;
}

export const moment = (): Moment => ({ at: performance.now(), wall: Date.now() });

/** Milliseconds by which the two clocks must differ to show that one was set. Rounding and a slewed clock differ by less. */
const setFromMs = 500;

function halfWay({ writtenAt, respondedAt }: Exchange): number | null {
  if (writtenAt === null || respondedAt === null) return null;
  const passed = respondedAt.at - writtenAt.at;
  return Math.abs(respondedAt.wall - writtenAt.wall - passed) > setFromMs ? null : respondedAt.wall - passed / 2;
}

/** The body of a response as it comes: each part is copied when it arrives, so that no step at the end copies all of it. */
type GatheredBody = ReturnType<typeof gatherBody>;

const firstBytes = 65_536;

/** `length`: the length in the headers; null without one. `most`: no more is ever added. */
export function gatherBody(length: number | null, most: number) {
  let bytes: Buffer | null = null;
  let size = 0;

  function withRoom(more: number): Buffer {
    const needed = size + more;
    if (bytes !== null && needed <= bytes.length) return bytes;
    const wanted = bytes === null ? Math.max(length ?? firstBytes, needed) : Math.max(2 * bytes.length, needed);
    // Memory that was not written to is not taken yet: a length that is a lie costs nothing.
    const larger = Buffer.allocUnsafe(Math.max(needed, Math.min(wanted, most)));
    bytes?.copy(larger, 0, 0, size);
    bytes = larger;
    return larger;
  }

  return {
    add(chunk: Buffer): void {
      chunk.copy(withRoom(chunk.length), size);
      size += chunk.length;
    },
    /** Everything that came, in memory of its own size. */
    take(): Buffer {
      if (bytes === null) return Buffer.alloc(0);
      if (size === bytes.length) return bytes;
      const exact = Buffer.allocUnsafeSlow(size);
      bytes.copy(exact, 0, 0, size);
      return exact;
    },
  };
}

/** Milliseconds that bytes which no reader can use are waited for. */
const quietMs = 1_000;

function runExchange(
  connection: Connection,
  { environment, url, headers, body, ownTimeout = false, cut }: Transmission,
  cancellation: Cancellation,
): Promise<Exchange> {
  const { timeouts, maxResponseBytes } = environment;
  const host = url.host;
  return new Promise((resolve) => {
    let done = false;
    let size = 0;
    let cameBytes = 0;
    let limit: 'connect' | 'headers' | 'idle' = 'connect';
    const phase = startDeadline(timeouts.connect, () => expire(limit));
    const whole = startDeadline(timeouts.total, () => expire('total'));
    const reader = createResponseReader({
      onHead() {
        exchange.respondedAt = moment();
        exchange.body = gatherBody(reader.statedBytes, maxResponseBytes);
        limit = 'idle';
        phase.restart(timeouts.idle);
      },
      onBody(bytes) {
        if (done) return;
        const room = maxResponseBytes - size;
        size += bytes.length;
        exchange.body.add(bytes.length > room ? bytes.subarray(0, room) : bytes);
        if (bytes.length > room) stop(tooLargeFailure(maxResponseBytes, 'size'), true);
      },
    });
    const exchange: Exchange = {
      connection,
      reader,
      came: [],
      body: gatherBody(null, maxResponseBytes),
      settled: { failure: null, truncated: false },
      writtenAt: null,
      respondedAt: null,
      unseenMs: 0,
    };

    function settle(failure: Failure | null, truncated = false): void {
      if (done) return;
      done = true;
      exchange.unseenMs = whole.unseenMs();
      phase.clear();
      whole.clear();
      cancellation.listen(null);
      exchange.settled = { failure: failure === null ? null : throughProxy(failure, connection.proxy), truncated };
      resolve(exchange);
    }

    const contextOf = () => ({ phase: phaseOf(exchange, url), host, clientCertificate: connection.clientCertificate });

    /** Ends the call from our side, with its connection: a response that comes late belongs to no call. */
    function stop(failure: Failure, truncated = false): void {
      if (done) return;
      settle(failure, truncated);
      connection.destroy();
    }

    function expire(over: typeof limit | 'total'): void {
      if (reader.state === 'quiet') return ended();
      stop(
        timeoutFailure(phaseOf(exchange, url), over, timeouts, host, {
          given: ownTimeout && over !== 'connect',
          proxy: connection.proxy ?? undefined,
        }),
      );
    }

    /** The response is read as far as it can be. */
    function ended(): void {
      reader.settle();
      settle(reader.fault === null ? null : faultFailure(reader.fault, phaseOf(exchange, url), connection.reused));
      if (reader.isReusable() && cut !== 'after') connection.release();
      else connection.destroy();
    }

    cancellation.listen(() => stop(cancelledFailure(phaseOf(exchange, url))));
    if (done) return;
    const leaving = cut === 'upload' ? body.subarray(0, body.length >> 1) : body;
    const hangUp =
      cut === 'upload' || cut === 'response' ? () => stop(cutFailure(leaving.length, body.length, phaseOf(exchange, url))) : null;
    connection.send(Buffer.concat([requestHead(url, headers), leaving]), {
      onWritten: () => hangUp?.(),
      onReady() {
        exchange.writtenAt = moment();
        limit = 'headers';
        phase.restart(timeouts.headers);
      },
      onBytes(bytes) {
        // A quick response may come before anybody knows that the request has left.
        hangUp?.();
        if (done) return;
        const room = maxResponseBytes + mostHeadBytes - cameBytes;
        if (room > 0) exchange.came.push(Buffer.from(bytes.subarray(0, room)));
        cameBytes += bytes.length;
        reader.add(bytes);
        if (done) return;
        if (reader.state === 'ended') ended();
        else phase.restart(reader.state === 'quiet' ? Math.min(quietMs, timeouts.idle) : undefined);
      },
      onEnd(marked) {
        if (exchange.writtenAt === null) return settle(describeFailure(null, contextOf()));
        reader.end(marked);
        ended();
      },
      onError(error) {
        settle(describeFailure(error, contextOf()));
      },
    });
  });
}

/** Returns the first lines of a request. A row of the history that another program changed must not add a line to them. */
function requestHead({ pathname, search }: URL, headers: HeaderList): Buffer {
  let head = `POST ${pathname}${search} HTTP/1.1\r\n`;
  for (const [name, value] of headers) {
    const line = `${name}: ${value}`;
    head += `${/[\r\n\0]/.test(line) ? line.replaceAll(/[\r\n\0]/g, ' ') : line}\r\n`;
  }
  return Buffer.from(`${head}\r\n`, 'latin1');
}

/** Returns the phase of an exchange, from its progress. */
export function phaseOf(
  { connection: { times, proxy }, respondedAt, writtenAt }: Pick<Exchange, 'connection' | 'respondedAt' | 'writtenAt'>,
  url: URL,
): Failure['phase'] {
  if (respondedAt !== null) return 'body';
  if (writtenAt !== null) return 'headers';
  if (times.connectedAt !== null) return 'tls';
  if (proxy !== null) return 'proxy';
  return times.lookedUpAt === null && !isAddress(url) ? 'dns' : 'connect';
}

function toTimings(startedAt: number, endedAt: number, exchange: Exchange): Timings {
  const { times, reused, proxy, voucher } = exchange.connection;
  const [writtenAt, respondedAt] = [exchange.writtenAt?.at, exchange.respondedAt?.at];
  const between = (from: number | null | undefined, to: number | null | undefined) =>
    from === null || from === undefined || to === null || to === undefined ? null : round(to - from);
  return {
    dns: reused ? null : between(times.startedAt, times.lookedUpAt),
    connect: reused ? null : between(times.reachedAt ?? times.lookedUpAt ?? times.startedAt, times.connectedAt),
    tls: reused ? null : between(times.connectedAt, times.securedAt),
    firstByte: between(writtenAt, respondedAt),
    download: between(respondedAt, endedAt),
    total: round(endedAt - startedAt),
    reused: reused && writtenAt !== undefined,
    ...(proxy === null ? {} : { proxy: { address: proxy, ms: reused ? null : between(times.startedAt, times.reachedAt) } }),
    ...(voucher === null ? {} : { trust: voucher }),
  };
}

/** Rounds to microseconds, the resolution of the clock. */
function round(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}
