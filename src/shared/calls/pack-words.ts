import type { Call, CallSummary } from '../ipc/outputs/calls.ts';
import type { ListedPack } from '../ipc/outputs/packs.ts';

/** Subject and advice of sentences about a support pack that is too large to open. */
export const packSubject = 'The support pack';
export const packAdvice = 'Ask for a pack with fewer calls.';

/** Returns the number that names a call after `Call`: `12`, or `12 of theirs.json` for a call of a support pack. */
export function callNumber({ id, pack }: Pick<CallSummary, 'id' | 'pack'>): string {
  return pack === undefined ? String(id) : `${pack.number} of ${pack.name}`;
}

/** Says what a support pack masks; null if that is nothing. */
export function maskedInPack({
  calls,
  maskedCalls,
  maskedParts,
}: Pick<ListedPack, 'calls' | 'maskedCalls'> & { readonly maskedParts: readonly string[] }): string | null {
  if (maskedCalls === 0) return null;
  return `Masked in ${maskedCalls} of ${calls} ${calls === 1 ? 'call' : 'calls'}: ${maskedParts.join(', ')}. ${mayDiffer}`;
}

/** Says what a support pack masks in a call; null if that is nothing. */
export function maskedInCall({ maskedParts }: Pick<Call, 'maskedParts'>): string | null {
  return maskedParts === undefined ? null : `Masked in the pack: ${maskedParts.join(', ')}. ${mayDiffer}`;
}

const mayDiffer = 'Values shown as [token] or [secret] may differ.';

/** Returns whether the request of a call is in a support pack with other bytes than those that were hashed. */
export function masksRequest({ maskedParts = [] }: Pick<Call, 'maskedParts'>): boolean {
  return maskedParts.includes('request body') || maskedParts.includes('hash input');
}

/** Says why the doctor cannot examine a call of a support pack; null if it can. */
export function unexaminable(call: Pick<Call, 'id' | 'pack' | 'request' | 'maskedParts'>): string | null {
  const named = `Call ${callNumber(call)}`;
  if (call.request.hashInput === null) return `${named} has no hash input, so there is no hash to examine.`;
  if (!masksRequest(call)) return null;
  return `${named} can't be examined: the pack masks its request. Ask for a pack that keeps its tokens (--keep-tokens).`;
}
