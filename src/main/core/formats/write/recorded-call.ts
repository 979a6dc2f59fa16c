import type { Call } from '#shared/ipc/index.ts';
import { decodeUtf8Leniently } from '#shared/json/utf8.ts';
import type { TokenMask } from '../../masking/token-mask.ts';

/** A call of the history with the body of its response: the source of every export. */
export interface RecordedCall {
  readonly call: Call;
  /** Decoded; empty without a response. */
  readonly answer: Uint8Array;
}

/** The response's body in a document: as text, or in base64 if it is not UTF-8 and holds no token. */
export type ResponseBody = { readonly text: string } | { readonly base64: string };

/** Returns the body of a response with its tokens masked. */
export function answerBody({ answer }: RecordedCall, mask: TokenMask): ResponseBody {
  const { text, firstFault } = decodeUtf8Leniently(answer);
  const before = mask.masked();
  const masked = mask.text(text);
  if (firstFault === null || mask.masked() > before) return { text: masked };
  return { base64: Buffer.from(answer).toString('base64') };
}

/** Every text of a value of plain JSON through the mask. */
export function masked<T>(value: T, mask: TokenMask): T {
  const clean = (_: string, inner: unknown) => (typeof inner === 'string' ? mask.text(inner) : inner);
  return JSON.parse(JSON.stringify(value, clean)) as T;
}
