import { asSentId } from '#shared/doctor/data-texts.ts';
import { differenceAfterKey } from '#shared/doctor/first-byte.ts';
import { advicesOn, fixesFor } from '#shared/doctor/fixes.ts';
import type { Language, Subject } from '#shared/doctor/model.ts';
import type { Match, Way } from '#shared/doctor/search.ts';
import type { Seen } from '#shared/doctor/seen.ts';
import { probablyKey } from '#shared/doctor/words.ts';
import { parseJson } from '#shared/json/parse.ts';
import type { Comparison, DoctorReport, ShownInput } from '#shared/ipc/index.ts';
import type { Fidelity } from '#shared/model/fidelity.ts';
import { keyPlaceholder } from '#shared/signing/hash-input.ts';
import { toldWay, type Outcome } from './progress.ts';

/** Most explanations that are listed. */
const mostWays = 12;

interface Asked {
  readonly subject: Subject;
  readonly problem: string | null;
  readonly fidelity: Fidelity;
  readonly seen: readonly Seen[];
  /** The language of the program that wrote the pasted text; null if it does not show. */
  readonly language: Language | null;
  /** The hash that the rule demands; null if it has no text. */
  readonly expected: string | null;
}

/** Writes the report of a search. */
export function reportOf(
  { subject, problem, fidelity, language, seen, expected }: Asked,
  { stages, match, unseen, guesses, cancelled, keys }: Outcome & { readonly cancelled: boolean; readonly keys: number },
): DoctorReport {
  const { time, ruleText } = subject;
  const rule = { ...inputOf(time, ruleText), hash: expected };
  const ways = waysOf(match, fidelity !== 'exact' && isSorted(subject.dataText));
  const faults = seen.filter(({ part, hides }) => part !== 'hash' && !hides);
  const verdict =
    match === null ? unfound(stages.length, cancelled) : verdictOf(match, fidelity, problem !== null || faults.length > 0);
  const hashed =
    match === null
      ? null
      : { text: match.input, time: match.time, data: subject.dataText === null && match.data === '' ? null : match.data };
  return {
    verdict,
    seen: seen.filter(({ part, hides }) => part !== 'hash' || hides || !isAboutHash(match, ways)).map(({ says }) => says),
    says: saysOf(verdict, ways, { seen, match }),
    expected: rule,
    problem,
    hashed,
    differsAt: hashed === null ? null : differsAt(rule.text, hashed.text),
    ways: ways.slice(0, mostWays).map(toldWay),
    leftOff: Math.max(0, ways.length - mostWays),
    advice: advicesOn(ways[0] ?? []),
    fixes: fixesFor(ways, subject, language),
    digits: match?.digits ?? 0,
    unseen: [...unseen],
    guesses,
    stages: [...stages],
    keys,
  };
}

/** Returns the finding in sentences, as every host begins with it. */
function saysOf(
  verdict: DoctorReport['verdict'],
  [first]: readonly Way[],
  { seen, match }: { readonly seen: readonly Seen[]; readonly match: Match | null },
): string {
  switch (verdict) {
    case 'rule':
      return match !== null && match.digits < 63
        ? `The ${match.digits} known digits of the hash are right.`
        : 'The hash is right.';
    case 'sent':
      return first === undefined ? 'The hash fits what was sent.' : told(first);
    case 'other':
      return told(first ?? []);
    case 'none':
      return seen.some(({ hides }) => hides) ? 'Without it, no search can find the mistake.' : probablyKey;
    case 'unreadable':
      return "Croupier can't read this as a hash. Enter the whole hash, or at least ten of its digits.";
    case 'cancelled':
      return 'The search was stopped before it found anything.';
  }
}

function told(way: Way): string {
  return way.map(({ says }) => says).join(' ');
}

/** Returns whether what a hash shows by itself is told with the match: the mistakes of its form, or how many digits were compared. */
function isAboutHash(match: Match | null, [first]: readonly Way[]): boolean {
  return match !== null && (match.digits < 63 || (first ?? []).some(({ axis }) => axis === 'spelling' || axis === 'digest'));
}

function unfound(stages: number, cancelled: boolean): DoctorReport['verdict'] {
  if (cancelled) return 'cancelled';
  return stages === 0 ? 'unreadable' : 'none';
}

function verdictOf(match: Match, fidelity: Fidelity, isFaulty: boolean): DoctorReport['verdict'] {
  if (match.ways.some((way) => way.length === 0)) return isFaulty ? 'sent' : 'rule';
  // What a log wrote again is not the text that was sent.
  return match.isSent && fidelity === 'exact' ? 'sent' : 'other';
}

/** Returns whether the members of data are in order, as programs that sort them leave them. */
function isSorted(dataText: string | null): boolean {
  const parsed = dataText === null ? null : parseJson(dataText);
  const names = parsed?.ok === true && parsed.root.kind === 'object' ? parsed.root.members.map(({ key }) => key) : [];
  return names.length > 1 && names.join('\n') === names.toSorted().join('\n');
}

/** Leaves open who sorted the members: the backend hashed another order, or the program that wrote the text made this one. */
function withUnsureOrder(way: Way): Way {
  return way.map((mistake) =>
    mistake.axis === 'order'
      ? {
          ...mistake,
          id: 'order.unsure',
          says: 'data was hashed with its fields in another order than in this text, whose program may have sorted them.',
          who: '',
          languages: [],
        }
      : mistake,
  );
}

function oncePerWords(ways: readonly Way[]): readonly Way[] {
  return [...new Map(ways.toReversed().map((way) => [told(way), way])).values()].toReversed();
}

/** Returns the explanations. That data was hashed as it was sent is one only where no other fits: the verdict says it, too. */
function waysOf(match: Match | null, isSortedByLog: boolean): readonly Way[] {
  const told = (match?.ways ?? []).filter((way) => way.length > 0);
  const ways = isSortedByLog ? oncePerWords(told.map(withUnsureOrder)) : told;
  const others = ways.filter((way) => !way.some(({ id }) => id === asSentId));
  return others.length > 0 ? others : ways;
}

/** Compares the input that the rule demands with the one of the text of data that was sent. */
export function compareInputs({ subject, problem }: Pick<Asked, 'subject' | 'problem'>): Comparison {
  const { time, ruleText, dataText } = subject;
  const expected = inputOf(time, ruleText);
  const sent = dataText === null ? null : inputOf(time, dataText);
  return { expected, problem, sent, differsAt: sent === null || problem !== null ? null : differsAt(expected.text, sent.text) };
}

function inputOf(time: string, data: string | null): ShownInput {
  return { text: keyPlaceholder + time + (data ?? ''), time, data };
}

function differsAt(rule: string, hashed: string): number | null {
  return differenceAfterKey(rule, hashed)?.byteOffset ?? null;
}
