import type { CollectionRequest, Variables } from '#shared/collections/model.ts';
import type { CheckResult } from '#shared/collections/reported-request.ts';
import type { Call } from '#shared/ipc/index.ts';
import type { Answers } from '#shared/provider/index.ts';
import { isTokenName } from '#shared/provider/tokens.ts';
import { createTokenMask, shortestValue } from '../../masking/token-mask.ts';
import { excessOf, responseSubject, unread as unreadError, unreadAdvice } from '../../untrusted/measure.ts';
import type { ParsedResponse, TextResult } from './parsed-response.ts';
import { noValue } from './assertion.ts';
import { createChecks, type Checks, type ResultMask } from './checks.ts';
import { createTimeLimit, type TimeLimit } from './time-limit.ts';

declare module '../../untrusted/jobs.ts' {
  interface ReadingJobs {
    'response.evaluate': typeof evaluateJob;
  }
}

/** A response, with the checks and values that a request wants of it, as plain data: a thread may read it. */
export interface EvaluationSubject extends Pick<CollectionRequest, 'expect' | 'take'> {
  readonly call: Call;
  /** The decoded body of the response. */
  readonly body: Uint8Array;
  /** Texts of `expect` and `take` whose variables could not be inserted, and why. */
  readonly unresolved: readonly { readonly text: string; readonly message: string }[];
  /** Texts with the values that the request was made of: a token in them is masked in every result. */
  readonly known: readonly string[];
  /** The environment's recorded answers: they name tokens. */
  readonly answers: Answers;
  /** Further sentences about the call, to be masked like the results. */
  readonly sentences: readonly string[];
}

export interface Evaluated {
  readonly results: readonly CheckResult[];
  /** The values taken from the response, by name, without missing ones. */
  readonly taken: readonly (readonly [name: string, value: string])[];
  readonly sentences: readonly string[];
}

/** For all regular expressions that one response is matched with, in milliseconds. */
const matchBudgetMs = 1_000;

/** Evaluates a response in the thread that it is called in. */
export async function evaluateJob(subject: EvaluationSubject): Promise<Evaluated> {
  const checks = createChecks();
  await checks.load([subject]);
  try {
    return evaluateResponse(checks, subject, createTimeLimit(matchBudgetMs), null);
  } catch (error) {
    // An expression that is matched with a text of millions of characters needs more of the stack than there is.
    if (!(error instanceof RangeError)) throw error;
    throw unreadError(`The response was not read: its texts are too long for Croupier to search. ${unreadAdvice}`);
  }
}

/**
 * Checks one response and takes the values from it, in the same way for a run and for a single request. `unread`: why nobody reads
 * the response; then nothing in it passes a check, and each check gives the reason.
 */
export function evaluateResponse(
  checks: Checks,
  subject: EvaluationSubject,
  timeLimit: TimeLimit,
  unread: string | null,
): Evaluated {
  const { call, body, expect, take, unresolved, known, answers, sentences } = subject;
  const why = unread ?? excessOf(body, responseSubject, unreadAdvice);
  const text = why === null ? Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8') : '';
  const response = checks.responseOf(call, text, timeLimit, why);
  const mask = maskOf(
    () => [call.request.bodyText, text, ...known],
    (name) => isTokenName(name, answers),
  );
  const missing = new Map(unresolved.map((one) => [one.text, one.message]));
  const substitute = (given: string): TextResult => {
    const message = missing.get(given);
    return message === undefined ? { ok: true, text: given } : { ok: false, message };
  };
  const results = checks.evaluate(expect, call, response, { substitute, mask });
  const { taken, problems } = takeFrom(take, response, substitute, mask);
  return { results: [...results, ...problems], taken, sentences: sentences.map((sentence) => mask.text(sentence)) };
}

function takeFrom(
  take: CollectionRequest['take'],
  response: ParsedResponse,
  substitute: (text: string) => TextResult,
  mask: ResultMask,
): { taken: [string, string][]; problems: CheckResult[] } {
  const taken: [string, string][] = [];
  const problems: CheckResult[] = [];
  for (const [name, path] of Object.entries(take)) {
    const filled = substitute(path);
    const found = filled.ok ? response.take(filled.text) : filled;
    if (found.ok) taken.push([name, found.text]);
    else {
      const check = `${path === '' ? 'the response' : path} gives ${name}`;
      problems.push({ check, passed: false, expected: 'one value', actual: noValue, message: mask.text(found.message) });
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

/** The values of a response by their names; a prototype would be found under `__proto__`. */
export function variablesOf(taken: Evaluated['taken']): Variables {
  const variables = Object.create(null) as Variables;
  for (const [name, value] of taken) variables[name] = value;
  return variables;
}
