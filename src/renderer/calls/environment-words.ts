import type { Environment } from '#shared/ipc/environments.ts';

/** `platform 7, partner 31`: what tells environments at one base URL apart (spec, general rule 3). */
export function identityText({ platform, partnerId }: Pick<Environment, 'platform' | 'partnerId'>): string {
  return `platform ${platform}, partner ${partnerId}`;
}

/** For a tooltip at the name of the environment of a recorded call, which may have had another identity then. */
export function identityNow(environment: Environment | undefined): string | undefined {
  if (environment === undefined) return undefined;
  return `${environment.name}, now ${identityText(environment)}${environment.production ? ', production' : ''}`;
}
