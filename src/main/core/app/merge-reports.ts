import type { ReportFormat } from '../runs/reports/reports.ts';
import type { MergedParts, PartFile } from '../runs/merge-parts.ts';

/** The report of all parts of a run, and its files. */
export interface MergedReport extends MergedParts {
  write(as: ReportFormat): string;
}

/** Merges the parts of a run. Needs no home and no key: each part was searched for the key when it was written. Fails as `mergeParts` does. */
export async function mergeReports(files: readonly PartFile[]): Promise<MergedReport> {
  const [{ mergeParts }, { reportAs }] = await Promise.all([
    import('../runs/merge-parts.ts'),
    import('../runs/reports/reports.ts'),
  ]);
  const merged = mergeParts(files);
  return { ...merged, write: (as) => reportAs(merged.report, as) };
}
