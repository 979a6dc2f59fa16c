import {
  addShellQuotes,
  afterRun,
  ampersand,
  backslash,
  ends as spelledEnds,
  mostBackslashes,
  otherwise,
  percent,
  plus,
  points as spelledPoints,
  quote,
  readSpellings,
  readText,
  space,
  unitAt,
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

/** Every place from `from` on, one after the other. */
export function secretPlaces(forms: SecretForms, text: string, from = 0): Place[] {
  return placesFrom(forms, text, from, Number.POSITIVE_INFINITY);
}

/** Place of all units but those of ASCII. */
const nowOther = 128;
const mostForms = 31;

/** Units that are a part of other spellings, and those between two digits and two lines of base64. */
const specialUnits = [backslash, percent, ampersand, plus, quote];
const whiteUnits = [space, 0x09, 0x0a, 0x0b, 0x0c, 0x0d];
// , - . : ; _ | +
const separatingUnits = [...whiteUnits, 0x2c, 0x2d, 0x2e, 0x3a, 0x3b, 0x5f, 0x7c, plus];
const stoppingUnits = [...specialUnits, ...separatingUnits];

/** Roles of a unit beside that of a character: a part of another spelling, or by kind a separator. */
const special = 1;
const separators = [0, 2, 4] as const satisfies Record<Kind, number>;
const roles = new Uint8Array(nowOther);
for (const unit of specialUnits) roles[unit] = special;
for (const unit of separatingUnits) roles[unit] = (roles[unit] ?? 0) | separators[digits];
for (const unit of whiteUnits) roles[unit] = (roles[unit] ?? 0) | separators[base64];

function roleOf(unit: number): number {
  if (unit >>> 0 < nowOther) return roles[unit] ?? 0;
  return (unit & 0xfc00) === 0xd800 ? special : 0;
}

/*
 * The search that is under way. Each form has a number, and a bit where several are meant.
 */
let forms: SecretForms = new Uint32Array(0);
/** By form: where it begins. */
const offsets = new Int32Array(mostForms);
/** By form: ends of a first character from which it does not go on, all from the one to the other. */
const failedFrom = new Int32Array(mostForms);
const failedTo = new Int32Array(mostForms);
const repeats: (Repeat | undefined)[] = [];
/** By kind. */
const ofKind = new Int32Array(3);
/** Number of a form's characters that are looked at before it is compared. */
const firstCharacters = 5;
/** By character that far from a form's beginning, 256 for each, and by ASCII unit, at 128 for all others: the forms whose character begins with it. */
const table = new Int32Array(firstCharacters << 8);
/** Marks units of which more is to be asked; a secret has 19 forms at most. */
const isSpecial = 1 << 31;
const allForms = ~isSpecial;

function placesFrom(wanted: SecretForms, text: string, from: number, most: number): Place[] {
  const places: Place[] = [];
  if (wanted.length === 0) return places;
  let runEnd = 0;
  let ofRun = -1;
  let failedInRun = 0;
  try {
    prepare(wanted, text);
    for (let start = from; start < text.length; start++) {
      const unit = text.charCodeAt(start);
      const begun = table[unit < nowOther ? unit : nowOther] ?? 0;
      // Most characters begin nothing.
      if (begun === 0) continue;
      let left: number;
      if (begun > 0) left = narrowed(begun, 1, start + 1);
      else if (unit !== backslash) left = narrowedBySpellings(allForms, 0, unit, start);
      else {
        // Each backslash of a run begins the same and fails the same, but for those too far from its end.
        if (start >= runEnd) {
          runEnd = afterRun(start);
          ofRun = -1;
          failedInRun = 0;
        }
        if (runEnd - start > mostBackslashes) left = begun & allForms;
        else {
          if (ofRun === -1) [ofRun, failedInRun] = [narrowedBySpellings(allForms, 0, unit, start), 0];
          left = ofRun;
        }
        left &= ~failedInRun;
      }
      if (left === 0) continue;
      let end = -1;
      for (; left !== 0; left &= left - 1) {
        const ended = endOf(31 - Math.clz32(left & -left), start);
        if (ended === -1) failedInRun |= left & -left;
        end = Math.max(end, ended);
      }
      if (end === -1) continue;
      places.push({ start, end });
      if (places.length === most) break;
      start = end - 1;
    }
    return places;
  } finally {
    forget();
  }
}

function prepare(wanted: SecretForms, text: string): void {
  readText(text);
  forms = wanted;
  failedTo.fill(-1);
  for (let number = 0, at = 0; at < forms.length; number++, at += 2 + (forms[at + 1] ?? 0)) {
    const kind = forms[at] as Kind;
    const bit = 1 << number;
    offsets[number] = at;
    ofKind[kind] = (ofKind[kind] ?? 0) | bit;
    for (let index = 0; index < firstCharacters; index++) {
      if (index < (forms[at + 1] ?? 0)) markBeginnings(index << 8, kind, forms[at + 2 + index] ?? 0, bit);
      else for (let unit = 0; unit <= nowOther; unit++) mark((index << 8) + unit, bit);
    }
  }
  for (let index = 0; index < firstCharacters; index++)
    for (const unit of index === 0 ? specialUnits : stoppingUnits) mark((index << 8) + unit, isSpecial);
}

function markBeginnings(row: number, kind: Kind, point: number, bit: number): void {
  const other = otherwise(kind, point);
  mark(row + Math.min(point, nowOther), point < nowOther ? bit : bit | isSpecial);
  if (other !== -1) mark(row + other, bit);
  if (point === space) mark(row + plus, bit);
}

function mark(place: number, bit: number): void {
  table[place] = (table[place] ?? 0) | bit;
}

/** Overwrites what was made of the secret and of the text. */
function forget(): void {
  readText('');
  table.fill(0);
  ofKind.fill(0);
  for (const repeat of repeats) repeat?.borders.fill(0);
  repeats.length = 0;
}

/** Returns which of some forms may go on at `at` with their character `index` and the next ones; at least those that do. */
function narrowed(among: number, index: number, at: number): number {
  let left = among;
  for (; left !== 0 && index < firstCharacters; index++, at++) {
    const unit = unitAt(at);
    const here = beginning(index, unit);
    if (here < 0) return narrowedBySpellings(left, index, unit, at);
    left &= here;
  }
  return left;
}

function beginning(index: number, point: number): number {
  return table[(index << 8) + (point >>> 0 < nowOther ? point : nowOther)] ?? 0;
}

/** As `narrowed`, for a place where more than the character itself may begin. */
function narrowedBySpellings(among: number, index: number, unit: number, at: number): number {
  const itself = among & beginning(index, unit);
  if (unit >>> 0 >= nowOther) return itself;
  // Several of them may be one.
  let left = unit === quote || unit === backslash || itself === 0 ? itself : narrowed(itself, index + 1, at + 1);
  if (unit === percent || unit === ampersand || unit === backslash) {
    for (let each = readSpellings(unit, at); ; each++) {
      const point = spelledPoints[each] ?? -1;
      if (point === -1) break;
      const spelled = among & beginning(index, point);
      if (spelled === 0) continue;
      left |= narrowed(spelled, index + 1, spelledEnds[each] ?? 0);
      // What follows may be remembered in its place.
      readSpellings(unit, at);
    }
  }
  if (index === 0 || (roleOf(unit) <= special && escapedSeparator(unit, at) === 0)) return left;
  return left | narrowedBehind(digits, among, index, at) | narrowedBehind(base64, among, index, at);
}

/** Skips separators first. */
function narrowedBehind(kind: Kind, among: number, index: number, at: number): number {
  const parted = among & (ofKind[kind] ?? 0);
  if (parted === 0) return 0;
  const after = afterSeparators(kind, at);
  if (after === at) return 0;
  const unit = unitAt(after);
  const here = beginning(index, unit);
  return here < 0 || unit === zero ? parted : narrowed(parted & here, index + 1, after + 1);
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

function repeatOf(form: number): Repeat {
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

function note(repeat: Repeat, begin: number, end: number): void {
  const place = (repeat.first + repeat.known++) & (repeat.begins.length - 1);
  repeat.begins[place] = begin;
  repeat.ends[place] = end;
}

/*
 * A comparison with one form. It has several ends at once: of four backslashes in the text, one or all four may mean one in the secret.
 */
let ends: number[] = [];
let next: number[] = [];
let count = 0;
/** Start of the character that ends at the last one. */
let begin = 0;

/** Returns the end of the longest occurrence of a form at `at`; -1 for none. */
function endOf(number: number, at: number): number {
  const form = offsets[number] ?? 0;
  const kind = forms[form] as Kind;
  const length = forms[form + 1] ?? 0;
  const stops = special | separators[kind];
  const repeat = repeats[number];
  let [end, index, from, to, isNoted] = [at, 0, 0, -1, false];
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
  for (count = 1; index < length; index++) {
    const point = forms[form + 2 + index] ?? 0;
    const unit = count === 1 ? unitAt(end) : backslash;
    if ((roleOf(unit) & stops) === 0) {
      // Nearly everything ends here: a character is itself, or it is not there.
      if (unit !== point && unit !== otherwise(kind, point)) return none(number, index, from, to);
      begin = end++;
    } else {
      if (count === 1) next[0] = end;
      if (!goOn(kind, point, index > 0)) return none(number, index, from, to);
      end = next[0] ?? 0;
    }
    // From several on, nothing is known for certain.
    isNoted &&= count === 1;
    if (isNoted && repeat !== undefined) note(repeat, begin, end);
    if (index > 0) continue;
    from = count === 1 ? end : lowest();
    to = count === 1 ? end : highest();
    if (from >= (failedFrom[number] ?? 0) && to <= (failedTo[number] ?? -1)) return -1;
    if (to - from >= count) to = -1;
  }
  return count === 1 ? end : highest();
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

function none(number: number, index: number, from: number, to: number): -1 {
  // Another place whose first character ends there goes on in the same way.
  if (to !== -1) {
    failedFrom[number] = from;
    failedTo[number] = to;
  }
  if (index >= worthKnowing) repeats[number] ??= repeatOf(offsets[number] ?? 0);
  return -1;
}

/** Makes of all ends those after one more character. Returns whether there is one. */
function goOn(kind: Kind, point: number, isLater: boolean): boolean {
  // An emptied list would be a new one.
  const [known, several] = [ends, count];
  [ends, next, count] = [next, known, 0];
  for (let each = 0; each < several; each++) {
    const end = ends[each] ?? 0;
    addSpellings(kind, point, end);
    if (!isLater || kind === plain) continue;
    const after = afterSeparators(kind, end);
    if (after === end) continue;
    addSpellings(kind, point, after);
    const isNumber = unitAt(after) === zero && (unitAt(after + 1) | 0x20) === 0x78;
    if (kind === digits && isNumber) addSpellings(kind, point, after + 2);
  }
  return count > 0;
}

/** Adds where each spelling of the character that begins at `at` ends. */
function addSpellings(kind: Kind, point: number, at: number): void {
  const before = count;
  const unit = unitAt(at);
  if (unit === point || unit === otherwise(kind, point)) add(at + 1);
  else if (point > 0xffff && unit === unitOf(point, 0) && unitAt(at + 1) === unitOf(point, 1)) add(at + 2);
  if (unit === plus) {
    if (point === space) add(at + 1);
  } else if (unit === quote) {
    if (point === quote) addShellQuotes(at, add);
  } else if (unit === percent || unit === ampersand || unit === backslash) {
    for (let each = readSpellings(unit, at); spelledPoints[each] !== -1; each++)
      if (spelledPoints[each] === point) add(spelledEnds[each] ?? 0);
    if (unit === point && unit === backslash) addBackslashes(at);
  }
  if (count > before) begin = at;
}

/** One backslash, written with any number of them. Whatever goes on from another one of the run goes on from the first or the last, too. */
function addBackslashes(at: number): void {
  const after = afterRun(at);
  if (after > at + 2) add(after - 1);
  add(after);
}

function add(end: number): void {
  for (let each = 0; each < count; each++) if (next[each] === end) return;
  next[count++] = end;
}

/** Skips separators between two digits, or two lines of base64. */
function afterSeparators(kind: Kind, from: number): number {
  let at = from;
  for (let skipped = 0; skipped < mostSeparators; skipped++) {
    const unit = unitAt(at);
    const length = (roleOf(unit) & separators[kind]) !== 0 ? 1 : escapedSeparator(unit, at);
    if (length === 0) break;
    at += length;
  }
  return at;
}

/** The length of `\n`, `\r`, `\t`, `%20`, `%0a` and their like, of which `unit` is the first one; 0 for anything else. */
function escapedSeparator(unit: number, at: number): number {
  if (unit !== percent && unit !== backslash) return 0;
  // Of an escape, its letter is the first that it may be.
  const first = readSpellings(unit, at);
  const point = spelledPoints[first] ?? -1;
  const isSeparator = unit === percent ? isWhite(point) : point === 0x6e || point === 0x72 || point === 0x74;
  return isSeparator ? (spelledEnds[first] ?? 0) - at : 0;
}

function isWhite(point: number): boolean {
  return point === space || (point >= 0x09 && point <= 0x0d);
}
