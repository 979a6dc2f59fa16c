import { AppError } from '#shared/errors.ts';
import { commandText, commandWords } from './command-words.ts';
import { createTokenPools } from './pools.ts';
import { readTokens } from './read-tokens.ts';
import { cancelled, runTokenCommand } from './run-command.ts';
import { createTokenCommands } from './token-commands.ts';

/** Facts about a launch that a token command gets as environment variables. */
export interface CommandContext {
  readonly environmentName: string;
  readonly gameId: string;
  readonly playerId: string;
}

/** The session tokens of this session, and the commands of this machine that yield more. */
export type SessionTokens = ReturnType<typeof createSessionTokens>;

export interface SessionTokensDeps {
  /** File of the commands. */
  readonly path: string;
  readonly knows: (environmentId: string) => boolean;
  readonly nameOf: (environmentId: string) => string;
  /** Asks the user whether a program may run when games are launched; absent in a host that cannot ask. */
  readonly allowCommand: ((environmentName: string, command: string) => Promise<boolean>) | undefined;
  /** Returns environment variables for a program, without any that holds a private key. */
  readonly variables: () => Promise<NodeJS.ProcessEnv>;
  readonly onChange: (environmentId: string) => void;
  /** Milliseconds for a command, in place of the usual ones. */
  readonly limitMs?: number;
}

export function createSessionTokens(deps: SessionTokensDeps) {
  const { nameOf, variables, onChange, limitMs } = deps;
  const commands = createTokenCommands(deps.path, deps.knows);
  const pools = createTokenPools(onChange);
  const underWay = new Map<string, AbortController>();
  let turn: Promise<unknown> = Promise.resolve();
  let closed = false;

  function commandOf(environmentId: string): readonly string[] {
    const words = commands.get(environmentId);
    if (words !== null) return words;
    throw new AppError(
      'refused',
      `${nameOf(environmentId)} has no token command on this machine. Set one in the environment, or type a token.`,
      { field: 'externalToken' },
    );
  }

  /** Waits for earlier commands. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  }

  async function run(environmentId: string, context: CommandContext, signal: AbortSignal): Promise<string> {
    // Read when its turn comes: the user may have changed it meanwhile.
    const words = commandOf(environmentId);
    const env = { ...(await variables()), ...contextVariables(context) };
    if (signal.aborted) throw cancelled();
    return runTokenCommand(words, env, signal, limitMs);
  }

  return {
    pools,
    /** Reads a text and adds its tokens; `file` is empty if it was pasted. Fails with `invalid_input` and `refused`. */
    async add(environmentId: string, text: string, file: string): Promise<{ added: number; left: string[] }> {
      const read = await readTokens(text);
      const { added, left } = pools.add(environmentId, read, { kind: file === '' ? 'pasted' : 'file', file });
      return { added, left: [...read.notes, ...left] };
    },
    /** Returns the command that yields tokens as text; empty if none is set. */
    command: (environmentId: string): string => commandText(commands.get(environmentId) ?? []),
    /** Empty removes it. Returns whether it was set: the user may decline. Fails with `invalid_input` and, in a host that cannot ask, `refused`. */
    async setCommand(environmentId: string, text: string): Promise<boolean> {
      const words = text.trim() === '' ? null : commandWords(text);
      if (words !== null) {
        if (deps.allowCommand === undefined) {
          throw new AppError(
            'refused',
            'A page in a browser can\'t choose a program on this machine. Set it in a terminal: croupier env set NAME --token-command "PROGRAM ARGUMENTS".',
            { field: 'command' },
          );
        }
        if (!(await deps.allowCommand(nameOf(environmentId), commandText(words)))) return false;
      }
      await commands.set(environmentId, words);
      onChange(environmentId);
      return true;
    },
    /**
     * Runs the command, one at a time, and adds its tokens to the pool; returns them in the order printed. Fails with `refused` and
     * `cancelled`.
     */
    async fetch(environmentId: string, context: CommandContext, ticket: string): Promise<readonly string[]> {
      if (closed) throw cancelled();
      const control = new AbortController();
      underWay.set(ticket, control);
      try {
        const stopped = new Promise<never>((_, reject) => {
          control.signal.addEventListener('abort', () => reject(cancelled()), { once: true });
        });
        // One that waits for another is cancelled at once.
        const output = await Promise.race([inTurn(() => run(environmentId, context, control.signal)), stopped]);
        const read = await readTokens(output);
        const { left } = pools.add(environmentId, read, { kind: 'command', file: '' });
        if (read.tokens.length === 0) throw noToken(left);
        return read.tokens.map(({ token }) => token);
      } catch (error) {
        throw error instanceof AppError && error.code === 'invalid_input' ? unreadable(error.message) : error;
      } finally {
        underWay.delete(ticket);
      }
    },
    /** Stops the command that runs or waits under a ticket; returns whether there was one. */
    cancel(ticket: string): boolean {
      const control = underWay.get(ticket);
      control?.abort();
      return control !== undefined;
    },
    /** Stops every command, also those that come later. */
    close(): void {
      closed = true;
      for (const control of underWay.values()) control.abort();
    },
  };
}

function contextVariables({ environmentName, gameId, playerId }: CommandContext): Record<string, string> {
  const variables = { CROUPIER_ENVIRONMENT: environmentName, CROUPIER_GAME_ID: gameId, CROUPIER_PLAYER_ID: playerId };
  // A variable cannot hold U+0000.
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, value.replaceAll('\0', '')]));
}

function noToken(left: readonly string[]): AppError {
  const why = left.length === 0 ? '' : ` ${left.join(' ')}`;
  return new AppError(
    'refused',
    `The token command exited with status 0 but printed no token.${why} Make it print one token per line, or JSON with token and playerId.`,
    { field: 'externalToken' },
  );
}

function unreadable(message: string): AppError {
  return new AppError('refused', `Croupier cannot read what the token command printed. ${message}`, { field: 'externalToken' });
}
