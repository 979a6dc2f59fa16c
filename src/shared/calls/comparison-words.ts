import { byteText } from '../model/byte-text.ts';
import { callNumber } from './pack-words.ts';
import type { Call } from '../ipc/outputs/calls.ts';
import type { JsonDifference } from '../json/compare-json.ts';
import type { FirstDifference } from '../json/first-difference.ts';
import type { KeyComparison } from './compare-keys.ts';
import type { CallComparison } from './compare-calls.ts';
import type { DataDifference, HashInputComparison, TimeComparison, TimeSide, WayOfWriting } from './compare-hash-input.ts';
import { listed } from '../listed.ts';

type Compared = Pick<CallComparison, 'hashInput' | 'envelope' | 'masked'>;

/** The first difference between two calls: first in the hash input, then in the envelope or the plain body. */
export interface FirstFinding {
  readonly part: 'signature' | 'key' | 'time' | 'data' | 'envelope' | 'nothing';
  /** `data, at byte 57: \/ against /`: the difference as the end of a sentence, without the full stop; empty if nothing differs. */
  readonly words: string;
}

/** Finds the first difference that matters: another moment of sending does not, nor the hash that follows from it. */
export function firstFinding({ hashInput, envelope }: Compared): FirstFinding {
  if (hashInput.verdict === 'left unsigned' || hashInput.verdict === 'right unsigned') {
    return { part: 'signature', words: 'the hash input: only one call has one' };
  }
  if (hashInput.verdict === 'signed') {
    const { key, time, data } = hashInput;
    if (key.verdict === 'different') {
      const proof = key.proof === 'hash' ? 'the same time and data gave another hash' : 'their fingerprints differ';
      return { part: 'key', words: `the key: ${proof}` };
    }
    if (time.verdict === 'form' || time.verdict === 'moment') return { part: 'time', words: `time: ${timeWords(time)}` };
    if (data.verdict === 'different') return { part: 'data', words: `data${dataWords(data.difference)}` };
    if (data.verdict === 'left only' || data.verdict === 'right only') {
      return { part: 'data', words: 'data: only one call has it' };
    }
  }
  const body = `the ${bodyWord(hashInput)}`;
  const line = envelope.lines.find(({ name, equal }) => !equal && !followsFrom(hashInput, name));
  if (line !== undefined) {
    return { part: 'envelope', words: `${body}, in ${line.name}: ${shown(line.left)} against ${shown(line.right)}` };
  }
  if (!envelope.equal && (!envelope.byMembers || envelope.lines.every(({ equal }) => equal))) {
    return { part: 'envelope', words: `${body}'s text${envelope.reordered ? ', in the order of its fields' : ''}` };
  }
  if (envelope.reordered) return { part: 'envelope', words: `${body}, in the order of its fields` };
  return { part: 'nothing', words: '' };
}

/** Names the bodies of two calls: an envelope only if both are signed, as wallet methods have none. */
export function bodyWord({ verdict }: Pick<HashInputComparison, 'verdict'>): 'envelope' | 'body' {
  return verdict === 'signed' ? 'envelope' : 'body';
}

/** Returns whether a field of the envelope differs only because the hash input does. The hash is its own finding if one input gave two. */
function followsFrom(input: HashInputComparison, name: string): boolean {
  if (input.verdict !== 'signed') return false;
  const same = input.time.verdict === 'equal' && (input.data.verdict === 'equal' || input.data.verdict === 'none');
  return name === 'time' || name === 'data' || (name === 'hash' && !same);
}

/**
 * Describes how two calls differ, in one sentence that starts with `subject`: `They differ` or `Calls 1 and 2 differ`. If nothing that
 * matters differs, it says what is the same, and of the key only what is known.
 */
