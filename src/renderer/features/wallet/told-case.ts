import type { ReportedRequest } from '#shared/collections/reported-request.ts';

/** Report of a run about one case. */
export interface ToldCase {
  readonly runId: string;
  /** Start of the run, in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly request: ReportedRequest;
}

/** Returns the ID of the case of a request of a run. */
export function caseIdOf({ path, case: outcome }: ReportedRequest): string {
  return outcome?.id ?? nameParts(path).id;
}

/** Reads `Retries/retries-02 The same win again`. */
export function nameParts(path: string): { readonly group: string; readonly id: string; readonly name: string } {
  const [, group = '', id = '', name = ''] = /^([^/]*)\/(\S+) ?(.*)$/.exec(path) ?? [];
  return { group, id, name };
}
