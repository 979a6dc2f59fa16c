import type { Appearance } from '#shared/choices.ts';

/** The name of a theme in `styles/tokens.css`. */
type DrawnTheme = 'light' | 'dark' | 'light-contrast' | 'dark-contrast';

/** The two choices that decide how the page is drawn. */
type Choice = Pick<Appearance, 'theme' | 'contrast'>;

/** Wishes of the system. */
interface System {
  readonly dark: boolean;
  readonly moreContrast: boolean;
  /** The system replaces the page's colours with its own: then only those decide what is dark. */
  readonly forcedColors: boolean;
}

/** Returns the theme that is drawn: the chosen one, or the system's. */
export function drawnTheme({ theme, contrast }: Choice, system: System): DrawnTheme {
  if (system.forcedColors) return system.dark ? 'dark-contrast' : 'light-contrast';
  const more = contrast === 'system' ? system.moreContrast : contrast === 'more';
  const kind = theme === 'system' ? (system.dark ? 'dark' : 'light') : theme;
  return more ? `${kind}-contrast` : kind;
}

/** Keeps `data-theme` on the document in step with the choices and the system; returns the function that stops. */
export function followTheme(
  page: Window,
  choice: { get: () => Choice; watch: (listener: () => void) => () => void },
): () => void {
  const dark = page.matchMedia('(prefers-color-scheme: dark)');
  const moreContrast = page.matchMedia('(prefers-contrast: more)');
  const forcedColors = page.matchMedia('(forced-colors: active)');
  const asked = [dark, moreContrast, forcedColors];
  const apply = () => {
    const system = { dark: dark.matches, moreContrast: moreContrast.matches, forcedColors: forcedColors.matches };
    page.document.documentElement.dataset['theme'] = drawnTheme(choice.get(), system);
  };
  apply();
  for (const one of asked) one.addEventListener('change', apply);
  const stop = choice.watch(apply);
  return () => {
    for (const one of asked) one.removeEventListener('change', apply);
    stop();
  };
}
