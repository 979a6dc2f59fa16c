import { constants, getPriority, setPriority } from 'node:os';

/** Lets everything else of the machine go before this process. */
export function stepBack(): void {
  const { PRIORITY_BELOW_NORMAL: step, PRIORITY_LOW: lowest } = constants.priority;
  try {
    setPriority(Math.min(getPriority() + step, lowest));
  } catch {
    // A system that refuses it: then the search has as much of the machine as any other program.
  }
}
