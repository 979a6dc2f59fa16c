import { createContext, use } from 'react';
import type { CommandId } from '#shared/commands.ts';
import { isSingleKey } from '#shared/chords.ts';
import { keysOf, type Shortcuts } from '#shared/shortcuts.ts';
import { ariaKeys, isApplePlatform } from './key-label.ts';

/** Returns the chord that is shown, as the user chose it; undefined for none. */
type ShownKeys = (given: Keys) => string | undefined;

/** The keys of commands; the usual ones unless the shell gives others. */
export const CommandKeysContext = createContext<ShownKeys>((given) => shownKeys(given, {}, true));

/** A chord of the control alone, or a command whose keys the user may have changed. */
export interface Keys {
  readonly keys?: string | undefined;
  readonly command?: CommandId | undefined;
}

/** Returns the chord to show; undefined for none. `rowKeys`: keys alone act on a row. */
export function shownKeys({ keys, command }: Keys, changed: Shortcuts, rowKeys: boolean): string | undefined {
  if (command !== undefined) return keysOf(command, changed)[0];
  return keys !== undefined && !rowKeys && isSingleKey(keys) ? undefined : keys;
}

/** Returns the chord to show; undefined for none. */
export function useKeys(given: Keys): string | undefined {
  return use(CommandKeysContext)(given);
}

/** Returns the chord for `aria-keyshortcuts`, where the drawn one is hidden; undefined for none. */
export function useAriaKeys(given: Keys): string | undefined {
  const keys = useKeys(given);
  return keys === undefined ? undefined : ariaKeys(keys, isApplePlatform(navigator.platform));
}
