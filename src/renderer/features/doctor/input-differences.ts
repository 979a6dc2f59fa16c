/** A part of a text, by UTF-16 offsets; the end is exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Parts that two texts do not share. One of a pair may be empty: the other text has more there. */
export interface InputDifferences {
  readonly expected: readonly TextRange[];
  readonly hashed: readonly TextRange[];
}

/** Most units that are left out together before the texts go on alike, and the number that must mean the same then. */
const furthest = 48;
const alike = 4;
/** Most pairs of parts; after these, the rest counts as one. */
const most = 500;

/**
 * Finds the parts in which two hash inputs differ, in time linear in their lengths. An escape differs as a whole from the character that it stands
 * for. Where the texts do not soon go on alike, everything up to their common end differs.
 */
export function differences(expected: string, hashed: string): InputDifferences {
  const [one, other] = [unitsOf(expected), unitsOf(hashed)];
  const [oneEnd, otherEnd] = beforeCommonEnd(one, other);
  const found: { expected: TextRange[]; hashed: TextRange[] } = { expected: [], hashed: [] };
  let [at, to] = [0, 0];
  while (at < oneEnd || to < otherEnd) {
    if (at < oneEnd && to < otherEnd && one.raw(at) === other.raw(to)) {
      at += 1;
      to += 1;
      continue;
    }
    const [skip, skipOther] =
      found.expected.length < most ? nextAlike(one, other, [at, to], [oneEnd, otherEnd]) : [oneEnd - at, otherEnd - to];
    found.expected.push(one.range(at, at + skip));
    found.hashed.push(other.range(to, to + skipOther));
    at += skip;
    to += skipOther;
  }
  return found;
}

/** A text as characters and escapes. */
interface Units {
  readonly length: number;
  raw(at: number): string;
  /** Returns the character that it stands for. */
  meaning(at: number): string;
  range(from: number, to: number): TextRange;
}

function unitsOf(text: string): Units {
  const starts: number[] = [];
  for (let at = 0; at < text.length;) {
    starts.push(at);
    at += text[at] !== '\\' ? 1 : /^\\u[0-9a-fA-F]{4}/.test(text.slice(at, at + 6)) ? 6 : Math.min(2, text.length - at);
  }
  starts.push(text.length);
  const raw = (at: number) => text.slice(starts[at], starts[at + 1]);
  return {
    length: starts.length - 1,
    raw,
    meaning(at) {
      const unit = raw(at);
      if (unit.length === 6) return String.fromCharCode(Number.parseInt(unit.slice(2), 16));
      return unit === '\\/' ? '/' : unit;
    },
    range: (from, to) => ({ start: starts[from] ?? text.length, end: starts[to] ?? text.length }),
  };
}

function beforeCommonEnd(one: Units, other: Units): [number, number] {
  let [end, otherEnd] = [one.length, other.length];
  while (end > 0 && otherEnd > 0 && one.raw(end - 1) === other.raw(otherEnd - 1)) {
    end -= 1;
    otherEnd -= 1;
  }
  return [end, otherEnd];
}

/** Returns how many units of each to leave out so that they go on alike, as few as possible together. */
function nextAlike(
  one: Units,
  other: Units,
  [at, to]: readonly [number, number],
  [oneEnd, otherEnd]: readonly [number, number],
): [number, number] {
  if (at < oneEnd && to < otherEnd && one.meaning(at) === other.meaning(to)) return [1, 1];
  // Spaces and line breaks are left out by themselves: what lies between two of them is often shorter than a sure beginning.
  const [blanks, others] = [blanksAt(one, at, oneEnd), blanksAt(other, to, otherEnd)];
  const [next, nextOther] = [at + blanks, to + others];
  const bothEnd = next === oneEnd && nextOther === otherEnd;
  if (
    blanks + others > 0 &&
    (bothEnd || (next < oneEnd && nextOther < otherEnd && one.meaning(next) === other.meaning(nextOther)))
  )
    return [blanks, others];
  for (let together = 1; together <= furthest; together += 1) {
    for (let skip = 0; skip <= together; skip += 1) {
      const [start, begin] = [at + skip, to + together - skip];
      if (start <= oneEnd && begin <= otherEnd && goOnAlike(one, other, [start, begin], [oneEnd, otherEnd]))
        return [skip, together - skip];
    }
  }
  return [oneEnd - at, otherEnd - to];
}

/** Returns the number of spaces, tabs and line breaks that stand there. */
function blanksAt(units: Units, at: number, end: number): number {
  let count = 0;
  while (at + count < end && /^[ \t\r\n]$/.test(units.raw(at + count))) count += 1;
  return count;
}

function goOnAlike(
  one: Units,
  other: Units,
  [start, begin]: readonly [number, number],
  [oneEnd, otherEnd]: readonly [number, number],
): boolean {
  for (let next = 0; next < alike; next += 1) {
    const [ended, otherEnded] = [start + next >= oneEnd, begin + next >= otherEnd];
    // Behind both is their common end.
    if (ended || otherEnded) return ended && otherEnded;
    if (one.meaning(start + next) !== other.meaning(begin + next)) return false;
  }
  return true;
}
