/** A part of a text that is written differently; UTF-16 offsets. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Finds each repetition of a form in a text, outside of `taken`, which is in order of its beginnings. */
export type FormFinder = (text: string, taken: readonly Edit[]) => Edit[];

/** Length from which a value is not part of a word by chance. */
const longEnough = 8;
/** Length of the shortest form. */
const shortestForm = 4;

/**
 * Searches all forms in one pass over a text: its cost depends on the text, not on the number of forms. `forms` are in order of
 * precedence, each with its replacement; none is shorter than four units.
 */
export function createFormFinder(forms: readonly (readonly [form: string, mark: string])[]): FormFinder {
  if (forms.length === 0) return () => [];
  const rank = new Map(forms.map(([form], index) => [form, index]));
  const sorted = [...rank.keys()].sort(byUnits);
  const parents = parentsOf(sorted);
  const long = createFilter(
    sorted.filter(({ length }) => length >= longEnough),
    longEnough,
  );
  const short = createFilter(
    sorted.filter(({ length }) => length < longEnough),
    shortestForm,
  );

  /** Adds each form that begins at `at` to `found`, as one number of rank and offset, so that the numbers sort by precedence. */
  function add(text: string, at: number, found: number[]): void {
    // In the order of units, the text there follows every form that it begins with; the last form before it has all of those as its
    // parents.
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (comesAfter(sorted[middle] ?? '', text, at)) high = middle;
      else low = middle + 1;
    }
    let index = low - 1;
    while (index >= 0 && !text.startsWith(sorted[index] ?? '', at)) index = parents[index] ?? -1;
    for (; index >= 0; index = parents[index] ?? -1) found.push((rank.get(sorted[index] ?? '') ?? 0) * mostUnits + at);
  }

  return (text, taken) => {
    const found: number[] = [];
    for (const at of candidates(text, long, short)) add(text, at, found);
    if (found.length === 0) return [];
    const isTaken = overlapping(taken);
    // Forms come from the longest to the shortest, so one that overlaps another has its beginning or its end in it.
    const covered = new Uint8Array(text.length);
    const edits: Edit[] = [];
    for (const one of Float64Array.from(found).sort()) {
      const start = one % mostUnits;
      const [form = '', mark = ''] = forms[Math.floor(one / mostUnits)] ?? [];
      const end = start + form.length;
      if (covered[start] === 1 || covered[end - 1] === 1 || isTaken(start, end)) continue;
      if (form.length < longEnough && isInsideWord(text, start, end)) continue;
      covered.fill(1, start, end);
      edits.push({ start, end, text: mark });
    }
    return edits;
  };
}

/** More than a text can have. */
const mostUnits = 2 ** 30;

function byUnits(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Returns for each form the index of the longest other one that it begins with; -1 for none. */
function parentsOf(sorted: readonly string[]): Int32Array {
  const parents = new Int32Array(sorted.length).fill(-1);
  const open: number[] = [];
  for (const [index, form] of sorted.entries()) {
    while (open.length > 0 && !form.startsWith(sorted[open.at(-1) ?? 0] ?? '')) open.pop();
    parents[index] = open.at(-1) ?? -1;
    open.push(index);
  }
  return parents;
}

/** Returns whether a form comes after the text from `at` on, in the order of units. A form that the text begins with does not. */
function comesAfter(form: string, text: string, at: number): boolean {
  for (let index = 0; index < form.length; index++) {
    const there = at + index;
    if (there >= text.length) return true;
    const difference = form.charCodeAt(index) - text.charCodeAt(there);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

/** Excludes most positions at which no form begins, by the hash of as many units as every one of its forms has. */
interface Filter {
  readonly units: number;
  readonly bits: Uint32Array;
  readonly mask: number;
  /** Weight of the first unit in the hash. */
  readonly leaving: number;
}

const base = 0x01_00_01_93;

function createFilter(forms: readonly string[], units: number): Filter | null {
  if (forms.length === 0) return null;
  const size = 2 ** Math.min(24, Math.max(12, Math.ceil(Math.log2(forms.length * 64))));
  const filter: Filter = { units, bits: new Uint32Array(size / 32), mask: size - 1, leaving: power(units) };
  for (const form of forms) {
    let hash = 0;
    for (let index = 0; index < units; index++) hash = (Math.imul(hash, base) + form.charCodeAt(index)) | 0;
    const bit = spread(hash) & filter.mask;
    filter.bits[bit >>> 5] = (filter.bits[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }
  return filter;
}

function power(units: number): number {
  let result = 1;
  for (let index = 1; index < units; index++) result = Math.imul(result, base);
  return result;
}

/** Mixes a hash whose lower bits depend little on the units before the last. */
function spread(hash: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x2c_1b_3c_6d) >>> 4;
}

/** Returns the offsets at which a form may begin, in order, each once. */
function candidates(text: string, ...filters: readonly (Filter | null)[]): number[] {
  const places: number[] = [];
  for (const filter of filters) {
    if (filter === null) continue;
    const { units, bits, mask, leaving } = filter;
    let hash = 0;
    for (let end = 0; end < text.length; end++) {
      if (end >= units) hash = (hash - Math.imul(text.charCodeAt(end - units), leaving)) | 0;
      hash = (Math.imul(hash, base) + text.charCodeAt(end)) | 0;
      if (end < units - 1) continue;
      const bit = spread(hash) & mask;
      if (((bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0) places.push(end - units + 1);
    }
  }
  return filters.every((filter) => filter !== null) ? [...new Set(places)] : places;
}

/** Returns a test of whether one of the edits has a part of a range. */
function overlapping(taken: readonly Edit[]): (start: number, end: number) => boolean {
  // Of those that begin before a range ends, the one that reaches farthest decides.
  const reach: number[] = [];
  for (const { end } of taken) reach.push(Math.max(end, reach.at(-1) ?? 0));
  return (start, end) => {
    let [low, high] = [0, taken.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((taken[middle]?.start ?? 0) < end) low = middle + 1;
      else high = middle;
    }
    return low > 0 && (reach[low - 1] ?? 0) > start;
  };
}

function isInsideWord(text: string, start: number, end: number): boolean {
  const before = /\w/.test(text.charAt(start - 1)) && !/%[0-9a-f]{2}$/i.test(text.slice(Math.max(0, start - 3), start));
  return (before && /\w/.test(text.charAt(start))) || (/\w/.test(text.charAt(end)) && /\w/.test(text.charAt(end - 1)));
}
