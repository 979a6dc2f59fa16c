import { AppError } from '#shared/errors.ts';
import type { Environment, RequestDraft } from '#shared/ipc/index.ts';
import { operationByName } from '#shared/provider/index.ts';
import type { Replaced } from '#shared/calls/replaced.ts';
import { parseAddress } from '../network/connections.ts';

/** Settings of one call that replace those of its environment. No message of a page has them: a page sends to environments alone. */
export interface Instead {
  /** https URL, as an environment's. In a wallet method it takes the place of the wallet URL. */
  readonly baseUrl?: string | undefined;
  /** For the whole call, and the most that a response may take to begin and to go on. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Returns the environment as one call uses it. A base URL takes the place of the wallet URL in a wallet method. The time for the whole call is also
 * the most that a response may take to begin and to go on. `replaced` is null if nothing differs from the environment. Fails with `invalid_input` for a URL that is not https.
 */
export function withInstead(
  environment: Environment,
  { operation }: Pick<RequestDraft, 'operation'>,
  { baseUrl, timeoutMs }: Instead,
): { readonly environment: Environment; readonly replaced: Replaced | null } {
  const limits = timeoutMs === undefined ? {} : { headers: timeoutMs, idle: timeoutMs, total: timeoutMs };
  const timed = { ...environment, timeouts: { ...environment.timeouts, ...limits } };
  const replaced = (url: boolean) => (url || timeoutMs !== undefined ? { baseUrl: url, timeoutMs: timeoutMs ?? null } : null);
  if (baseUrl === undefined) return { environment: timed, replaced: replaced(false) };
  const checked = parseAddress(baseUrl, 'The base URL');
  if (!checked.ok) throw new AppError('invalid_input', checked.message);
  const field = operationByName(operation).endpoint === 'wallet' && environment.walletUrl !== '' ? 'walletUrl' : 'baseUrl';
  return { environment: { ...timed, [field]: checked.address }, replaced: replaced(checked.address !== environment[field]) };
}
