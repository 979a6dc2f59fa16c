import type { Call } from '../ipc/outputs/calls.ts';
import type { Client } from '../ipc/index.ts';

/** Returns whether comparing with the last accepted call can help: hash, `platform` or `partnerId` was rejected, and not because of an override. */
export function canCompare({ code, draft: { overrides }, request }: Pick<Call, 'code' | 'draft' | 'request'>): boolean {
  if ((code !== 8 && code !== 9) || request.hashInput === null) return false;
  const { hash, platform, partnerId, omit = [] } = overrides;
  const changed = [hash, platform, partnerId].some((value) => value !== undefined);
  return !changed && !omit.some((name) => name !== 'action' && name !== 'data');
}

/**
 * Finds the newest accepted call of the same operation and environment that was sent before a rejected one, in the same support pack if it is of
 * one; null where there is none. What reads the same where something is masked need not be the same, so such calls are not compared.
 */
export async function findAccepted(client: Pick<Client, 'call'>, bad: Call): Promise<Call | null> {
  const { operation, environmentId, pack } = bad;
  if (bad.maskedParts !== undefined) return null;
  const filter = { operations: [operation], environmentIds: [environmentId], outcomes: ['accepted' as const] };
  const { calls } = await client.call('calls.list', {
    before: bad.id,
    limit: 1,
    filter,
    ...(pack === undefined ? {} : { pack: pack.id }),
  });
  const [found] = calls;
  const good = found === undefined ? null : await client.call('calls.get', { id: found.id });
  return good?.maskedParts === undefined ? good : null;
}
