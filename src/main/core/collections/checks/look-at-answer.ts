import type { CollectionRequest, Variables } from '#shared/collections/model.ts';
import type { CheckResult } from '#shared/collections/run-report.ts';
import type { Call } from '#shared/ipc/index.ts';
import { createTokenMask, shortestValue } from '../../export/token-mask.ts';
import type { Answer, TextResult } from './answer.ts';
import { nothing } from './assertion.ts';
import type { Checks, ResultMask } from './checks.ts';

/** An answer, and what a request wants of it. */
export interface AnswerSubject extends Pick<CollectionRequest, 'expect' | 'take'> {
  readonly call: Call;
  /** The body of its answer. */
  readonly text: string;
  /** Puts variables into a text of `expect` or `take` where they are not in it yet. */
  readonly substitute: (text: string) => TextResult;
  /** Texts with the values that the request was made of: a token of theirs is masked in every result. */
  readonly known: () => readonly string[];
  readonly isToken: (name: string) => boolean;
}

export interface LookedAt {
  readonly results: CheckResult[];
  /** What it takes from its answer, without those that are not there; a prototype would be found under `__proto__`. */
  readonly taken: Variables;
  /** Masks what else is said of it. */
  readonly mask: ResultMask;
}

/** Checks one answer and takes the values from it, the same way for a run and for a request that is sent by itself. */
export function lookAtAnswer(checks: Checks, subject: AnswerSubject): LookedAt {
  const { call, text, expect, take, substitute, known, isToken } = subject;
  const answer = checks.answerOf(call, text);
  const mask = maskOf(() => [call.request.bodyText, text, ...known()], isToken);
  const results = checks.evaluate(expect, call, answer, { substitute, mask });
  const { taken, problems } = takeFrom(take, answer, substitute, mask);
  return { results: [...results, ...problems], taken, mask };
}

function takeFrom(take: CollectionRequest['take'], answer: Answer, substitute: AnswerSubject['substitute'], mask: ResultMask) {
  const taken = Object.create(null) as Variables;
  const problems: CheckResult[] = [];
  for (const [name, path] of Object.entries(take)) {
    const filled = substitute(path);
    const found = filled.ok ? answer.take(filled.text) : filled;
    if (found.ok) taken[name] = found.text;
    else {
      const check = `${path === '' ? 'the response' : path} gives ${name}`;
      problems.push({ check, passed: false, expected: 'one value', actual: nothing, message: mask.text(found.message) });
    }
  }
  return { taken, problems };
}

/** Made when it is needed first: it reads every text. */
export function maskOf(texts: () => readonly string[], isToken: (name: string) => boolean): ResultMask {
  let mask: ResultMask['text'] | null = null;
  return {
    isToken,
    text(text) {
      if (text.length < shortestValue) return text;
      mask ??= createTokenMask(texts(), isToken).text;
      return mask(text);
    },
  };
}
