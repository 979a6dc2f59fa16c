import { isPrivateKey } from '../secrets/secret-names.ts';
import type { Variables } from '../collections/model.ts';
import type { Environment } from '../model/environment.ts';
import type { Takers } from './takers.ts';

/** Sources of a value, nearest first. */
export type VariableSource = 'answer' | 'run' | 'folder' | 'collection' | 'environment';

interface Variable {
  readonly name: string;
  readonly value: string;
  readonly source: VariableSource;
  /** True for a value in a file of the collection, which may contain variables. Other values are literal. */
  readonly mayHoldVariables: boolean;
}

/** The variables of a request by name. The nearest scope that has a variable decides. */
export interface Scopes {
  find(name: string): Variable | null;
  /** Returns each known name once, with the value that counts; nearest scope first. */
  all(): Variable[];
  /** The requests of the collection that set a variable; absent if they are not known, or the request is in no collection. */
  readonly takers?: Takers | undefined;
}

export interface ScopeParts {
  /** Taken from earlier responses. */
  readonly answer?: Variables;
  /** From a data row and the run. */
  readonly run?: Variables;
  /** From the folders around the request, outermost first. */
  readonly folders?: readonly Variables[];
  readonly collection?: Variables;
  readonly environment?: Environment;
  /** From the built-in provider's environment: a player session. */
  readonly session?: Variables;
  readonly takers?: Takers | undefined;
}

/** Creates scopes that read their parts at each lookup, so that these may grow during a run. */
export function createScopes({ answer, run, folders = [], collection, environment, session, takers }: ScopeParts): Scopes {
  const ordered: [VariableSource, Variables | undefined][] = [
    ['answer', answer],
    ['run', run],
    ...folders.map((folder): [VariableSource, Variables] => ['folder', folder]).reverse(),
    ['collection', collection],
    ['environment', environment === undefined ? undefined : environmentVariables(environment)],
    ['environment', session],
  ];

  function find(name: string): Variable | null {
    if (isPrivateKey(name)) return null;
    for (const [source, values] of ordered) {
      if (values === undefined || !Object.hasOwn(values, name)) continue;
      return { name, value: values[name] ?? '', source, mayHoldVariables: source === 'folder' || source === 'collection' };
    }
    return null;
  }

  return {
    takers,
    find,
    all() {
      const names = new Set(ordered.flatMap(([, values]) => Object.keys(values ?? {})));
      return [...names].flatMap((name) => find(name) ?? []);
    },
  };
}

/** A player of the built-in provider with the token of an open session. */
interface PlayerSession {
  readonly playerId: string;
  readonly externalToken: string;
}

/** Returns the variables of a player session at the built-in provider: of the environment's player, or of the first one. */
export function sessionVariables(players: readonly PlayerSession[], { defaults }: Environment): Variables {
  const player = players.find(({ playerId }) => playerId === defaults.playerId) ?? players[0];
  return player === undefined ? {} : { externalToken: player.externalToken };
}

/** Returns the variables of an environment. The key is not among them, because it is not part of an environment. */
export function environmentVariables(environment: Environment): Variables {
  const { platform, partnerId, defaults, baseUrl, walletUrl, name } = environment;
  const { currency, lang, country, ip, exitURL, playerId } = defaults;
  return {
    platform: String(platform),
    partnerId: String(partnerId),
    currency,
    lang,
    country,
    ip,
    exitURL,
    playerId,
    baseUrl,
    walletUrl: walletUrl === '' ? baseUrl : walletUrl,
    environmentName: name,
  };
}
