import { createContext, use } from 'react';
import type { CommandId } from '#shared/commands.ts';
import { keysOf } from '#shared/shortcuts.ts';
import { ariaKeys, isApplePlatform } from './key-label.ts';

/** Returns the chord that is shown for a command, as the user chose it; undefined for none. */
export type CommandKeys = (id: CommandId) => string | undefined;

/** The keys of commands; the usual ones unless the shell gives others. */
export const CommandKeysContext = createContext<CommandKeys>((id) => keysOf(id, {})[0]);

/** A chord of the control alone, or a command whose keys the user may have changed. */
export interface Keys {
  readonly keys?: string | undefined;
  readonly command?: CommandId | undefined;
}

/** Returns the chord to show; undefined for none. */
export function useKeys({ keys, command }: Keys): string | undefined {
  const keysFor = use(CommandKeysContext);
  return command === undefined ? keys : keysFor(command);
}

/** Returns the chord for `aria-keyshortcuts`, where the drawn one is hidden; undefined for none. */
export function useAriaKeys(given: Keys): string | undefined {
  const keys = useKeys(given);
  return keys === undefined ? undefined : ariaKeys(keys, isApplePlatform(navigator.platform));
}
