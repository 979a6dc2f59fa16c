import { createContext, Script } from 'node:vm';

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
  const context = createContext(box);
  const script = new Script('work()');
  return {
    within<T>(ms: number, work: () => T) {
      box.work = work;
      try {
        return { value: script.runInContext(context, { timeout: ms }) as T };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return null;
        throw error;
      } finally {
        box.work = null;
      }
    },
  };
}
