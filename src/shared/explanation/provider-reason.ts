import type { Call } from '../ipc/outputs/calls.ts';
import { unicodeEscape } from '../json/strings.ts';

/**
 * The response header in which the built-in provider says why, for whoever sent the call. No real provider has it: its value is believed
 * only in a response of the built-in provider (`reasonOf`).
 */
export const reasonHeader = 'x-croupier-why';

/** Why the built-in provider answered as it did. It holds neither the key nor a hash that would be right. */
export interface ProviderReason {
  /** One or two sentences. */
  readonly why: string;
  /** The spec shows no code for this reason: the code is used in its place. */
  readonly standsIn: boolean;
  /** Where the data that was hashed is not the data that was received: counted from 0 in its UTF-8 bytes; null where it is the same. */
  readonly byte: number | null;
  /** The received hash is right for the data as received: the difference is why it was rejected. */
  readonly isReason: boolean;
  /** `why` names a mistake that the received hash gives away: it was made with the provider's key. For code 8 alone. */
  readonly mistake: boolean;
}

/** Says of a code that the built-in provider answered with that the spec shows none for its reason. */
export function standInText(code: number): string {
  return `Code ${code} stands in: the spec shows no code for this reason, and another provider may answer otherwise.`;
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

/** Whether a call went to the built-in provider: to its environment, on this machine. */
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
