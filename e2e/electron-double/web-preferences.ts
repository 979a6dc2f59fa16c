import { onlyDoubled } from './strict.ts';

/** Preferences that the double insists on, whatever those of a page are: nobody may start one with less. */
const wanted = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  plugins: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  spellcheck: false,
} as const;
/** The other preferences that a page may have. */
const doubled = [
  'autoplayPolicy',
  'devTools',
  'disableDialogs',
  'disableHtmlFullscreenWindowResize',
  'focusOnNavigation',
  'partition',
  'preload',
  'zoomMode',
] as const;

/** Throws at a preference that Electron does not document, one that is not doubled, and one that removes a guard. */
export function checkPreferences(preferences: Electron.WebPreferences): void {
  onlyDoubled('WebPreferences', preferences, [...Object.keys(wanted), ...doubled]);
  for (const [name, value] of Object.entries(wanted)) {
    if ((preferences[name as keyof typeof wanted] ?? value) !== value)
      throw new Error(`The electron double refuses webPreferences.${name} other than ${String(value)}.`);
  }
}
