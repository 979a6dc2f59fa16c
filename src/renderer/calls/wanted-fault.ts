import type { Call } from '#shared/ipc/calls.ts';

/** What of a call's overrides explains its rejection, in a sentence; null where none does. */
export function wantedFault({ code, draft: { overrides } }: Pick<Call, 'code' | 'draft'>): string | null {
  const { hash, time, platform, partnerId, omit = [] } = overrides;
  if (code === 8 && hash !== undefined) return 'The hash was wrong on purpose.';
  if (code === 8 && omit.includes('hash')) return 'The hash was left out on purpose.';
  if (code === 8 && omit.includes('data')) return 'data was left out on purpose.';
  if (code === 8 && omit.includes('time')) return 'time was left out of the body on purpose.';
  if (code === 8 && time !== undefined) return 'time was set by hand.';
  if (code === 9 && (platform !== undefined || omit.includes('platform'))) return 'platform was changed on purpose.';
  if (code === 9 && (partnerId !== undefined || omit.includes('partnerId'))) return 'partnerId was changed on purpose.';
  return null;
}
