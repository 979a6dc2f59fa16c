import { parse, type AnyNode, type Program } from 'acorn';
import type { CollectionRequest, Expectation } from '#shared/collections/model.ts';
import { isNumberText } from '#shared/json/decimal.ts';
import { isJson } from '#shared/json/format.ts';
import { pointerStep } from '#shared/json/pointer.ts';
import type { RequestDraft } from './import-source.ts';
import { literal, type Names } from './variable-names.ts';

/** A part of the response that a script names. */
type Subject =
  | { readonly kind: 'body'; readonly pointer: string }
  | { readonly kind: 'text' | 'status' | 'duration' }
  | { readonly kind: 'count'; readonly pointer: string };

/** A value that a script compares with, as text of a check; `variable` is one that holds any type. */
interface Value {
  readonly type: 'string' | 'number' | 'boolean' | 'null' | 'json' | 'variable' | 'regex';
  readonly text: string;
  /** Of a regular expression. */
  readonly flags?: string;
}

type Scope = ReadonlyMap<string, Subject>;

/** The names that Postman, its older versions and Bruno have for parts of a response. */
const subjects = {
  status: /^(?:pm\.response\.code|responseCode\.code|res\.(?:status|getStatus\(\)))$/,
  duration: /^(?:pm\.response\.responseTime|responseTime|res\.(?:responseTime|getResponseTime\(\)))$/,
  body: /^(?:pm\.response\.json\(\)|res\.(?:body|getBody\(\)))$/,
  text: /^(?:pm\.response\.text\(\)|responseBody)$/,
};

const getters =
  /^(?:pm\.(?:environment|variables|collectionVariables|globals)\.get|bru\.(?:getVar|getEnvVar|getGlobalEnvVar|getCollectionVar|getFolderVar))$/;
const setters =
  /^(?:pm\.(?:environment|variables|collectionVariables|globals)\.set|bru\.(?:setVar|setEnvVar|setGlobalEnvVar)|postman\.set(?:Environment|Global)Variable)$/;
const expects = new Set(['pm.expect', 'expect', 'chai.expect']);

/** Adds the tests of a script to a request; what was not understood is for a comment in its file. `what` is the kind of script, after "the". */
export function readTests(
  script: string,
  { what, at, names }: { readonly what: string; readonly at: string; readonly names: Names },
  { expect, take, comments, lose }: RequestDraft,
): void {
  const read = readScriptChecks(script, names);
  expect.push(...read.expect);
  Object.assign(take, read.take);
  for (const duration of read.durations)
    lose(`a duration test in the ${what}`, `The check also passes at exactly ${duration} ms.`, at);
  if (read.others.length > 0)
    lose(`part of the ${what}`, "Croupier didn't understand it and kept it as a comment at the end of the file.", at);
  comments.push(...read.others.map((text) => `Not imported from the ${what}:\n${text}`));
}

const mostTokens = 20_000;

/** A piece of a script with its statements; null if it is no JavaScript, or too much for a reader of tests. */
interface ScriptPart {
  readonly source: string;
  readonly statements: Program['body'] | null;
}

/** Takes a script apart, which is never run: as a whole, or if it is no JavaScript, at each line that seems to begin a statement. */
export function partsOf(source: string): ScriptPart[] {
  let tokens = 0;
  const onToken = () => {
    if (++tokens > mostTokens) throw new RangeError();
  };
  const options = { ecmaVersion: 'latest', allowReturnOutsideFunction: true, allowAwaitOutsideFunction: true, onToken } as const;
  try {
    return [{ source, statements: parse(source, options).body }];
  } catch (error) {
    // It may also be nested deeper than the stack.
    const lines = error instanceof SyntaxError ? source.split(/\n(?=[^\s)\]}])/) : [];
    return lines.length > 1 ? lines.flatMap(partsOf) : [{ source, statements: null }];
  }
}

