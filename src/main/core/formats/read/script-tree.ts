import { tokensOf, type Token } from './script-tokens.ts';

/** The expressions that tests of other tools are made of. */
export type Expression =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'literal'; readonly type: 'string' | 'number' | 'boolean' | 'null' | 'json'; readonly text: string }
  | { readonly kind: 'regex'; readonly pattern: string; readonly flags: string }
  | { readonly kind: 'member'; readonly of: Expression; readonly name: string }
  | { readonly kind: 'call'; readonly of: Expression; readonly args: readonly Expression[] }
  | { readonly kind: 'function'; readonly body: readonly Statement[] }
  | { readonly kind: 'compare'; readonly sign: string; readonly left: Expression; readonly right: Expression };

export type Statement =
  | { readonly kind: 'declare'; readonly name: string; readonly value: Expression; readonly source: string }
  | { readonly kind: 'assign'; readonly to: Expression; readonly value: Expression; readonly source: string }
  | { readonly kind: 'expression'; readonly value: Expression; readonly source: string }
  /** Anything else. */
  | { readonly kind: 'other'; readonly source: string };

/** Thrown within this file, where a statement is none that is known. */
class Unknown extends Error {}

/** Returns the statements of a script. It is read and never run. */
export function statementsOf(source: string): Statement[] {
  const tokens = tokensOf(source);
  if (tokens === null) return source.trim() === '' ? [] : [{ kind: 'other', source: source.trim() }];
  return createReader(source, tokens).statements();
}

const deepest = 100;

