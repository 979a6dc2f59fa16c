import type { CollectionRequest, Expectation } from '#shared/collections/model.ts';
import { pointerStep } from '#shared/json/pointer.ts';
import { statementsOf, type Expression, type Statement } from './script-tree.ts';
import { literal, type Names } from './variable-names.ts';

/** The tests of another tool, as far as a request here can say the same. */
interface ScriptChecks {
  readonly expect: CollectionRequest['expect'];
  readonly take: CollectionRequest['take'];
  /** Statements that were not understood, each with the name of its test, as they stand in the script. */
  readonly others: readonly string[];
  /** Checks of a duration below a number: here they pass at exactly that number, too. */
  readonly durations: readonly string[];
}

/** A part of the response that a script names. */
type Subject =
  | { readonly kind: 'body'; readonly pointer: string }
  | { readonly kind: 'text' | 'status' | 'duration' }
  | { readonly kind: 'count'; readonly pointer: string };

/** A value that a script compares with, as text of a check; `variable` is one that holds any type. */
interface Value {
  readonly type: 'string' | 'number' | 'boolean' | 'null' | 'json' | 'variable';
  readonly text: string;
}

type Scope = ReadonlyMap<string, Subject>;

const subjects: Readonly<Record<string, Subject>> = {
  'pm.response.code': { kind: 'status' },
  'responseCode.code': { kind: 'status' },
  'res.status': { kind: 'status' },
  'res.getStatus()': { kind: 'status' },
  'pm.response.responseTime': { kind: 'duration' },
  responseTime: { kind: 'duration' },
  'res.responseTime': { kind: 'duration' },
  'res.getResponseTime()': { kind: 'duration' },
  'pm.response.json()': { kind: 'body', pointer: '' },
  'res.body': { kind: 'body', pointer: '' },
  'res.getBody()': { kind: 'body', pointer: '' },
  'pm.response.text()': { kind: 'text' },
  responseBody: { kind: 'text' },
};

const getters =
  /^(?:pm\.(?:environment|variables|collectionVariables|globals)\.get|bru\.(?:getVar|getEnvVar|getGlobalEnvVar|getCollectionVar|getFolderVar))$/;
const setters =
  /^(?:pm\.(?:environment|variables|collectionVariables|globals)\.set|bru\.(?:setVar|setEnvVar|setGlobalEnvVar)|postman\.set(?:Environment|Global)Variable)$/;
const expects = new Set(['pm.expect', 'expect', 'chai.expect']);

/** Reads the few idioms that nearly all tests of Postman and Bruno are made of. Nothing of the script is run. */
export function readScriptChecks(script: string, names: Names): ScriptChecks {
  const expect: Expectation[] = [];
  const take: CollectionRequest['take'] = {};
  const others: string[] = [];
  const durations: string[] = [];

  function read(statements: readonly Statement[], outer: Scope, title: string | null): void {
    const scope = new Map(outer);
    for (const statement of statements) {
      if (understand(statement, scope)) continue;
      others.push(title === null ? statement.source : `${title}: ${statement.source}`);
    }
  }

  function understand(statement: Statement, scope: Map<string, Subject>): boolean {
    if (statement.kind === 'other') return false;
    if (statement.kind === 'declare') {
      const subject = subjectOf(statement.value, scope);
      if (subject === null) return false;
      scope.set(statement.name, subject);
      return true;
    }
    if (statement.kind === 'assign') {
      // `tests["…"] = …`, as Postman had it.
      const { to, value } = statement;
      return to.kind === 'member' && flat(to.of) === 'tests' && add(comparison(value, scope));
    }
    const { value } = statement;
    // Some chains end without a call, such as `.to.be.true`.
    if (value.kind !== 'call') return add(chained(value, scope));
    const callee = flat(value.of) ?? '';
    if (callee === 'pm.test' || callee === 'test') {
      const [name, body] = value.args;
      if (name?.kind !== 'literal' || body?.kind !== 'function' || body.body.length === 0) return false;
      read(body.body, scope, name.text);
      return true;
    }
    if (setters.test(callee)) return taken(value.args, scope);
    return add(chained(value, scope));
  }

  function add(found: readonly Expectation[] | null): boolean {
    if (found === null) return false;
    for (const one of found) if ('withinMs' in one) durations.push(one.withinMs);
    expect.push(...found);
    return true;
  }

  function taken([name, value]: readonly Expression[], scope: Scope): boolean {
    const subject = value === undefined ? null : subjectOf(value, scope);
    if (name?.kind !== 'literal' || subject?.kind !== 'body') return false;
    take[names.nameOf(name.text)] = subject.pointer;
    return true;
  }

  read(statementsOf(script), new Map(), null);
  return { expect, take, others, durations };
}

