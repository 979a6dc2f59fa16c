import type { Call } from '../ipc/outputs/calls.ts';
import { compareTexts, valueDifferences, type JsonComparison, type JsonDifference, type Spelling } from '../json/compare-json.ts';
import { firstDifference, type FirstDifference } from '../json/first-difference.ts';
import { utf8Length } from '../json/utf8.ts';
import { readDateTime } from '../provider/date-time.ts';
import { compareKeys, type KeyComparison } from './compare-keys.ts';

/** Form of a time: the declared order (day first), that of the spec's one sample (year first), or another. */
type TimeForm = 'dmy' | 'ymd' | 'other';

/** The time that one call was signed with. */
export interface TimeSide {
  readonly text: string;
  readonly form: TimeForm;
  /** The text read as UTC minus the moment of sending, in milliseconds; null if the form is `other`. */
  readonly aheadMs: number | null;
  /** UTC offset, in minutes, of the zones in which the text is the moment of sending; null if there is no such zone. */
  readonly zoneMinutes: number | null;
}

/**
 * `equal`: the same text. `own`: each is the time of its own sending, in the same form and zone, which is normal for two calls.
 * `form`: written in another form. `moment`: the same form, but not both are the time of their sending in the same zone.
 */
export interface TimeComparison {
  readonly verdict: 'equal' | 'own' | 'form' | 'moment';
  readonly left: TimeSide;
  readonly right: TimeSide;
  /** Milliseconds from the left time to the right one; null if either has the form `other`. */
  readonly apartMs: number | null;
}

/** A way in which two texts of the same values can differ. */
export type WayOfWriting = Spelling | 'white space' | 'order';

/** Two texts of `data` that are not the same. */
export interface DataDifference {
  /** Null if the texts differ but their bytes do not: unpaired surrogates are all sent as U+FFFD. */
  readonly first: FirstDifference | null;
  /** Position of that byte in each hash input, counted from the first byte after the key. */
  readonly afterKey: { readonly left: number; readonly right: number } | null;
  /** Null where one of the texts is not JSON. */
  readonly json: JsonComparison | null;
  /** The difference in value or spelling that holds the first differing byte; null if it lies between values or is unknown. */
  readonly at: JsonDifference | null;
  /** Both are JSON and hold the same values. */
  readonly sameValues: boolean;
  /** The only ways in which texts of equal values differ; empty if values differ or if it is not certain. */
  readonly only: readonly WayOfWriting[];
}

type DataComparison =
  | { readonly verdict: 'equal' }
  /** Neither call has data: key and time are all that is hashed. */
  | { readonly verdict: 'none' }
  | { readonly verdict: 'left only' | 'right only' }
  | { readonly verdict: 'different'; readonly difference: DataDifference };

/** The hash inputs of two calls, segment by segment. */
export type HashInputComparison =
  | { readonly verdict: 'unsigned' | 'left unsigned' | 'right unsigned' }
  | {
      readonly verdict: 'signed';
      readonly key: KeyComparison;
      readonly time: TimeComparison;
      readonly data: DataComparison;
      /** Number of segments that differ, 0 to 3; times with the verdict `own` do not count. */
      readonly count: number;
    };

type Signed = Pick<Call, 'sentAt' | 'request' | 'draft' | 'maskedParts' | 'origin'>;

/** Compares what was hashed for two calls (Authentication, 4). No record holds the key, so hashes and fingerprints decide. */
export function compareHashInputs(left: Signed, right: Signed): HashInputComparison {
  const [ours, theirs] = [left.request.hashInput, right.request.hashInput];
  if (ours === null || theirs === null) {
    return { verdict: ours !== null ? 'right unsigned' : theirs !== null ? 'left unsigned' : 'unsigned' };
  }
  const key = compareKeys(left, right);
  const time = compareTimes(timeSide(ours.time, left.sentAt), timeSide(theirs.time, right.sentAt));
  const data = compareData(ours, theirs);
  const timeDiffers = time.verdict === 'form' || time.verdict === 'moment';
  const dataDiffers = data.verdict !== 'equal' && data.verdict !== 'none';
  return {
    verdict: 'signed',
    key,
    time,
    data,
    count: Number(key.verdict === 'different') + Number(timeDiffers) + Number(dataDiffers),
  };
}

/** Most milliseconds between a time, which has whole seconds, and the moment of sending. */
const toleranceMs = 5_000;
const quarterMs = 900_000;
/** First and last UTC offset in use, in milliseconds; offsets are quarters of an hour. */
const [firstZoneMs, lastZoneMs] = [-12 * 3_600_000, 14 * 3_600_000];

