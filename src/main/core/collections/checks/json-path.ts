import { JSONPathEnvironment, JSONPathError, JSONPathSyntaxError, jsonpath, TokenKind, type Token } from 'json-p3';
import { isNumberText, compareDecimals } from '#shared/json/decimal.ts';
import type { JsonNode } from '#shared/json/parse.ts';
import { membersOf, memberOf, sameValue } from '#shared/json/values.ts';
import { countCharacters } from '#shared/provider/findings.ts';

const { expressions, selectors } = jsonpath;
type Expression = InstanceType<typeof expressions.LogicalExpression>['expression'];
type Selector = jsonpath.JSONPathSelector;
type Segment = jsonpath.JSONPathSegment;

/** A JSONPath that was read. */
export interface JsonPath {
  /** The names and positions of a path that can find one value at most; null for any other. */
  readonly steps: readonly string[] | null;
  /** True if it uses regular expressions, which may take forever: call `find` with a time limit. */
  readonly matches: boolean;
  /** Finds values in the order of RFC 9535, or returns a sentence if it would visit too many. */
  find(
    root: JsonNode,
  ): { readonly ok: true; readonly nodes: readonly JsonNode[] } | { readonly ok: false; readonly message: string };
}

/** Number of values at most that a path may visit: more is a mistake, or meant to keep Croupier busy. */
const mostSteps = 5_000_000;

export type ReadJsonPath = typeof readJsonPath;

class TooManySteps extends Error {}

/**
 * Reads a JSONPath (RFC 9535). The library reads it and checks its types; this file follows it, because a filter has to compare
 * numbers of any length exactly and no path may take forever.
 */
export function readJsonPath(
  path: string,
): { readonly ok: true; readonly path: JsonPath } | { readonly ok: false; readonly message: string } {
  const environment = createEnvironment();
  let query: ReturnType<JSONPathEnvironment['compile']>;
  try {
    query = environment.compile(path);
  } catch (error) {
    if (!(error instanceof JSONPathError || error instanceof RangeError)) throw error;
    return { ok: false, message: `Not a valid JSONPath: ${error.message}.` };
  }
  return {
    ok: true,
    path: {
      steps: stepsOf(query.segments),
      matches: /\b(?:match|search)\b/.test(path),
      find(root) {
        let steps = 0;
        const spend = (more: number) => {
          steps += more;
          if (steps > mostSteps) throw new TooManySteps();
        };
        try {
          return { ok: true, nodes: createWalk(environment, root, spend).follow(query.segments, root) };
        } catch (error) {
          // A pattern may come from the response, and be nested as deep as it likes.
          if (error instanceof RangeError)
            return { ok: false, message: 'A regular expression in this JSONPath is nested too deeply.' };
          if (!(error instanceof TooManySteps)) throw error;
          return { ok: false, message: 'This JSONPath visits more than 5,000,000 values in this response. Narrow it.' };
        }
      },
    },
  };
}

/**
 * Corrects the library (2.3.1), which refuses 0.1 in a filter and accepts -01: numbers are read here, as RFC 9535 and JSON write
 * them.
 */
function createEnvironment(): JSONPathEnvironment {
  const environment = new JSONPathEnvironment();
  const { tokenMap } = Reflect.get(environment, 'parser') as {
    tokenMap: Map<TokenKind, (stream: { readonly current: Token }) => Expression>;
  };
  tokenMap.set(TokenKind.NUMBER, ({ current }) => {
    if (!isNumberText(current.value)) throw new JSONPathSyntaxError(`invalid number '${current.value}'`, current);
    return new expressions.NumberLiteral(current, Number(current.value));
  });
  return environment;
}

function stepsOf(segments: readonly Segment[]): string[] | null {
  const steps: string[] = [];
  for (const { token, selectors: chosen } of segments) {
    const [selector, ...others] = chosen;
    if (token.kind === TokenKind.DDOT || others.length > 0) return null;
    if (selector instanceof selectors.NameSelector) steps.push(selector.name);
    else if (selector instanceof selectors.IndexSelector) steps.push(String(selector.index));
    else return null;
  }
  return steps;
}

