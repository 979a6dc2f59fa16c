import type { Choices } from './choices.ts';
import type { PhpValue } from './php-json.ts';
import type { DataDifference, ExpectedHash, ReceivedHash } from '#shared/ipc/index.ts';

/** Length at which `data` is truncated; the body itself is whole. */
const shownData = 100_000;
/** Characters of both texts to show from the first difference. */
const shownDifference = 24;

/** The expected and the received values, without the key. `data`: the hashed text, null if JSON cannot express it. */
export interface HashComparison {
  readonly expected: ExpectedHash;
  readonly received: ReceivedHash;
  readonly difference: DataDifference | null;
  readonly mistake: string | null;
}

/** Compares the provider's hash input with the received values. `hash`: the expected hash. */
export function compareHash(
  mode: Choices['mode'],
  { time, dataText, hash }: HashSubject,
  made: {
    readonly data: string | null;
    readonly hash: string | null;
    readonly mistake: string | null;
    readonly asReceived: boolean;
  },
): HashComparison {
  const data = dataText === null ? null : made.data;
  return {
    expected: {
      hash: made.hash,
      input: { key: '<PRIVATE_KEY>', time, data: data === null ? null : cut(data), dataBytes: bytesOf(data) },
      dataIs: mode === 'received' ? 'received' : 'reencoded',
    },
    received: receivedHash(hash, dataText),
    difference: data === null || dataText === null ? null : differenceOf(data, dataText, made.asReceived),
    mistake: made.mistake,
  };
}

/** Compares for a request whose `time` cannot be hashed. */
export function withoutTime(mode: Choices['mode'], { dataText, hash }: Omit<HashSubject, 'time'>): HashComparison {
  return {
    expected: { hash: null, input: null, dataIs: mode === 'received' ? 'received' : 'reencoded' },
    received: receivedHash(hash, dataText),
    difference: null,
    mistake: null,
  };
}

function receivedHash(hash: unknown, dataText: string | null): ReceivedHash {
  return {
    hash: typeof hash === 'string' ? cut(hash) : null,
    data: dataText === null ? null : cut(dataText),
    dataBytes: bytesOf(dataText),
  };
}

function differenceOf(expected: string, received: string, isReason: boolean): DataDifference | null {
  if (expected === received) return null;
  const [ours, theirs] = [Buffer.from(expected), Buffer.from(received)];
  let byte = 0;
  while (byte < ours.length && ours[byte] === theirs[byte]) byte += 1;
  let offset = 0;
  while (offset < expected.length && expected.charCodeAt(offset) === received.charCodeAt(offset)) offset += 1;
  // Not inside a surrogate pair, whose first half may be the same in both.
  if (offset > 0 && isHighSurrogate(expected.charCodeAt(offset - 1))) offset -= 1;
  const from = (text: string) => cut(text.slice(offset), shownDifference);
  return { byte, offset, expected: from(expected), received: from(received), isReason };
}

function cut(text: string, most = shownData): string {
  if (text.length <= most) return text;
  return text.slice(0, isHighSurrogate(text.charCodeAt(most - 1)) ? most - 1 : most);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function bytesOf(text: string | null): number {
  return text === null ? 0 : Buffer.byteLength(text);
}

/** Input for judging a hash. `dataText` is the text of `data` as received; null if the envelope has none. */
export interface HashSubject {
  readonly time: string;
  readonly dataText: string | null;
  readonly data: PhpValue | undefined;
  readonly hash: PhpValue | undefined;
}
