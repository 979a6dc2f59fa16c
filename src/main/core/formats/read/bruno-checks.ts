import type { Expectation } from '#shared/collections/model.ts';
import { matching } from './script-checks.ts';
import { reasons, type RequestDraft } from './import-source.ts';
import type { Names } from './variable-names.ts';

const place = /^\$?res\.body((?:\.[A-Za-z_$][\w$-]*|\[\d+\])*)$/;

/** Returns the JSONPath of an expression of Bruno that names a position in the response's body; null for any other expression. */
function answerPath(expression: string): string | null {
  const [whole, steps = ''] = place.exec(expression.trim()) ?? [];
  // The length of a list is not a field of it.
  if (whole === undefined || steps.endsWith('.length')) return null;
  return `$${steps.replace(/\.([\w$-]+)/g, (step, name: string) => (/^[A-Za-z_]\w*$/.test(name) ? step : `['${name}']`))}`;
}

const comparisons = {
  eq: 'equals',
  neq: 'not',
  contains: 'contains',
  gt: 'above',
  gte: 'atLeast',
  lt: 'below',
  lte: 'atMost',
  length: 'count',
} as const;
const types = { isNumber: 'number', isString: 'string', isBoolean: 'boolean', isArray: 'array', isNull: 'null' } as const;

/**
 * Returns an assertion of Bruno as a check of ours; null without an equivalent. `condition` is an operator with its value, or a
 * value alone.
 */
function expectationOf(expression: string, condition: string, names: Names): Expectation | null {
  const [, word = '', rest = ''] = /^(\S*)[ \t]*(.*)$/s.exec(condition.trim()) ?? [];
  const isComparison = Object.hasOwn(comparisons, word);
  const isType = Object.hasOwn(types, word);
  const other = /^(?:in|notIn|notContains|notMatches|is[A-Z]\w*)$/.test(word);
  const pattern = patternOf(word, rest);
  const operator = isComparison ? (word as keyof typeof comparisons) : 'eq';
  const value = names.text(unquoted(isComparison ? rest : condition.trim()));
  const simple = expression.trim().replace(/^\$/, '');
  if (simple === 'res.status')
    return operator === 'eq' && !isType && !other && pattern === null && word !== 'between' ? { status: value } : null;
  if (simple === 'res.responseTime') return operator === 'lte' || operator === 'lt' ? { withinMs: value } : null;
  const path = answerPath(expression);
  if (path === null) return null;
  if (isType) return { path, type: types[word as keyof typeof types] };
  if (word === 'isDefined') return { path, present: true };
  if (word === 'isUndefined') return { path, present: false };
  if (other) return null;
  if (pattern !== null) return matching(path, pattern, '')?.[0] ?? null;
  if (word === 'between') {
    const [least, most, ...more] = rest.split(',').map((part) => names.text(part.trim()));
    return least === undefined || most === undefined || more.length > 0 ? null : { path, atLeast: least, atMost: most };
  }
  if (path === '$.code' && operator === 'eq') return { code: value };
  return { path, [comparisons[operator]]: value };
}

/** Returns the regular expression of an operator that compares texts; null for any other operator. */
function patternOf(word: string, value: string): string | null {
  const text = unquoted(value).replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  if (word === 'startsWith') return `^${text}`;
  if (word === 'endsWith') return `${text}$`;
  return word === 'matches' ? value.replace(/^\/(.*)\/$/s, '$1') : null;
}

/** An assertion as a file has it. */
interface Assertion {
  readonly expression: string;
  readonly condition: string;
  readonly disabled: boolean;
  readonly at: string;
}

/** Adds an assertion to the checks of a request, or reports why it is left out; returns whether it was added. */
export function addAssertion(
  { expect, lose }: RequestDraft,
  { expression, condition, disabled, at }: Assertion,
  names: Names,
): boolean {
  const expectation = disabled ? null : expectationOf(expression, condition, names);
  if (expectation === null)
    lose(`the assertion about ${expression}`, disabled ? reasons.disabled : 'Croupier has no such check.', at);
  else expect.push(expectation);
  if (expectation !== null && 'withinMs' in expectation && /^lt[ \t]/.test(condition.trim()))
    lose('the assertion about the duration', `The check also passes at exactly ${expectation.withinMs} ms.`, at);
  return expectation !== null;
}

/** A value in the quotes of either kind is text; the quotes are none of it. */
function unquoted(value: string): string {
  const [, , inner] = /^(["'])(.*)\1$/s.exec(value) ?? [];
  return inner ?? value;
}

/** Adds a variable that a response sets; returns false if its expression is not a position in the body. */
export function addTake({ take }: RequestDraft, name: string, expression: string, names: Names): boolean {
  const path = answerPath(expression);
  if (path === null) return false;
  take[names.nameOf(name)] = path;
  return true;
}
