import { objectIn } from './remembered.ts';

const themes = ['system', 'light', 'dark'] as const;
/** The chosen theme. */
export type Theme = (typeof themes)[number];
const contrasts = ['system', 'normal', 'more'] as const;
/** The chosen contrast. */
export type Contrast = (typeof contrasts)[number];
const screenReaders = ['system', 'on', 'off'] as const;
/** The choice of editors that write their text for a screen reader. */
export type ScreenReader = (typeof screenReaders)[number];

/** Choices of how the page is drawn and read; all pages of a home share them. */
export interface Appearance {
  readonly theme: Theme;
  readonly contrast: Contrast;
  readonly screenReader: ScreenReader;
}

/** Reads the remembered choices; `system` in place of what is missing or invalid. */
export function readAppearance(text: string | undefined): Appearance {
  const { theme, contrast, screenReader } = objectIn(text) as Readonly<Record<keyof Appearance, unknown>>;
  return {
    theme: themes.find((one) => one === theme) ?? 'system',
    contrast: contrasts.find((one) => one === contrast) ?? 'system',
    screenReader: screenReaders.find((one) => one === screenReader) ?? 'system',
  };
}

/** Writes the choices as they are remembered. */
export function writeAppearance({ theme, contrast, screenReader }: Appearance): string {
  return JSON.stringify({ theme, contrast, screenReader } satisfies Appearance);
}

/** Returns whether editors write their text for a screen reader. `heard` is what the host says of one; null if it cannot know. */
export function writesForScreenReader(choice: ScreenReader, heard: boolean | null): boolean {
  return choice === 'system' ? heard === true : choice === 'on';
}