/** Returns `a.b.c()` for a chain of names and calls without arguments; null for any other expression. */
function flat(one: Expression): string | null {
  // Insomnia has the objects of Postman under its own name.
  if (one.kind === 'name') return one.name === 'insomnia' ? 'pm' : one.name;
  if (one.kind !== 'member' && (one.kind !== 'call' || one.args.length > 0)) return null;
  const inner = flat(one.of);
  if (inner === null) return null;
  return one.kind === 'call' ? `${inner}()` : `${inner}.${one.name}`;
}

function subjectOf(one: Expression, scope: Scope): Subject | null {
  const name = flat(one) ?? '';
  if (one.kind === 'name' && scope.has(name)) return scope.get(name) ?? null;
  if (Object.hasOwn(subjects, name)) return subjects[name] ?? null;
  if (one.kind === 'call') {
    const [first] = one.args;
    const parses = flat(one.of) === 'JSON.parse' && first !== undefined;
    return parses && subjectOf(first, scope)?.kind === 'text' ? { kind: 'body', pointer: '' } : null;
  }
  if (one.kind !== 'member') return null;
  const outer = subjectOf(one.of, scope);
  if (outer?.kind !== 'body') return null;
  return one.name === 'length'
    ? { kind: 'count', pointer: outer.pointer }
    : { kind: 'body', pointer: outer.pointer + pointerStep(one.name) };
}

function valueOf(one: Expression | undefined): Value | null {
  if (one?.kind === 'literal') return { type: one.type, text: literal(one.text) };
  if (one?.kind !== 'call' || !getters.test(flat(one.of) ?? '')) return null;
  const [name] = one.args;
  return name?.kind === 'literal' && /^[A-Za-z_][\w.-]{0,99}$/.test(name.text)
    ? { type: 'variable', text: `{{${name.text}}}` }
    : null;
}

/** One word of a chain behind `expect(…)`, with its arguments if it is called. */
interface Link {
  readonly word: string;
  readonly args: readonly Expression[] | null;
}

/** Returns the checks of `expect(…).to.…` and `pm.response.to.…`; null if one of its words is unknown here. */
function chained(one: Expression, scope: Scope): Expectation[] | null {
  const links: Link[] = [];
  let root = one;
  while (root.kind === 'call' || root.kind === 'member') {
    if (root.kind === 'call' && root.of.kind === 'member') {
      links.unshift({ word: root.of.name, args: root.args });
      root = root.of.of;
    } else if (root.kind === 'member') {
      links.unshift({ word: root.name, args: null });
      root = root.of;
    } else break;
    const whole = root.kind === 'call' && expects.has(flat(root.of) ?? '') ? root.args : null;
    if (whole !== null) {
      const subject = whole[0] === undefined ? null : subjectOf(whole[0], scope);
      return subject === null ? null : judged(subject, links);
    }
    // `pm.expect` is itself a member.
    if (flat(root) === 'pm.response') return ofResponse(links);
  }
  return null;
}

const fillers = new Set([
  'to',
  'be',
  'been',
  'is',
  'that',
  'which',
  'and',
  'has',
  'have',
  'with',
  'at',
  'of',
  'same',
  'but',
  'does',
  'deep',
]);

function ofResponse(links: readonly Link[]): Expectation[] | null {
  const [link, ...more] = links.filter(({ word, args }) => args !== null || !fillers.has(word));
  if (link === undefined || more.length > 0 || link.args === null) return null;
  const [first] = link.args;
  if (link.word === 'status' && first?.kind === 'literal' && first.type === 'number') return [{ status: first.text }];
  if (
    link.word !== 'jsonBody' ||
    first?.kind !== 'literal' ||
    first.type !== 'string' ||
    !/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/.test(first.text)
  )
    return null;
  const path = first.text.split('.').map(pointerStep).join('');
  if (link.args.length === 1) return [{ path, present: true }];
  const value = valueOf(link.args[1]);
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
    if (word === 'property' && subject.kind === 'body' && name?.kind === 'literal')
      subject = { kind: 'body', pointer: subject.pointer + pointerStep(name.text) };
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
  const value = valueOf(args?.[0]);
  if (value === null || negated || (value.type !== 'number' && value.type !== 'variable')) return null;
  if (subject.kind === 'status') return equals.has(word) ? [{ status: value.text }] : null;
  if (subject.kind === 'count') return equals.has(word) ? [{ path: subject.pointer, count: value.text }] : null;
  if (subject.kind !== 'duration') return null;
  return comparisons[word] === 'below' || comparisons[word] === 'atMost' ? [{ withinMs: value.text }] : null;
}

