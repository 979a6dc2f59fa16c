// Runs test files in a copy of the tree, in a process that is killed, and started again, if a test never ends.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const host = fileURLToPath(new URL('test-host.mjs', import.meta.url));
/** Milliseconds after which one test fails. */
const testTimeout = 20_000;
/** Milliseconds, beside four times its usual duration, after which a test file is given up. */
const patience = 10_000;

/**
 * Creates `run`, which resolves to `{ failure, by, times }`: the reason why a test failed or null, its file, and the milliseconds
 * of each file; and `end`.
 */
export function createTestRuns({ tree, temporary }) {
  let child = null;

  function end() {
    if (child === null) return;
    // The programs that its tests left belong to its group.
    try {
      process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
    child = null;
  }

  /** Resolves to the next message of the host. Rejects if it exits, or after `milliseconds`. */
  function answer(milliseconds) {
    const asked = child;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => settle(() => reject(new Error('timeout'))), milliseconds);
      const onMessage = (message) => settle(() => resolve(message));
      const onExit = () => settle(() => reject(new Error('the test process ended')));
      const settle = (then) => {
        clearTimeout(timer);
        asked.off('message', onMessage);
        asked.off('exit', onExit);
        then();
      };
      asked.on('message', onMessage);
      asked.on('exit', onExit);
    });
  }

  async function start() {
    const env = { ...process.env, TMPDIR: temporary, TEMP: temporary, TMP: temporary };
    child = fork(host, [tree, String(testTimeout)], {
      env,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      detached: process.platform !== 'win32',
    });
    await answer(120_000);
  }

  async function run(changed, tests) {
    if (child === null) await start();
    const times = new Map();
    child.send({ changed, test: null });
    await answer(patience);
    for (const { file, ms } of tests) {
      child.send({ changed: [], test: file });
      try {
        const result = await answer(patience + 4 * (ms ?? 200_000));
        times.set(file, result.ms);
        if (result.failure !== null) return { failure: result.failure, by: file, times };
      } catch (error) {
        end();
        return { failure: error.message, by: file, times };
      }
    }
    return { failure: null, by: null, times };
  }

  return { run, end };
}
