import { asAppError, orNull } from '#renderer/faults/faults.ts';
import type { StorePart } from '#renderer/ui/store-part.ts';
import type { Client } from '#shared/ipc/index.ts';

/** The program of this machine that yields session tokens, and whether this host can set it. */
interface TokenCommand {
  /** Empty for none. */
  readonly command: string;
  readonly settable: boolean;
}

/** The token commands that were looked at. They are kept apart from the environments, whose files may be passed on. */
export interface TokenCommandsState {
  /** By the ID of the environment. */
  readonly tokenCommands: Readonly<Record<string, TokenCommand>>;
  readonly loadTokenCommand: (id: string) => Promise<void>;
  /** Empty removes it. Resolves to null, or to the reason why it was not set. */
  readonly setTokenCommand: (id: string, command: string) => Promise<string | null>;
}

/** Creates the part of the store that shows and sets token commands. */
export function createTokenCommands(client: Client, { setState }: StorePart<TokenCommandsState>): TokenCommandsState {
  async function loadTokenCommand(id: string): Promise<void> {
    const got = await orNull(client.call('tokens.list', { environmentId: id }));
    if (got === null) return;
    const { command, settable } = got;
    setState(({ tokenCommands }) => ({ tokenCommands: { ...tokenCommands, [id]: { command, settable } } }));
  }

  return {
    tokenCommands: {},
    loadTokenCommand,
    async setTokenCommand(id, command) {
      try {
        const { set } = await client.call('tokens.setCommand', { environmentId: id, command });
        await loadTokenCommand(id);
        return set ? null : 'The command was not set. Choose Allow in the question to set it.';
      } catch (error) {
        return asAppError(error).message;
      }
    },
  };
}
