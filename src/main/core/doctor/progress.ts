import { stages, type Match, type Stage, type Way } from '#shared/doctor/search.ts';
import type { Told } from '#shared/doctor/turn.ts';
import type { DoctorReport, FoundMistake, Payload } from '#shared/ipc/index.ts';

type StageState = DoctorReport['stages'][number];

/** Most guesses that are told. */
const mostGuesses = 5;

/** A search as far as it has come. */
export interface Outcome {
  readonly stages: readonly StageState[];
  readonly match: Match | null;
  /** Sentences about the mistakes that the request cannot show. */
  readonly unseen: readonly string[];
  /** The mistakes that the text of data shows by itself; `[[]]` for none. Empty if it cannot be trusted, or before the search looked at it. */
  readonly guesses: FoundMistake[][];
}

/** Collects the steps of a search. */
export type Progress = ReturnType<typeof createProgress>;

/** Starts at `now`, in milliseconds. `trusted`: the text of data is the one that was sent. */
export function createProgress(start: number, trusted: boolean) {
  const states = new Map<string, StageState>();
  let match: Match | null = null;
  let last = start;
  let tried = 0;
  let unseen: readonly string[] = [];
  let guesses: FoundMistake[][] = [];

  function add(step: Told, now: number): void {
    if (step.kind === 'guessed') {
      if (trusted) guesses = step.guesses.slice(0, mostGuesses).map(toldWay);
      return;
    }
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
    match = step.match ?? match;
  }

  const all = () => stages.flatMap((stage) => states.get(stage) ?? []);
  return {
    add(steps: readonly Told[], now: number): void {
      for (const step of steps) add(step, now);
    },
    /** Returns whether a stage has ended, or was left out. */
    isPast: (stage: Stage): boolean => (states.get(stage)?.state ?? 'unfinished') !== 'unfinished',
    shown: (now: number): Omit<Payload<'doctor.progressed'>, 'ticket'> => ({
      stages: all(),
      perSecond: now > start ? Math.round((tried / (now - start)) * 1_000) : 0,
      guesses,
    }),
    outcome: (): Outcome => ({ stages: all(), match, unseen, guesses }),
  };
}

/** Returns an explanation as it is told: without what only a search needs. */
export function toldWay(way: Way): FoundMistake[] {
  return way.map(({ id, says, who }) => ({ id, says, who }));
}
