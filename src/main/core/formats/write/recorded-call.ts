import type { Call } from '#shared/ipc/index.ts';
import { decodeUtf8Leniently } from '#shared/json/utf8.ts';
import type { TokenMask } from '../../masking/token-mask.ts';

/** A call of the history with the body of its response: the source of every export. */
export interface RecordedCall {
  readonly call: Call;
  /** Decoded; empty without a response. */
  readonly answer: Uint8Array;
  /** The bytes as they came; empty for nearly every call. */
  readonly raw: Uint8Array;
}

/** Bytes that came in a document: as text, or in base64 if they are not UTF-8 and hold no token. */
export type WrittenBytes = { readonly text: string } | { readonly base64: string };

/** Returns the body of a response with its tokens masked. */
export function answerBody({ answer }: RecordedCall, mask: TokenMask): WrittenBytes {
  return written(answer, mask);
}

/** Stands for the bytes as they came if they are left out. */
const rawLeftOut = 'The bytes as they came are left out: tokens of the body cannot all be masked in them.';

/**
 * Returns the bytes as they came, with their tokens masked; `leftOut` if fewer are found in them than in the body, which may be in them in pieces
 * or compressed. Null for nearly every call.
 */
export function rawBytes(recorded: RecordedCall, mask: TokenMask): WrittenBytes | { readonly leftOut: string } | null {
  if (recorded.raw.length === 0) return null;
  const start = mask.masked();
  answerBody(recorded, mask);
  const inBody = mask.masked() - start;
  const raw = written(recorded.raw, mask);
  return mask.masked() - start < 2 * inBody ? { leftOut: rawLeftOut } : raw;
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
