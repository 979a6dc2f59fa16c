import type { InTurn } from '../calls/send.ts';
import type { Iteration } from './iterations.ts';
import type { Order } from './order.ts';

/** One entry of a plan whose turn comes. */
export interface Turn extends ReturnType<Order['valuesFor']> {
  readonly index: number;
  readonly iteration: Iteration;
  readonly namedIds: Map<string, string>;
  readonly ticket: string;
  readonly inTurn: InTurn;
  /** Aborted when the run is cancelled. */
  readonly stopped: AbortSignal;
}
