import { createHmac, randomBytes } from 'node:crypto';
import { z } from '#shared/ipc/contract.ts';
import type { SecretChoices } from '#shared/ipc/imports.ts';
import type { Settings } from './settings.ts';

type Choice = SecretChoices[string];

/** What a person said of values that look like secrets: by name, then by a mark of the value. Plain data, as a thread may look things up in it. */
const Remembered = z.strictObject({
  salt: z.string(),
  choices: z.record(z.string(), z.record(z.string(), z.enum(['keep', 'out']))),
});
export type RememberedChoices = z.infer<typeof Remembered>;

/** One choice, to be remembered. */
export interface Chosen {
  readonly name: string;
  readonly mark: string;
  readonly choice: Choice;
}

/**
 * Four hexadecimal digits by which a value is known again under its name. Another value has the same ones once in 65,536 times, and stays unasked
 * then; more digits would tell whoever reads the settings and tries likely values which of them it was.
 */
export function markOf({ salt }: RememberedChoices, name: string, value: string): string {
  return createHmac('sha256', salt)
    .update(JSON.stringify([name, value]))
    .digest('hex')
    .slice(0, 4);
}

/** What was said of that value under that name; undefined where nobody was asked. */
export function choiceOf(remembered: RememberedChoices, name: string, value: string): Choice | undefined {
  if (!Object.hasOwn(remembered.choices, name)) return undefined;
  return remembered.choices[name]?.[markOf(remembered, name, value)];
}

/** Remembers choices; the values are remembered nowhere. */
export interface SecretChoiceStore {
  read(): RememberedChoices;
  add(more: readonly Chosen[]): Promise<void>;
}

const setting = 'secretChoices';

export function createSecretChoices(settings: Pick<Settings, 'read' | 'write'>): SecretChoiceStore {
  const empty: RememberedChoices = { salt: randomBytes(16).toString('hex'), choices: {} };

  function read(): RememberedChoices {
    try {
      return Remembered.safeParse(JSON.parse(settings.read()[setting] ?? '{}')).data ?? empty;
    } catch {
      // Settings that cannot be read remember nothing: then all of it is asked again.
      return empty;
    }
  }
  return {
    read,
    async add(more) {
      if (more.length === 0) return;
      const { salt, choices } = read();
      const all = new Map(Object.entries(choices));
      for (const { name, mark, choice } of more) all.set(name, { ...all.get(name), [mark]: choice });
      await settings.write(setting, JSON.stringify({ salt, choices: Object.fromEntries(all) }));
    },
  };
}
