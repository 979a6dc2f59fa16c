import { markFor } from '#shared/provider/tokens.ts';
import type { PathDemand } from '#shared/collections/check-kinds.ts';
import type { JsonType, PathExpectation } from '#shared/collections/model.ts';
import { compareDecimals, isNumberText } from '#shared/json/decimal.ts';
import { parseJson, type JsonNode } from '#shared/json/parse.ts';
import { describeNode, pointerSteps } from '#shared/json/pointer.ts';
import { memberOf, membersOf, sameValue } from '#shared/json/values.ts';
import { tooSlow, type ParsedResponse } from './parsed-response.ts';
import { noValue, numberIn, numberProblem, refused, type Assertion, type Judgement } from './assertion.ts';
import type { TimeLimit } from './time-limit.ts';

/** A demand that holds for each value that the path finds. */
type Kind = Exclude<PathDemand, 'present' | 'count'>;

/** Phrases of the kinds of checks. */
const phrases: Readonly<Record<Kind, (expected: string) => string>> = {
  type: (expected) => `is ${typeWords[expected as JsonType] ?? expected}`,
  equals: (expected) => `is ${expected}`,
  not: (expected) => `is not ${expected}`,
  contains: (expected) => `contains ${expected}`,
  matches: (expected) => `matches /${expected}/`,
  above: (expected) => `is above ${expected}`,
  atLeast: (expected) => `is at least ${expected}`,
  below: (expected) => `is below ${expected}`,
  atMost: (expected) => `is at most ${expected}`,
};
const kinds = Object.keys(phrases) as Kind[];

const typeWords: Readonly<Record<JsonType, string>> = {
  object: 'an object',
  array: 'an array',
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  null: 'null',
};

/**
 * Returns the assertions of a check about a path, one after the other; without any further field, that a value exists. `isToken`
 * knows the names of tokens.
 */
export function pathAssertions(
  expectation: PathExpectation,
  response: ParsedResponse,
  isToken: (name: string) => boolean,
): Assertion[] {
  const { path, present, count } = expectation;
  const place = path === '' ? 'the response' : path;
  const secret = namesIn(path).find(isToken);
  const assertions: Assertion[] = [];
  const given = kinds.filter((kind) => expectation[kind] !== undefined);
  if (present !== undefined || (given.length === 0 && count === undefined)) {
    const wanted = present ?? true;
    assertions.push({
      words: () => `${place} ${wanted ? 'exists' : "doesn't exist"}`,
      quotes: true,
      expected: wanted ? 'present' : 'missing',
      mark: null,
      judge: () => judgePresence(wanted, path, response),
    });
  }
  for (const kind of given) {
    const expected = expectation[kind] as string;
    assertions.push({
      words: (shown) => `${place} ${phrases[kind](shown)}`,
      quotes: true,
      expected,
      mark: secret === undefined || kind === 'type' ? null : markFor(secret),
      judge: () => judgeValues(kind, expected, path, response),
    });
  }
  if (count !== undefined) {
    assertions.push({
      words: (shown) => `${place} has ${shown} ${shown === '1' ? 'member' : 'members'}`,
      quotes: true,
      expected: count,
      mark: null,
      judge: () => judgeCount(count, path, response),
    });
  }
  return assertions;
}

/** Returns the names in a path; of a JSONPath every word, so that none is left out. */
function namesIn(path: string): readonly string[] {
  if (path.startsWith('$')) return path.match(/[\p{L}_][\p{L}\p{N}_-]*/gu) ?? [];
  const steps = pointerSteps(path);
  return steps.ok ? steps.steps : [];
}

function judgePresence(wanted: boolean, path: string, response: ParsedResponse): Judgement {
  const found = response.find(path);
  if (!found.ok) return refused(found.message);
  const [node] = found.nodes;
  if (node === undefined) return { passed: !wanted, actual: 'missing', why: () => found.absence };
  return { passed: wanted, actual: 'present', why: () => `${response.placeOf(node) || 'The response'} is ${kindWords(node)}.` };
}

/** Names the kind of a node without its value, which may be a token. */
function kindWords(node: JsonNode): string {
  if (node.kind === 'string') return 'a string';
  if (node.kind === 'number') return 'a number';
  return describeNode(node);
}

