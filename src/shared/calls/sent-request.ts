import { byteText } from '../model/byte-text.ts';
import type { PassedFrom } from '../ipc/calls.ts';
import type { Call } from '../ipc/outputs/calls.ts';
import { parseJson, type JsonNode } from '../json/parse.ts';
import { masksRequest } from './pack-words.ts';
import { encodeUtf8, utf8Length } from '../json/utf8.ts';

/**
 * The part of a request that left this machine, as far as the record shows. `answered`: a response came. `begun`: Croupier began to write it
 * and no response came. `nothing`: it failed before the first byte. `unknown`: Croupier ended first, or the record is damaged.
 */
export type Departure = 'answered' | 'begun' | 'nothing' | 'unknown' | 'pending';

/**
 * Origin of the hash in a body: computed, computed with one digit changed, given by the user, or left out; `none` if the API has none. `received`: as
 * somebody else sent it, who may have left it out.
 */
type HashOrigin = 'computed' | 'wrongDigit' | 'given' | 'leftOut' | 'none' | 'received';

/** A value of the envelope and where it stands in the body; a string without its quotes. Ends are exclusive. */
export interface BodyPart {
  readonly kind: 'time' | 'data' | 'hash';
  /** UTF-16 offsets into the body's text. */
  readonly start: number;
  readonly end: number;
  /** Byte offsets into the body, from 0. */
  readonly firstByte: number;
  readonly endByte: number;
}

/** The request of a call as it left or would have left, computed from its recorded bytes. */
export interface SentRequest {
  readonly departure: Departure;
  readonly bodyText: string;
  readonly hashInput: { readonly time: string; readonly dataJson: string | null } | null;
  readonly hash: string | null;
  readonly hashOrigin: HashOrigin;
  /** In the order of the body. */
  readonly parts: readonly BodyPart[];
  /** Sentences that say why the hash input and the body differ; empty if they agree or if nothing is signed. */
  readonly differences: readonly string[];
  /** Environments whose private key was in the request and is masked in the record, so that its bytes cannot be compared. */
  readonly maskedKeys: readonly string[];
  /** True if a support pack masks parts of it, so that its bytes cannot be compared. */
  readonly masked: boolean;
  /** The call whose recorded bytes were sent again; null if this request is not a repeat. */
  readonly repeats: number | null;
  /** Sender of a request that the gateway passed; null for Croupier's own. */
  readonly from: PassedFrom | null;
}

type Recorded = Pick<Call, 'state' | 'failure' | 'response'>;

/** Reads from a record whether its request left this machine. */
export function departureOf({ state, failure, response }: Recorded): Departure {
  if (response !== null) return 'answered';
  if (state === 'pending') return 'pending';
  switch (failure?.phase) {
    case 'address':
    case 'dns':
    case 'connect':
    case 'proxy':
    case 'tls':
      return 'nothing';
    case 'headers':
    case 'body':
      return 'begun';
    case 'send':
    case undefined:
      return 'unknown';
  }
}

/** Describes the request of a call. Takes time in proportion to the body. */
export function describeSent(call: Call): SentRequest {
  const { bodyText, hashInput, hash } = call.request;
  const masked = masksRequest(call);
  const bytes = encodeUtf8(bodyText);
  const place = hashInput === null || hashInput.dataJson === null ? null : dataPlace(bodyText, bytes, hashInput);
  const found = hashInput === null ? noMembers : envelopeMembers(bodyText, place);
  return {
    departure: departureOf(call),
    bodyText,
    hashInput,
    hash,
    hashOrigin: originOf(call),
    parts: partsOf(bodyText, found),
    // What somebody else hashed is not known.
    differences:
      call.origin !== undefined || call.maskedKeys !== undefined || masked ? [] : differencesOf(call, bytes, found, place),
    maskedKeys: call.maskedKeys ?? [],
    masked,
    repeats: call.repeats,
    from: call.origin ?? null,
  };
}

/** Finds time, data and hash in the body of a signed request that somebody else may have made. */
export function bodyParts(bodyText: string): readonly BodyPart[] {
  return partsOf(bodyText, envelopeMembers(bodyText, null));
}

/** Writes a non-empty byte range as `bytes 71 to 247`: both ends included, counted as `byteText` does. */
export function bytesText({ firstByte, endByte }: Pick<BodyPart, 'firstByte' | 'endByte'>): string {
  return endByte - firstByte === 1
    ? byteText(firstByte)
    : `bytes ${firstByte.toLocaleString('en')} to ${(endByte - 1).toLocaleString('en')}`;
}

