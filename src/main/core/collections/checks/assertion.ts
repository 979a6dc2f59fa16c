import { isNumberText } from '#shared/json/decimal.ts';
import type { JsonNode } from '#shared/json/parse.ts';

/** Result of one assertion; `actual` is not shortened. */
export interface Judgement {
  readonly passed: boolean;
  readonly actual: string;
  /** Returns the reason of a failure as a sentence, from the actual value as it may be shown. */
  readonly why: (actual: string) => string;
}

/** One demand on a response. */
export interface Assertion {
  /** Returns `code is 0`, from the expected value as it may be shown. */
  readonly words: (expected: string) => string;
  /** True if the words hold more of the file than the expected value. */
  readonly quotes: boolean;
  readonly expected: string;
  /** Returns the expected value with its unit, if it has one. */
  readonly expectedWords?: (expected: string) => string;
  /** The mark that replaces its values, if it is about a token or another secret; otherwise null. */
  readonly mark: string | null;
  /** Called only if there is a response. */
  readonly judge: () => Judgement;
}

/** Replaces a value that does not exist. */
export const noValue = '(nothing)';

/** Returns a failed judgement without a value to show. */
export function refused(message: string, actual: string = noValue): Judgement {
  return { passed: false, actual, why: () => message };
}

/** Returns the problem of an expected number; null if it is valid. */
export function numberProblem(expected: string): string | null {
  return isNumberText(expected) ? null : `Invalid check: "${beginning(expected)}" is not a number.`;
}

/** Returns the number in a value: its digits, or the text if it is a number. Null for everything else. */
export function numberIn(node: JsonNode): string | null {
  if (node.kind === 'number') return node.text;
  return node.kind === 'string' && isNumberText(node.value) ? node.value : null;
}

const mostShown = 200;

/** Returns a text as a report shows it: a long one is its beginning and its length. */
export function shortened(text: string): string {
  if (text.length <= mostShown) return text;
  return `${beginning(text, mostShown)}… (${text.length.toLocaleString('en')} characters)`;
}

function beginning(text: string, length = 80): string {
  const end = (text.charCodeAt(length - 1) & 0xfc00) === 0xd800 ? length - 1 : length;
  return text.slice(0, end);
}
