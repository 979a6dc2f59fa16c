import type { Client, RunSummary } from '#shared/ipc/index.ts';
import { asAppError, startWork, type Loaded } from '#renderer/faults/faults.ts';
import type { StorePart } from '#renderer/ui/store-part.ts';

/** The runs, newest first. */
export type RunList = Loaded<{ runs: readonly RunSummary[] }>;

/** Progress of a run that goes on in this program. */
interface LiveRun {
  readonly underWay: number;
  readonly waiting: number;
  /** The path of a request that is under way; empty for none. */
  readonly current: string;
}

export interface RunListState {
  readonly list: RunList;
  /** By the run's ID, while events report it. A run that goes on and is not here runs in another program of the home. */
  readonly live: ReadonlyMap<string, LiveRun>;
  readonly load: () => Promise<void>;
  /** Reads the list when runs come into sight, and follows runs of other programs. `opens`: opens the newest one. Returns what ends that. */
  readonly visit: (opens?: boolean) => () => void;
}

/** The part of the store that reads the list, and its functions for the other parts. */
export interface ReadRuns {
  readonly state: RunListState;
  readonly read: () => Promise<void>;
}

export interface ReadRunsDeps {
  /** Calls back once after a number of milliseconds and returns the function that cancels this. */
  readonly later: (run: () => void, milliseconds: number) => () => void;
  /** Reads what was added to the report of a run since. */
  readonly readOn: (runId: string) => Promise<void>;
}

const followMs = 1_500;

/** Creates the part of the store that holds the list of runs. */
export function createReadRuns(
  client: Client,
  { getState, setState }: StorePart<RunListState & { readonly openId: string | null; readonly open: (runId: string) => void }>,
  { later, readOn }: ReadRunsDeps,
): ReadRuns {
  let round = 0;
  let following: (() => void) | null = null;
  let visits = 0;
  let opening = true;

  async function read(): Promise<void> {
    round += 1;
    const mine = round;
    try {
      const { runs } = await client.call('runs.list', {});
      if (mine !== round) return;
      setState({ list: { state: 'ready', runs } });
      const { openId, open } = getState();
      const [newest] = runs;
      if (openId === null && newest !== undefined && visits > 0 && opening) open(newest.runId);
    } catch (thrown) {
      const error = asAppError(thrown);
      if (mine === round && getState().list.state !== 'ready') setState({ list: { state: 'failed', message: error.message } });
    }
    followSoon();
  }

  /** Looks from time to time at runs of other programs, which report no progress, while the runs are in sight. */
  function followSoon(): void {
    const { list, live } = getState();
    const foreign = list.state === 'ready' && list.runs.some((one) => one.state === 'running' && !live.has(one.runId));
    if (!foreign || visits === 0) return;
    following ??= later(() => {
      following = null;
      startWork(follow());
    }, followMs);
  }

  async function follow(): Promise<void> {
    const { openId, list, live } = getState();
    const open = openId === null || live.has(openId) ? null : summaryIn(list, openId);
    if (open?.state === 'running') await readOn(open.runId);
    await read();
  }

  function stop(): void {
    following?.();
    following = null;
  }

  return {
    state: {
      list: { state: 'loading' },
      live: new Map(),
      async load() {
        if (getState().list.state === 'failed') setState({ list: { state: 'loading' } });
        await read();
      },
      visit(opens = true) {
        visits += 1;
        opening = opens;
        startWork(read());
        return () => {
          visits -= 1;
          if (visits === 0) stop();
        };
      },
    },
    read,
  };
}

/** Finds a run in the list; null if it is not there. */
export function summaryIn(list: RunList, runId: string): RunSummary | null {
  return list.state === 'ready' ? (list.runs.find((one) => one.runId === runId) ?? null) : null;
}