/** Walks one response for one path; calls `spend` for every value that it visits. */
function createWalk(environment: JSONPathEnvironment, root: JsonNode, spend: (steps: number) => void) {
  function follow(segments: readonly Segment[], from: JsonNode): JsonNode[] {
    let nodes = [from];
    for (const { token, selectors: chosen } of segments) {
      const next: JsonNode[] = [];
      for (const node of nodes) {
        if (token.kind === TokenKind.DDOT) descend(chosen, node, next);
        else for (const selector of chosen) select(selector, node, next);
      }
      nodes = next;
    }
    return nodes;
  }

  function descend(chosen: readonly Selector[], node: JsonNode, into: JsonNode[]): void {
    for (const selector of chosen) select(selector, node, into);
    for (const child of childrenOf(node)) if (child.kind === 'object' || child.kind === 'array') descend(chosen, child, into);
  }

  function childrenOf(node: JsonNode): Iterable<JsonNode> {
    if (node.kind === 'array') {
      spend(node.items.length);
      return node.items;
    }
    if (node.kind !== 'object') return [];
    spend(node.members.length);
    return membersOf(node).values();
  }

  function select(selector: Selector, node: JsonNode, into: JsonNode[]): void {
    spend(1);
    if (selector instanceof selectors.NameSelector) {
      const found = node.kind === 'object' ? memberOf(node, selector.name) : undefined;
      if (found !== undefined) into.push(found);
    } else if (selector instanceof selectors.IndexSelector) {
      const found = node.kind === 'array' ? node.items.at(selector.index) : undefined;
      if (found !== undefined) into.push(found);
    } else if (selector instanceof selectors.SliceSelector) {
      if (node.kind === 'array') slice(node.items, selector, into);
    } else if (selector instanceof selectors.WildcardSelector) {
      for (const child of childrenOf(node)) into.push(child);
    } else if (selector instanceof selectors.FilterSelector) {
      for (const child of childrenOf(node)) if (isTrue(selector.expression, child)) into.push(child);
    } else throw new TypeError(`JSONPath has no selector ${String(selector)}`);
  }

  /** Selects a slice; RFC 9535, 2.3.4.2.2. */
  function slice(
    items: readonly JsonNode[],
    { start, stop, step = 1 }: InstanceType<typeof selectors.SliceSelector>,
    into: JsonNode[],
  ): void {
    const length = items.length;
    if (step === 0 || length === 0) return;
    const [low, high] = step > 0 ? [0, length] : [-1, length - 1];
    const bound = (index: number) => Math.min(Math.max(index < 0 ? index + length : index, low), high);
    const first = start === undefined ? (step > 0 ? low : high) : bound(start);
    const end = stop === undefined ? (step > 0 ? high : low) : bound(stop);
    for (let i = first; step > 0 ? i < end : i > end; i += step) {
      spend(1);
      into.push(items[i] as JsonNode);
    }
  }

  function isTrue(expression: Expression, current: JsonNode): boolean {
    spend(1);
    if (expression instanceof expressions.LogicalExpression) return isTrue(expression.expression, current);
    if (expression instanceof expressions.PrefixExpression) return !isTrue(expression.right, current);
    if (expression instanceof expressions.InfixExpression) {
      const { left, right, operator } = expression;
      if (operator === '&&') return isTrue(left, current) && isTrue(right, current);
      if (operator === '||') return isTrue(left, current) || isTrue(right, current);
      return compareNodes(valueOf(left, current), operator, valueOf(right, current), spend);
    }
    if (expression instanceof expressions.FunctionExtension) return isMatch(expression, current);
    return nodesOf(expression, current).length > 0;
  }

  function nodesOf(expression: Expression, current: JsonNode): JsonNode[] {
    if (expression instanceof expressions.RelativeQuery) return follow(expression.path.segments, current);
    if (expression instanceof expressions.RootQuery) return follow(expression.path.segments, root);
    throw new TypeError(`JSONPath has no query ${String(expression)}`);
  }

  /** Returns null for the RFC's special result Nothing. */
  function valueOf(expression: Expression, current: JsonNode): JsonNode | null {
    if (expression instanceof expressions.NumberLiteral) return numberNode(expression.token.value);
    if (expression instanceof expressions.StringLiteral) return { kind: 'string', value: expression.value, ...nowhere };
    if (expression instanceof expressions.BooleanLiteral) return { kind: expression.value ? 'true' : 'false', ...nowhere };
    if (expression instanceof expressions.NullLiteral) return { kind: 'null', ...nowhere };
    if (expression instanceof expressions.FunctionExtension) return resultOf(expression, current);
    const nodes = nodesOf(expression, current);
    return nodes.length === 1 ? (nodes[0] ?? null) : null;
  }

  function resultOf(
    { name, args: [argument] }: InstanceType<typeof expressions.FunctionExtension>,
    current: JsonNode,
  ): JsonNode | null {
    if (argument === undefined) return null;
    if (name === 'count') return numberNode(String(nodesOf(argument, current).length));
    if (name === 'value') {
      const nodes = nodesOf(argument, current);
      return nodes.length === 1 ? (nodes[0] ?? null) : null;
    }
    const value = valueOf(argument, current);
    if (name !== 'length' || value === null) return null;
    if (value.kind === 'string') return numberNode(String(countCharacters(value.value)));
    if (value.kind === 'array') return numberNode(String(value.items.length));
    return value.kind === 'object' ? numberNode(String(membersOf(value).size)) : null;
  }

  /** Evaluates `match` and `search`: the library reads the I-Regexp (RFC 9485); a wrong one matches nothing. */
  function isMatch({ name, args }: InstanceType<typeof expressions.FunctionExtension>, current: JsonNode): boolean {
    const [text, pattern] = args.map((argument) => valueOf(argument, current));
    if (text?.kind !== 'string' || pattern?.kind !== 'string') return false;
    return environment.functionRegister.get(name)?.call(text.value, pattern.value) === true;
  }

  return { follow };
}

const nowhere = { start: 0, end: 0 };

function numberNode(text: string): JsonNode {
  return { kind: 'number', text, ...nowhere };
}

type Spend = (steps: number) => void;

/** Compares two values as RFC 9535, 2.3.5.2.2 does; null is its special result Nothing. `spend` is told of what a long comparison takes. */
function compareNodes(left: JsonNode | null, operator: string, right: JsonNode | null, spend: Spend): boolean {
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
