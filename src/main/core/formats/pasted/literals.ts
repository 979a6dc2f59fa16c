import { unescapeUntil, type Escapes } from './escapes.ts';
import { asList, type Entry, type Tree } from './tree.ts';
import type { Work } from './work.ts';

/** A value in the notation of a language, with the offset behind it. */
export interface ReadTree {
  readonly tree: Tree;
  readonly end: number;
}

/** Rules of a language's notation for the texts in quotes. */
export type Notation = 'php' | 'perl' | 'python' | 'javascript' | 'ruby';

const deepest = 64;
const blank = /(?:[ \t\r\n]|#[^\n]{0,200}\n)*/y;
const number = /-?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?n?/y;
const word = /[A-Za-z_$\\][\w$.\\]{0,80}/y;
const opening = /(?:\(object\) ?)?(?:array ?\(|Array ?\(|\[)|\(object\) ?\{/y;
/** Matches what a class puts around its fields: `Envelope {`, `stdClass::__set_state(`, `Map(2) {`, `<ref *1> {`, `bless(`. */
const wrapper =
  /(?:<ref \*\d+> |\[Object: null prototype\] |(?:map\[string\]|\[\])(?:interface ?\{\}|any|string)(?=\{)|(?!b?['"])\\?[A-Za-z_][\w$.\\]{0,80}(?:::__set_state)?(?:\(\d+\))? ?)(?=[{[(])/y;
const more = /(?:\.{3}|…)(?: \d+ more (?:items?|characters?))?/y;
const separator = /[ \t\r\n]*(?:=>|:|=)/y;

/**
 * Reads the literal that begins at an offset: objects, lists, texts, numbers and words of PHP, Perl, Python, JavaScript and Ruby. Nothing is
 * evaluated. Null if it is not one.
 */
export function readLiteral(text: string, at: number, notation: Notation, work: Work): ReadTree | null {
  const reader = createReader(text, at, notation, work);
  const tree = reader.value(0);
  return tree === null ? null : { tree, end: reader.at() };
}

function createReader(text: string, start: number, notation: Notation, work: Work) {
  let at = start;

  /** Reads what a sticky expression finds here. */
  function take(expression: RegExp): string | null {
    expression.lastIndex = at;
    const found = expression.exec(text)?.[0] ?? null;
    if (found !== null) at += found.length;
    work.spend(10 + (found?.length ?? 0));
    return found;
  }
  function skip(): string {
    take(blank);
    return text.charAt(at);
  }

  function string(): Tree | null {
    const prefix = /[bBuUrR]?(?=['"])/y;
    const isBytes = /b/i.test(take(prefix) ?? '');
    const quote = text.charAt(at);
    const read = unescapeUntil(text, at + 1, quote, escapesOf(notation, quote, isBytes), work, true);
    if (text.charAt(read.end) !== quote) return null;
    at = read.end + 1;
    return { kind: 'string', text: read.text };
  }

  /** Reads entries or items up to the closing bracket; names decide which of them they are. */
  function bracketed(depth: number, close: string, isObject: boolean): Tree | null {
    const entries: Entry[] = [];
    const items: Tree[] = [];
    for (;;) {
      if (skip() === close) break;
      if (take(more) !== null) {
        items.push({ kind: 'lost' });
      } else {
        const name = isObject ? nameHere() : null;
        const first = name === null ? value(depth + 1) : ({ kind: 'string', text: name } as const);
        if (first === null) return null;
        skip();
        const colon = isObject || notation === 'php' || notation === 'perl' ? take(separator) : null;
        if (colon !== null) {
          skip();
          const second = value(depth + 1);
          if (second === null || !('text' in first)) return null;
          entries.push({ name: first.text, value: second });
        } else if (name !== null) return null;
        else items.push(first);
      }
      const next = skip();
      if (next === ',') at++;
      else if (next !== close) return null;
    }
    at++;
    if (entries.length === 0) return isObject && items.length === 0 ? { kind: 'object', entries } : { kind: 'list', items };
    return isObject ? { kind: 'object', entries } : asList(entries);
  }

  /** A name without quotes, or a symbol of Ruby. */
  function nameHere(): string | null {
    const found = take(/:?[A-Za-z_$][\w$]{0,80}(?=\s?(?:=>|:|=))|\[\w{1,80}\](?=:)/y);
    return found === null ? null : found.replaceAll(/^:|[[\]]/g, '');
  }

  function value(depth: number): Tree | null {
    if (depth > deepest || work.over) return null;
    const character = skip();
    if (/['"`]/.test(character) || /^[bBuUrR]['"]/.test(text.slice(at, at + 2))) return string();
    if (character === '{') {
      at++;
      return bracketed(depth, '}', true);
    }
    const lost = take(/\[(?:Object|Array|Function|Circular|Getter|class|[A-Z][\w$]{0,40}(?:: [\w ]{1,40})?)[^\]\n]{0,80}\]/y);
    if (lost !== null) return { kind: 'lost' };
    const open = take(opening);
    if (open !== null) {
      const last = open.charAt(open.length - 1);
      const isObject = last === '{' || open.startsWith('(object)');
      return bracketed(depth, last === '(' ? ')' : last === '[' ? ']' : '}', isObject);
    }
    const digits = take(number);
    if (digits !== null && digits !== '') return { kind: 'number', text: digits };
    const wrapped = take(wrapper);
    if (wrapped !== null) return inside(depth);
    return wordHere();
  }

  /** Reads what stands in the brackets of a class or a call: its one value, or its fields. */
  function inside(depth: number): Tree | null {
    if (text.charAt(at) !== '(') return value(depth + 1);
    at++;
    const from = at;
    const tree = bracketed(depth, ')', true);
    if (tree?.kind === 'list') return tree.items[0] ?? null;
    if (tree !== null) return tree;
    at = from;
    return null;
  }

  function wordHere(): Tree | null {
    const found = take(word);
    if (found === null) return null;
    if (/^true$/i.test(found)) return { kind: 'true' };
    if (/^false$/i.test(found)) return { kind: 'false' };
    if (/^(?:null|none|nil|undef|undefined)$/i.test(found)) return { kind: 'null' };
    return notation === 'javascript' ? { kind: 'lost' } : null;
  }

  return { value, at: () => at };
}

function escapesOf(notation: Notation, quote: string, isBytes: boolean): Escapes {
  if ((notation === 'php' || notation === 'perl') && quote === "'") return 'quotes';
  if (notation === 'ruby' || isBytes) return 'all';
  return notation === 'php' ? 'all' : 'wide';
}
