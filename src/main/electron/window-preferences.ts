import type { App, CommandLine, WebPreferences } from 'electron';

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

/** Throws if a package runs without the sandbox of Chromium. The start of an AppImage switches it off where the system denies it. */
export function refuseWithoutSandbox({
  isPackaged,
  commandLine,
}: Pick<App, 'isPackaged'> & { readonly commandLine: Pick<CommandLine, 'hasSwitch'> }): void {
  if (!isPackaged || !commandLine.hasSwitch('no-sandbox')) return;
  throw new Error(
    "Chromium's sandbox is off: the system denies it to an AppImage, or --no-sandbox was given. Install the deb package, which allows it.",
  );
}
