import { AppError } from '#shared/errors.ts';
import type { Call } from '#shared/ipc/index.ts';
import { parseJson } from '#shared/json/parse.ts';
import { decodeUtf8Leniently } from '#shared/json/utf8.ts';
import type { TokenMask } from '../../masking/token-mask.ts';

/** A call of the history with the body of its response: the source of every export. */
export interface RecordedCall {
  readonly call: Call;
  /** Decoded; empty without a response. */
  readonly body: Uint8Array;
  /** The bytes as they came; empty for nearly every call. */
  readonly raw: Uint8Array;
  /** Those of the request, if the gateway passed it; empty for Croupier's own. */
  readonly sentRaw: Uint8Array;
}

/** Bytes that came in a document: as text, or in base64 if they are not UTF-8 and hold no token. */
export type WrittenBytes = { readonly text: string } | { readonly base64: string };

/** Returns the body of a response with its tokens masked. */
export function responseBody({ body }: Pick<RecordedCall, 'body'>, mask: TokenMask): WrittenBytes {
  return written(body, mask);
}

/** Stand for the bytes as they came if they are left out. */
const rawLeftOut = "The bytes as received are left out because Croupier can't mask all tokens in them.";
const sentRawLeftOut = "The request's bytes as received are left out because Croupier can't mask all tokens in them.";

type RawBytes = WrittenBytes | { readonly leftOut: string } | null;

/** Returns the bytes of the response as they came, with their tokens masked, or why they are left out. Null for nearly every call. */
export function rawBytes(recorded: Pick<RecordedCall, 'body' | 'raw'>, mask: TokenMask): RawBytes {
  return rawOf(recorded.raw, () => responseBody(recorded, mask), mask, rawLeftOut);
}

/** Returns those of a request that the gateway passed in the same way. Null for Croupier's own. */
export function sentRawBytes({ call, sentRaw }: RecordedCall, mask: TokenMask): RawBytes {
  return rawOf(sentRaw, () => mask.text(call.request.bodyText), mask, sentRawLeftOut);
}

/** Returns `leftOut` if fewer tokens are found in the bytes than in their body, which may be in them in pieces or compressed. */
function rawOf(bytes: Uint8Array, maskBody: () => unknown, mask: TokenMask, leftOut: string): RawBytes {
  if (bytes.length === 0) return null;
  const start = mask.masked();
  maskBody();
  const inBody = mask.masked() - start;
  const raw = written(bytes, mask);
  return mask.masked() - start < 2 * inBody ? { leftOut } : raw;
}

function written(bytes: Uint8Array, mask: TokenMask): WrittenBytes {
  const { text, firstFault } = decodeUtf8Leniently(bytes);
  const before = mask.masked();
  const masked = mask.text(text);
  if (firstFault === null || mask.masked() > before) return { text: masked };
  return { base64: Buffer.from(bytes).toString('base64') };
}

/** Every text of a value of plain JSON through the mask. */
export function masked<T>(value: T, mask: TokenMask): T {
  const clean = (_: string, inner: unknown) => (typeof inner === 'string' ? mask.text(inner) : inner);
  return JSON.parse(JSON.stringify(value, clean)) as T;
}

/** Writes files call by call, so that none of them is ever held as a whole: each function gives a text for each file, in their order. */
export interface CallWriter {
  readonly files: readonly { readonly name: string; readonly mediaType: string }[];
  /** Returns the text before the first call; called once, before it. */
  head(): readonly string[];
  /** `index` counts from 0. */
  call(recorded: RecordedCall, index: number): readonly string[];
  /** Returns the text after the last call; called once, after it. */
  tail(): readonly string[];
}

/** Replaces the items of a list while the text around them is made. */
export const itemsMark = '@';

/** The JSON text of a document in front of and behind the items of its one list, in which `itemsMark` stands. */
export function aroundItems(document: unknown): readonly [head: string, tail: string] {
  const text = `${JSON.stringify(document, null, 2)}\n`;
  // Alone in its line, as no text of the document is.
  const line = /^ *"@"$/m.exec(text);
  const end = (line?.index ?? 0) + (line?.[0].length ?? 0);
  return [text.slice(0, end - JSON.stringify(itemsMark).length), text.slice(end)];
}

