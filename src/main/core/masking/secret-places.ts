import {
  addSpellings,
  ampersand,
  backslash,
  hexAt,
  mostBackslashes,
  otherwise,
  percent,
  plus,
  quote,
  shortEscape,
  space,
  zero,
} from './character-spellings.ts';
import { digits, plain, type Kind, type SecretForms } from './secret-forms.ts';

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
  if (forms.length === 0) return null;
  const starts = startsOf(forms);
  const repeats = new Map<number, Repeat>();
  let afterRun = -1;
  try {
    for (let start = from; start < text.length; start++) {
      const unit = text.charCodeAt(start);
      let wanted = starts[unit < 128 ? unit : 128] ?? 0;
      if (wanted === 0) continue;
      if (unit === backslash) {
        // Once for a run of them: there are texts of nothing else.
        if (start >= afterRun) for (afterRun = start; text.charCodeAt(afterRun) === backslash;) afterRun++;
        if (afterRun - start <= mostBackslashes) wanted = escapedStarts(starts, text, afterRun);
        else wanted = starts[nowBackslash] ?? 0;
      } else if (unit === percent) {
        const code = hexAt(text, start + 1, 2);
        wanted = code === -1 ? (starts[nowPercent] ?? 0) : (starts[Math.min(code, 128)] ?? 0) | (starts[nowPercent] ?? 0);
      }
      let end = -1;
      for (let at = 0; wanted !== 0; at += 2 + (forms[at + 1] ?? 0), wanted >>>= 1)
        if ((wanted & 1) === 1) end = Math.max(end, endOf(forms, at, text, start, repeats));
      if (end !== -1) return { start, end };
    }
    return null;
  } finally {
    starts.fill(0);
    for (const { borders } of repeats.values()) borders.fill(0);
  }
}

/** Every place, one after the other. */
export function secretPlaces(forms: SecretForms, text: string): Place[] {
  const places: Place[] = [];
  for (let found = findSecret(forms, text); found !== null; found = findSecret(forms, text, found.end)) places.push(found);
  return places;
}

/** Places in what `startsOf` gives beside those of ASCII units. */
const nowOther = 128;
const nowBackslash = 129;
const nowPercent = 130;
const nowShort = 131;

/** Returns for each ASCII unit, and at 128 for all others, a bit for each form of which a spelling may begin with it. */
function startsOf(forms: SecretForms): Uint32Array {
  const starts = new Uint32Array(132);
  const mark = (index: number, bit: number) => void (starts[index] = (starts[index] ?? 0) | bit);
  for (let at = 0, bit = 1; at < forms.length; at += 2 + (forms[at + 1] ?? 0), bit <<= 1) {
    const first = forms[at + 2] ?? 0;
    mark(Math.min(first, nowOther), bit);
    const other = otherwise(forms[at] as Kind, first);
    if (other !== -1) mark(other, bit);
    if (first === space) mark(plus, bit);
    if (first === backslash) mark(nowBackslash, bit);
    if (first === percent) mark(nowPercent, bit);
    if (shortEscape(first) !== -1) mark(nowShort, bit);
  }
  // As an escape, any of them.
  const count = formsIn(forms);
  for (const unit of [percent, ampersand, backslash]) starts[unit] = count === 32 ? ~0 : (1 << count) - 1;
  return starts;
}

function formsIn(forms: SecretForms): number {
  let count = 0;
  for (let at = 0; at < forms.length; at += 2 + (forms[at + 1] ?? 0)) count++;
  return count;
}

/**
 * Returns the forms of which a spelling may begin with backslashes that end at `after`: most of a text's backslashes begin nothing.
 */
function escapedStarts(starts: Uint32Array, text: string, after: number): number {
  const unit = text.charCodeAt(after);
  const own = (starts[Math.min(unit, nowOther) || 0] ?? 0) | (starts[nowBackslash] ?? 0);
  if (unit === 0x75 && text.charCodeAt(after + 1) !== 0x7b) {
    const code = hexAt(text, after + 1, 4);
    return code === -1 ? own : own | (starts[Math.min(code, nowOther)] ?? 0);
  }
  // One of the many ways with a number: u{ U x X 0 1 2 3
  if (unit === 0x75 || unit === 0x55 || unit === 0x78 || unit === 0x58 || (unit >= 0x30 && unit <= 0x33))
    return starts[backslash] ?? 0;
  return isShortLetter(unit) ? own | (starts[nowShort] ?? 0) : own;
}

function isShortLetter(unit: number): boolean {
  return unit === 0x62 || unit === 0x74 || unit === 0x6e || unit === 0x76 || unit === 0x66 || unit === 0x72;
}

