import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { launchOptions } from './e2e/chromium.ts';
import type { HostOptions } from './e2e/fixtures.ts';
import { electronToTest } from './scripts/electron-binary.mjs';

/** The built app from outside. Each test starts its own host on its own home; nothing is shared, nothing is retried. */
export default defineConfig<HostOptions>({
  testDir: 'e2e',
  testMatch: '*.e2e.ts',
  outputDir: 'test-results/e2e',
  fullyParallel: true,
  // A workbench, its provider and a browser for each: more at once than this only wait for each other.
  workers: availableParallelism() >= 4 ? 3 : 2,
  retries: 0,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  forbidOnly: process.env['CI'] !== undefined,
  // No traces: recording every page of every test takes most of the run's time on two cores.
  use: { trace: 'off', launchOptions: launchOptions() },
  projects: [
    { name: 'browser host', testIgnore: 'desktop*.e2e.ts', use: { hostName: 'browser' } },
    // Never named Electron: it is not. Where Electron itself can run, it is a project of its own.
    { name: 'desktop on the double', testIgnore: 'browser-host*.e2e.ts', use: { hostName: 'double' } },
    ...(electronToTest(import.meta.dirname).reason === null
      ? [{ name: 'desktop on Electron', testIgnore: 'browser-host*.e2e.ts', use: { hostName: 'electron' as const } }]
      : []),
  ],
});
