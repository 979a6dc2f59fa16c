import type { Environment } from '../model/environment.ts';

/** Reason why an environment that is not marked may still be production. */
export interface Likeness {
  readonly id: string;
  readonly name: string;
  readonly by: 'identity' | 'key' | 'both';
}

/**
 * Finds a production environment that has the platform and partnerId, or the key, of one that is not marked as production. The base URL does
 * not count, because the same endpoint serves staging and production (spec, general rule 3). `sameKey` is true only for keys that can be compared.
 */
export function likeProduction(
  environment: Environment,
  environments: readonly Environment[],
  sameKey: (one: string, other: string) => boolean,
): Likeness | null {
  // The built-in provider is on this machine whatever its identity is.
  if (environment.production || environment.kind === 'sandbox') return null;
  for (const { id, name, production, platform, partnerId } of environments) {
    if (!production || id === environment.id) continue;
    const identity = platform === environment.platform && partnerId === environment.partnerId;
    const key = sameKey(environment.id, id);
    if (identity || key) return { id, name, by: identity && key ? 'both' : identity ? 'identity' : 'key' };
  }
  return null;
}

/** Writes `Same platform and partner as Live, which is production`. */
export function likenessWords({ name, by }: Pick<Likeness, 'name' | 'by'>): string {
  const same = { identity: 'platform and partner', key: 'key', both: 'platform, partner and key' }[by];
  return `Same ${same} as ${name}, which is production`;
}
