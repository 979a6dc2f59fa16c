import { AppError } from '#shared/errors.ts';
import type { Environment } from '#shared/ipc/index.ts';
import { answerProblem } from '#shared/provider/index.ts';

/**
 * Allows an invalid recorded answer that was in a file to stay, and to come back with an undo; no new one is recorded. Starts without
 * any.
 */
export function createInvalidAnswers() {
  const before = new Set<string>();

  return {
    /** Fails with `invalid_input` for an answer that was never in a file. */
    check(environment: Environment, stored: Environment | null): void {
      for (const [id, { value }] of Object.entries(environment.answers)) {
        if (stored !== null && Object.hasOwn(stored.answers, id) && stored.answers[id]?.value === value) continue;
        if (before.has(answerKey(environment.id, id, value))) continue;
        const problem = answerProblem(id, value);
        if (problem !== null) {
          throw new AppError('invalid_input', `The answer to ${id} was not recorded. ${problem}`, {
            field: 'answers',
            answer: id,
          });
        }
      }
    },
    /** Remembers those that a file had. */
    keep({ id, answers }: Environment): void {
      for (const [point, { value }] of Object.entries(answers)) {
        if (answerProblem(point, value) !== null) before.add(answerKey(id, point, value));
      }
    },
  };
}

function answerKey(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}
