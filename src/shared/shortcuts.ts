import { isChord } from './chords.ts';
import { commandTable, type CommandId } from './commands.ts';

/** The chords that the user gave to commands; an empty list takes a command's keys away. Absent: its usual ones. */
export type Shortcuts = Readonly<Partial<Record<CommandId, readonly string[]>>>;

const usual: ReadonlyMap<string, readonly string[]> = new Map(commandTable.map(({ id, keys }) => [id, keys]));

/** Returns the chords of a command; the first is the one that is shown. */
export function keysOf(id: CommandId, shortcuts: Shortcuts): readonly string[] {
  return shortcuts[id] ?? usual.get(id) ?? [];
}

/** Reads the remembered chords; leaves out commands and chords that this version does not know. */
export function readShortcuts(text: string | undefined): Shortcuts {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(
      Object.entries(value).filter(
        (entry): entry is [CommandId, string[]] =>
          usual.has(entry[0]) &&
          Array.isArray(entry[1]) &&
          entry[1].every((chord) => typeof chord === 'string' && isChord(chord)),
      ),
    );
  } catch {
    return {};
  }
}

/** Returns the other commands that have a chord of the command, by chord: of two that can run, the first of the table does. */
export function sharedKeys(id: CommandId, shortcuts: Shortcuts): ReadonlyMap<string, readonly CommandId[]> {
  const found = new Map<string, readonly CommandId[]>();
  for (const chord of keysOf(id, shortcuts)) {
    const others = commandTable.filter((other) => other.id !== id && keysOf(other.id, shortcuts).includes(chord));
    if (others.length > 0)
      found.set(
        chord,
        others.map((other) => other.id),
      );
  }
  return found;
}
