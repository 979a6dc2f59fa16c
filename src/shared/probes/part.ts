import type { ProbeFinding } from '../ipc/outputs/probes.ts';
import type { Environment } from '../model/environment.ts';
import type { OpenPointId } from '../provider/model.ts';
import type { ProbeGround } from './probe.ts';

/** An answer to an open point, and the calls that show it. `remark`: a further sentence for its note. */
export interface PointAnswer {
  readonly point: OpenPointId | `time.order.${string}`;
  readonly value: string;
  readonly calls: readonly number[];
  readonly remark?: string;
}

/** Conclusions of one part of the plan. */
export interface Part {
  readonly findings: readonly ProbeFinding[];
  readonly answers: readonly PointAnswer[];
}

/** The environment that was probed, as it was then, and when. */
export interface Probed {
  readonly environment: Environment;
  readonly ground: ProbeGround;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export const emptyPart: Part = { findings: [], answers: [] };

export function fact(text: string, calls: number[]): ProbeFinding {
  return { kind: 'fact', text, fix: null, calls };
}
