import { compareDecimals } from '#shared/json/decimal.ts';
import type { JsonNode } from '#shared/json/parse.ts';
import { sameValue } from '#shared/json/values.ts';

type Spend = (steps: number) => void;

/** Compares two values as RFC 9535, 2.3.5.2.2 does; null is its special result Nothing. `spend` is told of what a long comparison takes. */
export function compareNodes(left: JsonNode | null, operator: string, right: JsonNode | null, spend: Spend): boolean {
  switch (operator) {
    case '==':
      return isSame(left, right, spend);
    case '!=':
      return !isSame(left, right, spend);
    case '<':
      return isLess(left, right, spend);
    case '>':
      return isLess(right, left, spend);
    case '<=':
      return isLess(left, right, spend) || isSame(left, right, spend);
    case '>=':
      return isLess(right, left, spend) || isSame(left, right, spend);
    default:
      throw new TypeError(`JSONPath has no operator ${operator}`);
  }
}

function isSame(left: JsonNode | null, right: JsonNode | null, spend: Spend): boolean {
  return left === null || right === null ? left === right : sameValue(left, right, spend);
}

function isLess(left: JsonNode | null, right: JsonNode | null, spend: Spend): boolean {
  if (left?.kind === 'number' && right?.kind === 'number') {
    spend((left.text.length + right.text.length) >> 6);
    return compareDecimals(left.text, right.text) < 0;
  }
  return left?.kind === 'string' && right?.kind === 'string' && isTextLess(left.value, right.value);
}

/** Orders by code points: a character beyond U+FFFF comes after one just below it, though its first half is a lesser unit. */
function isTextLess(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length);
  for (let i = 0; i < length; i++) {
    const [a, b] = [one.charCodeAt(i), other.charCodeAt(i)];
    if (a === b) continue;
    const isHalf = (unit: number) => unit >= 0xd800 && unit < 0xe000;
    return isHalf(a) === isHalf(b) ? a < b : isHalf(b);
  }
  return one.length < other.length;
}
