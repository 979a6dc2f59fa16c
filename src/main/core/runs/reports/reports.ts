import type { RunReport } from '#shared/collections/run-report.ts';
import { junitReport } from './junit.ts';
import { pageReport } from './page.ts';

export const reportFormats = ['junit', 'json', 'html'] as const;
export type ReportFormat = (typeof reportFormats)[number];

export interface ReportInput {
  readonly report: RunReport;
  readonly as: ReportFormat;
}

/** A run as a file: JUnit XML, the report itself as JSON, or a page to read. Pure; what must not be seen was masked in the report. */
export function writeReport({ report, as }: ReportInput): string {
  switch (as) {
    case 'junit':
      return junitReport(report);
    case 'json':
      return `${JSON.stringify(report, null, 2)}\n`;
    case 'html':
      return pageReport(report);
  }
}