function judgeValues(kind: Kind, expected: string, path: string, response: ParsedResponse): Judgement {
  const found = response.find(path);
  if (!found.ok) return refused(found.message);
  const [first] = found.nodes;
  if (first === undefined) return refused(found.absence);
  const test = testOf(kind, expected, response);
  if (typeof test === 'string') return refused(test);
  const run = () => found.nodes.filter((node) => !test(node));
  const timed = kind === 'matches' ? matchWithin(response.timeLimit, run) : { value: run() };
  if (timed === null) return refused(tooSlow, '(not compared)');
  const failing = timed.value;
  const shown = failing[0] ?? first;
  const others = found.nodes.length > 1 ? ` ${failing.length} of ${found.nodes.length} values fail.` : '';
  return {
    passed: failing.length === 0,
    actual: kind === 'type' ? typeWords[typeOf(shown)] : response.textOf(shown),
    why: (actual) => `${response.placeOf(shown) || 'The response'} is ${why(kind, shown, actual)}.${others}`,
  };
}

function why(kind: Kind, node: JsonNode, actual: string): string {
  if (kind === 'type') return actual;
  const shown = node.kind === 'string' ? `the string ${JSON.stringify(actual)}` : actual;
  const isComparison = kind === 'above' || kind === 'atLeast' || kind === 'below' || kind === 'atMost';
  return isComparison && numberIn(node) === null ? `${shown}, which is not a number` : shown;
}

/** Runs a match. Returns null if the expression took too long, or more of the stack than there is. */
function matchWithin<T>(timeLimit: TimeLimit, run: () => T): { readonly value: T } | null {
  try {
    return timeLimit.within(run);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Returns the test of one value, or a sentence about a fault of the expectation. */
function testOf(kind: Kind, expected: string, response: ParsedResponse): ((node: JsonNode) => boolean) | string {
  switch (kind) {
    case 'type':
      return (node) => typeOf(node) === expected || (expected === 'number' && node.kind === 'number');
    case 'equals':
      return equalTo(expected);
    case 'not': {
      const isEqual = equalTo(expected);
      return (node) => !isEqual(node);
    }
    case 'contains': {
      const isEqual = equalTo(expected);
      return (node) => {
        if (node.kind === 'array') return node.items.some(isEqual);
        if (node.kind === 'object') return memberOf(node, expected) !== undefined;
        return response.textOf(node).includes(expected);
      };
    }
    case 'matches': {
      try {
        const expression = new RegExp(expected, 'u');
        return (node) => expression.test(response.textOf(node));
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        return `Invalid check: ${error.message}.`;
      }
    }
    case 'above':
    case 'atLeast':
    case 'below':
    case 'atMost':
      return numberProblem(expected) ?? comparison(kind, expected);
  }
}

function comparison(kind: 'above' | 'atLeast' | 'below' | 'atMost', expected: string): (node: JsonNode) => boolean {
  return (node) => {
    const number = numberIn(node);
    if (number === null) return false;
    const order = compareDecimals(number, expected);
    if (kind === 'above') return order > 0;
    if (kind === 'atLeast') return order >= 0;
    return kind === 'below' ? order < 0 : order <= 0;
  };
}

/** Compares numbers by their values, objects and arrays as JSON, everything else by its text. */
function equalTo(expected: string): (node: JsonNode) => boolean {
  let parsed: ReturnType<typeof parseJson> | null = null;
  return (node) => {
    switch (node.kind) {
      case 'string':
        return node.value === expected;
      case 'number':
        return isNumberText(expected) && compareDecimals(node.text, expected) === 0;
      case 'object':
      case 'array':
        parsed ??= parseJson(expected);
        return parsed.ok && sameValue(node, parsed.root);
      case 'true':
      case 'false':
      case 'null':
        return node.kind === expected;
    }
  };
}

function typeOf(node: JsonNode): JsonType {
  if (node.kind === 'number') return /^-?\d+$/.test(node.text) ? 'integer' : 'number';
  return node.kind === 'true' || node.kind === 'false' ? 'boolean' : node.kind;
}

/** Judges a count: of a path that may find several values, their number; of one value, the number of its fields. */
function judgeCount(expected: string, path: string, response: ParsedResponse): Judgement {
  const problem = numberProblem(expected);
  if (problem !== null) return refused(problem);
  const found = response.find(path);
  if (!found.ok) return refused(found.message);
  const [node] = found.nodes;
  let count = found.nodes.length;
  if (!found.several) {
    if (node === undefined) return refused(found.absence);
    if (node.kind === 'array') count = node.items.length;
    else if (node.kind === 'object') count = membersOf(node).size;
    else return refused(`${response.placeOf(node) || 'The response'} is ${kindWords(node)}, which has no members.`, noValue);
  }
  return {
    passed: compareDecimals(String(count), expected) === 0,
    actual: String(count),
    why: (actual) => (found.several ? `Found ${actual}.` : `It has ${actual}.`),
  };
}
