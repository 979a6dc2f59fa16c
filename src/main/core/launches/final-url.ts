import type { LaunchSignal } from '#shared/model/launch-verdict.ts';
import { checkLaunchUrl } from '#shared/provider/launcher-url.ts';
import type { StoredLaunch } from './store.ts';

type Changed = NonNullable<Extract<LaunchSignal, { type: 'document' }>['changed']>;

/** Parameters that rules of their own compare, also with what the page states. */
const compared: readonly string[] = ['gameId', 'gameMode', 'lang'];

/**
 * Returns the parameters of the URL at which a game's page arrived that differ from the request, and those that the launcher URL had and it lost. A
 * page whose URL has none of them says nothing. Tokens are masked.
 */
export function changedParameters(
  url: string,
  { source, parameters }: Pick<StoredLaunch, 'source' | 'parameters'>,
  token: string,
): Changed {
  if (source === 'replay') return [];
  const asked = new Map(parameters.map(({ name, requested }) => [name, requested]));
  const now = checkLaunchUrl(url, (name) => (name === 'externalToken' ? token : (asked.get(name) ?? null))).parameters;
  if (!now.some(({ state, returned }) => state !== 'unexpected' && returned !== null)) return [];
  return now.flatMap(({ name, state, requested, returned }): Changed => {
    const before = parameters.find((one) => one.name === name);
    // What the launcher URL has wrong has a rule of its own.
    if (compared.includes(name) || (before?.state === state && before.returned === returned)) return [];
    const wanted = requested ?? '';
    if (state === 'different' || state === 'duplicated') return [{ name, asked: wanted, got: returned }];
    return state === 'missing' && (before?.returned ?? '') !== '' ? [{ name, asked: wanted, got: null }] : [];
  });
}
