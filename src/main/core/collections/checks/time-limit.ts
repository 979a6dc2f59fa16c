import type { Context, Script } from 'node:vm';

/** Runs work that may never end, such as a regular expression, and stops it when its time is up. */
export type TimeLimit = ReturnType<typeof createTimeLimit>;

/** For work that something else limits. */
export const noLimit: TimeLimit = { within: (work) => ({ value: work() }) };

const box: { work: (() => unknown) | null } = { work: null };
// Made when it is needed: most responses are matched with nothing.
let ready: { readonly context: Context; readonly script: Script } | null = null;

/**
 * One budget, in milliseconds, for all the work that is done within it. The engine stops JavaScript only within a script that was started with
 * a limit, also in the middle of matching a regular expression. The script calls the work and holds nothing of a user's: patterns and texts are
 * never code. Work that was stopped on a machine that was busy with others begins again: it must leave nothing behind.
 */
export function createTimeLimit(budgetMs: number) {
  let left = budgetMs;
  return {
    /** Runs the work; null if it was stopped or no time is left. Passes its errors on. */
    within<T>(work: () => T): { readonly value: T } | null {
      while (left >= 1) {
        const begun = cpuMs();
        try {
          return { value: stoppedAfter(left, work) };
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
        } finally {
          left -= cpuMs() - begun;
        }
      }
      return null;
    },
  };
}

function stoppedAfter<T>(milliseconds: number, work: () => T): T {
  if (ready === null) {
    const vm = process.getBuiltinModule('node:vm');
    ready = { context: vm.createContext(box), script: new vm.Script('work()') };
  }
  box.work = work;
  try {
    return ready.script.runInContext(ready.context, { timeout: Math.ceil(milliseconds) }) as T;
  } finally {
    box.work = null;
  }
}

/** Returns the CPU time of this thread in milliseconds, or the time of day if Node does not measure it. */
function cpuMs(): number {
  if (typeof process.threadCpuUsage !== 'function') return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
