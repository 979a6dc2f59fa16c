/** A host's knowledge of a screen reader; null if it cannot know. */
interface HostReader {
  readonly screenReader: boolean | null;
}

/** A setting that is one of a few values. The first is that of a new home. */
export interface ChoiceSetting {
  readonly group: keyof typeof choiceGroups;
  readonly title: string;
  readonly detail?: (info: HostReader | null) => string;
  /** Further words by which the search finds it. */
  readonly words: string;
  /** Values with their labels. */
  readonly options: Readonly<Record<string, string>>;
}

/** Groups of the settings, with their titles. */
export const choiceGroups = { appearance: 'Appearance', accessibility: 'Accessibility' } as const;

/**
 * Choices of how the page is drawn and read; all pages of a home share them. A row is all that the settings, the memory, the commands and
 * the menu need of one.
 */
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
    detail: (info: HostReader | null) => `Lets it read the editors. ${heardText(info)}`,
    words: 'orca nvda jaws voiceover blind speech',
    options: { system: 'System', on: 'On', off: 'Off' },
  },
  contrast: {
    group: 'accessibility',
    title: 'Contrast',
    detail: () => 'More: at least 7:1 for text, 4.5:1 for edges.',
    words: 'high more colours theme',
    options: { system: 'System', normal: 'Normal', more: 'More' },
  },
  rowKeys: {
    group: 'accessibility',
    title: 'Single-key shortcuts',
    detail: () => 'P, C, Delete and other keys that act on a row.',
    words: 'letters row pin compare delete speech input',
    options: { on: 'On', off: 'Off' },
  },
} as const satisfies Record<string, ChoiceSetting>;

export type ChoiceName = keyof typeof choiceSettings;
export const choiceNames = Object.keys(choiceSettings) as ChoiceName[];
/** The chosen values. */
export type Appearance = { readonly [K in ChoiceName]: keyof (typeof choiceSettings)[K]['options'] };

/** Commands that choose a value: `themeDark`. */
export type ChoiceCommandId = {
  [K in ChoiceName]: `${K}${Capitalize<keyof (typeof choiceSettings)[K]['options'] & string>}`;
}[ChoiceName];

/** Each value with its command, in the order of the settings. */
export const choiceCommands = choiceNames.flatMap((setting) => {
  const { title, options }: ChoiceSetting = choiceSettings[setting];
  return Object.entries(options).map(([value, label]) => ({
    setting,
    value,
    id: `${setting}${value.charAt(0).toUpperCase()}${value.slice(1)}` as ChoiceCommandId,
    title: `${title}: ${label.toLowerCase()}`,
  }));
});

/** Returns what "System" knows of a screen reader here. */
function heardText(info: HostReader | null): string {
  if (info === null) return '';
  if (info.screenReader !== null) return info.screenReader ? 'The system reports one.' : 'The system reports none.';
  return "Browsers and Linux can't detect one: choose On.";
}
