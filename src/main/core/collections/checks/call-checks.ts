import { keyInResponseRule } from '#shared/secrets/key-mark.ts';
import { openedCheck, type CallCheckKind, type CallCheckValue, type CallExpectation } from '#shared/collections/check-kinds.ts';
import type { Call, Finding } from '#shared/ipc/index.ts';
import { addDecimals, compareDecimals } from '#shared/json/decimal.ts';
import { describeNode } from '#shared/json/pointer.ts';
import { doubtOf, unreadFinding } from '#shared/provider/findings.ts';
import type { ParsedResponse } from './parsed-response.ts';
import { noValue, numberIn, numberProblem, refused, type Assertion, type Judgement } from './assertion.ts';

/** Findings about a call that are not about the shape of its response. */
const notOfShape: ReadonlySet<string> = new Set(['answer.clock', keyInResponseRule, 'history.outcome']);

/** Expected value, as text, and its judge. */
interface CallDemand extends Pick<Assertion, 'expected' | 'judge'> {
  /** Returns the expected text with its unit. */
  readonly unit?: (expected: string) => string;
}

const demands: { readonly [K in CallCheckKind]: (value: CallCheckValue<K>, call: Call, response: ParsedResponse) => CallDemand } =
  {
    code: (code, call, response) => ({
      expected: code,
      judge: () => doubtJudgement(call) ?? compared(code, call.code, () => codeInstead(response)),
    }),
    status: (status, call) => ({ expected: status, judge: () => compared(status, call.status, () => noValue) }),
    withinMs: (most, call) => ({
      expected: most,
      unit: (expected) => `at most ${expected} ms`,
      judge: () => judgeTime(most, call.durationMs),
    }),
    shape: (_, call) => ({ expected: 'as documented', judge: () => unreadJudgement(call) ?? judgeShape(call.findings) }),
    balance: ({ before, change }, _, response) => ({
      expected: addOrNull(before, change) ?? `${before} plus ${change}`,
      judge: () => judgeBalance(before, change, response),
    }),
  };

/** Returns the assertion of a check about the whole call or response, whose variables are inserted. */
export function callAssertion(expectation: CallExpectation, call: Call, response: ParsedResponse): Assertion {
  const { kind, value, row } = openedCheck(expectation);
  const { expected, unit, judge } = demands[kind](value, call, response);
  const isText = 'text' in row.form;
  return {
    words: (shown) => row.words((isText ? shown : value) as never),
    quotes: !isText,
    expected,
    ...(unit === undefined ? {} : { expectedWords: unit }),
    mark: null,
    judge,
  };
}

/** A code that is in doubt is neither the expected one nor another. */
function doubtJudgement({ code, findings }: Call): Judgement | null {
  const doubt = code === null ? doubtOf(findings) : null;
  return doubt === null ? null : refused(doubt, '(not read)');
}

/** The shape of a response that was not read is not known. */
function unreadJudgement({ findings }: Call): Judgement | null {
  const unread = unreadFinding(findings);
  return unread === null ? null : refused(unread.message, '(not read)');
}

function compared(expected: string, actual: number | null, otherwise: () => string): Judgement {
  const problem = numberProblem(expected);
  const shown = actual === null ? otherwise() : String(actual);
  if (problem !== null) return refused(problem, shown);
  const passed = actual !== null && compareDecimals(String(actual), expected) === 0;
  return {
    passed,
    actual: shown,
    why: (text) => (actual === null && text === noValue ? 'The response has none.' : `It is ${text}.`),
  };
}

/** Describes what the response has instead of an integer code. */
function codeInstead(response: ParsedResponse): string {
  const found = response.find('/code');
  const node = found.ok ? found.nodes[0] : undefined;
  return node === undefined ? noValue : describeNode(node);
}

function judgeTime(limit: string, durationMs: number | null): Judgement {
  const problem = numberProblem(limit);
  if (problem !== null) return refused(problem);
  if (durationMs === null) return refused("Croupier doesn't know how long the call took.");
  const passed = compareDecimals(String(durationMs), limit) <= 0;
  // Whole milliseconds, unless they lie on the other side of the limit.
  const whole = Math.round(durationMs);
  const isTrue = compareDecimals(String(whole), limit) <= 0 === passed;
  const actual = `${isTrue ? whole : Math.round(durationMs * 1_000) / 1_000} ms`;
  return { passed, actual, why: (text) => `Expected at most ${limit} ms, took ${text}.` };
}

/** Message of a check that cannot be made, and so does not pass. */
const noShape = "The spec doesn't show the shape of this response. Record it under Open points, or remove this check.";

function judgeShape(findings: readonly Finding[]): Judgement {
  const wrong = findings.filter(({ rule, severity }) => severity !== 'note' && !notOfShape.has(rule));
  if (wrong.length === 0 && findings.some(({ rule }) => rule === 'shape-not-shown')) {
    return { passed: false, actual: 'no shape is known', why: () => noShape };
  }
  const sentences = wrong.slice(0, 5).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  if (wrong.length > 5) sentences.push(`And ${wrong.length - 5} more.`);
  return {
    passed: wrong.length === 0,
    actual: wrong.length === 0 ? 'as documented' : `${wrong.length} ${wrong.length === 1 ? 'difference' : 'differences'}`,
    why: () => sentences.join(' '),
  };
}

function addOrNull(before: string, change: string): string | null {
  return numberProblem(before) === null && numberProblem(change) === null ? addDecimals(before, change) : null;
}

function judgeBalance(before: string, change: string, response: ParsedResponse): Judgement {
  const problem = numberProblem(before) ?? numberProblem(change);
  if (problem !== null) return refused(problem);
  const sum = addDecimals(before, change);
  if (sum === null) return refused('Invalid check: these two numbers are too far apart to add.');
  const found = response.find('/balance');
  if (!found.ok) return refused(found.message);
  const [node] = found.nodes;
  if (node === undefined) return refused(found.absence);
  const balance = numberIn(node);
  if (balance === null) return refused(`/balance is ${describeNode(node)}, which is not a number.`, response.textOf(node));
  return {
    passed: compareDecimals(balance, sum) === 0,
    actual: balance,
    why: (text) => `It is ${text}, not ${sum}.`,
  };
}
