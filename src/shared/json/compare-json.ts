import { describeSyntaxError, parseJson, type JsonMember, type JsonNode } from './parse.ts';

/** A part of one of the texts: UTF-16 offsets and its beginning. */
interface JsonPart {
  readonly start: number;
  readonly end: number;
  /** At most `excerptLength` units of it, never half of a pair. */
  readonly text: string;
  readonly cut: boolean;
}

/** A way in which one value can be written differently. */
export type Spelling = 'number' | 'slashes' | 'hex case' | 'escapes';

/**
 * One difference in document order. `changed`: another value. `spelling`: the same value written in another way; with `name`
 * the member's name differs. Members that share a name are compared in order: first with first, and so on.
 */
export interface JsonDifference {
  readonly kind: 'added' | 'removed' | 'changed' | 'spelling';
  /** JSON Pointer; empty for the whole text. */
  readonly pointer: string;
  /** Position among the members of that name, from 1; null if the object has only one on that side. */
  readonly occurrence: number | null;
  readonly spelling: Spelling | null;
  readonly name: boolean;
  readonly left: JsonPart | null;
  readonly right: JsonPart | null;
}

/** Values that were added, removed and changed from the left JSON text to the right one. */
export interface JsonComparison {
  /** The first `mostDifferences` of them. */
  readonly differences: readonly JsonDifference[];
  readonly counts: Readonly<Record<JsonDifference['kind'], number>>;
  /** Objects whose common members are in another order, which does not change the value. */
  readonly reordered: { readonly count: number; readonly first: string | null };
  /** True if the texts differ in white space between their values and nothing else. */
  readonly whiteSpaceOnly: boolean;
}

/** `json` is null if either text is not JSON; the messages then say which and why. */
export interface TextComparison {
  readonly equal: boolean;
  readonly json: JsonComparison | null;
  readonly leftError: string | null;
  readonly rightError: string | null;
}

export const mostDifferences = 1_000;
const excerptLength = 200;

/** Compares two texts, as JSON if both are: members by name, items by index, numbers digit by digit. */
export function compareTexts(left: string, right: string): TextComparison {
  const [one, other] = [parseJson(left), parseJson(right)];
  return {
    equal: left === right,
    json: one.ok && other.ok ? compareRoots({ text: left, root: one.root }, { text: right, root: other.root }) : null,
    leftError: one.ok ? null : describeSyntaxError(one.error),
    rightError: other.ok ? null : describeSyntaxError(other.error),
  };
}

/** Counts differences in value, without those that are only another spelling. */
export function valueDifferences({ counts }: JsonComparison): number {
  return counts.added + counts.removed + counts.changed;
}

interface Side {
  readonly text: string;
  readonly root: JsonNode;
}

/** Position of a value as a chain, so that a pointer is written only for a difference. */
interface Place {
  readonly above: Place | null;
  readonly step: string | number;
  readonly occurrence: number | null;
}

/** A pending comparison; a side is null if only the other has the value. */
interface Task {
  readonly place: Place | null;
  readonly left: JsonNode | null;
  readonly right: JsonNode | null;
  /** The source text of both names, only for members. */
  readonly names: { readonly left: JsonMember; readonly right: JsonMember } | null;
}

/** Compares with its own stack instead of recursion, because the sender of a text chooses its nesting. */
function compareRoots(left: Side, right: Side): JsonComparison {
  const differences: JsonDifference[] = [];
  const counts = { added: 0, removed: 0, changed: 0, spelling: 0 };
  const reordered = { count: 0, first: null as string | null };
  const tasks: Task[] = [{ place: null, left: left.root, right: right.root, names: null }];

  function report(
    kind: JsonDifference['kind'],
    place: Place | null,
    one: Span | null,
    other: Span | null,
    more: { spelling?: Spelling; name?: boolean } = {},
  ): void {
    counts[kind] += 1;
    if (differences.length >= mostDifferences) return;
    differences.push({
      kind,
      pointer: pointerOf(place),
      occurrence: place?.occurrence ?? null,
      spelling: more.spelling ?? null,
      name: more.name === true,
      left: one === null ? null : partOf(left.text, one),
      right: other === null ? null : partOf(right.text, other),
    });
  }

  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    const { place, left: one, right: other, names } = task;
    if (one === null || other === null) {
      report(one === null ? 'added' : 'removed', place, one, other);
      continue;
    }
    if (names !== null) {
      const [ours, theirs] = [nameSpan(names.left), nameSpan(names.right)];
      const spelling = spellingOf(left.text.slice(ours.start, ours.end), right.text.slice(theirs.start, theirs.end));
      if (spelling !== null) report('spelling', place, ours, theirs, { spelling, name: true });
    }
    if (one.kind === 'object' && other.kind === 'object') {
      const pairs = pairMembers(one.members, other.members);
      if (pairs.reordered) {
        reordered.count += 1;
        reordered.first ??= pointerOf(place);
      }
      for (const { occurrence, left: mine, right: yours } of pairs.pairs.toReversed()) {
        const step = (mine ?? yours)?.key ?? '';
        tasks.push({
          place: { above: place, step, occurrence },
          left: mine?.value ?? null,
          right: yours?.value ?? null,
          names: mine === null || yours === null ? null : { left: mine, right: yours },
        });
      }
    } else if (one.kind === 'array' && other.kind === 'array') {
      for (let at = Math.max(one.items.length, other.items.length) - 1; at >= 0; at--) {
        tasks.push({
          place: { above: place, step: at, occurrence: null },
          left: one.items[at] ?? null,
          right: other.items[at] ?? null,
          names: null,
        });
      }
    } else if (one.kind !== other.kind) {
      report('changed', place, one, other);
    } else if (one.kind === 'number' && other.kind === 'number') {
      if (one.text === other.text) continue;
      if (isSameNumber(one.text, other.text)) report('spelling', place, one, other, { spelling: 'number' });
      else report('changed', place, one, other);
    } else if (one.kind === 'string' && other.kind === 'string') {
      if (one.value !== other.value) {
        report('changed', place, one, other);
        continue;
      }
      const spelling = spellingOf(left.text.slice(one.start, one.end), right.text.slice(other.start, other.end));
      if (spelling !== null) report('spelling', place, one, other, { spelling });
    }
  }
  const sameOtherwise = counts.added + counts.removed + counts.changed + counts.spelling + reordered.count === 0;
  return { differences, counts, reordered, whiteSpaceOnly: sameOtherwise && left.text !== right.text };
}

