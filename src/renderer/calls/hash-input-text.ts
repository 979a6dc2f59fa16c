import { describeInvisible, hashInputSegments, keyPlaceholder, type HashInputSegment } from '#shared/signing/hash-input.ts';

/** A part of the shown hash input that has its own look; UTF-16 offsets into the shown text. */
export interface HashMark {
  readonly start: number;
  readonly end: number;
  readonly kind: 'key' | 'time' | 'escape' | 'nonAscii' | 'invisible' | 'difference';
  /** Shown in front of a character that shows nothing itself. */
  readonly label?: string;
}

/** The hash input as it is shown: the key's place, time and data in one text. */
export interface HashInputText {
  readonly text: string;
  readonly marks: readonly HashMark[];
  readonly segments: readonly HashInputSegment[];
  /** Characters of data that are hashed and not shown. */
  readonly hidden: number;
  /** How many characters show nothing themselves, and how many others are outside ASCII. */
  readonly invisible: number;
  readonly nonAscii: number;
}

/** Beyond this the page's layout would take longer than a key press may. */
const MAX_SHOWN = 100_000;
/** Beyond this, marks would cost more than they tell. */
const MAX_MARKS = 2_000;

/** Short names for the characters that turn up most; the others are named by their code point. */
const SHORT: Readonly<Record<string, string>> = {
  'U+0009': 'TAB',
  'U+000A': 'LF',
  'U+000D': 'CR',
  'U+00A0': 'NBSP',
  'U+200B': 'ZWSP',
  'U+FEFF': 'BOM',
};

/**
 * Lays the hash input out for reading. Characters without a shape get a label; a carriage return is replaced by its
 * label, as an editor would take it for the end of a line. Long data is cut here and only here.
 */
export function hashInputText(time: string, dataJson: string | null, differenceAt: number | null = null): HashInputText {
  const segments = hashInputSegments(time, dataJson);
  const data = dataJson ?? '';
  const cut = safeCut(data, MAX_SHOWN);
  const seen = cut === data.length ? data : data.slice(0, cut);
  const dataStart = keyPlaceholder.length + time.length;
  const marks: HashMark[] = [{ start: 0, end: keyPlaceholder.length, kind: 'key' }];
  if (time !== '') marks.push({ start: keyPlaceholder.length, end: dataStart, kind: 'time' });

  let invisible = 0;
  const found = describeInvisible(seen);
  for (const { index, length, label, kind } of found) {
    if (kind !== 'visible') invisible += 1;
    if (marks.length >= MAX_MARKS) continue;
    const start = dataStart + index;
    if (kind === 'visible') marks.push({ start, end: start + length, kind: 'nonAscii' });
    else {
      const code = label.split(' ', 1)[0] ?? label;
      marks.push({ start, end: start + length, kind: 'invisible', label: SHORT[code] ?? code });
    }
  }
  for (const { start, end } of escapes(seen)) {
    if (marks.length >= MAX_MARKS) break;
    marks.push({ start: dataStart + start, end: dataStart + end, kind: 'escape' });
  }
  if (differenceAt !== null && differenceAt < cut) {
    marks.push({ start: dataStart + differenceAt, end: dataStart + differenceAt + 1, kind: 'difference' });
  }
  return {
    text: keyPlaceholder + time + (found.some((one) => one.kind === 'control') ? seen.replaceAll('\r', '\u00a0') : seen),
    marks,
    segments,
    hidden: data.length - cut,
    invisible,
    nonAscii: found.length - invisible,
  };
}

/** The `\uXXXX` escapes of characters that are not printable ASCII. */
function* escapes(data: string): Generator<{ start: number; end: number }> {
  for (let at = data.indexOf('\\'); at >= 0; at = data.indexOf('\\', at)) {
    if (data[at + 1] !== 'u') {
      at += 2;
      continue;
    }
    const code = parseInt(data.slice(at + 2, at + 6), 16);
    if (code < 0x20 || code > 0x7e) yield { start: at, end: at + 6 };
    at += 6;
  }
}

function safeCut(text: string, max: number): number {
  if (text.length <= max) return text.length;
  const code = text.charCodeAt(max - 1);
  return code >= 0xd800 && code <= 0xdbff ? max - 1 : max;
}
