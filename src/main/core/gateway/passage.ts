import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { providerCodes } from '#shared/provider/codes.ts';
import { actingEffects, metText, type Met } from '#shared/provider/faults-on-demand.ts';
import type { Environment, Failure } from '#shared/ipc/index.ts';
import { describeFailure, faultFailure, throughProxy, timeoutFailure } from '../calls/failures.ts';
import { moment, phaseOf, type Exchange } from '../calls/transmit.ts';
import { startDeadline } from '../host/deadline.ts';
import type { Connection } from '../network/connections.ts';
import {
  addToRequest,
  addToResponse,
  beginExchange,
  emptyResponse,
  forgetBytes,
  isAllKept,
  isBlank,
  takeWaiting,
  type Decision,
  type KeptRoom,
  type PassedExchange,
} from './exchange.ts';

export interface PassageDeps {
  /** The URL of the far side; only its origin counts. */
  readonly url: URL;
  readonly timeouts: Environment['timeouts'];
  readonly room: KeptRoom;
  /** Opens a connection of its own to the far side. */
  readonly open: () => Promise<Connection>;
  /** Records a request before its last part is passed on, and decides whether it is. Never rejects. */
  readonly begin: (exchange: PassedExchange) => Promise<Decision>;
  /** Records how an exchange ended, before the last part of its response is passed on. Never rejects. */
  readonly finish: (exchange: PassedExchange, ended: Exchange) => Promise<void>;
}

/** Connection of a client with one of its own to the far side. */
export type Passage = ReturnType<typeof passAlong>;

/** Bytes that wait for their turn on one connection before no more are read. */
const mostWaiting = 1_048_576;
/** Milliseconds in which more may come of a response whose end nobody knows. */
const quietMs = 1_000;

/**
 * Passes everything between one connection of a client and one of its own to the far side, byte for byte, and keeps a copy. Only the
 * last part of a request waits for its record, and the last part of a response for its own.
 */
