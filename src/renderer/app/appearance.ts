import type { AppInfo } from '#shared/ipc/index.ts';
import { objectIn } from './remembered.ts';

/** A setting that is one of a few values. The first is that of a new home. */
export interface ChoiceSetting {
  readonly group: keyof typeof choiceGroups;
  readonly title: string;
  readonly detail?: (info: AppInfo | null) => string;
  /** Further words by which the search finds it. */
  readonly words: string;
  /** Values with their labels. */
  readonly options: Readonly<Record<string, string>>;
}

/** Groups of the settings, with their titles. */
export const choiceGroups = { appearance: 'Appearance', accessibility: 'Accessibility' } as const;

/** Choices of how the page is drawn and read. A row is all that the settings and the memory need of one; all pages of a home share them. */
export const choiceSettings = {
  theme: {
    group: 'appearance',
    title: 'Theme',
    words: 'light dark system colours',
    options: { system: 'System', light: 'Light', dark: 'Dark' },
  },
  screenReader: {
    group: 'accessibility',
    title: 'Screen reader',
    detail: (info: AppInfo | null) => `Editors give their text to a screen reader. ${heardText(info)}`,
    words: 'orca nvda jaws voiceover blind speech',
    options: { system: 'System', on: 'On', off: 'Off' },
  },
  contrast: {
    group: 'accessibility',
    title: 'Contrast',
    detail: () => 'More: text at least 7:1, every edge at least 4.5:1.',
    words: 'high more colours theme',
    options: { system: 'System', normal: 'Normal', more: 'More' },
  },
} as const satisfies Record<string, ChoiceSetting>;

export type ChoiceName = keyof typeof choiceSettings;
export const choiceNames = Object.keys(choiceSettings) as ChoiceName[];
/** The chosen values. */
export type Appearance = { readonly [K in ChoiceName]: keyof (typeof choiceSettings)[K]['options'] };

/** Returns what "System" knows of a screen reader here. */
function heardText(info: AppInfo | null): string {
  if (info === null) return '';
  if (info.screenReader !== null) return info.screenReader ? 'The system reports one.' : 'The system reports none.';
  return 'A browser does not tell, nor does Linux; choose On if you use a screen reader.';
}

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
