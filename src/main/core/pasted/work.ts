/**
 * Bounds the work on one pasted text: a text that was made to hurt has as many beginnings as characters, and each could be read to the end.
 * Whoever looks at characters spends as many steps. If none are left, readers find nothing more.
 */
export interface Work {
  spend(steps: number): void;
  readonly over: boolean;
  /** Steps so far. */
  readonly spent: number;
}

const stepsPerCharacter = 150;
const leastSteps = 500_000;

/** Creates the bound for a text of so many characters: linear in its length. */
export function createWork(length: number): Work {
  const most = leastSteps + stepsPerCharacter * length;
  let spent = 0;
  return {
    spend: (steps) => void (spent += steps),
    get over() {
      return spent >= most;
    },
    get spent() {
      return spent;
    },
  };
}
