import { AppError } from '#shared/errors.ts';
import type { Plan } from './plan.ts';
import type { ReportFiles } from './report-files.ts';
import type { RunStart } from './report-lines.ts';

/**
 * Returns the requests of an earlier run that did not pass, as indexes into the plan by the iteration's number. Fails with
 * `invalid_input` if there are none, or if that run was of another collection or had other data.
 */
export async function failedOf(
  files: Pick<ReportFiles, 'start' | 'requests'>,
  runId: string,
  plan: Plan,
  start: Pick<RunStart, 'collectionId' | 'hasData' | 'repeat'>,
) {
  const before = await files.start(runId);
  if (before.collectionId !== start.collectionId || before.hasData !== start.hasData || before.repeat !== start.repeat) {
    throw new AppError('invalid_input', 'That run had another collection, data or repeat count. Use the same for this run.');
  }
  const places = new Map(plan.requests.map(({ path }, index) => [path, index]));
  const only = new Map<number, number[]>();
  for await (const { iteration, request } of files.requests(runId)) {
    if (request.state === 'passed') continue;
    const index = places.get(request.path);
    if (index === undefined) continue;
    const list = only.get(iteration);
    if (list === undefined) only.set(iteration, [index]);
    else list.push(index);
  }
  if (only.size === 0) throw new AppError('invalid_input', 'Nothing to rerun: each request passed or is no longer selected.');
  return new Map([...only].sort(([one], [other]) => one - other));
}
