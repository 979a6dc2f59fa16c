import {
  addShellQuotes,
  ampersand,
  backslash,
  createSpellings,
  type Spellings,
  hexAt,
  mostBackslashes,
  otherwise,
  percent,
  plus,
  quote,
  space,
  zero,
} from './character-spellings.ts';
import { base64, digits, plain, unitOf, type Kind, type SecretForms } from './secret-forms.ts';

/*
 * Finds where the forms of a secret stand in a text, in any spelling of their characters.
 */

/** UTF-16 offsets into a text. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** Between two digits: `, 0x`, or a line's end with the spaces before the next line. */
const mostSeparators = 16;

/** Returns the first position from `from` on of one of the forms, with the longest form there. Made for megabytes. */
export function findSecret(forms: SecretForms, text: string, from = 0): Place | null {
  return placesFrom(forms, text, from, 1)[0] ?? null;
}

/** Every place, one after the other. */
export function secretPlaces(forms: SecretForms, text: string): Place[] {
  return placesFrom(forms, text, 0, Number.POSITIVE_INFINITY);
}

function placesFrom(forms: SecretForms, text: string, from: number, most: number): Place[] {
  const places: Place[] = [];
  if (forms.length === 0) return places;
  const { starts, seconds, offsets } = startsOf(forms);
  // Most texts need none.
  let search: Search | null = null;
  try {
    for (let start = from; start < text.length; start++) {
      const unit = text.charCodeAt(start);
      let wanted = starts[unit < nowOther ? unit : nowOther] ?? 0;
      if (wanted === 0) continue;
      // Most of them begin nothing.
      if (wanted < 0) {
        const spellings = (search ??= createSearch(forms, offsets, text)).spellings();
        const spelled = spellings.at(start);
        for (let at = spelled; at < spelled + spellings.counted(); at++)
          wanted |= starts[Math.min(spellings.points[at] ?? 0, nowOther)] ?? 0;
      } else if (unit !== quote && unit < nowOther) {
        wanted &= seconds[Math.min(text.charCodeAt(start + 1), nowOther) || 0] ?? 0;
      }
      if ((wanted & ~isSpelled) === 0) continue;
      search ??= createSearch(forms, offsets, text);
      let end = -1;
      for (let left = wanted & ~isSpelled; left !== 0; left &= left - 1)
        end = Math.max(end, search.endOf(31 - Math.clz32(left & -left), start));
      if (end === -1) continue;
      places.push({ start, end });
      if (places.length === most) break;
      start = end - 1;
    }
    return places;
  } finally {
    starts.fill(0);
    seconds.fill(0);
    search?.forget();
  }
}

/** Place of all units but those of ASCII. */
const nowOther = 128;
/** Marks units with which other spellings begin: a secret has 19 forms at most. */
const isSpelled = 1 << 31;

/** By kind: ASCII units that another character than the first one may begin with, whatever it is. */
const between = ([plain, digits, base64] as const).map((kind) =>
  Array.from({ length: nowOther }, (_, unit) => unit).filter((unit) => isSpecial(unit) || isSeparator(kind, unit)),
);

/**
 * Returns for each ASCII unit, and at 128 for all others, a bit for each form of which a character may begin with it: its first one, and the one after a
 * first one that is itself. And where the forms are.
 */
function startsOf(forms: SecretForms): { starts: Int32Array; seconds: Int32Array; offsets: number[] } {
  const [starts, seconds] = [new Int32Array(nowOther + 1), new Int32Array(nowOther + 1)];
  const offsets: number[] = [];
  const ofKind: [number, number, number] = [0, 0, 0];
  for (let at = 0; at < forms.length; at += 2 + (forms[at + 1] ?? 0)) {
    const kind = forms[at] as Kind;
    const bit = 1 << offsets.length;
    offsets.push(at);
    ofKind[kind] |= bit;
    markBeginnings(starts, kind, forms[at + 2] ?? 0, bit);
    markBeginnings(seconds, kind, forms[at + 3] ?? 0, bit);
  }
  ofKind.forEach((bits, kind) => {
    for (const unit of between[kind] ?? []) seconds[unit] = (seconds[unit] ?? 0) | bits;
  });
  for (const unit of [percent, ampersand, backslash]) starts[unit] = (starts[unit] ?? 0) | isSpelled;
  return { starts, seconds, offsets };
}

function markBeginnings(units: Int32Array, kind: Kind, point: number, bit: number): void {
  const other = otherwise(kind, point);
  const first = Math.min(point, nowOther);
  units[first] = (units[first] ?? 0) | bit;
  if (other !== -1) units[other] = (units[other] ?? 0) | bit;
  if (point === space) units[plus] = (units[plus] ?? 0) | bit;
}

/**
 * Characters of a form that the text last had, with their places: a text of one letter is not compared again at each place with a secret of that letter.
 */
interface Repeat {
  /** By character: how many from there on are those of the form's beginning. */
  readonly borders: Int32Array;
  /** In a ring from `first` on, `known` of them: where each character began and ended. Their length is a power of two: a remainder takes long. */
  readonly begins: Int32Array;
  readonly ends: Int32Array;
  first: number;
  known: number;
  /** Character of the form that stands at `first`. */
  offset: number;
}

