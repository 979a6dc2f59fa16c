import { fingerprintText } from '../signing/fingerprint.ts';

/** Says that a code 0 ended the time of two keys. `removed`: the older one's fingerprint; null where unknown. */
export function provenText(removed: string | null, callId: number, environmentName?: string): string {
  const older = removed === null ? 'The older key' : `The older key ${fingerprintText(removed)}`;
  const whose = environmentName === undefined ? '' : ` of ${environmentName}`;
  return `${older}${whose} was removed: call ${callId}, signed with the new one, got code 0.`;
}