export function differenceSentence(comparison: Compared, subject: string, verb: 'differ' | 'differs' = 'differ'): string {
  const { part, words } = firstFinding(comparison);
  if (part === 'nothing')
    return `${subject} ${verb === 'differ' ? 'were' : 'was'} sent with ${listed(sameParts(comparison.hashInput))}${comparison.masked ? maskedWords : ''}.`;
  const apart = comparison.hashInput.verdict === 'signed' && (part === 'data' || part === 'envelope');
  return `${subject} ${verb}${apart ? ', apart from the sending time,' : ''} first in ${words}.`;
}

/** Ends a sentence about what reads the same in a call with masked values. */
const maskedWords = ', except for masked parts';

function sameParts(input: HashInputComparison): string[] {
  if (input.verdict !== 'signed') return ['the same body'];
  const { key, time, data } = input;
  return [
    ...(key.verdict === 'same' ? ['the same key'] : []),
    time.verdict === 'equal' ? 'the same time' : 'a time in the same format',
    data.verdict === 'none' ? 'no data' : 'the same data',
  ];
}

/** Describes how an accepted call and a rejected one differ, in one sentence that begins with `The last accepted call`. */
export function lastGoodSentence(comparison: Compared, good: Pick<Call, 'id' | 'operation' | 'pack'>): string {
  return differenceSentence(comparison, `The last accepted call of ${good.operation}, call ${callNumber(good)},`, 'differs');
}

/** Describes how two times differ: in form, or in their distance from the moment of sending. */
export function timeWords({ verdict, left, right }: TimeComparison): string {
  switch (verdict) {
    case 'equal':
      return 'the same text';
    case 'own':
      return `each matches the time its call was sent${left.zoneMinutes === null ? '' : ` in ${zoneText(left.zoneMinutes)}`}`;
    case 'form':
      return left.form === right.form
        ? `${quoted(left.text)} against ${quoted(right.text)}, neither in the documented format`
        : `${quoted(left.text)} (${formText(left)}) against ${quoted(right.text)} (${formText(right)})`;
    case 'moment':
      return `one is ${momentText(left)}, the other is ${momentText(right)}`;
  }
}

/** Returns the form of a time's text in words. */
export function formText({ form }: TimeSide): string {
  switch (form) {
    case 'dmy':
      return 'dd-mm-yyyy hh:mm:ss, as documented';
    case 'ymd':
      return "yyyy-mm-dd hh:mm:ss, as in one of the spec's samples";
    case 'other':
      return 'not in the documented format';
  }
}

/** Describes a time's distance from the moment at which its call was sent. */
export function momentText({ aheadMs, zoneMinutes }: TimeSide): string {
  if (aheadMs === null) return 'a text not in the documented format';
  if (zoneMinutes !== null) return `its sending time in ${zoneText(zoneMinutes)}`;
  return `${spanText(Math.abs(aheadMs))} ${aheadMs > 0 ? 'after' : 'before'} it was sent, read as UTC`;
}

/** Describes the first difference in `data`; begins with a comma and the position of the byte. */
export function dataWords({ first, only, at, sameValues }: DataDifference): string {
  if (first === null) return ', in lone surrogates, which are sent as U+FFFD';
  const reason = reasonText(only, sameValues, at);
  return `, at ${byteText(first.byteOffset)}: ${sidesText(first)}${reason === '' ? '' : `; ${reason}`}`;
}

/** Explains why the texts differ there; empty if nothing is certain. */
function reasonText(only: readonly WayOfWriting[], sameValues: boolean, at: JsonDifference | null): string {
  if (only.length > 0) {
    return `the values are the same, only ${listed(only.map((way) => wayTexts[way]))} ${only.length > 1 ? 'differ' : 'differs'}`;
  }
  if (sameValues) return 'the values are the same';
  if (at === null) return '';
  const place = at.pointer === '' ? 'the whole text' : shown(at.pointer);
  if (at.kind === 'spelling') {
    return `in ${at.name ? 'the name of ' : ''}${place}, where only ${wayTexts[at.spelling ?? 'escapes']} differs`;
  }
  return at.kind === 'changed' ? `the value of ${place} was changed` : `${place} was ${at.kind}`;
}

