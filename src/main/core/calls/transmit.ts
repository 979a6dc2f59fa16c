import type { Buffer } from 'node:buffer';
import type { Agent, Dispatcher } from 'undici';
import type { Environment, Failure, Timings } from '#shared/ipc/index.ts';
import { startDeadline } from '../time/deadline.ts';
import type { Cancellation } from './cancellation.ts';
import type { ConnectionAttempt, Connections } from '../network/connections.ts';
import { cancelledFailure, describeFailure, timeoutFailure, tooLargeFailure } from './failures.ts';
import { gatherBody, type GatheredBody } from './gathered-body.ts';
import type { HeaderList } from '../history/record.ts';

/** One complete request. It is sent once: nothing here repeats it or follows a redirect. */
export interface Transmission {
  readonly environment: Environment;
  readonly url: URL;
  readonly headers: HeaderList;
  readonly body: Buffer;
  /** True if every limit of the environment but that of the connection is this call's alone. */
  readonly ownTimeout?: boolean;
}

export interface Transmitted {
  readonly response: {
    readonly status: number;
    readonly headers: HeaderList;
    readonly body: Buffer;
    readonly truncated: boolean;
  } | null;
  /** The bytes that came, as they came, where status, headers and body do not hold all of them so. Null for nearly every call. */
  readonly raw: Buffer | null;
  readonly failure: Failure | null;
  /** Null if durations are unknown, because some of the time was not seen. */
  readonly timings: Timings | null;
  /** Milliseconds in which Croupier saw nothing, because it was suspended or asleep. */
  readonly unseenMs: number;
  /**
   * Milliseconds since the epoch by our clock, half of `timings.firstByte` before the response's start. Null without a
   * response, and if our clock was set between the two or saw nothing of a time in between: then it shows nothing about the
   * server's.
   */
  readonly answeredAt: number | null;
}

type Settled = { failure: Failure | null; truncated: boolean };

/** Sends a request and waits for the response's end, the first limit that is hit, or the user's stop. Never rejects. */
export async function transmit(
  connections: Connections,
  transmission: Transmission,
  cancellation: Cancellation,
): Promise<Transmitted> {
  const { environment } = transmission;
  const ready = connections.agentFor(environment);
  // The first call of a session loads the HTTP client, which is not part of the call.
  const agent = ready instanceof Promise ? await ready : ready;
  const startedAt = performance.now();
  const exchange = await runExchange(connections, agent, transmission, cancellation);
  const { status, headers, body, settled, unseenMs } = exchange;
  const timings = unseenMs > 0 ? null : toTimings(startedAt, performance.now(), exchange);
  if (status === null) return { response: null, raw: null, failure: settled.failure, timings, unseenMs, answeredAt: null };

  const raw = body.take();
  const answeredAt = unseenMs > 0 ? null : halfWay(exchange);
  const encoding = headerValue(headers, 'content-encoding');
  if (encoding === null) {
    return {
      response: { status, headers, body: raw, truncated: settled.truncated },
      raw: null,
      failure: settled.failure,
      timings,
      unseenMs,
      answeredAt,
    };
  }
  // No request asks for compression, so most programs never need this code.
  const { decodeBody } = await import('./decode-body.ts');
  const decoded = await decodeBody(raw, encoding, environment.maxResponseBytes);
  return {
    response: { status, headers, body: decoded.body, truncated: settled.truncated || decoded.truncated },
    raw: null,
    // A response that broke off cannot be unpacked to its end either: the first cause counts.
    failure: settled.failure ?? decoded.failure,
    timings,
    unseenMs,
    answeredAt,
  };
}

/** Returns the outcome of a call whose URL is refused: nothing was looked up, connected to or sent. */
export function refusedAddress(message: string): Transmitted {
  return {
    response: null,
    raw: null,
    failure: {
      kind: 'address',
      phase: 'address',
      message,
      hint: 'Nothing was sent. Correct the base URL or the wallet URL in the environment.',
    },
    timings: { dns: null, connect: null, tls: null, firstByte: null, download: null, total: 0, reused: false },
    unseenMs: 0,
    answeredAt: null,
  };
}

/** Returns the first value of a header, by its lowercase name. */
export function headerValue(headers: HeaderList, name: string): string | null {
  return headers.find(([key]) => key.toLowerCase() === name)?.[1] ?? null;
}

/** Returns whether a response states where its body ends. One that does not ends with its connection. */
function isDelimited(headers: HeaderList): boolean {
  return headerValue(headers, 'content-length') !== null || headerValue(headers, 'transfer-encoding') !== null;
}

interface Exchange {
  status: number | null;
  headers: HeaderList;
  body: GatheredBody;
  settled: Settled;
  attempt: ConnectionAttempt | null;
  writtenAt: Moment | null;
  answeredAt: Moment | null;
  unseenMs: number;
}

/** A moment by two clocks: the monotonic one for durations, the wall clock for the time of day. */
interface Moment {
  readonly at: number;
  readonly wall: number;
}

const moment = (): Moment => ({ at: performance.now(), wall: Date.now() });

/** Milliseconds by which the two clocks must differ to show that one was set. Rounding and a slewed clock differ by less. */
const setFromMs = 500;

function halfWay({ writtenAt, answeredAt }: Exchange): number | null {
  if (writtenAt === null || answeredAt === null) return null;
  const passed = answeredAt.at - writtenAt.at;
  return Math.abs(answeredAt.wall - writtenAt.wall - passed) > setFromMs ? null : answeredAt.wall - passed / 2;
}

