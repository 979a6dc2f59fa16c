/** A part of a text that is written differently; UTF-16 offsets. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Finds what forms cover of a text, outside of `taken`, which is in order of its beginnings. */
export type FormFinder = (text: string, taken: readonly Edit[]) => Edit[];

/** Length from which a value is not part of a word by chance. */
const longEnough = 8;

/**
 * Searches all forms in one pass over a text, ASCII letters in either case: the cost is that of the text, whatever it and the forms are. Places that
 * overlap become one, with the mark of the first. No form is shorter than four units.
 */
export function createFormFinder(forms: readonly (readonly [form: string, mark: string])[]): FormFinder {
  if (forms.length === 0) return () => [];
  const { next, longest, shorter } = automatonOf(forms.map(([form]) => form));

  const lengths = Int32Array.from(forms, ([{ length }]) => length);

  return (text, taken) => {
    const found: Edit[] = [];
    // The place that is being put together, the last one of `found` to be: forms that begin before it may reach into it.
    let [state, start, end, mark] = [0, text.length, -1, ''];
    // Backwards, with forms that are read backwards: the state then knows which forms begin at a place.
    for (let at = text.length - 1; at >= 0; at--) {
      state = next(state, folded(text.charCodeAt(at)));
      let form = longest(state);
      if (form === -1) continue;
      // A short one counts only as a word of its own.
      for (
        let length = lengths[form] ?? 0;
        length < longEnough && isInsideWord(text, at, at + length);
        length = lengths[form] ?? 0
      ) {
        form = shorter(form);
        if (form === -1) break;
      }
      if (form === -1) continue;
      const after = at + (lengths[form] ?? 0);
      if (after <= start) {
        if (end !== -1) found.push({ start, end, text: mark });
        end = after;
      } else if (after > end) {
        end = after;
        for (let last = found.at(-1); last !== undefined && last.start < end; last = found.at(-1)) {
          end = Math.max(end, last.end);
          found.pop();
        }
      }
      start = at;
      mark = forms[form]?.[1] ?? '';
    }
    if (end !== -1) found.push({ start, end, text: mark });
    return without(found.reverse(), taken);
  };
}

/** The states of a form that it shares with none before it, from `base` on; `from`: how many of its units come earlier. */
interface Tail {
  readonly form: string;
  readonly parent: number;
  readonly base: number;
  readonly from: number;
}

/** The automaton of Aho and Corasick over forms that are read backwards. */
function automatonOf(forms: readonly string[]) {
  const most = forms.reduce((sum, { length }) => sum + length, 1);
  /** By state: the unit that leads there from the state before it, or 0 where another leads there. */
  let units = new Uint16Array(most);
  const branches = createBranches(forms.length);
  const ends: number[] = [];
  const tails: Tail[] = [];
  let states = 1;

  const child = (state: number, unit: number): number => (units[state + 1] === unit ? state + 1 : branches.get(state, unit));

  for (const form of forms) {
    let [state, at] = [0, 0];
    for (; at < form.length; at++) {
      const there = child(state, unitOf(form, at));
      if (there === -1) break;
      state = there;
    }
    if (at < form.length) {
      branches.add(state, unitOf(form, at), states);
      tails.push({ form, parent: state, base: states, from: at });
      for (states++, at++; at < form.length; at++) units[states++] = unitOf(form, at);
      state = states - 1;
    }
    ends.push(state);
  }
  units = units.slice(0, states + 1);

  const outputs = new Int32Array(states).fill(-1);
  // Equal forms but for their case end in one state; the first counts.
  for (let form = forms.length - 1; form >= 0; form--) outputs[ends[form] ?? 0] = form;
  const whole = outputs.slice();
  const falls = new Int32Array(states);
  const next = (from: number, unit: number): number => {
    for (let state = from; ; state = falls[state] ?? 0) {
      if (units[state + 1] === unit) return state + 1;
      const there = branches.get(state, unit);
      if (there !== -1) return there;
      if (state === 0) return 0;
    }
  };
  // By depth: where a state falls to depends on those that are less deep.
  let open = tails;
  for (let depth = 0; open.length > 0; depth++) {
    for (const { form, parent: above, base, from } of open) {
      if (depth < from) continue;
      const state = base + depth - from;
      const parent = depth === from ? above : state - 1;
      const fall = parent === 0 ? 0 : next(falls[parent] ?? 0, unitOf(form, depth));
      falls[state] = fall;
      if (outputs[state] === -1) outputs[state] = outputs[fall] ?? -1;
    }
    open = open.filter(({ form }) => depth + 1 < form.length);
  }
  return {
    next,
    /** Returns the index of the longest form that a state has read whole; -1 for none. */
    longest: (state: number): number => outputs[state] ?? -1,
    /** Returns the longest form that the given one begins with; -1 for none. */
    shorter: (form: number): number => {
      let state = falls[ends[form] ?? 0] ?? 0;
      while (state !== 0 && whole[state] === -1) state = falls[state] ?? 0;
      return state === 0 ? -1 : (whole[state] ?? -1);
    },
  };
}

