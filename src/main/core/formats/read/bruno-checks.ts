import type { CollectionRequest, Expectation } from '#shared/collections/model.ts';
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
export function expectationOf(expression: string, condition: string, names: Names): Expectation | null {
  const [, word = '', rest = ''] = /^(\S*)[ \t]*(.*)$/s.exec(condition.trim()) ?? [];
  const isComparison = Object.hasOwn(comparisons, word);
  const isType = Object.hasOwn(types, word);
  const other = /^(?:in|notIn|notContains|matches|notMatches|startsWith|endsWith|between|is[A-Z]\w*)$/.test(word);
  const operator = isComparison ? (word as keyof typeof comparisons) : 'eq';
  const value = names.text(unquoted(isComparison ? rest : condition.trim()));
  const simple = expression.trim().replace(/^\$/, '');
  if (simple === 'res.status') return operator === 'eq' && !isType && !other ? { status: value } : null;
  if (simple === 'res.responseTime') return operator === 'lte' ? { withinMs: value } : null;
  const path = answerPath(expression);
  if (path === null) return null;
  if (isType) return { path, type: types[word as keyof typeof types] };
  if (word === 'isDefined') return { path, present: true };
  if (word === 'isUndefined') return { path, present: false };
  if (other) return null;
  if (path === '$.code' && operator === 'eq') return { code: value };
  return { path, [comparisons[operator]]: value };
}

/** A value in the quotes of either kind is text; the quotes are none of it. */
function unquoted(value: string): string {
  const [, , inner] = /^(["'])(.*)\1$/s.exec(value) ?? [];
  return inner ?? value;
}

/** Adds a variable that a response sets; returns false if its expression is not a position in the body. */
export function addTake(take: CollectionRequest['take'], name: string, expression: string, names: Names): boolean {
  const path = answerPath(expression);
  if (path === null) return false;
  take[names.nameOf(name)] = path;
  return true;
}
