import { startWork } from '#renderer/faults/faults.ts';
import type { ComparisonOrigin } from '#renderer/features/comparison/comparison-store.ts';
import { operationTitle } from '#shared/provider/index.ts';
import { acceptedBefore } from '#shared/explanation/last-accepted.ts';
import type { CallSummary } from '#shared/ipc/index.ts';
import type { Workbench } from './workbench.ts';

/** Shows two calls of the history, or of support packs, against each other. */
export function compare(workbench: Workbench, one: number, other: number, origin: ComparisonOrigin): void {
  startWork(workbench.comparison.getState().open(one, other, origin));
  workbench.shell.getState().show('history');
}

/** Compares two ticked calls; one that is only selected, with the last accepted one. Says so if it can be neither. */
export function compareChosen(workbench: Workbench, calls: readonly CallSummary[]): void {
  const [one, other] = calls;
  if (one !== undefined && calls.length === 1 && workbench.history.getState().ticked.size === 0)
    return startWork(compareWithAccepted(workbench, one));
  if (one !== undefined && other !== undefined && calls.length === 2) return compare(workbench, one.id, other.id, 'history');
  workbench.shell.getState().notify({ tone: 'note', text: 'Tick exactly two calls to compare, with Space or a click.' });
}

/** Goes back to the screen that opened the comparison. */
export function endComparison(workbench: Workbench): void {
  const { origin, close } = workbench.comparison.getState();
  close();
  workbench.shell.getState().show(origin);
}

/** Compares a call with the newest earlier one of its operation and environment that got code 0, or says that there is none. */
async function compareWithAccepted(workbench: Workbench, call: CallSummary): Promise<void> {
  const { operation, environmentName, id, pack } = call;
  const accepted = await acceptedBefore(workbench.client, call);
  if (accepted !== null) return compare(workbench, accepted.id, id, 'history');
  workbench.shell.getState().notify({
    tone: 'note',
    text: `No earlier call of ${operationTitle(operation)} in ${pack?.name ?? environmentName} got code 0. To compare other calls, tick two.`,
  });
}