/** The unit at an offset from the end. */
function unitOf(form: string, at: number): number {
  return folded(form.charCodeAt(form.length - 1 - at));
}

/** Makes letters small; 0 marks a state without its own way here, so it becomes a unit that no text has. */
function folded(unit: number): number {
  if (unit === 0) return 0xfffe;
  return unit >= 0x41 && unit <= 0x5a ? unit + 0x20 : unit;
}

/** Ways from a state to another than the next one: an open hash table, for a map of numbers takes four times the time. */
function createBranches(most: number) {
  const size = 2 ** Math.ceil(Math.log2(2 * most + 2));
  const froms = new Int32Array(size);
  const units = new Uint16Array(size);
  const targets = new Int32Array(size);
  function slotOf(state: number, unit: number): number {
    let slot = Math.imul(Math.imul(state, 0x9e_37_79_b1) ^ unit, 0x85_eb_ca_6b);
    for (slot = (slot ^ (slot >>> 15)) & (size - 1); targets[slot] !== 0; slot = (slot + 1) & (size - 1))
      if (froms[slot] === state && units[slot] === unit) break;
    return slot;
  }
  return {
    /** Returns -1 for none. */
    get: (state: number, unit: number): number => targets[slotOf(state, unit)] || -1,
    add(state: number, unit: number, target: number): void {
      const slot = slotOf(state, unit);
      [froms[slot], units[slot], targets[slot]] = [state, unit, target];
    },
  };
}

/** Returns what is left of places outside of `taken`; both are in order, and the places apart. */
function without(places: readonly Edit[], taken: readonly Edit[]): Edit[] {
  if (taken.length === 0) return [...places];
  const left: Edit[] = [];
  let first = 0;
  for (const { start, end, text } of places) {
    let from = start;
    while (first < taken.length && (taken[first]?.end ?? 0) <= start) first++;
    for (let at = first; at < taken.length && (taken[at]?.start ?? 0) < end; at++) {
      const { start: begins = 0, end: ends = 0 } = taken[at] ?? {};
      if (begins > from) left.push({ start: from, end: begins, text });
      from = Math.max(from, ends);
    }
    if (from < end) left.push({ start: from, end, text });
  }
  return left;
}

function isInsideWord(text: string, start: number, end: number): boolean {
  const before = () => isOfWord(text, start - 1) && !/%[0-9a-f]{2}$/i.test(text.slice(Math.max(0, start - 3), start));
  return (isOfWord(text, end) && isOfWord(text, end - 1)) || (isOfWord(text, start) && before());
}

function isOfWord(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x5a) || unit === 0x5f;
}

/** Returns a text with edits made, which are in order and apart. */
export function edited(text: string, edits: readonly Edit[]): string {
  let [result, at] = ['', 0];
  for (const { start, end, text: mark } of edits) {
    result += text.slice(at, start) + mark;
    at = end;
  }
  return result + text.slice(at);
}
