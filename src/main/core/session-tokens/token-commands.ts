import { keepUnknown } from '#shared/json/keep-unknown.ts';
import { z } from '#shared/model/schema.ts';
import { writeFileDurably } from '../files/files.ts';
import { vouched } from '../files/passed.ts';
import { readHomeFile } from '../files/home-file.ts';
import { withLock } from '../files/locks.ts';

const Stored = z.object({ commands: z._default(z.record(z.string(), z.array(z.string()).check(z.minLength(1))), {}) });
/** The fields of the file. */
export const tokenCommandFields = Object.keys(Stored.shape);
type Commands = Readonly<Record<string, readonly string[]>>;

/**
 * The programs that yield session tokens, by environment. They are in a file of this home of their own, never in that of an environment
 * or a collection: those are passed on and come from git, and nothing from there may run a program. `knows`: returns whether there is
 * such an environment; commands of those that are gone go with the next change.
 */
export function createTokenCommands(path: string, knows: (environmentId: string) => boolean) {
  function read(): { raw: unknown; commands: Commands } {
    const found = readHomeFile({ kind: 'home.tokenCommands', path, schema: Stored, holds: 'lists the token commands' });
    return { raw: found?.raw ?? {}, commands: found?.value.commands ?? {} };
  }

  return {
    /** Returns the program and its arguments; null if there is none. Fails as `readHomeFile` does. */
    get(environmentId: string): readonly string[] | null {
      const { commands } = read();
      return Object.hasOwn(commands, environmentId) ? (commands[environmentId] ?? null) : null;
    },
    /** Null removes it. Fails as `get` does. */
    set: (environmentId: string, words: readonly string[] | null): Promise<void> =>
      withLock(path, async () => {
        const { raw, commands } = read();
        const others = Object.entries(commands).filter(([id]) => id !== environmentId && knows(id));
        const now = Object.fromEntries(words === null ? others : [...others, [environmentId, words] as const]);
        await writeFileDurably(
          path,
          vouched('home', 'gate', `${JSON.stringify(keepUnknown(raw, { commands }, { commands: now }), null, 2)}\n`),
        );
      }),
  };
}
