import type { Expectation, Variables } from '#shared/collections/model.ts';
import type { CheckResult } from '#shared/collections/reported-request.ts';
import type { Call } from '#shared/ipc/outputs/calls.ts';
import { sentValues } from '#shared/variables/sent-values.ts';
import { orNull } from '#renderer/faults/faults.ts';
import { currentEnvironment } from '#renderer/features/environments/environments-store.ts';
import type { RequestTab } from '#renderer/features/request/tabs/request-tab.ts';
import type { RunRow } from '#renderer/features/runs/run-rows.ts';
import type { Workbench } from './workbench.ts';

/**
 * Opens the file of a request of a run in Requests: with the call of the run, its checks and the values of its variables as they were
 * sent. The keyboard comes to the first check that failed. `collectionId` is that of an open collection.
 */
export async function openOfRun(workbench: Workbench, collectionId: string, { request }: RunRow): Promise<void> {
  const { client, requests, responses, results, shell, moveFocus } = workbench;
  const { callId, checks, path } = request;
  shell.getState().show('requests');
  if (!(await requests.getState().openFile(collectionId, `${path}.yaml`))) return;
  const { tabs, activeId, showOfRun } = requests.getState();
  const tab = tabs.find(({ id }) => id === activeId);
  // Its row may have been removed since.
  const call: Call | null = callId === null ? null : await orNull(client.call('calls.get', { id: callId }));
  if (tab === undefined || call === null) return moveFocus('[data-pane="request"]');
  const sent = sentValues(tab.text, call.draft.text);
  const values = await withoutPresent(workbench, tab, sent);
  const failed = failedChecks(tab.extras.expect, checks, Object.keys(tab.extras.take));
  results.getState().show(call.id, checks);
  responses.getState().setView('checks');
  showOfRun(tab.id, call, { callId: call.id, values, failed });
  moveFocus(failed.size > 0 ? '[data-failed-check] input' : '[data-pane="response"] [data-failed-result]');
}

/** Leaves out the values that the tab has anyway. */
async function withoutPresent({ environments, tabVariables }: Workbench, tab: RequestTab, sent: Variables): Promise<Variables> {
  const environment = currentEnvironment(environments.getState());
  if (environment === null) return sent;
  await orNull(tabVariables.ready(tab));
  const present = new Map(tabVariables.known({ ...tab, run: null }, environment).map(({ name, value }) => [name, value]));
  return Object.fromEntries(Object.entries(sent).filter(([name, value]) => present.get(name) !== value));
}

/**
 * Returns the failed results by the position of their check in the file. None if they are not those of these checks: the file changed
 * since.
 */
export function failedChecks(
  expect: readonly Expectation[],
  results: readonly CheckResult[],
  taken: readonly string[],
): ReadonlyMap<number, CheckResult> {
  const owners = expect.flatMap((check, at) => Array.from({ length: resultsOf(check) }, () => at));
  const own = results.filter(({ check }) => !taken.some((name) => check.endsWith(` gives ${name}`)));
  const failed = new Map<number, CheckResult>();
  if (own.length !== owners.length) return failed;
  for (const [at, result] of own.entries()) {
    const owner = owners[at];
    if (owner !== undefined && !result.passed && !failed.has(owner)) failed.set(owner, result);
  }
  return failed;
}

/** A check about a value has a result for each of its demands. */
function resultsOf(check: Expectation): number {
  return 'path' in check ? Math.max(1, Object.keys(check).length - 1) : 1;
}