const comparisons: Readonly<Record<string, 'above' | 'atLeast' | 'below' | 'atMost'>> = {
  above: 'above',
  gt: 'above',
  greaterThan: 'above',
  least: 'atLeast',
  gte: 'atLeast',
  greaterThanOrEqual: 'atLeast',
  below: 'below',
  lt: 'below',
  lessThan: 'below',
  most: 'atMost',
  lte: 'atMost',
  lessThanOrEqual: 'atMost',
};
const opposites = { above: 'atMost', atLeast: 'below', below: 'atLeast', atMost: 'above' } as const;
const types = new Set(['string', 'number', 'boolean', 'object', 'array', 'null']);

function ofBody(path: string, word: string, args: Link['args'], negated: boolean): Expectation[] | null {
  const [first, second] = args ?? [];
  const value = valueOf(first);
  if (args === null) {
    if (word === 'null') return [negated ? { path, not: 'null' } : { path, type: 'null' }];
    if (word === 'undefined') return [{ path, present: negated }];
    if (word === 'exist') return negated ? null : [{ path, not: 'null' }];
    return (word === 'true' || word === 'false') && !negated ? [{ path, type: 'boolean', equals: word }] : null;
  }
  if (equals.has(word))
    return value === null || (value.type === 'json' && !word.startsWith('eql')) ? null : equal(path, value, negated);
  if (word === 'property') {
    if (value?.type !== 'string' || first?.kind !== 'literal') return null;
    const child = path + pointerStep(first.text);
    if (second === undefined) return [{ path: child, present: !negated }];
    const inner = valueOf(second);
    return inner === null || negated || inner.type === 'json' ? null : equal(child, inner, false);
  }
  const comparison = Object.hasOwn(comparisons, word) ? comparisons[word] : undefined;
  if (comparison !== undefined) {
    if (value?.type !== 'number' && value?.type !== 'variable') return null;
    return [{ path, type: 'number', [negated ? opposites[comparison] : comparison]: value.text }];
  }
  if (negated) return null;
  if (word === 'a' || word === 'an')
    return value !== null && types.has(value.text) ? [{ path, type: value.text as 'string' }] : null;
  if (word === 'lengthOf' || word === 'length') return value?.type === 'number' ? [{ path, count: value.text }] : null;
  if (word === 'within') {
    const most = valueOf(second);
    return value?.type === 'number' && most?.type === 'number'
      ? [{ path, type: 'number', atLeast: value.text, atMost: most.text }]
      : null;
  }
  if (/^(?:include|contain)s?$/.test(word)) return value?.type === 'string' ? [{ path, contains: value.text }] : null;
  return word === 'match' && first?.kind === 'regex' ? matching(path, first.pattern, first.flags) : null;
}

/** Texts that look like another type are checked for their type as well: `equals` takes a number and its digits for the same. */
function equal(path: string, { type, text }: Value, negated: boolean): Expectation[] | null {
  const isPlain = type === 'variable' || type === 'json' || (type === 'string' && !/^(?:[-\d[{"]|true$|false$|null$)/.test(text));
  if (negated) return isPlain || type === 'null' ? [{ path, not: text }] : null;
  if (path === '/code' && type === 'number' && /^\d+$/.test(text)) return [{ code: text }];
  if (type === 'null') return [{ path, type }];
  return [isPlain ? { path, equals: text } : { path, type, equals: text }];
}

/** Null for a pattern that means something else with the flag `u`, or cannot be written here. */
export function matching(path: string, pattern: string, flags: string): Expectation[] | null {
  if (flags !== '' && flags !== 'u') return null;
  try {
    new RegExp(pattern, 'u');
  } catch {
    return null;
  }
  return pattern.length > 1_000 ? null : [{ path, matches: literal(pattern) }];
}

/** Returns the check of `a === b`, the oldest way of Postman. */
function comparison(one: Expression, scope: Scope): Expectation[] | null {
  if (one.kind !== 'compare') return null;
  const subject = subjectOf(one.left, scope);
  if (subject === null) return null;
  const word =
    { '===': 'equal', '==': 'equal', '!==': 'equal', '!=': 'equal', '<': 'below', '<=': 'most', '>': 'above', '>=': 'least' }[
      one.sign
    ] ?? '';
  return judged(subject, [...(one.sign.startsWith('!') ? [{ word: 'not', args: null }] : []), { word, args: [one.right] }]);
}
