/** The app's additions to Chromium's command line, as Chromium takes them. */
export const appendedSwitches: string[] = [];

/** Adds one; after Chromium has started, it is too late, as it is with Electron. */
export function appendSwitch(name: string, value?: string): void {
  appendedSwitches.push(value === undefined || value === '' ? `--${name}` : `--${name}=${value}`);
}