/** Names of the ways of writing, as subjects of a sentence. */
export const wayTexts: Readonly<Record<WayOfWriting, string>> = {
  'white space': 'white space',
  order: 'the order of fields',
  number: 'the format of numbers',
  slashes: 'the escaping of slashes',
  'hex case': 'the case of hexadecimal digits in escapes',
  escapes: 'the escaping of characters',
};

/** Compares two hash inputs segment by segment, in lines of plain text. */
export function hashInputLines({ hashInput: input, masked }: Pick<CallComparison, 'hashInput' | 'masked'>): string[] {
  if (input.verdict === 'unsigned') return ['hash input: neither call has one'];
  if (input.verdict !== 'signed') return [`hash input: the ${input.verdict.split(' ')[0] ?? ''} call has none`];
  const time = (side: TimeSide) =>
    `${JSON.stringify(side.text)}, ${formText(side)}${side.form === 'other' ? '' : `; ${momentText(side)}`}`;
  const { data } = input;
  return [
    'hash input:',
    `  key   ${keyText(input.key)}`,
    `  time  - ${time(input.time.left)}`,
    `        + ${time(input.time.right)}`,
    `  data  ${data.verdict === 'different' ? `different${dataWords(data.difference)}` : data.verdict}${masked && data.verdict === 'equal' ? maskedWords : ''}`,
  ];
}

/** Shows both sides at the first differing byte: the character or the whole escape, and the byte in hexadecimal. */
export function sidesText({ before, left, right }: FirstDifference): string {
  return `${tokenText(before, left)} against ${tokenText(before, right)}`;
}

function tokenText(before: string, side: FirstDifference['left']): string {
  if (side.byte === null) return 'the end';
  // The texts may part in the middle of an escape.
  const begun = /(?:^|[^\\])(?:\\\\)*(\\(?:u[0-9a-fA-F]{0,3})?)$/.exec(before)?.[1] ?? '';
  const escape = /^\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])/.exec(begun + side.after)?.[0];
  return `${escape ?? side.character} (0x${side.byte})`;
}

/** Writes an offset in minutes as `UTC` or `UTC+05:30`. */
export function zoneText(minutes: number): string {
  if (minutes === 0) return 'UTC';
  const two = (value: number) => String(value).padStart(2, '0');
  const size = Math.abs(minutes);
  return `UTC${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** Writes milliseconds in their two largest units: `12 s`, `5 min 3 s`, `2 h 15 min`, `3 d 4 h`. */
export function spanText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  const units = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'min'],
    [1, 's'],
  ] as const;
  const from = units.findIndex(([size]) => seconds >= size);
  if (from === -1) return '0 s';
  let rest = seconds;
  const parts: string[] = [];
  for (const [size, unit] of units.slice(from, from + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count.toLocaleString('en')} ${unit}`);
  }
  return parts.join(' ');
}

/** Returns the verdict on the keys in words. */
export function keyText({ verdict, proof }: KeyComparison): string {
  switch (proof) {
    case 'hash':
      return verdict === 'same'
        ? 'Same key: the same time and data gave the same hash'
        : 'Different keys: the same time and data gave different hashes';
    case 'fingerprint':
      return verdict === 'same' ? 'Same key, by its fingerprint' : 'Different keys: their fingerprints differ';
    case 'missing':
      return "Can't compare: a call was recorded without a fingerprint";
    case 'kind':
      return "Can't compare: an older record doesn't say where its fingerprint was made";
    case 'sessions':
      return "Can't compare: the fingerprints come from different keychains or sessions";
  }
}

function shown(text: string | null): string {
  if (text === null) return 'nothing';
  return text.length <= 60 ? text : `${text.slice(0, 59).toWellFormed()}…`;
}

function quoted(text: string): string {
  return `"${shown(text)}"`;
}
