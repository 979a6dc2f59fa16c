import { Buffer } from 'node:buffer';
import { nothingMet, type Met } from '#shared/provider/faults-on-demand.ts';
import { moment, gatherBody, type Exchange, type Moment } from '../calls/transmit.ts';
import { createRequestReader, createResponseReader, type MessageReader } from '../network/http-message.ts';
import { withHost } from './with-host.ts';

/** Most bytes of a request or of its response that are kept for the record; all of them pass. */
export const mostKept = 33_554_432;

/** Bytes on their way, kept for the record up to a limit. */
export interface KeptBytes {
  readonly parts: Buffer[];
  /** All that passed. */
  size: number;
  /** Those of it that are kept: its beginning. */
  kept: number;
}

/** Bytes that all exchanges of a gateway may still keep together, whatever each may. */
export interface KeptRoom {
  left: number;
}

/** Bytes that each message keeps although the others have taken all the room: what is judged is rarely longer. */
const alwaysKept = 1_048_576;
const noBytes = (): KeptBytes => ({ parts: [], size: 0, kept: 0 });

/** Returns parts as one. */
export function joined(parts: readonly Buffer[]): Buffer {
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
}

/** Returns how many of the next bytes are kept: none behind a gap. */
function roomIn(into: KeptBytes, room: KeptRoom): number {
  const most = Math.min(mostKept, Math.max(alwaysKept, into.kept + room.left));
  return isAllKept(into) ? Math.max(0, most - into.kept) : 0;
}

function keep(into: KeptBytes, bytes: Buffer, room: KeptRoom): void {
  const part = bytes.subarray(0, roomIn(into, room));
  into.size += bytes.length;
  into.kept += part.length;
  room.left -= part.length;
  if (part.length > 0) into.parts.push(part);
}

/** Returns whether all that passed is kept. */
export const isAllKept = ({ size, kept }: KeptBytes): boolean => kept === size;

/** The request of an exchange as it comes from the near side. */
interface PassedRequest {
  readonly reader: MessageReader;
  /** As it came. */
  readonly came: KeptBytes;
  /** Of what is kept, the parts of the body. */
  readonly body: Buffer[];
  readonly begunAt: Moment;
  /** Parts that may be passed on once it is this one's turn. */
  waiting: Buffer[];
  /** Bytes that were passed on. */
  taken: number;
  /** The head has come, so that parts of it may leave. */
  isBegun: boolean;
  /** All of it came, or nobody can say where it ends. */
  wholeAt: Moment | null;
  /** The host that it named; null if that is the one that is passed on. */
  hostBefore: string | null;
}

/** Decision whether a request is passed on, with the faults that it meets. */
export interface Decision {
  /** Reason why not; null for nearly every one. */
  readonly refusal: string | null;
  readonly met: Met;
}

/** One request and its response, between two programs. */
export interface PassedExchange {
  readonly request: PassedRequest;
  readonly room: KeptRoom;
  /** Settles when it is recorded. Null until somebody begins that. */
  record: Promise<Decision> | null;
  /** True once its last part may leave. */
  isReleased: boolean;
  /** Reason why it is not passed on; null for nearly every one. */
  refusal: string | null;
  /** The faults on demand that it meets. */
  met: Met;
  /** The near side ended what it writes before the response was complete. */
  isNearEnded: boolean;
  /** Parts of the response that wait for such a fault. */
  readonly withheld: Buffer[];
  sentAt: Moment | null;
  /** Null until something came. */
  response: { readonly reader: MessageReader; readonly came: KeptBytes; readonly exchange: Exchange } | null;
}

