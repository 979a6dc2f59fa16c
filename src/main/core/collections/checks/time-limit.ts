import type { Context, Script } from 'node:vm';

/** Runs work that may never end, such as a regular expression, and stops it after so many milliseconds. */
export interface TimeLimit {
  /** What the work gives, or null where it was stopped. What it throws comes through. */
  within<T>(ms: number, work: () => T): { readonly value: T } | null;
}

/**
 * The engine stops JavaScript only within a script that was started with a limit, also in the middle of matching a regular expression. The
 * script calls the work and holds nothing of a user's: patterns and texts are never code.
 */
export function createTimeLimit(): TimeLimit {
  const box: { work: (() => unknown) | null } = { work: null };
  // Made when it is needed: most runs match nothing.
  let ready: { readonly context: Context; readonly script: Script } | null = null;
  return {
    within<T>(ms: number, work: () => T) {
      if (ready === null) {
        const vm = process.getBuiltinModule('node:vm');
        ready = { context: vm.createContext(box), script: new vm.Script('work()') };
      }
      box.work = work;
      try {
        return { value: ready.script.runInContext(ready.context, { timeout: ms }) as T };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return null;
        throw error;
      } finally {
        box.work = null;
      }
    },
  };
}
