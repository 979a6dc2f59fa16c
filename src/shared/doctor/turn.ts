import type { Step } from './search.ts';

/** The steps that say something. */
export type Told = Exclude<Step, { readonly kind: 'preparing' }>;

export interface SearchNews {
  /** Stages that began or ended, and how far the present one is. */
  readonly steps: readonly Told[];
  readonly ended: boolean;
}

/** Goes on with a search until it ends or `isOver` returns true. It asks after each step, which takes a few milliseconds. */
export function takeTurn(search: Iterator<Step, void>, isOver: () => boolean): SearchNews {
  const steps: Told[] = [];
  for (;;) {
    const step = search.next();
    if (step.done === true) return { steps, ended: true };
    // Of how far a stage is, the last word counts.
    if (step.value.kind === 'tried' && steps.at(-1)?.kind === 'tried') steps.pop();
    if (step.value.kind !== 'preparing') steps.push(step.value);
    if (isOver()) return { steps, ended: false };
  }
}
