import { openedCheck, type PathDemand } from '#shared/collections/check-kinds.ts';
import type { Expectation } from '#shared/collections/model.ts';
import { pointerSteps } from '#shared/json/pointer.ts';
import type { Operation } from '#shared/provider/index.ts';
import { keptLine } from '../kept.ts';
import type { PartRequest } from './collection-part.ts';

interface CheckedRequest {
  readonly operation: Operation;
  readonly lose: (what: string, why: string) => void;
  /** The lines that bring the functions of `checkHelpers` to these lines. */
  readonly helpersOf?: (lines: readonly string[]) => readonly string[];
}

/** Steps into a response: names, positions (from the end if they are negative), and null for everything there. */
type Steps = readonly (string | number | null)[];

/**
 * Returns the test script of a request: the comments of its file, its checks, then the values it takes. Checks that a script cannot express are
 * reported.
 */
export function testScript(
  { request: { expect, take }, comments }: Pick<PartRequest, 'request' | 'comments'>,
  { operation, lose, helpersOf = () => checkHelpers }: CheckedRequest,
): string[] {
  const lines: string[] = [];
  for (const expectation of expect) {
    const words = wordsOf(expectation);
    const check = checkOf(expectation);
    if (typeof check === 'string')
      lines.push(keptLine('expect', expectation, { code: `check(${JSON.stringify(words)}, ${check});` }));
    else {
      lines.push(keptLine('expect', expectation, {}));
      lose(`the check that ${words}`, check.unsaid);
    }
  }
  if (expect.length === 0) {
    const code =
      operation.endpoint === 'service'
        ? `check('code is 0', () => codeIs('0'));`
        : `check('code is 0, or HTTP status is 200', () => (find(['code']).length > 0 ? codeIs('0') : pm.response.code === 200 && isOf(one([]), 'object')));`;
    lines.push(keptLine('default', {}, { code }));
  }
  for (const [name, path] of Object.entries(take)) {
    const steps = path.includes('{{') ? null : stepsOf(path);
    const code = steps === null || steps.includes(null) ? '' : `take(${JSON.stringify(name)}, ${JSON.stringify(steps)});`;
    lines.push(keptLine('take', { [name]: path }, { code }));
    if (code === '') lose(`the variable ${name} that its response sets`, "The exported script can't follow its path.");
  }
  const kept = comments.length === 0 ? [] : [keptLine('comments', comments)];
  return [...kept, keptLine('helpers', {}), ...helpersOf(lines), keptLine('checks', {}), ...lines];
}

/** A JSON Pointer or a JSONPath of names, positions and `*`; null for any other. */
export function stepsOf(path: string): Steps | null {
  if (!path.startsWith('$')) {
    const pointer = pointerSteps(path);
    return pointer.ok ? pointer.steps : null;
  }
  const steps: (string | number | null)[] = [];
  const step = /\.([\p{L}_][\p{L}\p{N}_]*)|\[(-?\d{1,9})\]|\[(?:'([^'\\]*)'|"([^"\\]*)")\]|(\.\*|\[\*\])/uy;
  step.lastIndex = 1;
  while (step.lastIndex < path.length) {
    const match = step.exec(path);
    if (match === null) return null;
    const [, name, index, single, double, all] = match;
    steps.push(all !== undefined ? null : index !== undefined ? Number(index) : (name ?? single ?? double ?? ''));
  }
  return steps;
}

/** Functions of `checkHelpers` that look at one value. */
const tests: Readonly<Record<Exclude<PathDemand, 'present' | 'count'>, string>> = {
  type: 'isOf',
  equals: 'equals',
  not: 'not',
  contains: 'contains',
  matches: 'matches',
  above: 'above',
  atLeast: 'atLeast',
  below: 'below',
  atMost: 'atMost',
};

/** Returns a function of JavaScript that decides whether the response passes, or why there is none. */
function checkOf(expectation: Expectation): string | { readonly unsaid: string } {
  if (JSON.stringify(expectation).includes('{{$')) return { unsaid: 'It contains a generated value.' };
  const text = (value: string) => (value.includes('{{') ? `fill(${JSON.stringify(value)})` : JSON.stringify(value));
  if (!('path' in expectation)) {
    const { value, row } = openedCheck(expectation);
    return typeof row.script === 'function' ? `() => ${row.script(textsOf(value, text) as never)}` : row.script;
  }
  const steps = expectation.path.includes('{{') ? null : stepsOf(expectation.path);
  if (steps === null) return { unsaid: "The exported script can't follow its path." };
  const place = JSON.stringify(steps);
  const { present, count } = expectation;
  const given = (Object.keys(tests) as (keyof typeof tests)[]).filter((demand) => expectation[demand] !== undefined);
  const parts: string[] = [];
  if (present !== undefined || (given.length === 0 && count === undefined)) {
    parts.push(`find(${place}).length ${(present ?? true) ? '> 0' : '=== 0'}`);
  }
  for (const demand of given)
    parts.push(`every(${place}, (value) => ${tests[demand]}(value, ${text(expectation[demand] as string)}))`);
  if (count !== undefined)
    parts.push(
      `compare(String(${steps.includes(null) ? `find(${place}).length` : `size(one(${place}))`}), ${text(count)}) === 0`,
    );
  return `() => ${parts.join(' && ')}`;
}

