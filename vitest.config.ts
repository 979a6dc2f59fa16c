import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { compiledFolder } from './src/testing/compiled-folder.ts';

/** For the programs and threads that a test starts from source: most of what they cost is Node's reading of TypeScript, the same each time. */
const env = { NODE_COMPILE_CACHE: compiledFolder };

// That of scripts starts programs and serves a download, as core tests do.
export const coreFiles = [
  'src/main/**/*.test.ts',
  'src/shared/**/*.oracle.test.ts',
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

/**
 * Unit tests touch nothing outside the process; core tests use real files, SQLite, HTTPS, PHP and keychains;
 * built tests read what the build wrote.
 */
export default defineConfig({
  test: {
    // Tests wait for programs as often as for themselves: on two cores, two at once.
    maxWorkers: Math.max(2, availableParallelism() - 1),
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