/** Reads the few idioms that nearly all tests of Postman and Bruno are made of, as far as a request here can say the same. */
export function readScriptChecks(script: string, names: Names) {
  const expect: Expectation[] = [];
  const take: CollectionRequest['take'] = {};
  /** Statements that were not understood, each with the name of its test, as they stand in the script. */
  const others: string[] = [];
  /** Checks of a duration below a number: here they pass at exactly that number, too. */
  const durations: string[] = [];

  /** The part that is read now. */
  let part = '';

  function read(statements: readonly AnyNode[], scope: Map<string, Subject>, title: string): void {
    for (const statement of statements) {
      try {
        if (understand(statement, scope)) continue;
      } catch (error) {
        // A chain may be longer than the stack.
        if (!(error instanceof RangeError)) throw error;
      }
      others.push(title + part.slice(statement.start, statement.end));
    }
  }

  function understand(statement: AnyNode, scope: Map<string, Subject>): boolean {
    if (statement.type === 'EmptyStatement') return true;
    if (statement.type === 'VariableDeclaration') {
      const [{ id, init } = { id: null, init: null }, ...more] = statement.declarations;
      const subject = subjectOf(init, scope);
      if (subject === null || id?.type !== 'Identifier' || more.length > 0) return false;
      scope.set(id.name, subject);
      return true;
    }
    const value = statement.type === 'ExpressionStatement' ? plain(statement.expression) : statement;
    if (value.type === 'AssignmentExpression') {
      // `tests["…"] = …`, as Postman had it.
      const { left, operator, right } = value;
      return (
        operator === '=' && left.type === 'MemberExpression' && flat(left.object) === 'tests' && add(comparison(right, scope))
      );
    }
    const callee = value.type === 'CallExpression' ? (flat(value.callee) ?? '') : '';
    const [first, second] = value.type === 'CallExpression' ? value.arguments : [];
    const name = literalOf(first);
    if (callee === 'pm.test' || callee === 'test') {
      const isFunction = second?.type === 'FunctionExpression' || second?.type === 'ArrowFunctionExpression';
      if (name === null || !isFunction || second.async || second.generator) return false;
      const body = second.body.type === 'BlockStatement' ? second.body.body : [second.body];
      if (body.length > 0) read(body, new Map(scope), `${name.text}: `);
      return body.length > 0;
    }
    if (!setters.test(callee)) return add(chained(value, scope));
    const subject = subjectOf(second, scope);
    if (name === null || subject?.kind !== 'body') return false;
    take[names.nameOf(name.text)] = subject.pointer;
    return true;
  }

  function add(found: readonly Expectation[] | null): boolean {
    for (const one of found ?? []) if ('withinMs' in one) durations.push(one.withinMs);
    expect.push(...(found ?? []));
    return found !== null;
  }

  /** Null for what no check is compared with. */
  function valueOf(one: AnyNode): Value | null {
    const own = literalOf(one);
    if (own !== null) return own.type === 'regex' ? own : { ...own, text: literal(own.text) };
    if (one.type === 'ObjectExpression' || one.type === 'ArrayExpression') {
      const text = part.slice(one.start, one.end);
      return isJson(text) ? { type: 'json', text: literal(text) } : null;
    }
    if (one.type !== 'CallExpression' || !getters.test(flat(one.callee) ?? '')) return null;
    const name = literalOf(one.arguments[0])?.text ?? '';
    return /^[A-Za-z_][\w.-]{0,99}$/.test(name) ? { type: 'variable', text: `{{${name}}}` } : null;
  }

  /** Returns the checks of `expect(…).to.…` and `pm.response.to.…`; null if one of its words is unknown here. */
  function chained(one: AnyNode, scope: Scope): Expectation[] | null {
    const links: Link[] = [];
    let root = one;
    while (root.type === 'CallExpression' || root.type === 'MemberExpression') {
      const member = root.type === 'CallExpression' ? root.callee : root;
      const word = nameOf(member);
      if (member.type !== 'MemberExpression' || word === null) return null;
      links.unshift({ word, args: root.type === 'CallExpression' ? root.arguments.map(valueOf) : null });
      root = member.object;
      if (root.type === 'CallExpression' && expects.has(flat(root.callee) ?? '')) {
        const subject = subjectOf(root.arguments[0], scope);
        return subject === null ? null : judged(subject, links);
      }
      // `pm.expect` is itself a member.
      if (flat(root) === 'pm.response') return ofResponse(links);
    }
    return null;
  }

  /** Returns the check of `a === b`, the oldest way of Postman. */
  function comparison(one: AnyNode, scope: Scope): Expectation[] | null {
    if (one.type !== 'BinaryExpression') return null;
    const subject = subjectOf(one.left, scope);
    if (subject === null) return null;
    const { operator } = one;
    const word =
      { '===': 'equal', '==': 'equal', '!==': 'equal', '!=': 'equal', '<': 'below', '<=': 'most', '>': 'above', '>=': 'least' }[
        operator as string
      ] ?? '';
    const not = operator.startsWith('!') ? [{ word: 'not', args: null }] : [];
    return judged(subject, [...not, { word, args: [valueOf(one.right)] }]);
  }

  const scope = new Map<string, Subject>();
  for (const { source, statements } of partsOf(script)) {
    part = source;
    if (statements === null) others.push(source.trim());
    else read(statements, scope, '');
  }
  return { expect, take, others, durations };
}

/** Returns what a chain with `?.` in it stands for: here it is the same without. */
function plain(one: AnyNode): AnyNode {
  return one.type === 'ChainExpression' ? one.expression : one;
}