function textsOf(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  return Object.fromEntries(Object.entries(value as Record<string, string>).map(([name, text]) => [name, change(text)]));
}

function wordsOf(expectation: Expectation): string {
  if (!('path' in expectation)) {
    const { value, row } = openedCheck(expectation);
    return row.words(value);
  }
  const { path, ...rest } = expectation;
  const words = Object.entries(rest).map(([name, value]) => `${name} ${value}`);
  return `${path === '' ? 'the response' : path}: ${words.length === 0 ? 'exists' : words.join(', ')}`;
}

/** Functions that the checks call. Numbers keep every digit: they are read as objects with their text. */
export const checkHelpers = String.raw`const numbers = /("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g;
const read = (text) => JSON.parse(text.replace(numbers, (all, string, digits) => (digits === undefined ? all : '{"\\u0000":"' + digits + '"}')));
const isNumber = (value) => typeof value === 'object' && value !== null && Object.hasOwn(value, '\u0000');
const isGroup = (value) => typeof value === 'object' && value !== null && !isNumber(value);
const kindOf = (value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : isNumber(value) ? (/^-?\d+$/.test(value['\u0000']) ? 'integer' : 'number') : typeof value);
const print = (value) => {
  if (isNumber(value)) return value['\u0000'];
  if (Array.isArray(value)) return '[' + value.map(print).join(',') + ']';
  if (isGroup(value)) return '{' + Object.keys(value).map((name) => JSON.stringify(name) + ':' + print(value[name])).join(',') + '}';
  return JSON.stringify(value);
};
const textOf = (value) => (typeof value === 'string' ? value : print(value));
const answer = () => read(pm.response.text());
const find = (steps) => {
  let found = [answer()];
  for (const step of steps) {
    found = found.flatMap((value) => {
      if (!isGroup(value)) return [];
      if (step === null) return Object.values(value);
      const name = Array.isArray(value) && typeof step === 'number' && step < 0 ? value.length + step : step;
      return Object.hasOwn(value, name) && (!Array.isArray(value) || /^(?:0|[1-9]\d*)$/.test(String(name))) ? [value[name]] : [];
    });
  }
  return found;
};
const one = (steps) => {
  const found = find(steps);
  if (found.length !== 1) throw new Error('There is not exactly one value at /' + steps.join('/') + '.');
  return found[0];
};
const every = (steps, test) => {
  const found = find(steps);
  return found.length > 0 && found.every(test);
};
const number = (value) => {
  const text = textOf(value);
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) throw new Error(text + ' is not a number.');
  return text;
};
const parts = (text) => {
  const [, sign, whole, fraction = '', power = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number(text));
  if (Math.abs(Number(power)) > 1000) throw new Error(text + ' is too large for this script.');
  return { units: BigInt(sign + whole + fraction), power: Number(power) - fraction.length };
};
const aligned = (one, other) => {
  const [a, b] = [parts(one), parts(other)];
  const power = Math.min(a.power, b.power);
  return { a: a.units * 10n ** BigInt(a.power - power), b: b.units * 10n ** BigInt(b.power - power), power };
};
const compare = (one, other) => {
  const { a, b } = aligned(one, other);
  return a < b ? -1 : a > b ? 1 : 0;
};
const add = (one, other) => {
  const { a, b, power } = aligned(one, other);
  return a + b + 'e' + power;
};
const same = (one, other) => {
  if (isNumber(one) || isNumber(other)) return isNumber(one) && isNumber(other) && compare(textOf(one), textOf(other)) === 0;
  if (!isGroup(one) || !isGroup(other) || Array.isArray(one) !== Array.isArray(other)) return one === other;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => Object.hasOwn(other, name) && same(one[name], other[name]));
};
const equals = (value, expected) => {
  if (typeof value === 'string') return value === expected;
  try {
    return same(value, read(expected));
  } catch (error) {
    return false;
  }
};
const not = (value, expected) => !equals(value, expected);
const isOf = (value, type) => kindOf(value) === type || (type === 'number' && isNumber(value));
const contains = (value, expected) => (Array.isArray(value) ? value.some((item) => equals(item, expected)) : isGroup(value) ? Object.hasOwn(value, expected) : textOf(value).includes(expected));
const matches = (value, expected) => new RegExp(expected, 'u').test(textOf(value));
const above = (value, limit) => compare(textOf(value), limit) > 0;
const atLeast = (value, limit) => compare(textOf(value), limit) >= 0;
const below = (value, limit) => compare(textOf(value), limit) < 0;
const atMost = (value, limit) => compare(textOf(value), limit) <= 0;
const size = (value) => {
  if (!isGroup(value)) throw new Error('It has no members.');
  return Object.keys(value).length;
};
const codeIs = (expected) => {
  const code = one(['code']);
  // Only a whole number is a code.
  return isNumber(code) && Number.isSafeInteger(Number(textOf(code))) && compare(textOf(code), expected) === 0;
};
const fill = (text) => pm.variables.replaceIn(text);
const check = (words, holds) => pm.test(words, () => {
  if (!holds()) throw new Error('The response is ' + pm.response.text().slice(0, 500));
});
const take = (name, steps) => {
  const value = textOf(one(steps));
  pm.variables.set(name, value);
  pm.collectionVariables.set(name, value);
};`.split('\n');
