import { stages, type Match, type Step } from '#shared/doctor/search.ts';
import type { DoctorReport, Payload } from '#shared/ipc/index.ts';

type StageState = DoctorReport['stages'][number];

/** A search as far as it has come. */
export interface Outcome {
  readonly stages: readonly StageState[];
  readonly match: Match | null;
  /** Sentences about the mistakes that the request cannot show. */
  readonly unseen: readonly string[];
}

/** Collects the steps of a search. */
export interface Progress {
  add(steps: readonly Step[], now: number): void;
  shown(now: number): Omit<Payload<'doctor.progressed'>, 'ticket'>;
  outcome(): Outcome;
}

/** Starts at `now`, in milliseconds. */
export function createProgress(start: number): Progress {
  const states = new Map<string, StageState>();
  let match: Match | null = null;
  let last = start;
  let tried = 0;
  let unseen: readonly string[] = [];

  function add(step: Step, now: number): void {
    const state = states.get(step.stage) ?? { stage: step.stage, state: 'unfinished', tried: 0, total: 0, took: 0 };
    if (step.kind === 'skipped') return void states.set(step.stage, { ...state, state: 'skipped' });
    if (step.kind === 'begun') {
      ({ unseen } = step);
      return void states.set(step.stage, { ...state, total: step.total });
    }
    const took = state.took + now - last;
    last = now;
    tried += step.tried - state.tried;
    states.set(step.stage, { ...state, state: step.kind === 'ended' ? 'done' : 'unfinished', tried: step.tried, took });
    if (step.kind === 'ended') match = step.match ?? match;
  }

  const all = () => stages.flatMap((stage) => states.get(stage) ?? []);
  return {
    add(steps, now) {
      for (const step of steps) add(step, now);
    },
    shown: (now) => ({ stages: all(), perSecond: now > start ? Math.round((tried / (now - start)) * 1_000) : 0 }),
    outcome: () => ({ stages: all(), match, unseen }),
  };
}
