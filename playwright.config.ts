import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { defineConfig } from '@playwright/test';
import { launchOptions } from './e2e/chromium.ts';
import type { HostOptions } from './e2e/fixtures.ts';
import { electronToTest } from './scripts/electron-binary.mjs';

/**
 * Specs that hold on every host, divided by their file's name: one file in three runs on the desktop, the others in the
 * browser host, which starts faster. A file keeps its host until it is renamed. `npm test -- --all-hosts` runs all on all.
 */
const neutral = readdirSync(path.join(import.meta.dirname, 'e2e')).filter(
  (file) => file.endsWith('.e2e.ts') && !/^(?:desktop|browser-host)/.test(file),
);
const onDesktop = neutral.filter((file) => Buffer.from(file).reduce((sum, byte) => sum + byte, 0) % 3 === 0);
const inBrowser = neutral.filter((file) => !onDesktop.includes(file));
const allHosts = process.env['CROUPIER_ALL_HOSTS'] === '1';
const elsewhere = (files: readonly string[]) => (allHosts ? [] : files.map((file) => `**/${file}`));

/** The built app from outside. Each test starts its own host on its own home; nothing is shared. */
export default defineConfig<HostOptions>({
  testDir: 'e2e',
  testMatch: '*.e2e.ts',
  outputDir: 'test-results/e2e',
  // The same file for every host and system.
  snapshotPathTemplate: '{testDir}/heard/{arg}{ext}',
  fullyParallel: true,
  // A workbench, its provider and a browser for each: more at once than this only wait for each other.
  workers: availableParallelism() >= 4 ? 3 : 2,
  // `npm test` names what needed the second try, and fails if it was more than a few specs (docs/decisions/0036).
  retries: process.env['CI'] === undefined ? 0 : 1,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  forbidOnly: process.env['CI'] !== undefined,
  // No traces: recording every page of every test takes most of the run's time on two cores.
  use: { trace: 'off', launchOptions: launchOptions('shell') },
  projects: [
    {
      name: 'browser host',
      testIgnore: ['**/desktop*.e2e.ts', '**/real-electron/**', ...elsewhere(onDesktop)],
      use: { hostName: 'browser' },
    },
    // Never named Electron: it is not. Where Electron itself can run, it is a project of its own.
    {
      name: 'desktop on the double',
      testIgnore: ['**/browser-host*.e2e.ts', '**/real-electron/**', ...elsewhere(inBrowser)],
      use: { hostName: 'double' },
    },
    ...(electronToTest(import.meta.dirname).reason === null
      ? [{ name: 'desktop on Electron', testIgnore: 'browser-host*.e2e.ts', use: { hostName: 'electron' as const } }]
      : []),
  ],
});
