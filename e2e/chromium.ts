import type { LaunchOptions } from '@playwright/test';

/** How every end-to-end test starts Chromium: the one that CHROMIUM_PATH names, else Playwright's own. */
export function launchOptions(): LaunchOptions {
  const executablePath = process.env['CHROMIUM_PATH'];
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
