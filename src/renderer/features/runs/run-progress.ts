import type { Client, Payload } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import type { StorePart } from '#renderer/ui/store-part.ts';
import { summaryIn, type ReadRuns, type RunListState } from '#renderer/calls/run-list.ts';
import type { RunReport } from './run-report.ts';
import { progressAnnouncement } from './run-words.ts';
import { notAmong, type StopRunsState } from '#renderer/calls/stop-runs.ts';

/** The open run, as far as its progress concerns it. */
interface OpenRunState {
  readonly openId: string | null;
}

/** Follows core's events about runs that go on, and says how far the open one is. */
export function followProgress(
  client: Client,
  { getState, setState }: StorePart<RunListState & Pick<StopRunsState, 'cancelling'> & OpenRunState>,
  runs: Pick<ReadRuns, 'read'>,
  report: Pick<RunReport, 'add' | 'complete'>,
  say: (text: string) => void,
): void {
  client.on('runs.progressed', (told) => {
    const { list, live, openId, cancelling } = getState();
    const { runId, state, planned, totals, underWay, waiting, current, finished } = told;
    const before = summaryIn(list, runId);
    const nextLive = new Map(live);
    if (state === 'running') nextLive.set(runId, { underWay, waiting, current });
    else nextLive.delete(runId);
    const said = live.has(runId) && before !== null ? { planned, done: before.totals.requests } : null;
    const announcement = runId === openId ? progressAnnouncement(said, { state, planned, totals }) : null;
    setState({
      live: nextLive,
      ...(before === null ? {} : { list: withProgress(list, told) }),
      ...(state === 'running' || !cancelling.has(runId) ? {} : { cancelling: notAmong(cancelling, runId) }),
    });
    if (announcement !== null) say(announcement);
    if (runId === openId) report.add(finished);
    // Facts that no event has: a run that is new here, and the duration of a run.
    if (before === null || state !== 'running') startWork(runs.read());
    if (runId === openId && state !== 'running') report.complete(runId, totals.requests);
  });
}

function withProgress(
  list: RunListState['list'],
  { runId, state, planned, totals }: Payload<'runs.progressed'>,
): RunListState['list'] {
  if (list.state !== 'ready') return list;
  return { state: 'ready', runs: list.runs.map((one) => (one.runId === runId ? { ...one, state, planned, totals } : one)) };
}
