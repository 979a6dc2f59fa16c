import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client, RunSummary } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { createRunExport, type RunExport } from '#renderer/calls/run-export.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import { createReadRuns, summaryIn, type RunListState } from '#renderer/calls/run-list.ts';
import { followProgress } from './run-progress.ts';
import { createRunReport, type RunReportState } from './run-report.ts';
import { createStopRuns, type StopRunsState } from '#renderer/calls/stop-runs.ts';

/** The runs and the open one: the sum of the parts, each in a file of its own. */
export interface RunsState extends RunListState, RunReportState, StopRunsState {
  readonly openId: string | null;
  /** The key of the row whose checks are shown; null for none. */
  readonly chosen: string | null;
  /** True if only requests that did not pass are shown. */
  readonly onlyFailed: boolean;

  readonly open: (runId: string) => void;
  readonly choose: (key: string | null) => void;
  readonly setOnlyFailed: (onlyFailed: boolean) => void;
  readonly exportAs: RunExport;
  /** Reads everything that is shown again: events may have been missed. */
  readonly refresh: () => void;
}

export type RunsStore = StoreApi<RunsState>;

export interface RunsDeps {
  readonly notify: Notify;
  /** Says a text to a screen reader. */
  readonly say: (text: string) => void;
  /** Calls back once after a number of milliseconds and returns the function that cancels this. */
  readonly later: (run: () => void, milliseconds: number) => () => void;
  /** Hands a text to the user as a file. */
  readonly saveText: (name: string, text: string, mediaType: string) => void;
}

/** Creates the store of the runs of collections, and of the report of the open one, which grows while it runs. */
export function createRunsStore(client: Client, { notify, say, later, saveText }: RunsDeps): RunsStore {
  return createStore<RunsState>()((set, get, store) => {
    const report = createRunReport(client, store, later);
    const runs = createReadRuns(client, store, { later, readOn: report.readOn });

    /** Somebody forgot a player: these runs must not stay in sight. */
    client.on('runs.removed', ({ runIds }) => {
      const { list, openId } = get();
      if (openId !== null && runIds.includes(openId)) {
        report.clear();
        set({ openId: null, report: { state: 'none' }, chosen: null });
      }
      if (list.state === 'ready') set({ list: { state: 'ready', runs: list.runs.filter((one) => !runIds.includes(one.runId)) } });
      startWork(runs.read());
    });
    followProgress(client, store, runs, report, say);

    return {
      ...runs.state,
      ...createStopRuns(client, notify, store, runs),
      openId: null,
      report: { state: 'none' },
      chosen: null,
      onlyFailed: false,

      open(runId) {
        if (get().openId === runId && get().report.state !== 'failed') return;
        report.clear();
        set({ openId: runId, report: { state: 'loading' }, chosen: null, onlyFailed: false });
        startWork(report.read(runId));
      },
      choose: (chosen) => set({ chosen }),
      setOnlyFailed: (onlyFailed) => set({ onlyFailed }),
      exportAs: createRunExport(client, { notify, saveText }),
      refresh() {
        const { list, openId } = get();
        // Events report again whether those still go on.
        set({ live: new Map() });
        if (list.state !== 'loading') startWork(runs.read());
        if (openId !== null) startWork(report.read(openId));
      },
    };
  });
}

/** Returns the run that is open; null for none, and while the list does not have it yet. */
export function openRun({ list, openId }: Pick<RunsState, 'list' | 'openId'>): RunSummary | null {
  return openId === null ? null : summaryIn(list, openId);
}