/** Begins an exchange with the first byte of its request. `host`: the name of the far side, which takes the place of another. */
export function beginExchange(host: string, room: KeptRoom): PassedExchange {
  const came = noBytes();
  const body: Buffer[] = [];
  const reader = createRequestReader({
    onHead(headBytes) {
      // The rest of the part that ended the head follows it.
      const all = Buffer.concat(request.waiting);
      const end = headBytes - request.taken;
      const { head, before } = withHost(all.subarray(0, end), host);
      request.hostBefore = before;
      request.waiting = [head, all.subarray(end)];
      request.isBegun = true;
    },
    onBody(bytes) {
      const part = bytes.subarray(0, roomIn(came, room));
      // An empty part would hold all the memory that it is a part of.
      if (part.length > 0) body.push(part);
    },
    isFollowed: () => true,
  });
  const request: PassedRequest = {
    reader,
    came,
    body,
    begunAt: moment(),
    waiting: [],
    taken: 0,
    isBegun: false,
    wholeAt: null,
    hostBefore: null,
  };
  return {
    request,
    room,
    record: null,
    isReleased: false,
    refusal: null,
    met: nothingMet,
    isNearEnded: false,
    withheld: [],
    sentAt: null,
    response: null,
  };
}

/** Adds what came to a request. Returns how much of it is of this request. */
export function addToRequest({ request, room }: PassedExchange, bytes: Buffer): number {
  const { reader, came } = request;
  // Before it is read: the end of the head looks at all that waits.
  request.waiting.push(bytes);
  const used = reader.add(bytes);
  if (used < bytes.length) {
    const last = request.waiting.at(-1) ?? bytes;
    request.waiting[request.waiting.length - 1] = last.subarray(0, last.length - (bytes.length - used));
  }
  keep(came, used < bytes.length ? bytes.subarray(0, used) : bytes, room);
  if (reader.state !== 'reading') request.wholeAt ??= moment();
  return used;
}

/** Takes what may be passed on now, as one part: each takes a way of its own through TLS and the system. */
export function takeWaiting({ request }: PassedExchange): Buffer {
  const [first, ...more] = request.waiting;
  const bytes = first !== undefined && more.length === 0 ? first : Buffer.concat(request.waiting);
  request.waiting = [];
  request.taken += bytes.length;
  return bytes;
}

/** Returns whether nothing but blank lines has come, as some clients write them after a request. */
export function isBlank({ request: { reader, came } }: PassedExchange): boolean {
  return reader.requestLine === null && came.parts.every((part) => part.every((byte) => byte === 13 || byte === 10));
}

type Side = Exchange['connection'];

/** Adds what came from the far side to a response. Returns how much of it is of this response. */
export function addToResponse(exchange: PassedExchange, bytes: Buffer, side: Side, isFollowed: () => boolean): number {
  const response = (exchange.response ??= beginResponse(exchange, side, isFollowed));
  const used = response.reader.add(bytes);
  keep(response.came, used < bytes.length ? bytes.subarray(0, used) : bytes, exchange.room);
  return used;
}

/** Forgets the bytes of an exchange whose record has ended; what still comes of its request only passes. */
export function forgetBytes(exchange: PassedExchange): void {
  const { request, response, room } = exchange;
  for (const one of [request.came, ...(response === null ? [] : [response.came])]) {
    room.left += one.kept;
    one.kept = 0;
    one.parts.length = 0;
  }
  request.body.length = 0;
  exchange.response = null;
}

/** Returns what is read of an exchange that ended without a response. */
export function emptyResponse(exchange: PassedExchange, side: Side): NonNullable<PassedExchange['response']> {
  return (exchange.response ??= beginResponse(exchange, side, () => true));
}

function beginResponse({ request, room, sentAt }: PassedExchange, side: Side, isFollowed: () => boolean) {
  const came = noBytes();
  const reader = createResponseReader(
    {
      onHead() {
        exchange.respondedAt = moment();
        exchange.body = gatherBody(reader.statedBytes, mostKept);
      },
      onBody(bytes) {
        exchange.body.add(bytes.subarray(0, roomIn(came, room)));
      },
      isFollowed,
    },
    request.reader.requestLine?.method,
  );
  const exchange: Exchange = {
    connection: side,
    reader,
    came: came.parts,
    body: gatherBody(null, mostKept),
    settled: { failure: null, truncated: false },
    writtenAt: sentAt,
    respondedAt: null,
    unseenMs: 0,
  };
  return { reader, came, exchange };
}
