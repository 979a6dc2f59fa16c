import { Buffer } from 'node:buffer';
import { keyMark } from '#shared/secrets/key-mark.ts';
import type { Place } from './secret-places.ts';

/** A range, and its replacement. */
export interface Mark extends Place {
  readonly text: string;
}

/** Merges ranges, in order and apart: keys may overlap. */
export function merged(places: readonly Place[]): Place[] {
  const result: Place[] = [];
  for (const place of places.toSorted((one, other) => one.start - other.start)) {
    const last = result.at(-1);
    if (last !== undefined && place.start < last.end)
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, place.end) };
    else result.push(place);
  }
  return result;
}

/**
 * Returns ranges to mask in a JSON text, in order: one outside its strings is widened to the whole number, or numbers, around it.
 * Only a string can replace it if the text is to stay JSON. `unitAt` returns a code unit or a byte of the text.
 */
export function placesInJson<T extends Place>(
  unitAt: (at: number) => number,
  length: number,
  places: readonly T[],
): (T & { readonly bare: boolean })[] {
  let at = 0;
  let inString = false;
  const isInString = (until: number) => {
    for (; at < until; at++) {
      const unit = unitAt(at);
      if (unit === 0x22) inString = !inString;
      else if (unit === 0x5c && inString) at++;
    }
    return inString;
  };
  return places.map((place) => {
    let { start, end } = place;
    const bare = !isInString(start) && !isInString(end);
    if (!bare) return { ...place, bare };
    while (start > 0 && isOfNumber(unitAt(start - 1))) start--;
    while (end < length && isOfNumber(unitAt(end))) end++;
    return { ...place, start, end, bare };
  });
}

/** Digits, letters, `+`, `-` and `.`: nothing of them parts two values. */
function isOfNumber(unit: number): boolean {
  const letter = unit | 0x20;
  return (unit >= 0x30 && unit <= 0x39) || (letter >= 0x61 && letter <= 0x7a) || unit === 0x2b || unit === 0x2d || unit === 0x2e;
}

const beginsAsJson = /^(?:\xef\xbb\xbf)?\s*(?:[[{]|-?\d)/;

/** Returns the marks for keys in a text that is not JSON, such as a header. */
export function keyMarks(places: readonly Place[]): Mark[] {
  return merged(places).map((place) => ({ ...place, text: keyMark }));
}

/** Returns the marks for keys in a body; in JSON outside strings, a mark in quotes. */
export function keyMarksInBody(bytes: Buffer, places: readonly Place[]): Mark[] {
  const apart = merged(places);
  if (apart.length === 0 || !beginsAsJson.test(bytes.toString('latin1', 0, 64))) return keyMarks(apart);
  const widened = placesInJson((at) => bytes[at] ?? 0, bytes.length, apart);
  return widened
    .filter(({ start }, index) => index === 0 || start >= (widened[index - 1]?.end ?? 0))
    .map(({ start, end, bare }) => ({ start, end, text: bare ? JSON.stringify(keyMark) : keyMark }));
}

/** Returns the bytes with the marks in place of their ranges. */
export function masked(bytes: Buffer, marks: readonly Mark[]): Buffer {
  if (marks.length === 0) return bytes;
  const parts: Buffer[] = [];
  let at = 0;
  for (const { start, end, text } of marks) {
    parts.push(bytes.subarray(at, start), Buffer.from(text));
    at = end;
  }
  return Buffer.concat([...parts, bytes.subarray(at)]);
}

/** Returns the offset in the masked bytes. */
export function movedBy(marks: readonly Mark[], offset: number): number {
  return marks.reduce((at, { start, end, text }) => (end <= offset ? at + text.length - (end - start) : at), offset);
}
