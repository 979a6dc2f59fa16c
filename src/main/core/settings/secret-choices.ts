import { createHmac, randomBytes } from 'node:crypto';
import { z } from '#shared/model/schema.ts';
import { keepUnknown } from '#shared/json/keep-unknown.ts';
import type { SecretChoices } from '#shared/ipc/imports.ts';
import type { SettingName } from '#shared/ipc/settings.ts';
import type { Settings } from './settings.ts';

type Choice = SecretChoices[string];

/** The user's choices for values that look like secrets: by name, then by a mark of the value. Plain data, so that threads can use it. */
export interface RememberedChoices {
  readonly salt: string;
  readonly choices: Readonly<Record<string, Readonly<Record<string, Choice>>>>;
}

/** A newer version may know more choices. */
const Stored = z.object({ salt: z.string(), choices: z.record(z.string(), z.record(z.string(), z.string())) });

/** One choice, to be remembered. */
export interface Chosen {
  readonly name: string;
  readonly mark: string;
  readonly choice: Choice;
}

/**
 * Returns four hexadecimal digits by which a value is recognised under its name. Another value has the same ones once in 65,536
 * times, and then causes no question; more digits would show a reader of the settings who tries likely values which of them it was.
 */
export function markOf({ salt }: RememberedChoices, name: string, value: string): string {
  return createHmac('sha256', salt)
    .update(JSON.stringify([name, value]))
    .digest('hex')
    .slice(0, 4);
}

/** Returns the choice for a value of that name; undefined if the user has not chosen. */
export function choiceOf(remembered: RememberedChoices, name: string, value: string): Choice | undefined {
  if (!Object.hasOwn(remembered.choices, name)) return undefined;
  return remembered.choices[name]?.[markOf(remembered, name, value)];
}

/** Remembers choices; the values are remembered nowhere. */
export type SecretChoiceStore = ReturnType<typeof createSecretChoices>;

const setting = 'secretChoices' satisfies SettingName;

/** All that this version writes there. */
export const Choices = z.strictObject({
  salt: z.string(),
  choices: z.record(z.string(), z.record(z.string(), z.enum(['keep', 'out']))),
});

export function createSecretChoices(settings: Pick<Settings, 'read' | 'write'>) {
  const empty: RememberedChoices = { salt: randomBytes(16).toString('hex'), choices: {} };

  /** Reads the choices; null if they cannot be read. `raw`: the stored content, of which a newer version may understand more. */
  function all(): { raw: unknown; remembered: RememberedChoices } | null {
    try {
      const text = settings.read()[setting];
      if (text === undefined) return { raw: {}, remembered: empty };
      const raw: unknown = JSON.parse(text);
      const { salt, choices } = Stored.parse(raw);
      const known = Object.entries(choices).map(([name, marks]) => {
        const own = Object.entries(marks).filter((one): one is [string, Choice] => one[1] === 'keep' || one[1] === 'out');
        return [name, Object.fromEntries(own)] as const;
      });
      return { raw, remembered: { salt, choices: Object.fromEntries(known) } };
    } catch {
      return null;
    }
  }

  return {
    // What cannot be read remembers nothing: then all of it is asked again.
    read: (): RememberedChoices => all()?.remembered ?? empty,
    async add(more: readonly Chosen[]): Promise<void> {
      const before = all();
      if (more.length === 0 || before === null) return;
      const { raw, remembered } = before;
      const choices = new Map(Object.entries(remembered.choices));
      for (const { name, mark, choice } of more) choices.set(name, { ...choices.get(name), [mark]: choice });
      const now = { ...remembered, choices: Object.fromEntries(choices) };
      await settings.write(setting, JSON.stringify(keepUnknown(raw, remembered, now)));
    },
  };
}