/** Number of compared characters from which a place is remembered. */
const worthKnowing = 16;

function repeatOf(forms: SecretForms, form: number): Repeat {
  const length = forms[form + 1] ?? 0;
  const borders = new Int32Array(length);
  const size = 2 ** Math.ceil(Math.log2(length));
  for (let at = 1, left = 0, right = 0; at < length; at++) {
    let same = at < right ? Math.min(right - at, borders[at - left] ?? 0) : 0;
    while (at + same < length && forms[form + 2 + same] === forms[form + 2 + at + same]) same++;
    borders[at] = same;
    if (at + same > right) [left, right] = [at, at + same];
  }
  return { borders, begins: new Int32Array(size), ends: new Int32Array(size), first: 0, known: 0, offset: 0 };
}

/** Forgets what was before `at`. Returns how many characters of the form are known to stand there, or -1 if something else is known to. */
function knownAt(repeat: Repeat, at: number): number {
  const { borders, begins } = repeat;
  while (repeat.known > 0 && (begins[repeat.first] ?? 0) < at) {
    repeat.first = (repeat.first + 1) & (begins.length - 1);
    repeat.known--;
    repeat.offset++;
  }
  if (repeat.known > 0 && begins[repeat.first] !== at) return -1;
  return Math.min(borders[repeat.offset] ?? 0, repeat.known);
}

type Search = ReturnType<typeof createSearch>;

/** Compares one text with forms, from one place after the other. */
function createSearch(forms: SecretForms, offsets: readonly number[], text: string) {
  let known: Spellings | null = null;
  const spellings = (): Spellings => (known ??= createSpellings(text));
  const repeats: (Repeat | undefined)[] = [];
  /** By form: ends of a first character from which it does not go on, all from the one to the other. */
  const failedFrom = new Int32Array(offsets.length);
  const failedTo = new Int32Array(offsets.length).fill(-1);
  // Several ends at once: of four backslashes in the text, one or all four may mean one in the secret. An emptied list would be a new one.
  let ends: number[] = [];
  let next: number[] = [];
  let count = 0;
  /** Start of the character that ends at the last one. */
  let begin = 0;
  function isAdded(end: number): boolean {
    for (let each = 0; each < count; each++) if (next[each] === end) return true;
    return false;
  }
  const add = (end: number) => void (isAdded(end) || (next[count++] = end));

  /** Adds where each spelling of the character that begins at `at` ends. */
  function addSpellings(kind: Kind, point: number, at: number): void {
    const before = count;
    addAll(kind, point, at);
    if (count > before) begin = at;
  }

  function addAll(kind: Kind, point: number, at: number): void {
    const unit = text.charCodeAt(at);
    if (unit === unitOf(point, 0)) {
      if (point <= 0xffff) add(at + 1);
      else if (text.charCodeAt(at + 1) === unitOf(point, 1)) add(at + 2);
    } else if (unit === otherwise(kind, point)) add(at + 1);
    if (!isSpecial(unit)) return;
    if (unit === plus) {
      if (point === space) add(at + 1);
    } else if (unit === quote) {
      if (point === quote) addShellQuotes(text, at, add);
    } else {
      const spelled = spellings().at(at);
      for (let each = spelled; each < spelled + spellings().counted(); each++)
        if (spellings().points[each] === point) add(spellings().ends[each] ?? 0);
      if (unit !== backslash || point !== backslash) return;
      // One backslash, written with any number of them. Those before it in the same run have added the same ends.
      const to = Math.min(spellings().afterRun(at), at + mostBackslashes + 1);
      for (let end = to; end > at + 1 && !isAdded(end); end--) next[count++] = end;
    }
  }

  /** Returns whether a character, or a separator before it, may begin at `at`: no list is made for one that does not. */
  function mayGoOn(kind: Kind, point: number, at: number): boolean {
    const unit = text.charCodeAt(at);
    if (unit !== percent && unit !== ampersand && unit !== backslash) return true;
    if (unit === point || (kind !== plain && escapedSeparator(text, at, unit) > 0)) return true;
    const spelled = spellings().at(at);
    for (let each = spelled; each < spelled + spellings().counted(); each++) if (spellings().points[each] === point) return true;
    return false;
  }

  /** Returns the end of the longest occurrence of a form at `at`; -1 for none. */
  function endOf(number: number, at: number): number {
    const form = offsets[number] ?? 0;
    const kind = forms[form] as Kind;
    const length = forms[form + 1] ?? 0;
    const repeat = repeats[number];
    let end = at;
    let index = 0;
    let isNoted = false;
    let from = 0;
    let to = -1;
    if (repeat !== undefined) {
      const known = knownAt(repeat, at);
      if (known > 0) {
        index = known;
        end = repeat.ends[(repeat.first + known - 1) & (repeat.ends.length - 1)] ?? 0;
        from = to = repeat.ends[repeat.first] ?? 0;
      }
      // What comes is not known yet.
      isNoted = known === repeat.known;
      if (isNoted) repeat.offset = 0;
    }
    // Nearly everything ends here: a character is itself, or it is not there.
    for (; index < length; index++, end++) {
      const unit = text.charCodeAt(end);
      if (isSpecial(unit)) break;
      const point = forms[form + 2 + index] ?? 0;
      if (unit !== point) {
        if (index > 0 && isSeparator(kind, unit)) {
          const after = text.charCodeAt(afterSeparators(kind, text, end));
          if (after === point || after === otherwise(kind, point) || isSpecial(after) || after === zero) break;
          return none(number, index, from, to);
        }
        if (unit >= 0xd800 && unit <= 0xdbff) break;
        if (unit !== otherwise(kind, point)) return none(number, index, from, to);
      }
      if (isNoted && repeat !== undefined) note(repeat, end, end + 1);
      if (index > 0) continue;
      from = to = end + 1;
      if (hasFailed(number, from, to)) return -1;
    }
    if (index === length) return end;
    if (!mayGoOn(kind, forms[form + 2 + index] ?? 0, end)) return none(number, index, from, to);
    next[0] = end;
    count = 1;
    for (; index < length; index++) {
      const known = ends;
      const several = count;
      ends = next;
      next = known;
      count = 0;
      const point = forms[form + 2 + index] ?? 0;
      for (let each = 0; each < several; each++) {
        const end = ends[each] ?? 0;
        addSpellings(kind, point, end);
        if (index === 0 || kind === plain) continue;
        const after = afterSeparators(kind, text, end);
        if (after === end) continue;
        addSpellings(kind, point, after);
        const isNumber = text.charCodeAt(after) === zero && (text.charCodeAt(after + 1) | 0x20) === 0x78;
        if (kind === digits && isNumber) addSpellings(kind, point, after + 2);
      }
      if (count === 0) return none(number, index, from, to);
      // From several on, nothing is known for certain.
      isNoted &&= count === 1;
      if (isNoted && repeat !== undefined) note(repeat, begin, next[0] ?? 0);
      if (index > 0) continue;
      from = lowest();
      to = highest();
      if (hasFailed(number, from, to)) return -1;
      if (to - from >= count) to = -1;
    }
    return highest();
  }

  function lowest(): number {
    let least = next[0] ?? 0;
    for (let each = 1; each < count; each++) least = Math.min(least, next[each] ?? 0);
    return least;
  }

  function highest(): number {
    let most = 0;
    for (let each = 0; each < count; each++) most = Math.max(most, next[each] ?? 0);
    return most;
  }

  function hasFailed(number: number, from: number, to: number): boolean {
    return from >= (failedFrom[number] ?? 0) && to <= (failedTo[number] ?? -1);
  }

  function none(number: number, index: number, from: number, to: number): -1 {
    // Another place whose first character ends there goes on in the same way.
    if (to !== -1) {
      failedFrom[number] = from;
      failedTo[number] = to;
    }
    if (index >= worthKnowing) repeats[number] ??= repeatOf(forms, offsets[number] ?? 0);
    return -1;
  }

  return {
    spellings,
    endOf,
    forget() {
      for (const repeat of repeats) repeat?.borders.fill(0);
    },
  };
}

