import { AppError } from '#shared/errors.ts';
import type { Confirmed, ParsedInput } from '#shared/ipc/index.ts';
import type { TakenToken } from '../session-tokens/pools.ts';
import type { SessionTokens } from '../session-tokens/session-tokens.ts';
import { ownOrigin, type LiveDeps } from './live-launches.ts';
import { gameWords, type TokenHolders } from './token-holders.ts';

type Question = Omit<ParsedInput<'launches.prepare'>, 'lang' | 'country' | 'ip' | 'exitURL'>;

/** The session token of a launch that is being prepared: no other launch gets it meanwhile. */
interface LaunchToken {
  /** Empty in fun mode. */
  readonly token: string;
  /** Replaces the fields of the form that are not empty here. */
  readonly player: TakenToken['player'];
  /** Its origin, without the token; empty for none. */
  readonly from: string;
  /** The launch was sent: a token of a pool is not given again. */
  sent(): void;
  /** There is a launcher URL for it: the next launch asks before it uses the token again. */
  accepted(): void;
  /** Nothing was sent: the next launch may have it. */
  unsent(): void;
  /** The launch is prepared, or is not to be. */
  release(): void;
}

export interface LaunchTokensDeps extends Pick<LiveDeps, 'environment' | 'sandboxOrigin'> {
  readonly tokens: Pick<SessionTokens, 'pools' | 'fetch'>;
  readonly holders: TokenHolders;
  readonly nameOf: (environmentId: string) => string;
  /** Passes if the environment may be read, or fails with `refused` and the question about production. */
  readonly allow: (environmentId: string, given: Confirmed) => void;
}

const noPlayer = { playerId: '', lang: '', country: '' };
const ignore = () => undefined;

/**
 * Returns the function that takes a launch's token from where the question says. Fails with `conflict` if another launch has it,
 * unless that is asked for, with `refused` if there is none, and as the command does.
 */
export function createLaunchTokens(deps: LaunchTokensDeps) {
  const { tokens, holders, nameOf, allow } = deps;
  const { pools } = tokens;
  /** Games by the token that a launch of them used, until the program exits. */
  const usedBy = new Map<string, string>();

  /** Nothing is awaited between the choice of a token and this. */
  function hold(question: Question, token: string, from: string, taken: TakenToken | null): LaunchToken {
    return {
      token,
      player: taken?.player ?? noPlayer,
      from,
      sent: taken?.used ?? ignore,
      accepted() {
        // The built-in provider takes a token as often as it comes.
        if (token !== '' && ownOrigin(deps, question.environmentId) === null) usedBy.set(token, gameWords(question));
      },
      unsent: taken?.back ?? ignore,
      release: token === '' ? ignore : holders.hold(token, gameWords(question)),
    };
  }

  function typed(question: Question): LaunchToken {
    const { environmentId, externalToken: token, reuse } = question;
    const user = holders.userOf(token);
    if (user !== null && !reuse) throw inUse(user);
    const earlier = usedBy.get(token);
    if (earlier !== undefined && !reuse) throw usedBefore(earlier);
    const id = pools.find(environmentId, token);
    const taken = id === undefined ? null : pools.takeOne(environmentId, id);
    return { ...hold(question, token, token === '' ? '' : 'typed', taken), player: noPlayer };
  }

  function fromPool(question: Question): LaunchToken {
    const taken = pools.take(question.environmentId, (token) => holders.userOf(token) === null);
    if (taken !== null) return hold(question, taken.token, taken.from, taken);
    const rest = pools.list(question.environmentId, holders.userOf);
    const used = rest.some(({ state }) => state === 'used');
    throw refused(
      rest.length === 0
        ? `The pool of ${nameOf(question.environmentId)} is empty. Add tokens, or type one.`
        : `The pool of ${nameOf(question.environmentId)} has no unused token. Add tokens${used ? ', reset used ones' : ''}, or type one.`,
    );
  }

  async function fromCommand(question: Question): Promise<LaunchToken> {
    const { environmentId, gameId, playerId, ticket, confirmed, reuse } = question;
    allow(environmentId, confirmed);
    const printed = new Set(
      await tokens.fetch(environmentId, { environmentName: nameOf(environmentId), gameId, playerId }, ticket),
    );
    const fresh = pools.take(environmentId, (token) => printed.has(token) && holders.userOf(token) === null);
    if (fresh !== null) return hold(question, fresh.token, 'command', fresh);
    const [first = ''] = printed;
    const id = pools.find(environmentId, first);
    const again = reuse && id !== undefined ? pools.takeOne(environmentId, id) : null;
    if (again !== null) return hold(question, first, 'command', again);
    throw new AppError(
      'conflict',
      'The token command printed only a token that another launch uses or has used. Launch again to reuse that token.',
      { field: 'externalToken', reuse: true },
    );
  }

  return async (question: Question): Promise<LaunchToken> => {
    if (question.gameMode === 'fun') return hold(question, '', '', null);
    if (question.tokenFrom === 'typed') return typed(question);
    return question.tokenFrom === 'pool' ? fromPool(question) : fromCommand(question);
  };
}

function inUse(user: string): AppError {
  return new AppError('conflict', `${user} is using this token. Choose another one, or launch again to use it twice.`, {
    field: 'externalToken',
    reuse: true,
  });
}

function usedBefore(user: string): AppError {
  return new AppError('conflict', `${user} has used this token. Choose another one, or launch again to reuse it.`, {
    field: 'externalToken',
    reuse: true,
  });
}

function refused(message: string): AppError {
  return new AppError('refused', message, { field: 'externalToken' });
}
