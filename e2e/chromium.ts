import type { LaunchOptions } from '@playwright/test';

/**
 * Kind of Chromium that a test starts. `shell`: the headless shell that CHROMIUM_SHELL_PATH names, if any: the same engine without
 * a browser's own windows and pages, which starts with less work. `whole`: the test needs what the shell lacks (zoom, error pages,
 * speculation rules, permissions).
 */
export type ChromiumKind = 'shell' | 'whole';

/** Returns the path of that Chromium; undefined: Playwright's own. */
export function chromiumPath(kind: ChromiumKind): string | undefined {
  return (kind === 'shell' ? process.env['CHROMIUM_SHELL_PATH'] : undefined) ?? process.env['CHROMIUM_PATH'];
}

/** Returns the options with which an end-to-end test starts Chromium. */
export function launchOptions(kind: ChromiumKind = 'whole'): LaunchOptions {
  const executablePath = chromiumPath(kind);
  return {
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      // It makes no requests of its own: no updates, no field trials, no pings.
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-domain-reliability',
      '--disable-sync',
      '--no-pings',
      // There is no screen: drawing through an emulated graphics card only costs time.
      '--disable-gpu',
      // As root, which containers run as, it cannot have its own sandbox.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  };
}
