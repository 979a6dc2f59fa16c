import type { LaunchOptions } from '@playwright/test';

/**
 * Which Chromium a test starts. `shell`: the headless shell where CHROMIUM_SHELL_PATH names one, which is the same engine without
 * a browser's own windows and pages and starts with less work. `whole`: what the shell lacks decides in this test (zoom, error
 * pages, speculation rules, permissions).
 */
export type ChromiumKind = 'shell' | 'whole';

/** The path of that Chromium; undefined: Playwright's own. */
export function chromiumPath(kind: ChromiumKind): string | undefined {
  return (kind === 'shell' ? process.env['CHROMIUM_SHELL_PATH'] : undefined) ?? process.env['CHROMIUM_PATH'];
}

/** How an end-to-end test starts Chromium. */
export function launchOptions(kind: ChromiumKind = 'whole'): LaunchOptions {
  const executablePath = chromiumPath(kind);
  return {
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      // It asks nobody for anything: no updates, no field trials, no pings.
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
