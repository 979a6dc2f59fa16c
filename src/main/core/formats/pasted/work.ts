/**
 * Bounds the work on one pasted text: a text that was made to hurt has as many beginnings as characters, and each could be read to the end.
 * Whoever looks at characters spends as many steps. If none are left, readers find nothing more.
 */
export interface Work {
  spend(steps: number): void;
  readonly over: boolean;
  /** Steps so far. */
  readonly spent: number;
  /** True if some reader found no steps left. */
  readonly isCut: boolean;
  /** Notes why a part of the text is not read: it is beyond a limit. The first reason stays. */
  exceed(reason: string): void;
  readonly excess: string | null;
  /** Returns the same work with half of the steps that are left, so that one reader leaves as many to the next. */
  half(): Work;
}

const stepsPerCharacter = 40;
const leastSteps = 500_000;

/** Creates the bound for a text of so many characters: linear in its length. */
export function createWork(length: number): Work {
  let spent = 0;
  let isCut = false;
  let excess: string | null = null;
  function within(most: number): Work {
    return {
      spend: (steps) => void (spent += steps),
      get over() {
        if (spent >= most) isCut = true;
        return spent >= most;
      },
      get spent() {
        return spent;
      },
      get isCut() {
        return isCut;
      },
      exceed: (reason) => void (excess ??= reason),
      get excess() {
        return excess;
      },
      half: () => within(spent + (most - spent) / 2),
    };
  }
  return within(leastSteps + stepsPerCharacter * length);
}