/** The name of a member, or of a variable; null if it is computed. */
function nameOf(one: AnyNode): string | null {
  if (one.type === 'Identifier') return one.name;
  if (one.type !== 'MemberExpression') return null;
  if (!one.computed) return nameOf(one.property);
  const step = literalOf(one.property);
  return step?.type === 'string' || step?.type === 'number' ? step.text : null;
}

/** Returns `a.b.c()` for a chain of names and calls without arguments; null for any other expression, and for a longer name than is known. */
function flat(given: AnyNode): string | null {
  let name = '';
  let one = plain(given);
  while (one.type !== 'Identifier') {
    if (name.length > 200) return null;
    if (one.type === 'CallExpression' && one.arguments.length === 0) {
      name = `()${name}`;
      one = plain(one.callee);
    } else {
      const step = one.type === 'MemberExpression' ? nameOf(one) : null;
      if (one.type !== 'MemberExpression' || step === null) return null;
      name = `.${step}${name}`;
      one = plain(one.object);
    }
  }
  // Insomnia has the objects of Postman under its own name.
  return (one.name === 'insomnia' ? 'pm' : one.name) + name;
}

function subjectOf(given: AnyNode | null | undefined, scope: Scope): Subject | null {
  if (given === null || given === undefined) return null;
  const one = plain(given);
  const name = flat(one) ?? '';
  if (one.type === 'Identifier' && scope.has(name)) return scope.get(name) ?? null;
  for (const kind of ['status', 'duration', 'text'] as const) if (subjects[kind].test(name)) return { kind };
  if (subjects.body.test(name)) return { kind: 'body', pointer: '' };
  if (one.type === 'CallExpression') {
    const parses = flat(one.callee) === 'JSON.parse' && subjectOf(one.arguments[0], scope)?.kind === 'text';
    return parses ? { kind: 'body', pointer: '' } : null;
  }
  if (one.type !== 'MemberExpression') return null;
  const outer = subjectOf(one.object, scope);
  const step = nameOf(one);
  if (outer?.kind !== 'body' || step === null) return null;
  return step === 'length'
    ? { kind: 'count', pointer: outer.pointer }
    : { kind: 'body', pointer: outer.pointer + pointerStep(step) };
}

/** Returns a literal; null for a number that JSON would not have, and for a template with values in it. */
export function literalOf(one: AnyNode | undefined): Value | null {
  if (one?.type === 'TemplateLiteral') {
    const text = one.expressions.length === 0 ? one.quasis[0]?.value.cooked : null;
    return typeof text === 'string' ? { type: 'string', text } : null;
  }
  if (one?.type === 'UnaryExpression') {
    const inner = one.operator === '-' && one.argument.type === 'Literal' ? literalOf(one.argument) : null;
    return inner?.type === 'number' ? { type: 'number', text: `-${inner.text}` } : null;
  }
  if (one?.type !== 'Literal') return null;
  const { value, raw = '', regex } = one;
  if (regex !== undefined) return { type: 'regex', text: regex.pattern, flags: regex.flags };
  if (typeof value === 'string') return { type: 'string', text: value };
  if (typeof value === 'boolean') return { type: 'boolean', text: raw };
  if (value === null) return { type: 'null', text: raw };
  return isNumberText(raw) ? { type: 'number', text: raw } : null;
}

/** One word of a chain behind `expect(…)`, with its arguments if it is called. */
interface Link {
  readonly word: string;
  readonly args: readonly (Value | null)[] | null;
}

const fillers = new Set('to be been is that which and has have with at of same but does deep'.split(' '));

function ofResponse(links: readonly Link[]): Expectation[] | null {
  const [link, ...more] = links.filter(({ word, args }) => args !== null || !fillers.has(word));
  if (link === undefined || more.length > 0 || link.args === null) return null;
  const [first, value] = link.args;
  if (link.word === 'status' && first?.type === 'number') return [{ status: first.text }];
  const isPath = first?.type === 'string' && /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/.test(first.text);
  if (link.word !== 'jsonBody' || !isPath) return null;
  const path = first.text.split('.').map(pointerStep).join('');
  if (value === undefined) return [{ path, present: true }];
  return value === null ? null : equal(path, value, false);
}

function judged(start: Subject, links: readonly Link[]): Expectation[] | null {
  const found: Expectation[] = [];
  let subject = start;
  let negated = false;
  for (const { word, args } of links) {
    if (args === null && fillers.has(word)) continue;
    if (args === null && word === 'not') {
      negated = true;
      continue;
    }
    const one = subject.kind === 'body' ? ofBody(subject.pointer, word, args, negated) : ofOther(subject, word, args, negated);
    if (one === null) return null;
    found.push(...one);
    // What follows is said of the field.
    const [name] = args ?? [];
    if (word === 'property' && subject.kind === 'body')
      subject = { kind: 'body', pointer: subject.pointer + pointerStep(name?.text ?? '') };
  }
  return found.length === 0 ? null : found;
}