interface Pair {
  readonly left: JsonMember | null;
  readonly right: JsonMember | null;
  readonly occurrence: number | null;
}

/** Returns the members of two objects side by side: those of the left in its order, then those that only the right has. */
function pairMembers(left: readonly JsonMember[], right: readonly JsonMember[]): { pairs: readonly Pair[]; reordered: boolean } {
  const byName = new Map<string, number[]>();
  right.forEach(({ key }, at) => {
    const known = byName.get(key);
    if (known === undefined) byName.set(key, [at]);
    else known.push(at);
  });
  const seen = new Map<string, number>();
  const leftNames = new Map<string, number>();
  for (const { key } of left) leftNames.set(key, (leftNames.get(key) ?? 0) + 1);
  const repeated = (key: string) => (leftNames.get(key) ?? 0) > 1 || (byName.get(key)?.length ?? 0) > 1;
  const taken = new Set<number>();
  const pairs: Pair[] = [];
  let last = -1;
  let reordered = false;
  for (const member of left) {
    const nth = seen.get(member.key) ?? 0;
    seen.set(member.key, nth + 1);
    const at = byName.get(member.key)?.[nth];
    const occurrence = repeated(member.key) ? nth + 1 : null;
    if (at === undefined) {
      pairs.push({ left: member, right: null, occurrence });
      continue;
    }
    reordered ||= at < last;
    last = at;
    taken.add(at);
    pairs.push({ left: member, right: right[at] ?? null, occurrence });
  }
  right.forEach((member, at) => {
    if (taken.has(at)) return;
    // Those that pair with a member on the left come first.
    const nth = seen.get(member.key) ?? 0;
    seen.set(member.key, nth + 1);
    pairs.push({ left: null, right: member, occurrence: repeated(member.key) ? nth + 1 : null });
  });
  return { pairs, reordered };
}

/** Returns the way in which two strings of one value are written differently; null if they are not. Both include their quotes. */
function spellingOf(left: string, right: string): Spelling | null {
  if (left === right) return null;
  if (bareSlashes(left) === bareSlashes(right)) return 'slashes';
  return lowerHex(left) === lowerHex(right) ? 'hex case' : 'escapes';
}

/** Removes the escapes of slashes. Reads escapes from the left, so that the second half of `\\` does not begin one. */
function bareSlashes(json: string): string {
  return json.replaceAll(/\\(.)/gs, (escape, character: string) => (character === '/' ? '/' : escape));
}

function lowerHex(json: string): string {
  return json.replaceAll(/\\(?:u([0-9a-fA-F]{4})|.)/gs, (escape, digits: string | undefined) =>
    digits === undefined ? escape : `\\u${digits.toLowerCase()}`,
  );
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function nameSpan({ keyStart, keyEnd }: JsonMember): Span {
  return { start: keyStart, end: keyEnd };
}

function partOf(text: string, { start, end }: Span): JsonPart {
  let stop = Math.min(end, start + excerptLength);
  if (stop < end && (text.charCodeAt(stop - 1) & 0xfc00) === 0xd800) stop -= 1;
  return { start, end, text: text.slice(start, stop), cut: stop < end };
}

function pointerOf(place: Place | null): string {
  const steps: string[] = [];
  for (let at = place; at !== null; at = at.above) {
    steps.push(String(at.step).replaceAll('~', '~0').replaceAll('/', '~1'));
  }
  return steps
    .toReversed()
    .map((step) => `/${step}`)
    .join('');
}

/** Most digits of an exponent. Numbers with longer ones are equal only if their texts are. */
const longestExponent = 15;

/** Returns whether two JSON numbers have the same value, to the last digit: 1, 1.0, 10e-1 and 1E0 are equal, and so are 0 and -0. */
function isSameNumber(left: string, right: string): boolean {
  if (left === right) return true;
  const [one, other] = [decimalOf(left), decimalOf(right)];
  return one !== null && other !== null && one === other;
}

/** Returns sign, digits without zeros at either end, and the power of ten of the last digit; null if the exponent is too long. */
function decimalOf(text: string): string | null {
  const mark = text.search(/[eE]/);
  const mantissa = mark === -1 ? text : text.slice(0, mark);
  const exponent = mark === -1 ? '0' : text.slice(mark + 1);
  const negative = mantissa.startsWith('-');
  const point = mantissa.indexOf('.');
  const fraction = point === -1 ? 0 : mantissa.length - point - 1;
  const all = mantissa.slice(negative ? 1 : 0).replace('.', '');
  let start = 0;
  while (all.charCodeAt(start) === 0x30) start += 1;
  if (start === all.length) return '0';
  let end = all.length;
  while (all.charCodeAt(end - 1) === 0x30) end -= 1;
  if (exponent.replace(/^[+-]?0*/, '').length > longestExponent) return null;
  return `${negative ? '-' : ''}${all.slice(start, end)}e${Number(exponent) - fraction + all.length - end}`;
}
