// Runs test files of a copy of the tree as often as it is asked, in one Vitest, which keeps its results for files that did not
// change. A child process: its parent ends it if a test never comes back.
import path from 'node:path';
import { createVitest } from 'vitest/node';

const [root, testTimeout] = process.argv.slice(2);
process.chdir(root);
process.env.CI = 'true';
process.env.CROUPIER_TESTS_FROM_SOURCE = '1';

const vitest = await createVitest({
  root,
  watch: false,
  bail: 1,
  isolate: true,
  maxWorkers: 1,
  testTimeout: Number(testTimeout),
  hookTimeout: Number(testTimeout),
  reporters: [{}],
});
const all = await vitest.globTestSpecifications();
const specsOf = new Map(all.map((spec) => [path.relative(root, spec.moduleId).replaceAll('\\', '/'), spec]));

/** Returns the first failure of one file, in words. Vitest also still knows those of earlier runs. */
function failureOf({ testModules, unhandledErrors }, { moduleId }) {
  for (const module of testModules) {
    if (module.moduleId !== moduleId) continue;
    for (const test of module.children.allTests('failed')) return `${test.fullName}: ${test.result().errors[0]?.message}`;
    if (!module.ok()) return `${module.relativeModuleId}: ${module.errors()[0]?.message ?? 'it failed'}`;
  }
  return unhandledErrors.length > 0 ? String(unhandledErrors[0]?.message ?? unhandledErrors[0]) : null;
}

async function run({ changed, test }) {
  for (const file of changed) vitest.invalidateFile(path.join(root, file));
  const start = performance.now();
  let failure = null;
  try {
    const spec = specsOf.get(test);
    if (test !== null && !spec) throw new Error(`${test} is in no project of vitest.config.ts.`);
    if (spec) failure = failureOf(await vitest.runTestSpecifications([spec], false), spec);
  } catch (error) {
    failure = String(error);
  }
  process.send({ failure, ms: performance.now() - start });
}

process.on('message', (message) => void run(message));
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.send({ ready: true });
