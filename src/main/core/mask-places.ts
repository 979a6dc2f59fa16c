import { Buffer } from 'node:buffer';
import { keyMark } from '#shared/secrets/key-mark.ts';
import type { Place } from './secret-places.ts';

/** In order and apart: keys may stand in each other. */
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

/** The bytes with each place written as `[private key]`. */
export function masked(bytes: Buffer, places: readonly Place[]): Buffer {
  if (places.length === 0) return bytes;
  const parts: Buffer[] = [];
  let at = 0;
  for (const { start, end } of places) {
    parts.push(bytes.subarray(at, start), Buffer.from(keyMark));
    at = end;
  }
  return Buffer.concat([...parts, bytes.subarray(at)]);
}