/** Returns one item as it is in such a list, so many levels deep. */
export function jsonItem(item: unknown, levels: number, index: number): string {
  const text = JSON.stringify(item, null, 2).replaceAll('\n', `\n${'  '.repeat(levels)}`);
  return index === 0 ? text : `,\n${'  '.repeat(levels)}${text}`;
}

/** A piece of a body that a program puts together: fixed text, or a computed value. */
export type BodyPart =
  | { readonly kind: 'text'; readonly text: string }
  /** Of `data`: hashed and sent, the same bytes. */
  | { readonly kind: 'data'; readonly text: string }
  | { readonly kind: 'time' }
  | { readonly kind: 'hash' };

/** Returns whether the text of the body is the very bytes of it. */
export function isWholeText({ request, requestBytes }: Call): boolean {
  return Buffer.byteLength(request.bodyText, 'utf8') === requestBytes;
}

/**
 * The body as it was sent, tokens masked by `mask`. Fails with `storage` where the record does not hold the very bytes, nor the request as it came.
 */
export function sentBody(call: Call, mask: TokenMask): string {
  return sentParts(call, mask).join('');
}

/** The same in three parts: what stands before `data`, `data`, and the rest. A body without signed data is the first part alone. */
export function sentParts(call: Call, mask: TokenMask): string[] {
  const { bodyText } = call.request;
  if (!isWholeText(call) && call.request.rawBytes === undefined) {
    throw new AppError(
      'storage',
      `The history does not have the body of call ${call.id} as it was sent, so Croupier can't export it.`,
    );
  }
  return mask.parts(bodyText, [...dataPlace(call).flatMap(({ start, end }) => [start, end]), bodyText.length]);
}

/**
 * The body of a signed call in parts, so that a program can put a new time and a new hash into it. A field that was left out on purpose stays out.
 * Fails with `invalid_input` where the envelope around `data` cannot be read.
 */
export function bodyParts(call: Call, mask: TokenMask): BodyPart[] {
  const { bodyText, hashInput } = call.request;
  if (hashInput === null) throw new AppError('internal', `Call ${call.id} is not signed.`);
  const places = [...valuePlaces(call), ...dataPlace(call)].sort((one, other) => one.start - other.start);
  const ends = [...places.flatMap(({ start, end }) => [start, end]), bodyText.length];
  const texts = mask.parts(bodyText, ends);
  return texts.flatMap((text, index): BodyPart[] => {
    // Every second piece is a place.
    const kind = index % 2 === 1 ? places[(index - 1) / 2]?.kind : undefined;
    if (kind === undefined) return text === '' ? [] : [{ kind: 'text', text }];
    return [kind === 'data' ? { kind, text } : { kind }];
  });
}

interface Place {
  readonly kind: 'time' | 'hash' | 'data';
  readonly start: number;
  readonly end: number;
}

/** Returns where `data` stands in the body's text, in UTF-16 units; empty for a call without signed data. */
export function dataPlace({ request: { bodyText, hashInput } }: Call): Place[] {
  const dataJson = hashInput?.dataJson ?? null;
  if (dataJson === null) return [];
  // The record counts bytes.
  const start = Buffer.from(bodyText, 'utf8').toString('utf8', 0, hashInput?.dataOffset ?? 0).length;
  return [{ kind: 'data', start, end: start + dataJson.length }];
}

/** The texts of `time` and `hash` inside their quotes. `data` may be anything at all, so it is not read with the rest. */
function valuePlaces(call: Call): Place[] {
  const { bodyText } = call.request;
  const [{ start, end } = { start: 0, end: 0 }] = dataPlace(call);
  const parsed = parseJson(bodyText.slice(0, start) + (start === end ? '' : '0'.padEnd(end - start)) + bodyText.slice(end));
  if (!parsed.ok || parsed.root.kind !== 'object') {
    throw new AppError(
      'invalid_input',
      `The body of call ${call.id} is not a JSON object, so no program can put a new hash into it. Export it as sent.`,
    );
  }
  const { members } = parsed.root;
  return (['time', 'hash'] as const).flatMap((kind) => {
    // The envelope's own come first; a field typed under the same name stays as it was typed.
    const node = members.find(({ key }) => key === kind)?.value;
    return node?.kind === 'string' ? [{ kind, start: node.start + 1, end: node.end - 1 }] : [];
  });
}
