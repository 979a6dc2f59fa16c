/** One of many choices, found by its text. */
export interface Choice {
  readonly id: string;
  /** Text that a search looks in, and that is shown unless something else is drawn. */
  readonly text: string;
  /** Text that a search looks in as well: what `text` leaves out. */
  readonly whole?: string | undefined;
  readonly disabled?: boolean;
}

/** Returns the choices that hold each typed word, in their order; all of them if nothing was typed. */
export function foundChoices<C extends Choice>(choices: readonly C[], typed: string): readonly C[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return choices;
  return choices.filter(({ text, whole = '' }) => {
    const lower = `${text} ${whole}`.toLowerCase();
    return words.every((word) => lower.includes(word));
  });
}

/**
 * Returns the choice that a key moves to from `from`, past disabled ones; null if the key does not move. -1 is before the first.
 */
export function moveChoice(key: string, from: number, choices: readonly Choice[], page: number): number | null {
  const last = choices.length - 1;
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: from >= last ? 0 : from + 1,
    ArrowUp: from <= 0 ? last : from - 1,
    PageDown: Math.min(from + page, last),
    PageUp: Math.max(from - page, 0),
  };
  const target = targets[key];
  if (target === undefined || last < 0) return null;
  const step = key === 'ArrowUp' || key === 'PageUp' ? -1 : 1;
  for (let tried = 0, at = target; tried <= last; tried += 1, at = (at + step + last + 1) % (last + 1)) {
    if (choices[at]?.disabled !== true) return at;
  }
  return null;
}