/**
 * Characters of a form that the text last had, with their places: a text of one letter is not compared again at each place with a secret of that letter.
 */
interface Repeat {
  /** By character: how many from there on are those of the form's beginning. */
  readonly borders: Uint32Array;
  /** In a ring from `first` on, `known` of them: where each character began and ended. */
  readonly begins: Uint32Array;
  readonly ends: Uint32Array;
  first: number;
  known: number;
  /** Character of the form that stands at `first`. */
  offset: number;
}

/** Number of compared characters from which a place is remembered. */
const worthKnowing = 16;

function repeatOf(forms: SecretForms, form: number): Repeat {
  const length = forms[form + 1] ?? 0;
  const borders = new Uint32Array(length);
  for (let at = 1, left = 0, right = 0; at < length; at++) {
    let same = at < right ? Math.min(right - at, borders[at - left] ?? 0) : 0;
    while (at + same < length && forms[form + 2 + same] === forms[form + 2 + at + same]) same++;
    borders[at] = same;
    if (at + same > right) [left, right] = [at, at + same];
  }
  return { borders, begins: new Uint32Array(length), ends: new Uint32Array(length), first: 0, known: 0, offset: 0 };
}

/** Forgets what was before `at`. Returns how many characters of the form are known to stand there, or -1 if something else is known to. */
function knownAt(repeat: Repeat, at: number): number {
  const { borders, begins } = repeat;
  while (repeat.known > 0 && (begins[repeat.first] ?? 0) < at) {
    repeat.first = (repeat.first + 1) % begins.length;
    repeat.known--;
    repeat.offset++;
  }
  if (repeat.known > 0 && begins[repeat.first] !== at) return -1;
  return Math.min(borders[repeat.offset] ?? 0, repeat.known);
}

/** Returns the end of the longest occurrence of the form at `at`; -1 for none. */
function endOf(forms: SecretForms, form: number, text: string, at: number, repeats: Map<number, Repeat>): number {
  const kind = forms[form] as Kind;
  const length = forms[form + 1] ?? 0;
  const repeat = repeats.size === 0 ? undefined : repeats.get(form);
  let end = at;
  let index = 0;
  let isNoted = false;
  if (repeat !== undefined) {
    const known = knownAt(repeat, at);
    if (known > 0) {
      index = known;
      end = repeat.ends[(repeat.first + known - 1) % length] ?? 0;
    }
    // What comes is not known yet.
    isNoted = known === repeat.known;
    if (isNoted) repeat.offset = 0;
  }
  function note(begin: number, to: number): void {
    if (repeat === undefined || !isNoted) return;
    const place = (repeat.first + repeat.known++) % length;
    repeat.begins[place] = begin;
    repeat.ends[place] = to;
  }
  function none(): -1 {
    if (repeat === undefined && index >= worthKnowing) repeats.set(form, repeatOf(forms, form));
    return -1;
  }
  // Nearly everything ends here: a character is itself, or it is not there.
  for (; index < length; index++, end++) {
    const unit = text.charCodeAt(end);
    if (isSpecial(unit)) break;
    if (unit === forms[form + 2 + index]) {
      note(end, end + 1);
      continue;
    }
    if (kind !== plain && index > 0 && isSeparator(kind, unit)) {
      const next = text.charCodeAt(afterSeparators(kind, text, end));
      const point = forms[form + 2 + index] ?? 0;
      if (next === point || next === otherwise(kind, point) || isSpecial(next) || next === zero) break;
      return none();
    }
    if (unit >= 0xd800 && unit <= 0xdbff) break;
    if (unit !== otherwise(kind, forms[form + 2 + index] ?? 0)) return none();
    note(end, end + 1);
  }
  if (index === length) return end;
  // Several ends at once: of four backslashes in the text, one or all four may mean one in the secret.
  let ends = [end];
  for (; index < length; index++) {
    const next: number[] = [];
    const point = forms[form + 2 + index] ?? 0;
    let begin = 0;
    const spellAt = (from: number) => {
      const before = next.length;
      addSpellings(kind, point, text, from, next);
      if (next.length > before) begin = from;
    };
    for (const end of ends) {
      spellAt(end);
      if (index === 0 || kind === plain) continue;
      const after = afterSeparators(kind, text, end);
      if (after === end) continue;
      spellAt(after);
      if (kind === digits && text.charCodeAt(after) === 0x30 && (text.charCodeAt(after + 1) | 0x20) === 0x78) spellAt(after + 2);
    }
    if (next.length === 0) return none();
    // From several on, nothing is known for certain.
    isNoted &&= next.length === 1;
    note(begin, next[0] ?? 0);
    ends = next;
  }
  return Math.max(...ends);
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