export function passAlong(near: Socket, { url, timeouts, room, open, begin, finish }: PassageDeps) {
  /** Those whose request has not left as a whole, oldest first, and those without a whole response. */
  const toSend: PassedExchange[] = [];
  let toAnswer: PassedExchange[] = [];
  let incoming: PassedExchange | null = null;
  let first: PassedExchange | null = null;
  /** Parts for the near side, in their order. */
  const outbox: { readonly bytes: Buffer; held: boolean }[] = [];
  let far: Connection | null = null;
  let isFarThere = false;
  let isOver = false;
  /** Runs once the near side has ended what it writes; it may still read. */
  let nearEnded: NodeJS.Timeout | null = null;
  let quiet: NodeJS.Timeout | null = null;
  const closed = new AbortController();
  /** Settles when the newest response that has ended is passed on. */
  let delivered = Promise.resolve();
  const recorded = new Set<Promise<void>>();
  const over = Promise.withResolvers<void>();

  function sideOf(one: PassedExchange): Exchange['connection'] {
    if (far === null) return noSide;
    const { times, proxy, clientCertificate, voucher } = far;
    return { times, proxy, clientCertificate, voucher, reused: one !== first };
  }

  function phaseIn(one: PassedExchange): Failure['phase'] {
    const respondedAt = one.response?.exchange.respondedAt ?? null;
    return phaseOf({ connection: sideOf(one), respondedAt, writtenAt: one.sentAt }, url);
  }

  function onNear(bytes: Buffer): void {
    if (isOver) return;
    if (first === null) void reachFar();
    let rest = bytes;
    while (rest.length > 0) {
      incoming ??= expect();
      const one: PassedExchange = incoming;
      rest = rest.subarray(addToRequest(one, rest));
      if (one.request.wholeAt !== null && !one.isReleased) void release(one);
      if (one.request.reader.state === 'ended') incoming = null;
    }
    flush();
    if (waitingBytes(toSend) > mostWaiting) near.pause();
  }

  function expect(): PassedExchange {
    const one = beginExchange(url.host, room);
    first ??= one;
    toSend.push(one);
    toAnswer.push(one);
    return one;
  }

  async function release(one: PassedExchange): Promise<void> {
    // One that was answered before it was whole has its record already.
    const { refusal, met } = await (one.record ??= begin(one));
    const isIdle = met.effect !== null && !actingEffects.has(met.effect.kind);
    one.met = met;
    one.refusal = refusal ?? (isIdle ? metText(met, 'gateway') : null);
    one.isReleased = true;
    flush();
  }

  /** Passes on what may leave, in the order of the requests. */
  function flush(): void {
    for (let one = toSend[0]; one !== undefined && !isOver; one = toSend[0]) {
      const { request, refusal } = one;
      if (refusal !== null) {
        // After the responses to those before it.
        if (toAnswer[0] === one) refuse(one, refusal);
        else if (!toAnswer.includes(one)) leave();
        return;
      }
      if (far === null || !isFarThere) return;
      const isWhole = request.wholeAt !== null;
      if (isWhole ? !one.isReleased : !(request.isBegun || isBlank(one))) return;
      const bytes = takeWaiting(one);
      if (bytes.length === 0 || far.write(bytes)) near.resume();
      else near.pause();
      if (isWhole) one.sentAt ??= moment();
      if (request.reader.state !== 'ended') break;
      toSend.shift();
    }
    // Whoever hears of the end before the whole request has none to answer.
    if (nearEnded !== null && isFarThere && waitingBytes(toSend) === 0) far?.end();
  }

  function onNearEnd(): void {
    dropBlank();
    if (toAnswer.length === 0) return end();
    nearEnded = setTimeout(leave, timeouts.total);
    for (const one of toAnswer) one.isNearEnded = true;
    flush();
  }

  /** Blank lines after the last request are no request. */
  function dropBlank(): void {
    if (incoming !== null && isBlank(incoming)) toAnswer = toAnswer.filter((one) => one !== incoming);
  }

  async function reachFar(): Promise<void> {
    let deadline: ReturnType<typeof startDeadline> | null = null;
    const reached = <A extends unknown[]>(then: (...given: A) => void) => {
      return (...given: A): void => {
        deadline?.clear();
        then(...given);
      };
    };
    try {
      const connection = await open();
      if (isOver) return connection.destroy();
      far = connection;
      const { proxy } = connection;
      deadline = startDeadline(timeouts.connect, () => {
        const phase = first === null ? 'connect' : phaseIn(first);
        fail(timeoutFailure(phase, 'connect', timeouts, url.host, proxy === null ? {} : { proxy }));
      });
      connection.send(Buffer.alloc(0), {
        onReady: reached(() => {
          isFarThere = true;
          setImmediate(flush);
        }),
        onBytes: (bytes) => onFar(Buffer.from(bytes)),
        onDrain: () => near.resume(),
        onEnd: reached(onFarEnd),
        onError: reached(onFarError),
      });
    } catch (error) {
      onFarError(error);
    }
  }

  function onFar(bytes: Buffer): void {
    if (quiet !== null) clearTimeout(quiet);
    quiet = null;
    let rest = bytes;
    while (rest.length > 0) {
      const one = toAnswer[0];
      // Nobody asked for it, or its record has ended: it passes as everything does.
      if (one === undefined || !(one.request.isBegun || one.isReleased)) return toNear(rest);
      const used = addToResponse(one, rest, sideOf(one), () => toAnswer.length > 1);
      const part = used < rest.length ? rest.subarray(0, used) : rest;
      rest = rest.subarray(used);
      const state = one.response?.reader.state;
      if (state === 'ended') settle(one, null, part);
      else if (isWithheld(one)) one.withheld.push(part);
      else toNear(part);
      if (state === 'quiet') quiet = setTimeout(() => onQuiet(one), quietMs);
    }
  }

  function onQuiet(one: PassedExchange): void {
    quiet = null;
    one.response?.reader.settle();
    settle(one, null);
  }

  /** Ends an exchange; `last` passes when the record has it. */
  function settle(one: PassedExchange, failure: Failure | null, last: Buffer = nothing): void {
    toAnswer = toAnswer.filter((other) => other !== one);
    const { reader, came, exchange } = emptyResponse(one, sideOf(one));
    const cause =
      failure ?? (reader.fault === null ? null : faultFailure(reader.fault, phaseIn(one), exchange.connection.reused));
    exchange.settled = {
      failure: cause === null ? null : throughProxy(cause, exchange.connection.proxy),
      truncated: !isAllKept(came),
    };
    const isLate = isWithheld(one);
    const entry = { bytes: isLate ? nothing : last, held: true };
    outbox.push(entry);
    const before = delivered;
    const written = record(one, exchange)
      .then(async () => {
        if (!isLate) return;
        await before;
        await deliver(one, Buffer.concat([...one.withheld, last]));
      })
      .finally(() => {
        forgetBytes(one);
        recorded.delete(written);
        entry.held = false;
        flushNear();
      });
    delivered = written;
    recorded.add(written);
    if (!isOver) flush();
  }

  /** Passes a response on as its fault demands. */
  async function deliver({ met, response }: PassedExchange, bytes: Buffer): Promise<void> {
    if (met.delayMs > 0) await pause(met.delayMs, undefined, { signal: closed.signal }).catch(() => undefined);
    if (near.destroyed) return;
    switch (met.effect?.kind) {
      case 'cutAfter':
        near.destroy();
        return;
      case 'cutBody': {
        const head = bytes.indexOf('\r\n\r\n') + 4;
        const half = head + ((bytes.length - head) >> 1);
        near.write(bytes.subarray(0, response === null ? 0 : half), () => near.destroy());
        return;
      }
      case 'drip':
        for (const byte of bytes) {
          if (near.destroyed) return;
          near.write(Buffer.of(byte));
          await turn();
        }
        return;
      case 'status':
      case 'code':
      case 'cut':
      case 'repeat':
      case undefined:
        near.write(bytes);
    }
  }

  async function record(one: PassedExchange, exchange: Exchange): Promise<void> {
    await (one.record ??= begin(one));
    await finish(one, exchange);
  }

  function toNear(bytes: Buffer): void {
    outbox.push({ bytes, held: false });
    flushNear();
  }

  function flushNear(): void {
    const held = outbox.findIndex((part) => part.held);
    const ready = outbox.splice(0, held === -1 ? outbox.length : held);
    for (const { bytes } of ready) if (bytes.length > 0 && near.writable && !near.write(bytes)) far?.pause();
    if (isOver && outbox.length === 0) near.end();
  }

  function onFarEnd(marked: boolean): void {
    dropBlank();
    for (const one of toAnswer) {
      const { reader } = emptyResponse(one, sideOf(one));
      reader.end(marked);
      settle(one, nearEnded !== null && reader.fault !== null ? leftBy(one) : null);
    }
    end();
  }

  function onFarError(error: unknown): void {
    if (nearEnded !== null && isFarThere) return leave();
    const phase = first === null ? 'connect' : phaseIn(toAnswer[0] ?? first);
    fail(describeFailure(error, { phase, host: url.host, clientCertificate: far?.clientCertificate ?? null }));
  }

  /** The far side can't be reached, or no longer. */
  function fail(failure: Failure): void {
    const [oldest] = toAnswer;
    for (const one of toAnswer) settle(one, failure, one === oldest && !isFarThere ? ownResponse(failure.message) : nothing);
    end();
  }

  /** Answers in place of the far side, which does not get the last part of this request. */
  function refuse(one: PassedExchange, why: string): void {
    settle(
      one,
      {
        kind: 'cancelled',
        phase: 'address',
        message: one.met.effect === null ? `The gateway didn't pass this request on. ${why}` : why,
        hint: '',
      },
      one.met.effect === null ? ownResponse(why) : faultResponse(one.met.effect),
    );
    leave();
  }

  /** Nobody waits for what is still to be answered. */
  function leave(): void {
    dropBlank();
    for (const one of toAnswer) settle(one, leftBy(one));
    end();
  }

  function leftBy(one: PassedExchange): Failure {
    return { ...(one.request.wholeAt === null ? leftEarly : left), phase: phaseIn(one) };
  }

  /** Ends both sides when everything has passed. */
  function end(): void {
    if (isOver) return;
    isOver = true;
    for (const timer of [quiet, nearEnded]) if (timer !== null) clearTimeout(timer);
    far?.destroy();
    // What still comes is read and dropped: whoever writes all before reading would wait for ever.
    near.resume();
    flushNear();
    void Promise.allSettled(recorded).then(() => over.resolve());
  }

  near.on('data', onNear);
  near.on('drain', () => far?.resume());
  near.on('end', onNearEnd);
  near.on('error', () => undefined);
  near.on('close', () => {
    closed.abort();
    leave();
  });

  return {
    /** Returns the number of exchanges without a whole response. */
    underWay: (): number => toAnswer.length,
    /** Settles when both sides are closed and everything is recorded. */
    over: over.promise,
    /** Ends it as if the client had left. */
    close: (): void => void near.destroy(),
  };
}

