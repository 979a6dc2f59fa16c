import type { ProbedAnswer } from '../ipc/outputs/probes.ts';
import type { Environment } from '../model/environment.ts';

/** The sentence that earlier probes left at the end of a note. */
const earlier = /\s*Probed on \d{4}-\d\d-\d\d, .*$/s;

/** Returns the environment with the probed answers recorded. A user's own note stays, before the evidence. */
export function withProbed(environment: Environment, probed: readonly ProbedAnswer[]): Environment {
  const answers = { ...environment.answers };
  for (const { point, value, note } of probed) {
    const own = (answers[point]?.note ?? '').replace(earlier, '');
    answers[point] = { value, note: own === '' ? note : `${own} ${note}` };
  }
  return { ...environment, answers };
}
