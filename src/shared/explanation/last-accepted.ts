import type { Call, CallSummary } from '../ipc/outputs/calls.ts';
import type { Client } from '../ipc/index.ts';

/** Returns whether comparing with the last accepted call can help: hash, `platform` or `partnerId` was rejected, and not because of an override. */
export function canCompare({ code, draft: { overrides }, request }: Pick<Call, 'code' | 'draft' | 'request'>): boolean {
  if ((code !== 8 && code !== 9) || request.hashInput === null) return false;
  const { hash, platform, partnerId, omit = [] } = overrides;
  const changed = [hash, platform, partnerId].some((value) => value !== undefined);
  return !changed && !omit.some((name) => name !== 'action' && name !== 'data');
}

/** Finds the newest earlier call of the same operation and environment that got code 0, in the same support pack if it is of one; null without one. */
export async function acceptedBefore(
  client: Pick<Client, 'call'>,
  { id, operation, environmentId, pack }: Pick<CallSummary, 'id' | 'operation' | 'environmentId' | 'pack'>,
): Promise<CallSummary | null> {
  if (operation === null) return null;
  const { calls } = await client.call('calls.list', {
    before: id,
    limit: 1,
    filter: { operations: [operation], environmentIds: [environmentId], outcomes: ['accepted'] },
    ...(pack === undefined ? {} : { pack: pack.id }),
  });
  return calls[0] ?? null;
}

/**
 * Finds the accepted call to compare a rejected one with, whole; null where there is none. What reads the same where something is masked need not be the same, so such calls are not compared.
 */
export async function findAccepted(client: Pick<Client, 'call'>, bad: Call): Promise<Call | null> {
  if (bad.maskedParts !== undefined) return null;
  const found = await acceptedBefore(client, bad);
  const good = found === null ? null : await client.call('calls.get', { id: found.id });
  return good?.maskedParts === undefined ? good : null;
}
