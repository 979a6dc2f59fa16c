import { choiceNames, choiceSettings, type Appearance, type ChoiceName } from '#shared/choices.ts';
import { objectIn } from './remembered.ts';

/** Reads the remembered choices; the first value in place of what is missing or invalid. */
export function readAppearance(text: string | undefined): Appearance {
  const given = objectIn(text) as Readonly<Record<string, unknown>>;
  return chosen((name) => {
    const values = Object.keys(choiceSettings[name].options);
    return values.find((value) => value === given[name]) ?? values[0];
  });
}

/** Writes the choices as they are remembered. */
export function writeAppearance(appearance: Appearance): string {
  return JSON.stringify(chosen((name) => appearance[name]));
}

function chosen(valueOf: (name: ChoiceName) => unknown): Appearance {
  return Object.fromEntries(choiceNames.map((name) => [name, valueOf(name)])) as unknown as Appearance;
}

/** Returns whether editors write their text for a screen reader. `heard` is what the host says of one; null if it cannot know. */
export function writesForScreenReader(choice: Appearance['screenReader'], heard: boolean | null): boolean {
  return choice === 'system' ? heard === true : choice === 'on';
}
