import type { Call } from '../ipc/calls.ts';
import type { Environment } from '../ipc/environments.ts';
import { parseJson } from '../json/parse.ts';

/** `platform 7, partner 31`: what tells environments at one base URL apart (spec, general rule 3). */
export function identityText({ platform, partnerId }: Pick<Environment, 'platform' | 'partnerId'>): string {
  return `platform ${platform}, partner ${partnerId}`;
}

/** The identity that a call was sent with, from its own body; null where that has none, as with wallet methods. */
export function identitySent({ request }: Pick<Call, 'request'>): string | null {
  if (request.hashInput === null) return null;
  const parsed = parseJson(request.bodyText);
  if (!parsed.ok || parsed.root.kind !== 'object') return null;
  const { members } = parsed.root;
  const valueOf = (name: string) => {
    const value = members.findLast(({ key }) => key === name)?.value;
    return value === undefined ? 'left out' : request.bodyText.slice(value.start, value.end);
  };
  return `platform ${valueOf('platform')}, partner ${valueOf('partnerId')}`;
}

/** The environments that there are, as `environments.list` gives them. */
export interface KnownEnvironments {
  readonly environments: readonly Environment[];
  readonly broken: readonly { readonly file: string }[];
}

/** What became of the environment of a recorded call, whose name may be another one's now: ` (removed)`, ` (now live)`, or nothing. */
export function sinceCall(
  { environmentId, environmentName }: Pick<Call, 'environmentId' | 'environmentName'>,
  { environments, broken }: KnownEnvironments,
): string {
  const found = environments.find(({ id }) => id === environmentId);
  if (found !== undefined) return found.name === environmentName ? '' : ` (now ${found.name})`;
  // One whose file cannot be read is still there.
  return broken.some(({ file }) => /[^/\\]*$/.exec(file)?.[0] === `${environmentId}.json`) ? '' : ' (removed)';
}

/** For a tooltip at the name of the environment of a recorded call, which may have had another identity then. */
export function identityNow(environment: Environment | undefined): string | undefined {
  if (environment === undefined) return undefined;
  return `${environment.name}, now ${identityText(environment)}${environment.production ? ', production' : ''}`;
}
