import { asSentId } from '#shared/doctor/data-texts.ts';
import { differenceAfterKey } from '#shared/doctor/first-byte.ts';
import { recipesFor } from '#shared/doctor/fixes.ts';
import type { Subject } from '#shared/doctor/model.ts';
import type { Match, Way } from '#shared/doctor/search.ts';
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
  /** The hash that the rule demands; null if it has no text. */
  readonly expected: string | null;
}

/** Writes the report of a search. */
export function reportOf(
  { subject, problem, fidelity, expected }: Asked,
  { stages, match, unseen, guesses, cancelled, keys }: Outcome & { readonly cancelled: boolean; readonly keys: number },
): DoctorReport {
  const { time, ruleText } = subject;
  const rule = { ...inputOf(time, ruleText), hash: expected };
  const verdict = match === null ? unfound(stages.length, cancelled) : verdictOf(match, fidelity, problem);
  const hashed =
    match === null
      ? null
      : { text: match.input, time: match.time, data: subject.dataText === null && match.data === '' ? null : match.data };
  const ways = waysOf(match);
  return {
    verdict,
    says: sentences[verdict],
    expected: rule,
    problem,
    hashed,
    differsAt: hashed === null ? null : differsAt(rule.text, hashed.text),
    ways: ways.slice(0, mostWays).map(toldWay),
    leftOff: Math.max(0, ways.length - mostWays),
    fixes: recipesFor(ways[0] ?? [], subject.form.unicode).map(({ language, replaces, lines }) => ({
      language,
      replaces,
      lines: [...lines],
    })),
    digits: match?.digits ?? 0,
    unseen: [...unseen],
    guesses,
    stages: [...stages],
    keys,
  };
}

const sentences: Readonly<Record<DoctorReport['verdict'], string>> = {
  rule: 'The hash is right: it fits the rule.',
  sent: 'The hash fits the text of data that was sent, but that text is not the form that the rule demands.',
  other: 'The text that was hashed is another one than the rule demands.',
  none: 'No known mistake makes this hash. What remains cannot be searched: another key, a body that was changed after it was signed, or more mistakes together than were tried.',
  unreadable: 'This is not a hash that can be searched: it has to be a digest, or at least ten of its digits.',
  cancelled: 'The search was stopped before it found anything.',
};

function unfound(stages: number, cancelled: boolean): DoctorReport['verdict'] {
  if (cancelled) return 'cancelled';
  return stages === 0 ? 'unreadable' : 'none';
}

function verdictOf(match: Match, fidelity: Fidelity, problem: string | null): DoctorReport['verdict'] {
  if (match.ways.some((way) => way.length === 0) && problem === null) return 'rule';
  // What a log wrote again is not the text that was sent.
  return match.isSent && fidelity === 'exact' ? 'sent' : 'other';
}

/** Returns the explanations. That data was hashed as it was sent is one only where no other fits: the verdict says it, too. */
function waysOf(match: Match | null): readonly Way[] {
  const ways = (match?.ways ?? []).filter((way) => way.length > 0);
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