function originOf({ request, draft, origin }: Call): HashOrigin {
  if (request.hashInput === null) return 'none';
  if (origin !== undefined) return 'received';
  if (request.hash === null) return 'leftOut';
  const { hash } = draft.overrides;
  return hash === undefined ? 'computed' : hash === 'wrong' ? 'wrongDigit' : 'given';
}

interface Range {
  readonly start: number;
  readonly end: number;
}

type Name = BodyPart['kind'];
type Members = Readonly<Record<Name, readonly (Range & { readonly node: JsonNode | null })[]>>;

const noMembers: Members = { time: [], data: [], hash: [] };

/** Finds the recorded data in the text; null if the bytes there are not those of the hash input. */
function dataPlace(text: string, bytes: Uint8Array, input: NonNullable<Call['request']['hashInput']>): Range | null {
  const { dataJson, dataOffset, dataLength } = input;
  if (dataJson === null) return null;
  const data = encodeUtf8(dataJson);
  if (data.length !== dataLength || !data.every((byte, at) => byte === bytes[dataOffset + at])) return null;
  const start = charAt(text, bytes, dataOffset);
  return { start, end: start + dataJson.length };
}

/** Returns the UTF-16 offset of a byte. */
function charAt(text: string, bytes: Uint8Array, byteOffset: number): number {
  if (bytes.length === text.length) return byteOffset;
  let units = 0;
  for (let at = 0; at < byteOffset; at++) {
    const byte = bytes[at] as number;
    // Not a continuation byte; four bytes are two units.
    if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}

/** Returns the fields of the body. Skips the known range of `data`, which may be megabytes. */
function envelopeMembers(text: string, data: Range | null): Members {
  const stand = 'null';
  const parsed = parseJson(data === null ? text : text.slice(0, data.start) + stand + text.slice(data.end));
  if (!parsed.ok || parsed.root.kind !== 'object') return noMembers;
  const shift = data === null ? 0 : data.end - data.start - stand.length;
  const at = (offset: number) => (data !== null && offset > data.start ? offset + shift : offset);
  const named = (name: Name) =>
    parsed.root.kind !== 'object'
      ? []
      : parsed.root.members
          .filter(({ key }) => key === name)
          .map(({ value }) => {
            const isKnown = data !== null && value.start === data.start;
            const quote = value.kind === 'string' && name !== 'data' ? 1 : 0;
            return { start: at(value.start) + quote, end: at(value.end) - quote, node: isKnown ? null : value };
          });
  return { time: named('time'), data: named('data'), hash: named('hash') };
}

function partsOf(text: string, members: Members): BodyPart[] {
  const parts = (['time', 'data', 'hash'] as const).flatMap((kind) => members[kind].map((range) => ({ kind, ...range })));
  let [chars, byte] = [0, 0];
  const byteAt = (offset: number) => {
    byte += utf8Length(text.slice(chars, offset));
    chars = offset;
    return byte;
  };
  return parts
    .toSorted((a, b) => a.start - b.start)
    .map(({ kind, start, end }) => ({ kind, start, end, firstByte: byteAt(start), endByte: byteAt(end) }));
}

function differencesOf(call: Call, bytes: Uint8Array, { time, data, hash }: Members, place: Range | null): string[] {
  const { hashInput, bodyText, hash: recorded } = call.request;
  if (hashInput === null) return [];
  if (bytes.length !== call.requestBytes) {
    return [`The record has ${bytes.length.toLocaleString('en')} of the body's ${call.requestBytes.toLocaleString('en')} bytes.`];
  }
  const found: string[] = [];
  const repeated = (['time', 'data', 'hash'] as const).filter((name) => ({ time, data, hash })[name].length > 1);
  for (const name of repeated) found.push(`The body has ${name} more than once.`);
  const [sentTime, sentData, sentHash] = [time[0], data[0], hash[0]];
  if (sentTime === undefined) found.push('time is in the hash input but not in the body.');
  else if (sentTime.node?.kind !== 'string' || sentTime.node.value !== hashInput.time) {
    found.push('time in the body differs from the hash input.');
  } else if (bodyText.slice(sentTime.start, sentTime.end) !== hashInput.time) {
    found.push('time is escaped in the body but not in the hash input.');
  }
  if (hashInput.dataJson === null) {
    if (sentData !== undefined) found.push('data is in the body but not in the hash input.');
  } else if (place === null || sentData === undefined || sentData.start !== place.start) {
    found.push('data in the body differs from the hash input.');
  }
  if (recorded !== null && (sentHash?.node?.kind !== 'string' || sentHash.node.value !== recorded)) {
    found.push('hash in the body differs from the record.');
  }
  return found;
}
