import type { Call } from '../ipc/outputs/calls.ts';
import type { Client } from '../ipc/index.ts';

/** Rule of the gateway's finding on a hash that is not right, which says the mistake once it is found. */
export const passedHashRule = 'gateway.hash';

/** Returns whether the doctor can say something about a call: its hash was set by hand or by another program, and rejected. */
export function canExamine({
  code,
  draft: { overrides },
  request,
  pack,
  origin,
  findings,
}: Pick<Call, 'code' | 'draft' | 'request' | 'pack' | 'origin' | 'findings'>): boolean {
  const { hash, omit = [] } = overrides;
  // The key of a support pack's environment is elsewhere.
  if (pack !== undefined || code !== 8 || request.hashInput === null) return false;
  if (origin !== undefined) return request.hash !== null && !findings.some(({ rule }) => rule === passedHashRule);
  return hash !== undefined && hash !== 'wrong' && !omit.includes('hash');
}

/** Returns the doctor's finding about the hash of such a call, in sentences; null if its hash input was not recorded. */
export async function findingOf(client: Pick<Client, 'call'>, call: Call): Promise<string | null> {
  const { hashInput } = call.request;
  const hash = call.draft.overrides.hash ?? call.request.hash ?? '';
  if (hashInput === null) return null;
  const report = await client.call('doctor.search', {
    environmentId: call.environmentId,
    ticket: `explanation of call ${call.id}`,
    request: { action: '', platform: '', partnerId: '', time: hashInput.time, dataText: hashInput.dataJson, hash },
  });
  const [way] = report.ways;
  return way === undefined ? report.says : way.map(({ says }) => says).join(' ');
}
