import { byteText } from '#shared/model/byte-text.ts';
import { fidelityWords, fixText, languageNames } from '#shared/doctor/words.ts';
import type { DoctorReport, DoctorStage, FoundMistake } from '#shared/ipc/index.ts';
import type { Fidelity } from '#shared/model/fidelity.ts';
import { encodeUtf8, utf8Length } from '#shared/json/utf8.ts';
import { keyPlaceholder } from '#shared/signing/hash-input.ts';
import type { PillTone } from '#renderer/ui/pill.tsx';
import type { Subject } from './doctor-fields.ts';

type Way = readonly FoundMistake[];

/** A verdict in a few words. */
export interface VerdictWords {
  readonly tone: PillTone;
  readonly text: string;
}

const verdicts: Readonly<Record<DoctorReport['verdict'], VerdictWords>> = {
  rule: { tone: 'good', text: 'Correct' },
  sent: { tone: 'warn', text: 'Matches the sent text' },
  other: { tone: 'good', text: 'Found' },
  none: { tone: 'warn', text: 'No match' },
  unreadable: { tone: 'bad', text: 'Not a hash' },
  cancelled: { tone: 'plain', text: 'Stopped' },
};

export function verdictWords({ verdict }: DoctorReport): VerdictWords {
  return verdicts[verdict];
}

/** Returns the trust in the text of data; null is for data that was typed here. */
export function trustWords(fidelity: Fidelity | null): string {
  return fidelity === null ? 'typed here, so only its values are used' : fidelityWords[fidelity];
}

function saysOf(way: Way): string {
  return way.map(({ says }) => says).join(' ');
}

/** Returns who makes the mistakes; empty for nobody in particular. */
export function whoOf(way: Way): string {
  return way
    .map(({ who }) => who)
    .filter((who) => who !== '')
    .join(' ');
}

/** Returns another explanation by the mistakes that the first one does not have. */
export function otherWords(way: Way, first: Way): string {
  const known = new Set(first.map(({ id }) => id));
  const own = way.filter(({ id }) => !known.has(id));
  if (own.length === 0) return saysOf(way);
  return [own.length < way.length ? 'Combined with the mistakes above:' : '', saysOf(own), whoOf(own)]
    .filter((part) => part !== '')
    .join(' ');
}

/** Returns a guess in words; an empty one is of data that has the rule's form. */
export function guessWords(guess: Way): string {
  return guess.length === 0
    ? 'Data has the right form. More likely, the key, the time, or how the parts are joined and hashed is wrong.'
    : [saysOf(guess), whoOf(guess)].filter((part) => part !== '').join(' ');
}

/** Returns what is seen and found, without the full stop of a single sentence: it is a headline. */
export function headlineOf({ seen, says }: DoctorReport): string {
  const all = [...seen, says].join(' ');
  return /[.!?] ./.test(all) ? all : all.replace(/\.$/, '');
}

/** Returns how far a stage came: `1,148 tried, 41 ms`. */
export function stageFacts({ state, tried, total, took }: DoctorStage): string {
  if (state === 'skipped') return 'skipped: data is too long';
  const count = tried === total ? counted(tried) : `${counted(tried)} of ${counted(total)}`;
  return `${count} tried, ${durationText(took)}`;
}

function durationText(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.max(1, Math.round(milliseconds))} ms`;
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}

function counted(count: number): string {
  return count.toLocaleString('en');
}

/** A byte with those around it, as pairs of hexadecimal digits. */
export interface BytesAround {
  readonly before: string;
  /** Empty where the text ends before that byte. */
  readonly at: string;
  readonly after: string;
}

/** Returns the bytes of a hash input around a position that is counted after the key. */
export function bytesAround(input: string, offset: number, reach = 6): BytesAround {
  const bytes = encodeUtf8(input.startsWith(keyPlaceholder) ? input.slice(keyPlaceholder.length) : input);
  const hex = (from: number, to: number) =>
    Array.from(bytes.subarray(Math.max(0, from), Math.max(0, to)), (byte) => byte.toString(16).padStart(2, '0')).join(' ');
  return { before: hex(offset - reach, offset), at: hex(offset, offset + 1), after: hex(offset + 1, offset + 1 + reach) };
}

/**
 * Writes the finding for whoever maintains the backend. It holds neither key nor data, whose values may be tokens: of the bytes only the first
 * differing one.
 */
export function findingText(report: DoctorReport, { fields, operations }: Subject): string {
  const [first, ...others] = report.ways;
  const [fix] = report.fixes;
  const bytes = fields.dataText === '' ? 'no data' : `${counted(utf8Length(fields.dataText))} bytes of data`;
  const name = fields.action === '' ? (operations[0] ?? 'A request') : fields.action;
  return [
    `${verdictWords(report).text}: ${first === undefined ? report.says : saysOf(first)}`,
    first === undefined ? '' : whoOf(first),
    report.verdict === 'sent' ? report.says : '',
    `Request: ${name}, time ${fields.time}, ${bytes}, hash ${shortHash(fields.hash)}.`,
    differenceText(report),
    report.advice.join(' '),
    fix === undefined ? '' : `Fix in ${languageNames[fix.language]}:\n${fixText(fix)}`,
    others.length === 0
      ? ''
      : `Other code that gives the same bytes:\n${others.map((way) => `- ${otherWords(way, first ?? [])}`).join('\n')}`,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function differenceText({ differsAt, expected, hashed }: DoctorReport): string {
  if (differsAt === null || hashed === null) return '';
  const [right, wrong] = [bytesAround(expected.text, differsAt).at, bytesAround(hashed.text, differsAt).at];
  const named = (byte: string) => (byte === '' ? 'the end' : `0x${byte}`);
  return `The hash input first differs at ${byteText(differsAt)} after the key: ${named(right)} is right, ${named(wrong)} was hashed.`;
}

function shortHash(hash: string): string {
  const text = hash.trim();
  return text.length <= 20 ? text : `${text.slice(0, 10)}…${text.slice(-6)}`;
}
