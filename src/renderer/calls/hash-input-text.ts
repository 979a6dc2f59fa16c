import { keyPlaceholder } from '#shared/signing/hash-input.ts';
import { markCharacters, shownLength, type CharacterMark, type MarkedCharacters } from './character-marks.ts';

/** A part of the shown hash input that is drawn in its own way; UTF-16 offsets into the shown text. */
export interface HashMark extends Omit<CharacterMark, 'kind'> {
  readonly kind: 'key' | 'time' | 'difference' | 'token' | CharacterMark['kind'];
}

/** The hash input as it is shown: the key's place, time and data in one text. */
export interface HashInputText {
  readonly text: string;
  readonly marks: readonly HashMark[];
  /** Offset of data in the text, in UTF-16 units. */
  readonly dataStart: number;
  /** Number of characters of data that are hashed and not shown. */
  readonly hidden: number;
  /** Number of characters that show nothing themselves. */
  readonly invisible: number;
  readonly nonAscii: number;
}

/** Number of marks beyond which they would cost more than they show. */
const MAX_MARKS = 2_000;

/** Returns data as it is shown behind key and time, with its marks from 0 on. Long data is truncated here and only here. */
export function shownData(dataJson: string | null): MarkedCharacters & { readonly hidden: number } {
  const data = dataJson ?? '';
  const cut = shownLength(data);
  const marked = markCharacters(cut === data.length ? data : data.slice(0, cut), 0, MAX_MARKS - 2);
  return { ...marked, hidden: data.length - cut };
}

/** Lays the hash input out for reading. The result of `shownData` can be used again for another time. */
export function hashInputText(
  time: string,
  dataJson: string | null,
  differenceAt: number | null = null,
  seen = shownData(dataJson),
): HashInputText {
  const dataStart = keyPlaceholder.length + time.length;
  const marks: HashMark[] = [{ start: 0, end: keyPlaceholder.length, kind: 'key' }];
  if (time !== '') marks.push({ start: keyPlaceholder.length, end: dataStart, kind: 'time' });
  // An override may put any text in place of the time.
  const moment = markCharacters(time, keyPlaceholder.length, MAX_MARKS - marks.length);
  marks.push(...moment.marks);
  for (const mark of seen.marks) {
    if (marks.length >= MAX_MARKS) break;
    marks.push({ ...mark, start: mark.start + dataStart, end: mark.end + dataStart });
  }
  if (differenceAt !== null && differenceAt < (dataJson ?? '').length - seen.hidden) {
    marks.push({ start: dataStart + differenceAt, end: dataStart + differenceAt + 1, kind: 'difference' });
  }
  return {
    text: keyPlaceholder + moment.text + seen.text,
    marks,
    dataStart,
    hidden: seen.hidden,
    invisible: moment.invisible + seen.invisible,
    nonAscii: moment.nonAscii + seen.nonAscii,
  };
}
