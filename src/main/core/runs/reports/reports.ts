import type { RunReport } from '#shared/collections/run-report.ts';
import { reportOf } from '../report-lines.ts';
import { gitlabReport } from './gitlab.ts';
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
