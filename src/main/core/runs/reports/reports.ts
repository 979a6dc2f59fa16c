import { createHash } from 'node:crypto';
import { failedCheckText } from '#shared/collections/run-words.ts';
import { roundOf } from './report-words.ts';
import type { RunReport } from '#shared/collections/run-report.ts';
import { reportOf } from '../report-lines.ts';
import { junitReport } from './junit.ts';
import { pageReport } from './page.ts';

declare module '../../untrusted/jobs.ts' {
  interface ReadingJobs {
    'runs.report': typeof writeReport;
  }
}

export type ReportFormat = 'junit' | 'json' | 'html' | 'gitlab';

export interface ReportInput {
  /** Of the file that was written while it ran. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly as: ReportFormat;
}

/** Reads a report and writes it. A thread does this, so that a long one is never read where calls are sent. */
export function writeReport({ bytes, as }: ReportInput): string {
  return reportAs(reportOf(bytes), as);
}

/** A run as a file: JUnit XML, the report itself as JSON, a page to read, or a code quality report of GitLab. Pure; what must not be seen was masked in the report. */
export function reportAs(report: RunReport, as: ReportFormat): string {
  switch (as) {
    case 'junit':
      return junitReport(report);
    case 'json':
      return `${JSON.stringify(report, null, 2)}\n`;
    case 'html':
      return pageReport(report);
    case 'gitlab':
      return gitlabReport(report);
  }
}

/**
 * Writes what did not pass as a code quality report of GitLab: an entry for each failed check, or for the request without one. Paths are
 * below the collection's directory.
 */
function gitlabReport({ iterations }: RunReport): string {
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