function timeSide(text: string, sentAt: number): TimeSide {
  const dmy = readDateTime(text, 'dmy');
  const read = dmy ?? readDateTime(text, 'ymd');
  if (read === null) return { text, form: 'other', aheadMs: null, zoneMinutes: null };
  const aheadMs = read - sentAt;
  const zoneMs = Math.round(aheadMs / quarterMs) * quarterMs;
  const fits = Math.abs(aheadMs - zoneMs) <= toleranceMs && zoneMs >= firstZoneMs && zoneMs <= lastZoneMs;
  // Rounding can give -0.
  return { text, form: dmy === null ? 'ymd' : 'dmy', aheadMs, zoneMinutes: fits ? zoneMs / 60_000 + 0 : null };
}

function compareTimes(left: TimeSide, right: TimeSide): TimeComparison {
  const apartMs = left.form === 'other' || right.form === 'other' ? null : (readAny(right.text) ?? 0) - (readAny(left.text) ?? 0);
  return { verdict: timeVerdict(left, right), left, right, apartMs };
}

function timeVerdict(left: TimeSide, right: TimeSide): TimeComparison['verdict'] {
  if (left.text === right.text) return 'equal';
  if (left.form !== right.form || left.form === 'other') return 'form';
  return left.zoneMinutes !== null && left.zoneMinutes === right.zoneMinutes ? 'own' : 'moment';
}

function readAny(text: string): number | null {
  return readDateTime(text, 'dmy') ?? readDateTime(text, 'ymd');
}

interface Hashed {
  readonly time: string;
  readonly dataJson: string | null;
}

function compareData(left: Hashed, right: Hashed): DataComparison {
  const [ours, theirs] = [left.dataJson, right.dataJson];
  if (ours === null || theirs === null) {
    return { verdict: ours !== null ? 'left only' : theirs !== null ? 'right only' : 'none' };
  }
  if (ours === theirs) return { verdict: 'equal' };
  const first = firstDifference(ours, theirs);
  const { json } = compareTexts(ours, theirs);
  const afterKey =
    first === null ? null : { left: utf8Length(left.time) + first.byteOffset, right: utf8Length(right.time) + first.byteOffset };
  return {
    verdict: 'different',
    difference: {
      first,
      afterKey,
      json,
      at: differenceAt(json, first),
      sameValues: json !== null && valueDifferences(json) === 0,
      only: json === null ? [] : waysOf(json, ours, theirs),
    },
  };
}

/** Returns the difference whose text, on both sides, holds the byte: what stands before it is the same, so that the offsets are too. */
function differenceAt(json: JsonComparison | null, first: FirstDifference | null): JsonDifference | null {
  if (json === null || first === null) return null;
  const holds = (part: JsonDifference['left']) => part !== null && part.start <= first.charOffset && first.charOffset < part.end;
  // If one number continues and the other ends, the difference is at the end of the shorter one.
  const touches = (part: JsonDifference['left']) =>
    part !== null && part.start <= first.charOffset && first.charOffset <= part.end;
  return (
    json.differences.find(({ left, right }) => (holds(left) && touches(right)) || (touches(left) && holds(right))) ??
    json.differences.find(({ kind, left, right }) => (kind === 'removed' ? holds(left) : kind === 'added' && holds(right))) ??
    null
  );
}

function waysOf(json: JsonComparison, left: string, right: string): readonly WayOfWriting[] {
  // A truncated list could lack a way.
  if (valueDifferences(json) > 0 || json.counts.spelling > json.differences.length) return [];
  if (json.whiteSpaceOnly) return ['white space'];
  const ways = new Set<WayOfWriting>();
  for (const { spelling } of json.differences) if (spelling !== null) ways.add(spelling);
  const [ours, theirs] = [frameOf(left), frameOf(right)];
  if (json.reordered.count === 0) {
    if (ours !== theirs) ways.add('white space');
    return [...ways];
  }
  // Reordered members take their white space along, so it is certainly equal only if there is none.
  return /[ \t\n\r]/.test(ours) || /[ \t\n\r]/.test(theirs) ? [] : [...ways, 'order'];
}

/** Returns a JSON text with one letter in the place of each string, number and literal: its marks and its white space. */
function frameOf(json: string): string {
  let frame = '';
  let inValue = false;
  for (let at = 0; at < json.length; at++) {
    const character = json.charAt(at);
    if (/[\s{}[\],:]/.test(character)) {
      frame += character;
      inValue = false;
      continue;
    }
    if (!inValue) frame += 'v';
    inValue = true;
    if (character === '"') at = closingQuote(json, at);
  }
  return frame;
}

function closingQuote(json: string, at: number): number {
  let end = at + 1;
  while (end < json.length && json[end] !== '"') end += json[end] === '\\' ? 2 : 1;
  return end;
}
