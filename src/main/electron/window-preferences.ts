import type { WebPreferences } from 'electron';

/** Preferences of every page, including games; all are explicit, none is left to a default. */
export const windowPreferences: Readonly<WebPreferences> = Object.freeze({
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
} satisfies WebPreferences);
