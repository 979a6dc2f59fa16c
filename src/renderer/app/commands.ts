import { commandTable, type CommandEntry, type CommandGroup, type CommandId } from '#shared/commands.ts';
import { matchesChord, parseChord, writesCharacter, type KeyPress } from '#shared/chords.ts';
import { keysOf, type Shortcuts } from '#shared/shortcuts.ts';

/** Something that the user can do from the palette, by its keys, from the desktop's menu, or by the control that shows them. */
export interface Command extends CommandEntry {
  readonly id: CommandId;
  /** Absent means always. */
  readonly when?: Condition;
  readonly run: () => void;
}

/** Condition under which a command can run. `needs` completes the sentence "Needs …" of a command that cannot. */
export interface Condition {
  readonly needs: string;
  readonly holds: () => boolean;
}

/** Creates a condition. */
export const needs = (what: string, holds: () => boolean): Condition => ({ needs: what, holds });

/** Behaviour of each command. Leaving one out does not compile. */
export type Behaviours = Readonly<Record<CommandId, Pick<Command, 'when' | 'run'>>>;

/**
 * Creates every command of the shared list with its behaviour. The palette, the keyboard and the list of keys are derived from these
 * alone.
 */
export function createCommands(behaviours: Behaviours): readonly Command[] {
  return commandTable.map((entry) => ({ ...entry, ...behaviours[entry.id] }));
}

/** Returns the commands with the keys that the user gave them. */
export function withShortcuts(commands: readonly Command[], shortcuts: Shortcuts): readonly Command[] {
  return commands.map((command) => ({ ...command, keys: keysOf(command.id, shortcuts) }));
}

/** Runs a command by its ID, as the desktop's menu asks; ignores one that cannot run now. */
export function runCommand(commands: readonly Command[], id: string, state: { dialogOpen: boolean }): void {
  const command = commands.find((known) => known.id === id);
  if (command === undefined || (state.dialogOpen && command.inDialogs !== true)) return;
  if (command.when?.holds() ?? true) command.run();
}

/**
 * Returns the command that the pressed keys mean now; null for none. `inText`: they would write in a text field or an editor, which then
 * comes first.
 */
export function commandFor(
  commands: readonly Command[],
  press: KeyPress,
  state: { apple: boolean; dialogOpen: boolean; inText: boolean },
): Command | null {
  return meant(commands, press, state).find(({ when }) => when?.holds() ?? true) ?? null;
}

/** Returns the command that the pressed keys would mean if it could run; null for none. */
export function unmetFor(
  commands: readonly Command[],
  press: KeyPress,
  state: { apple: boolean; dialogOpen: boolean; inText: boolean },
): (Command & { readonly when: Condition }) | null {
  // Escape ends what goes on, if anything does.
  if (press.key === 'Escape') return null;
  const found = meant(commands, press, state).flatMap(({ when, ...command }) =>
    when === undefined || command.byKeysOnly === true ? [] : [{ ...command, when }],
  );
  return found.some(({ when }) => when.holds()) ? null : (found[0] ?? null);
}

function meant(
  commands: readonly Command[],
  press: KeyPress,
  { apple, dialogOpen, inText }: { apple: boolean; dialogOpen: boolean; inText: boolean },
): readonly Command[] {
  if (inText && writesCharacter(press, apple)) return [];
  return commands.filter(
    ({ inDialogs, keys, leavesTexts, pastes }) =>
      (!dialogOpen || inDialogs === true) &&
      (!inText || (pastes !== true && leavesTexts !== true)) &&
      keys.some((chord) => matchesChord(parseChord(chord), press, apple)),
  );
}

/** Returns the commands for the palette, each with what it needs; null if it can run now. `all`: those that cannot, too. */
export function paletteCommands(
  commands: readonly Command[],
  all: boolean,
): readonly { readonly command: Command; readonly needs: string | null }[] {
  return commands
    .filter(({ byKeysOnly }) => byKeysOnly !== true)
    .map((command) => ({ command, needs: command.when?.holds() === false ? command.when.needs : null }))
    .filter(({ needs }) => all || needs === null);
}

/** Returns the lines of the list of keys; the nine tabs share one. */
export function keyLines(
  commands: readonly Command[],
): readonly { group: CommandGroup; title: string; keys: readonly string[] }[] {
  return commands
    .filter((command) => command.keys.length > 0 && !/^tab[2-9]$/.test(command.id))
    .map(({ id, group, title, keys }) =>
      id === 'tab1' ? { group, title: 'Tab 1 to 9', keys: ['Mod+1…9'] } : { group, title, keys },
    );
}
