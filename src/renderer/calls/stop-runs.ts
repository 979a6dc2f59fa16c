import type { Client } from '#shared/ipc/index.ts';
import { asAppError, startWork } from '#renderer/faults/faults.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import type { StorePart } from '#renderer/ui/store-part.ts';
import { summaryIn, type ReadRuns, type RunListState } from './run-list.ts';

/** The part of the store that stops runs. */
export interface StopRunsState {
  /** IDs of runs that were asked to stop. */
  readonly cancelling: ReadonlySet<string>;
  readonly cancel: (runId: string) => Promise<void>;
}

/** Creates the part of the store that stops runs. */
export function createStopRuns(
  client: Client,
  notify: Notify,
  { getState, setState }: StorePart<StopRunsState & Pick<RunListState, 'list'>>,
  runs: Pick<ReadRuns, 'read'>,
): StopRunsState {
  return {
    cancelling: new Set(),
    async cancel(runId) {
      if (getState().cancelling.has(runId)) return;
      setState(({ cancelling }) => ({ cancelling: new Set([...cancelling, runId]) }));
      let problem: string | null = null;
      try {
        const { cancelled } = await client.call('runs.cancel', { runId });
        const still = summaryIn(getState().list, runId)?.state === 'running';
        if (!cancelled && still) problem = 'Another program on this home runs it. Stop it there.';
        if (!cancelled) startWork(runs.read());
      } catch (thrown) {
        problem = asAppError(thrown).message;
      }
      if (problem === null) return;
      setState(({ cancelling }) => ({ cancelling: notAmong(cancelling, runId) }));
      notify({ tone: 'warn', text: `The run was not cancelled. ${problem}` });
    },
  };
}

/** Returns the runs that were asked to stop, without one that has stopped. */
export function notAmong(cancelling: ReadonlySet<string>, stopped: string): ReadonlySet<string> {
  return new Set([...cancelling].filter((one) => one !== stopped));
}