function runExchange(
  connections: Connections,
  agent: Agent,
  { environment, url, headers, body, ownTimeout = false }: Transmission,
  cancellation: Cancellation,
): Promise<Exchange> {
  const { timeouts, maxResponseBytes } = environment;
  const host = url.host;
  return new Promise((resolve) => {
    const exchange: Exchange = {
      status: null,
      headers: [],
      body: gatherBody(null, maxResponseBytes),
      settled: { failure: null, truncated: false },
      attempt: null,
      writtenAt: null,
      answeredAt: null,
      unseenMs: 0,
    };
    let controller: Dispatcher.DispatchController | null = null;
    let done = false;
    let size = 0;
    let phase = startDeadline(timeouts.connect, () => expire('connect'));
    const whole = startDeadline(timeouts.total, () => expire('total'));

    function settle(failure: Failure | null, truncated = false): void {
      if (done) return;
      done = true;
      exchange.unseenMs = whole.unseenMs();
      phase.clear();
      whole.clear();
      cancellation.listen(null);
      exchange.settled = { failure, truncated };
      resolve(exchange);
    }

    /** Ends the call from our side, with its connection: a response that comes late belongs to no call. */
    function stop(failure: Failure, truncated = false): void {
      if (done) return;
      settle(failure, truncated);
      const reason = new Error(failure.message);
      if (controller !== null) controller.abort(reason);
      else exchange.attempt?.socket.destroy(reason);
    }

    function expire(limit: 'connect' | 'headers' | 'idle' | 'total'): void {
      stop(timeoutFailure(phaseOf(exchange, url), limit, timeouts, host, ownTimeout && limit !== 'connect'));
    }

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        if (done) {
          // Stopped while it waited for its connection: aborting here keeps every byte from leaving.
          started.abort(new Error('Stopped before it was sent'));
          return;
        }
        exchange.writtenAt = moment();
        phase.clear();
        phase = startDeadline(timeouts.headers, () => expire('headers'));
      },
      onResponseStart({ rawHeaders }, status) {
        // 1xx is news about the call, not its response.
        if (done || status < 200) return;
        exchange.answeredAt = moment();
        exchange.status = status;
        exchange.headers = toHeaderList(rawHeaders);
        exchange.body = gatherBody(statedLength(exchange.headers), maxResponseBytes);
        phase.clear();
        phase = startDeadline(timeouts.idle, () => expire('idle'));
      },
      onResponseData(_, chunk) {
        if (done) return;
        const room = maxResponseBytes - size;
        size += chunk.length;
        if (chunk.length > room) {
          exchange.body.add(chunk.subarray(0, room));
          stop(tooLargeFailure(maxResponseBytes, 'size'), true);
          return;
        }
        exchange.body.add(chunk);
        phase.refresh();
      },
      onResponseEnd() {
        settle(null);
      },
      onResponseError(_, error) {
        if (done) return;
        const reused = exchange.attempt === null;
        settle(describeFailure(error, { phase: phaseOf(exchange, url), host, reused, delimited: isDelimited(exchange.headers) }));
      },
    };

    cancellation.listen(() => stop(cancelledFailure(phaseOf(exchange, url))));
    if (done) return;
    exchange.attempt = connections.watch(() => {
      agent.dispatch(
        { origin: url.origin, path: url.pathname + url.search, method: 'POST', headers: headers.flat(), body },
        handler,
      );
    });
  });
}

/** Returns the length of a body by its headers; null if they do not state it. */
function statedLength(headers: HeaderList): number | null {
  const stated = headerValue(headers, 'content-length') ?? '';
  return /^\d{1,15}$/.test(stated) ? Number(stated) : null;
}

/** Returns the phase of an exchange, from its progress. */
function phaseOf({ attempt, status, writtenAt }: Exchange, url: URL): Failure['phase'] {
  if (status !== null) return 'body';
  if (writtenAt !== null) return 'headers';
  if (attempt === null || attempt.connectedAt === null) {
    return attempt !== null && attempt.lookedUpAt === null && !isAddress(url.hostname) ? 'dns' : 'connect';
  }
  return 'tls';
}

function isAddress(hostname: string): boolean {
  return hostname.startsWith('[') || /^[0-9.]+$/.test(hostname);
}

function toTimings(startedAt: number, endedAt: number, exchange: Exchange): Timings {
  const { attempt } = exchange;
  const [writtenAt, answeredAt] = [exchange.writtenAt?.at, exchange.answeredAt?.at];
  const between = (from: number | null | undefined, to: number | null | undefined) =>
    from === null || from === undefined || to === null || to === undefined ? null : round(to - from);
  return {
    dns: between(attempt?.startedAt, attempt?.lookedUpAt),
    connect: between(attempt?.lookedUpAt ?? attempt?.startedAt, attempt?.connectedAt),
    tls: between(attempt?.connectedAt, attempt?.securedAt),
    firstByte: between(writtenAt, answeredAt),
    download: between(answeredAt, endedAt),
    total: round(endedAt - startedAt),
    reused: attempt === null && writtenAt !== undefined,
  };
}

/** Rounds to microseconds, the resolution of the clock. */
function round(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}

function toHeaderList(raw: Dispatcher.DispatchController['rawHeaders']): HeaderList {
  const list: HeaderList = [];
  if (!Array.isArray(raw)) return list;
  for (let index = 0; index + 1 < raw.length; index += 2) list.push([text(raw[index]), text(raw[index + 1])]);
  return list;
}

function text(value: Buffer | string | undefined): string {
  return typeof value === 'string' ? value : (value?.toString('latin1') ?? '');
}
