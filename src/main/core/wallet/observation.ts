import type { Answers } from '#shared/provider/index.ts';
import { openPointById } from '#shared/provider/open-points.ts';
import { readAnswerText } from '#shared/provider/recorded-answer-text.ts';
import { answerWords, recordedAnswer } from '#shared/provider/recorded-answers.ts';
import type { WalletCase } from '#shared/wallet/wallet-case.ts';
import type { Answer } from './answer.ts';
import { sumOf } from './judge.ts';

/**
 * Returns what a case showed about its open point, and whether the recorded answer agrees with it; null if it showed nothing. `last` is the last
 * response, and `all` are all of the case. `seen`: the answers that agree with all cases of the run so far, by open point; it takes those of this one.
 */
export function observationOf(
  { observes }: Pick<WalletCase, 'observes'>,
  last: Answer | undefined,
  all: readonly Answer[],
  answers: Answers,
  seen: Map<string, readonly string[]>,
) {
  if (observes === undefined || last === undefined) return null;
  const { session, effect } = last.sent;
  const key = ((): string | null => {
    switch (observes.by) {
      case 'answered':
        return last.kind === 'none' ? null : last.kind;
      case 'moved': {
        const others = all.filter((answer) => answer !== last && answer.sent.session === session && answer.kind === 'booked');
        const before = session.start + sumOf(others);
        return session.balance === before + effect && effect !== 0n ? 'yes' : 'no';
      }
      case 'retry': {
        if (last.kind === 'refused') return 'code';
        const [first] = all;
        if (last.balance === null || first?.balance === null || first === undefined) return null;
        if (first.balance === session.balance) return 'same';
        return last.balance === first.balance ? 'first' : last.balance === session.balance ? 'present' : null;
      }
      case 'codes':
        return last.member('code') === null ? 'without' : 'with';
    }
  })();
  const values = key === null ? undefined : observes.answers[key];
  const point = openPointById(observes.point);
  const known = point.answer.kind === 'choice' ? point.answer.options.length : Number.POSITIVE_INFINITY;
  // What agrees with every answer shows nothing.
  if (values === undefined || values.length === known) return null;
  const recorded = recordedAnswer(observes.point, answers);
  const agrees = recorded.state !== 'valid' || values.includes(recorded.text);
  const words = (some: readonly string[]) =>
    some
      .map((value) => {
        const read = readAnswerText(point.answer, value, []);
        return read.ok ? answerWords(read.value) : value;
      })
      .join(', or: ');
  const saw = `${point.title}: ${words(values)}`;
  const common = values.filter((value) => seen.get(point.id)?.includes(value) ?? true);
  seen.set(point.id, common);
  const [value = null, ...others] = common;
  return {
    agrees,
    saw: agrees || recorded.state !== 'valid' ? saw : `${saw}. The recorded answer is: ${answerWords(recorded.value)}`,
    answer: {
      point: point.id,
      value: others.length === 0 ? value : null,
      words: common.length === 0 ? `${words(values)}. Another case of this run showed another answer` : words(common),
    },
  };
}
