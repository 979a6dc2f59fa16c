import type { Theme } from './remembered.ts';

/** Returns the theme that is drawn: the chosen one, or the system's. */
export function drawnTheme(theme: Theme, systemDark: boolean): 'light' | 'dark' {
  if (theme === 'system') return systemDark ? 'dark' : 'light';
  return theme;
}

/** Keeps `data-theme` on the document in step with the choice and the system; returns the function that stops. */
export function followTheme(page: Window, choice: { get: () => Theme; watch: (listener: () => void) => () => void }): () => void {
  const system = page.matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    page.document.documentElement.dataset['theme'] = drawnTheme(choice.get(), system.matches);
  };
  apply();
  system.addEventListener('change', apply);
  const stop = choice.watch(apply);
  return () => {
    system.removeEventListener('change', apply);
    stop();
  };
}
