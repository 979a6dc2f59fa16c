import { startWork } from '#renderer/faults/faults.ts';
import type { ComparisonOrigin } from '#renderer/features/comparison/comparison-store.ts';
import type { Workbench } from './workbench.ts';

/** Shows two calls of the history against each other. */
export function compare(workbench: Workbench, one: number, other: number, origin: ComparisonOrigin): void {
  startWork(workbench.comparison.getState().open(one, other, origin));
  workbench.shell.getState().show('history');
}

/** Compares the two calls that were chosen, or says that it takes two. */
export function compareTwo(workbench: Workbench, calls: readonly { readonly id: number }[]): void {
  const [one, other] = calls;
  if (one !== undefined && other !== undefined && calls.length === 2) return compare(workbench, one.id, other.id, 'history');
  workbench.shell
    .getState()
    .notify({ tone: 'note', text: 'A comparison takes two calls: tick exactly two, with Space or a click.' });
}

/** Goes back to the screen that opened the comparison. */
export function endComparison(workbench: Workbench): void {
  const { origin, close } = workbench.comparison.getState();
  close();
  if (origin === 'requests') workbench.shell.getState().show('requests');
}