const equals = new Set(['eql', 'eqls', 'equal', 'equals', 'eq']);

function ofOther(
  subject: Exclude<Subject, { kind: 'body' }>,
  word: string,
  args: Link['args'],
  negated: boolean,
): Expectation[] | null {
  const [value = null] = args ?? [];
  if (value === null || negated || (value.type !== 'number' && value.type !== 'variable')) return null;
  if (subject.kind === 'status') return equals.has(word) ? [{ status: value.text }] : null;
  if (subject.kind === 'count') return equals.has(word) ? [{ path: subject.pointer, count: value.text }] : null;
  if (subject.kind !== 'duration') return null;
  return comparisons.below.test(word) || comparisons.atMost.test(word) ? [{ withinMs: value.text }] : null;
}

const comparisons = {
  above: /^(?:above|gt|greaterThan)$/,
  atLeast: /^(?:least|gte|greaterThanOrEqual)$/,
  below: /^(?:below|lt|lessThan)$/,
  atMost: /^(?:most|lte|lessThanOrEqual)$/,
};
const comparisonNames = ['above', 'atLeast', 'below', 'atMost'] as const;
const opposites = { above: 'atMost', atLeast: 'below', below: 'atLeast', atMost: 'above' } as const;
const types = new Set(['string', 'number', 'boolean', 'object', 'array', 'null']);

function ofBody(path: string, word: string, args: Link['args'], negated: boolean): Expectation[] | null {
  const [value = null, second] = args ?? [];
  if (args === null) {
    if (word === 'null') return [negated ? { path, not: 'null' } : { path, type: 'null' }];
    if (word === 'undefined') return [{ path, present: negated }];
    if (word === 'exist') return negated ? null : [{ path, not: 'null' }];
    return (word === 'true' || word === 'false') && !negated ? [{ path, type: 'boolean', equals: word }] : null;
  }
  if (equals.has(word))
    return value === null || (value.type === 'json' && !word.startsWith('eql')) ? null : equal(path, value, negated);
  if (word === 'property') {
    if (value?.type !== 'string') return null;
    const child = path + pointerStep(value.text);
    if (second === undefined) return [{ path: child, present: !negated }];
    return second === null || negated || second.type === 'json' ? null : equal(child, second, false);
  }
  const comparison = comparisonNames.find((name) => comparisons[name].test(word));
  if (comparison !== undefined) {
    if (value?.type !== 'number' && value?.type !== 'variable') return null;
    return [{ path, type: 'number', [negated ? opposites[comparison] : comparison]: value.text }];
  }
  if (negated) return null;
  if (word === 'a' || word === 'an')
    return value !== null && types.has(value.text) ? [{ path, type: value.text as 'string' }] : null;
  if (word === 'lengthOf' || word === 'length') return value?.type === 'number' ? [{ path, count: value.text }] : null;
  if (word === 'within') {
    return value?.type === 'number' && second?.type === 'number'
      ? [{ path, type: 'number', atLeast: value.text, atMost: second.text }]
      : null;
  }
  if (/^(?:include|contain)s?$/.test(word)) return value?.type === 'string' ? [{ path, contains: value.text }] : null;
  return word === 'match' && value?.type === 'regex' ? matching(path, value.text, value.flags) : null;
}

/** Texts that look like another type are checked for their type as well: `equals` takes a number and its digits for the same. */
function equal(path: string, { type, text }: Value, negated: boolean): Expectation[] | null {
  if (type === 'regex') return null;
  const isPlain = type === 'variable' || type === 'json' || (type === 'string' && !/^(?:[-\d[{"]|true$|false$|null$)/.test(text));
  if (negated) return isPlain || type === 'null' ? [{ path, not: text }] : null;
  if (path === '/code' && type === 'number' && /^\d+$/.test(text)) return [{ code: text }];
  if (type === 'null') return [{ path, type }];
  return [isPlain ? { path, equals: text } : { path, type, equals: text }];
}

/** Null for a pattern that means something else with the flag `u`, or cannot be written here. */
export function matching(path: string, pattern: string, flags = ''): Expectation[] | null {
  if (flags !== '' && flags !== 'u') return null;
  try {
    new RegExp(pattern, 'u');
  } catch {
    return null;
  }
  return pattern.length > 1_000 ? null : [{ path, matches: literal(pattern) }];
}
