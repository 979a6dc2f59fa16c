import { createHash } from 'node:crypto';
import type { RunReport } from '#shared/collections/run-report.ts';
import { failedCheckText } from '#shared/collections/run-words.ts';
import { roundOf } from './report-words.ts';

/**
 * Writes what did not pass as a code quality report of GitLab: an entry for each failed check, or for the request without one. Paths are
 * below the collection's directory.
 */
export function gitlabReport({ iterations }: RunReport): string {
  const entries = iterations.flatMap((iteration) =>
    iteration.requests.flatMap(({ path, state, reason, checks }) => {
      if (state !== 'failed' && state !== 'error' && state !== 'unfinished') return [];
      const failed = state === 'failed' ? checks.filter(({ passed }) => !passed) : [];
      const sentences = failed.length === 0 ? [reason] : failed.map(failedCheckText);
      const round = iterations.length === 1 ? '' : `, ${roundOf(iteration)}`;
      return sentences.map((sentence, at) => ({
        description: `${path}${round}: ${sentence}`,
        check_name: state === 'failed' ? 'check' : state,
        // The same failure has the same one in the next run, so that GitLab shows only what is new.
        fingerprint: createHash('sha256')
          .update(JSON.stringify([path, round, failed[at]?.check ?? state]))
          .digest('hex'),
        severity: 'major',
        location: { path: `${path}.yaml`, lines: { begin: 1 } },
      }));
    }),
  );
  return `${JSON.stringify(entries, null, 2)}\n`;
}
