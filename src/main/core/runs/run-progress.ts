import type { FinishedRequest, RunState } from '#shared/ipc/index.ts';

export interface RunProgressDeps {
  readonly emit: (state: RunState, finished: FinishedRequest[]) => void;
  /** Calls back once after some milliseconds and gives back the function that calls it off. */
  readonly later: (run: () => void, milliseconds: number) => () => void;
}

/** Gathers what a run has finished, so that its listeners hear of it together. */
export interface RunProgress {
  add(request: FinishedRequest): void;
  /** Tells what was gathered, now. */
  tell(state: RunState): void;
}

const progressMs = 100;
/** A fast run tells more often than in `progressMs`, so that no event is large. */
const mostFinished = 500;

export function createRunProgress({ emit, later }: RunProgressDeps): RunProgress {
  let finished: FinishedRequest[] = [];
  let callOff: (() => void) | null = null;

  function tell(state: RunState): void {
    callOff?.();
    callOff = null;
    const batch = finished;
    finished = [];
    emit(state, batch);
  }

  return {
    add(request) {
      finished.push(request);
      if (finished.length >= mostFinished) tell('running');
      else callOff ??= later(() => tell('running'), progressMs);
    },
    tell,
  };
}
