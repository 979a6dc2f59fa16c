import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client, Output, Payload, RunSummary } from '#shared/ipc/index.ts';
import { asAppError, startWork } from '#renderer/faults/faults.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import { createRunRows, type RunRows, type ShownRows } from './run-rows.ts';
import { progressAnnouncement } from './run-words.ts';

type RunList =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  /** Newest first. */
  | { readonly state: 'ready'; readonly runs: readonly RunSummary[] };

/** The requests of the run that is open. */
export type ShownReport =
  | { readonly state: 'none' }
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  /** `reading`: there are more in the report, which come after another. */
  | {
      readonly state: 'ready';
      readonly all: ShownRows;
      /** Those that did not pass or are not recorded. */
      readonly unclean: ShownRows;
      readonly unrecorded: boolean;
      readonly find: RunRows['find'];
      readonly reading: boolean;
      /** Another version wrote something into what was read of it, which is not shown. */
      readonly unknown: boolean;
    };

/** What was told of a run that goes on in this program. */
interface LiveRun {
  readonly underWay: number;
  readonly waiting: number;
  /** The path of a request that is under way; empty for none. */
  readonly current: string;
}

type RunExportFormat = 'junit' | 'json' | 'html';

export interface RunsState {
  readonly list: RunList;
  readonly openId: string | null;
  readonly report: ShownReport;
  /** By the run's id, while events tell of it. A run that goes on and is not here runs in another program of the home. */
  readonly live: ReadonlyMap<string, LiveRun>;
  /** The key of the row whose checks are shown; null for none. */
  readonly chosen: string | null;
  /** Whether only what did not pass is shown. */
  readonly onlyFailed: boolean;
  /** Runs that were asked to stop. */
  readonly cancelling: ReadonlySet<string>;
  /** What a screen reader is told now. */
  readonly announcement: string;

  readonly load: () => Promise<void>;
  /** The runs come into sight: the list is read, and followed where other programs run. Gives back what ends that. */
  readonly visit: () => () => void;
  readonly open: (runId: string) => void;
  readonly choose: (key: string | null) => void;
  readonly setOnlyFailed: (onlyFailed: boolean) => void;
  readonly cancel: (runId: string) => Promise<void>;
  readonly exportAs: (runId: string, as: RunExportFormat) => Promise<void>;
  /** Events may have been missed: everything that is shown is read again. */
  readonly refresh: () => void;
  readonly close: () => void;
}

export type RunsStore = StoreApi<RunsState>;

export interface RunsDeps {
  readonly notify: Notify;
  /** Calls back once after some milliseconds and gives back the function that calls it off. */
  readonly later: (run: () => void, milliseconds: number) => () => void;
  /** Hands a text to the user as a file. */
  readonly saveText: (name: string, text: string, mediaType: string) => void;
}

const drawMs = 100;
const followMs = 1_500;
const noReport: ShownReport = { state: 'none' };

