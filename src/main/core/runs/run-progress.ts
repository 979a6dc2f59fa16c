import type { FinishedRequest, RunState } from '#shared/ipc/index.ts';

export interface RunProgressDeps {
  readonly emit: (state: RunState, finished: FinishedRequest[]) => void;
  /** Calls back once after a number of milliseconds and returns the function that cancels this. */
  readonly later: (run: () => void, milliseconds: number) => () => void;
}

const progressMs = 100;
/** Number of requests after which a fast run reports before `progressMs`, so that no event is large. */
const mostFinished = 500;

/** Gathers the finished requests of a run, so that its listeners hear of them together. */
export function createRunProgress({ emit, later }: RunProgressDeps) {
  let finished: FinishedRequest[] = [];
  let callOff: (() => void) | null = null;

  /** Reports the gathered requests, now. */
  function tell(state: RunState): void {
    callOff?.();
    callOff = null;
    const batch = finished;
    finished = [];
    emit(state, batch);
  }

  return {
    add(request: FinishedRequest): void {
      finished.push(request);
      if (finished.length >= mostFinished) tell('running');
      else callOff ??= later(() => tell('running'), progressMs);
    },
    tell,
  };
}
