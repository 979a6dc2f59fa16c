import { AppError } from '#shared/errors.ts';
import type { Call } from '#shared/ipc/index.ts';
import { parseJson, type JsonNode } from '#shared/json/parse.ts';
import type { TokenMask } from '../../masking/token-mask.ts';

/** A piece of a body that a program puts together: fixed text, or a computed value. */
export type BodyPart =
  | { readonly kind: 'text'; readonly text: string }
  /** Of `data`: hashed and sent, the same bytes. */
  | { readonly kind: 'data'; readonly text: string }
  | { readonly kind: 'time' }
  | { readonly kind: 'hash' };

/** The body as it was sent, tokens masked by `mask`. Fails with `storage` where the record does not hold the very bytes. */
export function sentBody(call: Call, mask: TokenMask): string {
  return sentParts(call, mask).join('');
}

/** The same in three parts: what stands before `data`, `data`, and the rest. A body without signed data is the first part alone. */
export function sentParts(call: Call, mask: TokenMask): string[] {
  const { bodyText } = call.request;
  if (Buffer.byteLength(bodyText, 'utf8') !== call.requestBytes) {
    throw new AppError(
      'storage',
      `The record of call ${call.id} does not hold its body as it was sent, so it cannot be exported.`,
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
  const parts: BodyPart[] = [];
  for (const [index, text] of texts.entries()) {
    // Every second piece is a place.
    const place = index % 2 === 1 ? places[(index - 1) / 2] : undefined;
    if (place === undefined) {
      if (text !== '') parts.push({ kind: 'text', text });
    } else parts.push(place.kind === 'data' ? { kind: 'data', text } : { kind: place.kind });
  }
  return parts;
}

interface Place {
  readonly kind: 'time' | 'hash' | 'data';
  readonly start: number;
  readonly end: number;
}

/** Returns where `data` stands in the body's text, in UTF-16 units; empty for a call without signed data. */
export function dataPlace(call: Call): Place[] {
  const { dataJson, start } = dataOf(call);
  return dataJson === null ? [] : [{ kind: 'data', start, end: start + dataJson.length }];
}

/** Returns the start of `data` in the body's text, in UTF-16 units; the record counts bytes. */
function dataOf({ request: { bodyText, hashInput } }: Call): { dataJson: string | null; start: number } {
  const dataJson = hashInput?.dataJson ?? null;
  const start = Buffer.from(bodyText, 'utf8').toString('utf8', 0, hashInput?.dataOffset ?? 0).length;
  return { dataJson, start };
}

/** The texts of `time` and `hash` inside their quotes. `data` may be anything at all, so it is not read with the rest. */
function valuePlaces(call: Call): Place[] {
  const { bodyText } = call.request;
  const { dataJson, start } = dataOf(call);
  const end = start + (dataJson?.length ?? 0);
  const stand = dataJson === null || dataJson.length < 1 ? '' : '0'.padEnd(dataJson.length, ' ');
  const parsed = parseJson(bodyText.slice(0, start) + stand + bodyText.slice(end));
  if (!parsed.ok || parsed.root.kind !== 'object') {
    throw new AppError(
      'invalid_input',
      `The body of call ${call.id} is not a JSON object, so no program can put a new hash into it. Export it as it was sent.`,
    );
  }
  const { members } = parsed.root;
  // The envelope's own come first; a field typed under the same name stays as it was typed.
  const own = (name: string): JsonNode | undefined => members.find(({ key }) => key === name)?.value;
  return (['time', 'hash'] as const).flatMap((kind) => {
    const node = own(kind);
    return node?.kind === 'string' ? [{ kind, start: node.start + 1, end: node.end - 1 }] : [];
  });
}
