import { serializationOf } from './wire-form.ts';
import type { Overrides } from '../model/draft.ts';
import type { Environment, Serialization } from '../model/environment.ts';
import type { KnownGames } from './known-games.ts';
import type { Answers } from './model.ts';

/** Everything except the payload that decides how a request is written, hashed and checked at one moment. */
export interface RequestContext {
  readonly answers: Answers;
  /** The serialization of `data`: the environment's setting, unless a recorded answer replaces it. */
  readonly serialization: Serialization;
  /** IANA name of the zone in which `time` is written and an expiry is compared with now. */
  readonly timeZone: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly overrides: Overrides;
  /** The environment's newest game list; null if none is known. */
  readonly games: KnownGames | null;
  /** The wallet URL; empty for the base URL. */
  readonly walletUrl: string;
}

/** Collects the context of a request in an environment, for screen, command line, runs and exports alike. */
export function contextOf(
  environment: Pick<Environment, 'answers' | 'serialization' | 'timeZone' | 'walletUrl'>,
  overrides: Overrides,
  now: number,
  games: KnownGames | null = null,
): RequestContext {
  const { answers, timeZone, walletUrl } = environment;
  return { answers, serialization: serializationOf(environment), timeZone, now, overrides, walletUrl, games };
}