const nothing = Buffer.alloc(0);

/** Returns whether a fault changes how the response passes. */
function isWithheld({ met: { delayMs, effect } }: PassedExchange): boolean {
  return delayMs > 0 || effect?.kind === 'cutAfter' || effect?.kind === 'cutBody' || effect?.kind === 'drip';
}

/** The far side before it is reached. */
const noSide: Exchange['connection'] = {
  times: { startedAt: 0, reachedAt: null, lookedUpAt: null, connectedAt: null, securedAt: null },
  reused: false,
  proxy: null,
  clientCertificate: null,
  voucher: null,
};

const left = {
  kind: 'cancelled',
  message: 'The client closed its connection before the response was complete.',
  hint: 'Its time limit may have passed.',
} as const;

const leftEarly = {
  kind: 'cancelled',
  message: 'The client closed its connection before its request was complete.',
  hint: '',
} as const;

function waitingBytes(exchanges: readonly PassedExchange[]): number {
  return exchanges.reduce((sum, { request }) => request.waiting.reduce((all, { length }) => all + length, sum), 0);
}

/** Returns the response that somebody asked for in place of the far side's; empty for a cut. */
function faultResponse(effect: NonNullable<Met['effect']>): Buffer {
  if (effect.kind !== 'status' && effect.kind !== 'code') return nothing;
  const code = effect.kind === 'code' ? effect.code : 9;
  const message = providerCodes.find((known) => known.code === code)?.message ?? 'fault on demand';
  return httpResponse(
    effect.kind === 'status' ? effect.status : 200,
    'application/json',
    JSON.stringify({ code, message, data: null }),
  );
}

/** Returns a response of the gateway's own: never one that could be the provider's. */
function ownResponse(why: string): Buffer {
  return httpResponse(502, 'text/plain; charset=utf-8', `Croupier gateway: ${why}\n`);
}

function httpResponse(status: number, type: string, text: string): Buffer {
  // Not from the start: a command that sends nothing has no use for HTTP.
  const { STATUS_CODES } = process.getBuiltinModule('node:http');
  const body = Buffer.from(text);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `Content-Type: ${type}`,
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}