function createReader(source: string, tokens: readonly Token[]) {
  let at = 0;
  let depth = 0;
  const now = (): Token => tokens[Math.min(at, tokens.length - 1)] as Token;
  const is = (value: string): boolean => now().value === value && (now().kind === 'sign' || now().kind === 'word');

  function take(value: string): void {
    if (!is(value)) throw new Unknown();
    at++;
  }

  function word(): string {
    const { kind, value } = now();
    if (kind !== 'word') throw new Unknown();
    at++;
    return value;
  }

  function statements(): Statement[] {
    const found: Statement[] = [];
    const level = depth;
    while (now().kind !== 'end' && !(is('}') && level > 0)) {
      const first = at;
      if (is(';')) at++;
      else if (is('}')) {
        // It closes nothing.
        at++;
        found.push({ kind: 'other', source: '}' });
      } else
        try {
          found.push(statement());
        } catch (error) {
          if (!(error instanceof Unknown)) throw error;
          [at, depth] = [first, level];
          skip();
          found.push({ kind: 'other', source: textFrom(first) });
        }
    }
    return found;
  }

  const textFrom = (first: number): string => source.slice(tokens[first]?.start, tokens[at - 1]?.end);

  /** Goes to the end of a statement that is not known. */
  function skip(): void {
    let open = 0;
    do {
      const { value, kind } = now();
      if (kind === 'end') return;
      if (kind === 'sign' && '([{'.includes(value)) open++;
      if (kind === 'sign' && ')]}'.includes(value) && --open < 0) {
        if (value !== '}' || depth === 0) at++;
        return;
      }
      at++;
      if (open === 0 && value === ';') return;
    } while (open > 0 || !now().first || /^(?:[.,?:&|+*/=)-]|else|catch|finally)/.test(now().value));
  }

  function statement(): Statement {
    const first = at;
    if (is('const') || is('let') || is('var')) {
      at++;
      const name = word();
      take('=');
      const value = expression();
      end();
      return { kind: 'declare', name, value, source: textFrom(first) };
    }
    if (['if', 'for', 'while', 'function', 'try', 'switch', 'return', 'throw', 'async'].includes(now().value))
      throw new Unknown();
    const value = expression();
    if (is('=')) {
      at++;
      const right = expression();
      end();
      return { kind: 'assign', to: value, value: right, source: textFrom(first) };
    }
    end();
    return { kind: 'expression', value, source: textFrom(first) };
  }

  function end(): void {
    if (is(';')) at++;
    else if (!is('}') && now().kind !== 'end' && !now().first) throw new Unknown();
  }

  function expression(): Expression {
    if (++depth > deepest) throw new Unknown();
    const left = chain();
    const { value: sign, kind } = now();
    let result = left;
    if (kind === 'sign' && ['===', '==', '!==', '!=', '<', '<=', '>', '>='].includes(sign)) {
      at++;
      result = { kind: 'compare', sign, left, right: chain() };
    }
    depth--;
    return result;
  }

  function chain(): Expression {
    let one = primary();
    for (;;) {
      if (is('.') || is('?.')) {
        at++;
        one = { kind: 'member', of: one, name: word() };
      } else if (is('[')) {
        at++;
        const step = expression();
        take(']');
        if (step.kind !== 'literal' || (step.type !== 'string' && step.type !== 'number')) throw new Unknown();
        one = { kind: 'member', of: one, name: step.text };
      } else if (is('(')) {
        at++;
        const args: Expression[] = [];
        while (!is(')')) {
          args.push(expression());
          if (!is(')')) take(',');
        }
        at++;
        one = { kind: 'call', of: one, args };
      } else return one;
    }
  }

  function primary(): Expression {
    const { kind, value, flags, start } = now();
    if (isArrow()) return arrow();
    if (is('async') || is('new') || is('await') || is('typeof')) throw new Unknown();
    if (is('function')) {
      at++;
      if (now().kind === 'word') at++;
      parameters();
      return { kind: 'function', body: block() };
    }
    if (is('{') || is('[')) return json(start);
    if (is('(')) {
      at++;
      const inner = expression();
      take(')');
      return inner;
    }
    if (is('-') && tokens[at + 1]?.kind === 'number') {
      at += 2;
      return { kind: 'literal', type: 'number', text: `-${tokens[at - 1]?.value ?? ''}` };
    }
    at++;
    if (kind === 'text') return { kind: 'literal', type: 'string', text: value };
    if (kind === 'number' && /^(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value))
      return { kind: 'literal', type: 'number', text: value };
    if (kind === 'regex') return { kind: 'regex', pattern: value, flags };
    if (kind !== 'word') throw new Unknown();
    if (value === 'true' || value === 'false') return { kind: 'literal', type: 'boolean', text: value };
    return value === 'null' ? { kind: 'literal', type: 'null', text: value } : { kind: 'name', name: value };
  }

  /** A literal object or list that is JSON as well. */
  function json(start: number): Expression {
    let open = 0;
    do {
      if (now().kind === 'end') throw new Unknown();
      if (is('{') || is('[')) open++;
      if (is('}') || is(']')) open--;
      at++;
    } while (open > 0);
    const text = source.slice(start, tokens[at - 1]?.end);
    try {
      JSON.parse(text);
    } catch {
      throw new Unknown();
    }
    return { kind: 'literal', type: 'json', text };
  }

  function isArrow(): boolean {
    if (now().kind === 'word') return tokens[at + 1]?.value === '=>';
    if (!is('(')) return false;
    let close = at + 1;
    while (tokens[close]?.kind === 'word' || tokens[close]?.value === ',') close++;
    return tokens[close]?.value === ')' && tokens[close + 1]?.value === '=>';
  }

  function arrow(): Expression {
    if (is('(')) parameters();
    else at++;
    take('=>');
    if (is('{')) return { kind: 'function', body: block() };
    const first = at;
    const value = expression();
    return { kind: 'function', body: [{ kind: 'expression', value, source: textFrom(first) }] };
  }

  function parameters(): void {
    take('(');
    while (now().kind === 'word' || is(',')) at++;
    take(')');
  }

  function block(): Statement[] {
    take('{');
    if (++depth > deepest) throw new Unknown();
    const body = statements();
    depth--;
    take('}');
    return body;
  }

  return { statements };
}
