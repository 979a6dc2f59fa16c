import { globSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { playwright } from '@vitest/browser-playwright';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import type { BrowserCommand } from 'vitest/node';
import { launchOptions } from './e2e/chromium.ts';
import { manualPages } from './scripts/manual-pages.mjs';
import { compiledFolder } from './src/testing/compiled-folder.ts';

/** For the programs and threads that a test starts from source: most of what they cost is Node's reading of TypeScript, the same each time. */
const env = { NODE_COMPILE_CACHE: compiledFolder };

// That of scripts starts programs and serves a download, as core tests do.
export const coreFiles = [
  'src/main/**/*.test.ts',
  'src/shared/**/*.oracle.test.ts',
  'src/testing/**/*.test.ts',
  'scripts/{start-electron,closed-sets}.test.ts',
];
export const builtFiles = ['e2e/built/*.test.ts'];
/** Core tests that put another module in the place of one have a world each: the others would meet it, too. */
const replacing = globSync(coreFiles).filter((file) => readFileSync(file, 'utf8').includes('vi.mock('));
const core = {
  globalSetup: ['src/testing/build-first.ts'],
  setupFiles: ['src/testing/end-children.ts'],
  env,
  testTimeout: 60_000,
  hookTimeout: 60_000,
};

const standIns = Object.fromEntries(
  [
    ['@playwright/test', 'playwright'],
    ['#testing/https-server.ts', 'server'],
    ['node:fs/promises', 'files'],
    ['node:path', 'path'],
  ].map(([name, file]) => [name, path.resolve(`src/testing/page/${file}.ts`)]),
);

/** Does what a test in the page asks of this process. Loaded when asked for: other tests do not need it. */
const deedsFile = pathToFileURL(path.resolve('src/testing/page/from-outside.ts')).href;
interface Outside {
  readonly deeds: Readonly<Record<string, BrowserCommand<unknown[]>>>;
  readonly giveFrame: (request: IncomingMessage, response: ServerResponse) => void;
}
const outside: BrowserCommand<[string, ...unknown[]]> = async (context, name, ...args) => {
  const { deeds } = (await import(deedsFile)) as Outside;
  return deeds[name]?.(context, ...args);
};
/** Serves the pages that frame games, as the browser host does. */
const gameFrames: Plugin = {
  name: 'game-frames',
  configureServer({ middlewares }) {
    middlewares.use('/frame/', (request, response) => {
      void import(deedsFile).then(({ giveFrame }: Outside) => giveFrame(request, response));
    });
  },
};

/** Halves of the page's tests run side by side, each with modules that it made itself. */
const half = process.argv.find((word) => word.startsWith('--shard='))?.at(-3) ?? '';

/**
 * Unit tests touch nothing outside the process; core tests use real files, SQLite, HTTPS, PHP and keychains;
 * built tests read what the build wrote; page tests draw the page in a Chromium, over the application.
 */
export default defineConfig({
  test: {
    // Tests wait for programs as often as for themselves: on two cores, three at once.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/shared/**/*.test.ts', 'src/renderer/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: ['**/*.oracle.test.ts', 'scripts/{start-electron,closed-sets}.test.ts'],
          // They are of pure code and of stores that each test makes: one world for all files spares two thirds of the work, the reading of modules.
          isolate: false,
          // No test measures time: a machine that is busy must not fail one.
          testTimeout: 60_000,
        },
      },
      // Reading the modules again for each file took a third of the suite's time.
      { test: { ...core, name: 'core', include: coreFiles, exclude: replacing, isolate: false } },
      { test: { ...core, name: 'core apart', include: replacing } },
      {
        // Screens are found as in end-to-end specs; servers and files are those of the process of the tests.
        resolve: { alias: standIns },
        cacheDir: `node_modules/.vite${half}`,
        // As in electron.vite.config.ts, and React as it ships, which does half the work.
        plugins: [manualPages(import.meta.dirname), gameFrames],
        oxc: { jsx: { runtime: 'automatic', importSource: '#renderer/jsx', development: false } },
        define: {
          'process.env.NODE_ENV': '"production"',
          'process.env.CROUPIER_AUDIT': JSON.stringify(process.env['CROUPIER_AUDIT'] ?? ''),
        },
        // Found in the middle of a run, they would have the page loaded anew.
        optimizeDeps: { include: ['react/jsx-runtime', 'axe-core'] },
        test: {
          name: 'page',
          include: ['src/renderer/**/*.test.tsx'],
          isolate: false,
          fileParallelism: false,
          // Without it no run can hold these beside other tests.
          sequence: { groupOrder: 1 },
          // No test measures time: a machine that is busy must not fail one.
          testTimeout: 240_000,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            viewport: { width: 1440, height: 900 },
            locators: { exact: false },
            provider: playwright({
              launchOptions: launchOptions('shell'),
              contextOptions: { reducedMotion: 'reduce', permissions: ['clipboard-read', 'clipboard-write'] },
            }),
            instances: [{ browser: 'chromium' }],
            commands: { outside },
          },
        },
      },
      {
        test: {
          name: 'built',
          include: builtFiles,
          setupFiles: ['src/testing/end-children.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
