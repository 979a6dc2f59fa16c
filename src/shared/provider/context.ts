import { serializationOf } from './answers.ts';
import type { Overrides } from '../model/draft.ts';
import type { Environment, Serialization } from '../model/environment.ts';
import type { KnownGames } from './known-games.ts';
import type { Answers } from './model.ts';

/** Everything beside its text that decides how a request is written, hashed and checked at one moment. */
export interface RequestContext {
  readonly answers: Answers;
  /** The one that `data` is written with: the environment's setting, completed by the recorded answer. */
  readonly serialization: Serialization;
  /** IANA name of the zone in which `time` is written and an expiry is compared with now. */
  readonly timeZone: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly overrides: Overrides;
  /** The environment's newest game list; null where none is known. */
  readonly games: KnownGames | null;
  /** Where wallet methods go; empty for the base URL. */
  readonly walletUrl: string;
}

/** Gathers the whole context of a request in an environment; screen, command line, runs and exports all take it from here. */
export function contextOf(
  environment: Pick<Environment, 'answers' | 'serialization' | 'timeZone' | 'walletUrl'>,
  overrides: Overrides,
  now: number,
  games: KnownGames | null = null,
): RequestContext {
  const { answers, timeZone, walletUrl } = environment;
  return { answers, serialization: serializationOf(environment), timeZone, now, overrides, walletUrl, games };
}