function note(repeat: Repeat, begin: number, end: number): void {
  const place = (repeat.first + repeat.known++) & (repeat.begins.length - 1);
  repeat.begins[place] = begin;
  repeat.ends[place] = end;
}

/** Characters that may be a part of another spelling. */
function isSpecial(unit: number): boolean {
  return unit === backslash || unit === percent || unit === ampersand || unit === plus || unit === quote;
}

/** Skips separators between two digits, or two lines of base64. */
function afterSeparators(kind: Kind, text: string, from: number): number {
  let at = from;
  for (let count = 0; count < mostSeparators; count++) {
    const unit = text.charCodeAt(at);
    const length = isSeparator(kind, unit) ? 1 : escapedSeparator(text, at, unit);
    if (length === 0) break;
    at += length;
  }
  return at;
}

function isSeparator(kind: Kind, unit: number): boolean {
  if (kind === plain) return false;
  if (unit === space || (unit >= 0x09 && unit <= 0x0d)) return true;
  // , - . : ; _ | +
  return (
    kind === digits &&
    (unit === 0x2c ||
      unit === 0x2d ||
      unit === 0x2e ||
      unit === 0x3a ||
      unit === 0x3b ||
      unit === 0x5f ||
      unit === 0x7c ||
      unit === plus)
  );
}

/** The length of `\n`, `\r`, `\t`, `%20`, `%0a` and their like; 0 for anything else. */
function escapedSeparator(text: string, at: number, unit: number): number {
  if (unit === percent) {
    const code = hexAt(text, at + 1, 2);
    return code === space || (code >= 0x09 && code <= 0x0d) ? 3 : 0;
  }
  if (unit !== backslash) return 0;
  let end = at;
  while (end - at < mostBackslashes && text.charCodeAt(end) === backslash) end++;
  const letter = text.charCodeAt(end);
  return letter === 0x6e || letter === 0x72 || letter === 0x74 ? end + 1 - at : 0;
}
