import type { Call } from '../ipc/outputs/calls.ts';
import { unicodeEscape } from '../json/string-escapes.ts';

/**
 * The response header that carries the built-in provider's reason. Real providers do not send it, so `reasonOf` trusts it only in a
 * response of the built-in provider.
 */
export const reasonHeader = 'x-croupier-why';

/** The built-in provider's reason for its response. It holds neither the key nor a correct hash. */
export interface ProviderReason {
  /** One or two sentences. */
  readonly why: string;
  /** True if the spec shows no code for this reason, so that the code stands in. */
  readonly standsIn: boolean;
  /** First UTF-8 byte, from 0, at which the received data and the hashed data differ; null if they are the same. */
  readonly byte: number | null;
  /** True if the received hash is right for the data as received, so that the difference is the reason. */
  readonly isReason: boolean;
  /** True if `why` names a mistake recognised from the received hash, which proves the right key. Only for code 8. */
  readonly mistake: boolean;
}

/** Says that a code stands in, because the spec shows none for the reason. */
export function standInText(code: number): string {
  return `The built-in provider uses code ${code} here. The spec shows no code for this reason, so another provider may return another.`;
}

const longest = 1_000;

/** Writes a reason as the value of a header: JSON in ASCII, one line. */
export function printReason({ why, standsIn, byte, isReason, mistake }: ProviderReason): string {
  const short = why.length <= longest ? why : `${why.slice(0, longest - 1).toWellFormed()}…`;
  const text = JSON.stringify({
    why: short,
    standsIn,
    ...(byte === null ? {} : { byte, isReason }),
    ...(mistake ? { mistake } : {}),
  });
  return text.replace(/[^ -~]/g, unicodeEscape);
}

/** Reads the reason that the built-in provider gave with a response; null for every other provider and where there is none. */
export function reasonOf(call: Pick<Call, 'environmentId' | 'url' | 'response'>): ProviderReason | null {
  if (call.response === null || !isBuiltIn(call)) return null;
  const header = call.response.headers.find(([name]) => name.toLowerCase() === reasonHeader);
  return header === undefined ? null : readReason(header[1]);
}

/** Returns whether a call went to the built-in provider: to its environment, on this machine. */
export function isBuiltIn({ environmentId, url }: Pick<Call, 'environmentId' | 'url'>): boolean {
  return environmentId === 'sandbox' && /^https:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?\//.test(url);
}

function readReason(text: string): ProviderReason | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { why, standsIn, byte, isReason, mistake } = value as Partial<Record<keyof ProviderReason, unknown>>;
  if (typeof why !== 'string' || why === '' || typeof standsIn !== 'boolean') return null;
  const place = Number.isSafeInteger(byte) ? (byte as number) : null;
  return { why, standsIn, byte: place, isReason: isReason === true, mistake: mistake === true };
}