/** The runs of collections, and the report of the one that is open, which grows while it runs. */
export function createRunsStore(client: Client, { notify, later, saveText }: RunsDeps): RunsStore {
  return createStore<RunsState>()((set, get) => {
    let round = 0;
    let listRound = 0;
    let rows: RunRows = createRunRows();
    let reading = false;
    let unknown = false;
    /** Of the report that is open: the place behind what was read of it. */
    let readTo = 0;
    let drawing: (() => void) | null = null;
    let following: (() => void) | null = null;
    let visits = 0;

    const stops = [client.on('runs.progressed', onProgress), client.on('runs.removed', onRemoved)];

    function onProgress(told: Payload<'runs.progressed'>): void {
      const { runId, state, planned, totals, underWay, waiting, current, finished } = told;
      const { list, live, openId, cancelling } = get();
      const before = summaryIn(list, runId);
      const nextLive = new Map(live);
      if (state === 'running') nextLive.set(runId, { underWay, waiting, current });
      else nextLive.delete(runId);
      const announcement =
        runId !== openId
          ? null
          : progressAnnouncement(live.has(runId) && before !== null ? { planned, done: before.totals.requests } : null, {
              state,
              planned,
              totals,
            });
      set({
        live: nextLive,
        ...(announcement === null ? {} : { announcement }),
        ...(list.state !== 'ready' || before === null
          ? {}
          : {
              list: {
                state: 'ready',
                runs: list.runs.map((one) => (one.runId === runId ? { ...one, state, planned, totals } : one)),
              },
            }),
        ...(state === 'running' || !cancelling.has(runId) ? {} : { cancelling: without(cancelling, runId) }),
      });
      if (runId === openId) {
        rows.add(finished);
        drawSoon();
      }
      // What an event does not tell: a run that is new here, and how long one took.
      if (before === null || state !== 'running') startWork(readList());
      if (runId === openId && state !== 'running') {
        if (rows.count() < totals.requests) startWork(readReport(runId, 0));
        else if (!reading) draw();
      }
    }

    /** Someone forgot a player: nothing of these runs is to stay in sight. */
    function onRemoved({ runIds }: Payload<'runs.removed'>): void {
      const { list, openId } = get();
      if (openId !== null && runIds.includes(openId)) {
        round += 1;
        startAnew();
        set({ openId: null, report: noReport, chosen: null, announcement: '' });
      }
      if (list.state === 'ready') set({ list: { state: 'ready', runs: list.runs.filter((one) => !runIds.includes(one.runId)) } });
      startWork(readList());
    }

    function startAnew(): void {
      rows = createRunRows();
      reading = unknown = false;
      readTo = 0;
      drawing?.();
      drawing = null;
    }

    function drawSoon(): void {
      if (get().report.state !== 'ready') return;
      drawing ??= later(() => {
        drawing = null;
        draw();
      }, drawMs);
    }

    function draw(): void {
      drawing?.();
      drawing = null;
      const { shown, find } = rows;
      set({
        report: {
          state: 'ready',
          all: shown('all'),
          unclean: shown('unclean'),
          unrecorded: rows.unrecorded(),
          find,
          reading,
          unknown,
        },
      });
    }

    async function readList(): Promise<void> {
      listRound += 1;
      const mine = listRound;
      try {
        const { runs } = await client.call('runs.list', {});
        if (mine !== listRound) return;
        set({ list: { state: 'ready', runs } });
        const { openId, open } = get();
        const [newest] = runs;
        if (openId === null && newest !== undefined && visits > 0) open(newest.runId);
      } catch (thrown) {
        const error = asAppError(thrown);
        if (mine === listRound && get().list.state !== 'ready') set({ list: { state: 'failed', message: error.message } });
      }
      followSoon();
    }

    async function readReport(runId: string, begin: number): Promise<void> {
      round += 1;
      const mine = round;
      try {
        for (let from: number | null = begin; from !== null;) {
          const part: Output<'runs.requests'> = await client.call('runs.requests', { runId, from });
          if (mine !== round) return;
          rows.add(part.requests);
          unknown ||= part.unknown;
          from = part.next;
          readTo = part.end;
          reading = from !== null;
          // The first part is shown at once, the others as they come.
          if (reading && get().report.state === 'ready') drawSoon();
          else draw();
        }
      } catch (thrown) {
        const error = asAppError(thrown);
        if (mine !== round) return;
        reading = false;
        if (get().report.state !== 'ready') set({ report: { state: 'failed', message: error.message } });
      }
    }

    /** Other programs tell nobody how their runs go on: those are looked at now and then, while the runs are in sight. */
    function followSoon(): void {
      const { list, live } = get();
      const foreign = list.state === 'ready' && list.runs.some((one) => one.state === 'running' && !live.has(one.runId));
      if (!foreign || visits === 0) return;
      following ??= later(() => {
        following = null;
        startWork(follow());
      }, followMs);
    }

    async function follow(): Promise<void> {
      const { openId, list, live } = get();
      const open = openId === null || live.has(openId) ? null : summaryIn(list, openId);
      if (open?.state === 'running') await readReport(open.runId, readTo);
      await readList();
    }

    return {
      list: { state: 'loading' },
      openId: null,
      report: noReport,
      live: new Map(),
      chosen: null,
      onlyFailed: false,
      cancelling: new Set(),
      announcement: '',

      async load() {
        if (get().list.state === 'failed') set({ list: { state: 'loading' } });
        await readList();
      },
      visit() {
        visits += 1;
        startWork(readList());
        return () => {
          visits -= 1;
          if (visits > 0) return;
          following?.();
          following = null;
        };
      },
      open(runId) {
        if (get().openId === runId && get().report.state !== 'failed') return;
        startAnew();
        set({ openId: runId, report: { state: 'loading' }, chosen: null, onlyFailed: false, announcement: '' });
        startWork(readReport(runId, 0));
      },
      choose: (chosen) => set({ chosen }),
      setOnlyFailed: (onlyFailed) => set({ onlyFailed }),
      async cancel(runId) {
        if (get().cancelling.has(runId)) return;
        set({ cancelling: new Set([...get().cancelling, runId]) });
        let problem: string | null = null;
        try {
          const { cancelled } = await client.call('runs.cancel', { runId });
          const still = summaryIn(get().list, runId)?.state === 'running';
          if (!cancelled && still) problem = 'It runs in another program on this home. Stop it there.';
          if (!cancelled) startWork(readList());
        } catch (thrown) {
          const error = asAppError(thrown);
          problem = error.message;
        }
        if (problem === null) return;
        set({ cancelling: without(get().cancelling, runId) });
        notify({ tone: 'warn', text: `The run was not cancelled. ${problem}` });
      },
      async exportAs(runId, as) {
        try {
          const { name, text, mediaType } = await client.call('runs.export', { runId, as });
          saveText(name, text, mediaType);
          notify({ tone: 'good', text: `Exported ${name}. Tokens are masked in it.` });
        } catch (thrown) {
          const error = asAppError(thrown);
          notify({ tone: 'bad', text: `Nothing was exported. ${error.message}` });
        }
      },
      refresh() {
        const { list, openId } = get();
        // Whether those still go on is told again.
        set({ live: new Map() });
        if (list.state !== 'loading') startWork(readList());
        if (openId !== null) startWork(readReport(openId, 0));
      },
      close() {
        for (const stop of stops) stop();
        drawing?.();
        following?.();
      },
    };
  });
}

/** The run that is open; null for none, and while the list does not have it yet. */
export function openRun({ list, openId }: Pick<RunsState, 'list' | 'openId'>): RunSummary | null {
  return openId === null ? null : summaryIn(list, openId);
}

function summaryIn(list: RunList, runId: string): RunSummary | null {
  return list.state === 'ready' ? (list.runs.find((one) => one.runId === runId) ?? null) : null;
}

function without(set: ReadonlySet<string>, gone: string): ReadonlySet<string> {
  return new Set([...set].filter((one) => one !== gone));
}
