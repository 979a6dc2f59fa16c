import { isPrivateKey } from '../secrets/secret-names.ts';
import type { Variables } from '../collections/model.ts';
import type { Environment } from '../model/environment.ts';

/** Where a value comes from, nearest first. */
export type VariableSource = 'answer' | 'run' | 'folder' | 'collection' | 'environment';

export interface Variable {
  readonly name: string;
  readonly value: string;
  readonly source: VariableSource;
  /** A person wrote it in a file of the collection: it may be made of other variables. Everything else is taken as it is. */
  readonly mayHoldVariables: boolean;
}

/** What a request sees, by the name of a variable. The nearest scope that has it decides. */
export interface Scopes {
  find(name: string): Variable | null;
  /** Each known name once, with the value that counts; nearest scope first. */
  all(): Variable[];
}

export interface ScopeParts {
  /** Taken from earlier answers. */
  readonly answer?: Variables;
  /** A data row and the run's own. */
  readonly run?: Variables;
  /** Of the folders around the request, outermost first. */
  readonly folders?: readonly Variables[];
  readonly collection?: Variables;
  readonly environment?: Environment;
  /** What the environment gives besides its settings: of the built-in provider, a player's session. */
  readonly session?: Variables;
}

/** Reads the parts each time it is asked, so that they may grow during a run. */
export function createScopes({ answer, run, folders = [], collection, environment, session }: ScopeParts): Scopes {
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
    find,
    all() {
      const names = new Set(ordered.flatMap(([, values]) => Object.keys(values ?? {})));
      return [...names].flatMap((name) => find(name) ?? []);
    },
  };
}

/** A player of the built-in provider and the token of a session that is open. */
interface PlayerSession {
  readonly playerId: string;
  readonly externalToken: string;
}

/** What the built-in provider gives to requests of its environment: a session of the environment's player, or of the first one. */
export function sessionVariables(players: readonly PlayerSession[], { defaults }: Environment): Variables {
  const player = players.find(({ playerId }) => playerId === defaults.playerId) ?? players[0];
  return player === undefined ? {} : { externalToken: player.externalToken };
}

/** What an environment gives to requests. The key is not among it: it is no part of an environment. */
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
