import { utf8Length } from '#shared/json/utf8.ts';
import type { ReadTree } from './literals.ts';
import { asList, entriesOf, isFieldName, type Entry, type Tree } from './tree.ts';
import type { Work } from './work.ts';

/*
 * Notations that print texts without quotes, or with their lengths. Types, and where a text ends, follow from the names of fields.
 */

const deepest = 64;

interface Level {
  readonly name: string;
  readonly entries: Entry[];
}

/** Reads what PHP's print_r wrote: `Array`, `(`, lines of `[name] => text`, `)`. `end` is behind the last line. */
export function readPrintR(text: string, at: number, work: Work): ReadTree | null {
  const levels: Level[] = [];
  const head = /(?:Array|[A-Za-z_][\w\\]{0,80} Object)[ \t]*\r?\n[ \t]*\(\r?\n/y;
  head.lastIndex = at;
  const opened = head.exec(text);
  if (opened === null) return null;
  levels.push({ name: '', entries: [] });
  let from = at + opened[0].length;
  for (;;) {
    const end = lineEnd(text, from);
    if (from >= text.length) return null;
    const line = text.slice(from, end).replace(/\r$/, '');
    work.spend(line.length + 1);
    const level = levels[levels.length - 1] as Level;
    const [, name, value = ''] = /^ {4,400}\[([^\]\n]{1,200})\] => (.*)$/s.exec(line) ?? [];
    from = end + 1;
    if (name !== undefined) {
      const plain = name.replace(/:(?:protected|[\w\\]{1,80}:private|private)$/, '');
      const isNested =
        /^(?:Array|[A-Za-z_][\w\\]{0,80} Object)[ \t]*$/.test(value) && /^[ \t]*\(\r?\n/.test(text.slice(from, from + 400));
      if (!isNested) level.entries.push({ name: plain, value: { kind: 'word', text: value } });
      else {
        if (levels.length >= deepest) return null;
        levels.push({ name: plain, entries: [] });
        from = lineEnd(text, from) + 1;
      }
    } else if (/^ {0,400}\)$/.test(line)) {
      levels.pop();
      const parent = levels[levels.length - 1];
      const tree = asList(level.entries);
      if (parent === undefined) return { tree, end: Math.min(end, text.length) };
      parent.entries.push({ name: level.name, value: tree });
    } else if (line.trim() !== '') continueText(level, line);
  }
}

/** A text of several lines goes on in the next. */
function continueText({ entries }: Level, line: string): void {
  const last = entries[entries.length - 1];
  if (last?.value.kind === 'word')
    entries[entries.length - 1] = { ...last, value: { kind: 'word', text: `${last.value.text}\n${line}` } };
}

const scalar = /(?:int|float|bool|enum)\(([^)\n]{0,400})\)|NULL|uninitialized\([^)\n]{0,80}\)/y;
const textHead = /string\((\d{1,9})\) "/y;
const nested = /(?:array\(\d{1,9}\)|object\([^)\n]{1,120}\)(?:#\d{1,9})? ?\(\d{1,9}\)) \{[ \t\r\n]*/y;
const varDumpName = /\[(?:"([^"\n]{0,200})"(?::[^\]\n]{1,120})?|(-?\d{1,20}))\]=>[ \t\r\n]*/y;
const gap = /[ \t\r\n]*/y;

/** Reads what PHP's var_dump wrote. Texts have their length in bytes. */
export function readVarDump(text: string, start: number, work: Work): ReadTree | null {
  let at = start;
  function take(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = at;
    const found = expression.exec(text);
    if (found !== null) at += found[0].length;
    work.spend(6 + (found?.[0].length ?? 0));
    return found;
  }
  function value(depth: number): Tree | null {
    if (depth > deepest || work.over) return null;
    const [printed, inner = ''] = take(scalar) ?? [];
    if (printed !== undefined) {
      if (printed === 'NULL') return { kind: 'null' };
      if (printed.startsWith('bool')) return { kind: inner === 'true' ? 'true' : 'false' };
      return { kind: printed.startsWith('enum') ? 'string' : 'number', text: inner };
    }
    const length = take(textHead)?.[1];
    if (length !== undefined) return string(Number(length));
    if (take(nested) === null) return null;
    const isObject = text.startsWith('object', start);
    const entries: Entry[] = [];
    while (text.charAt(at) !== '}') {
      const name = take(varDumpName);
      const member = name === null ? null : value(depth + 1);
      if (name === null || member === null) return null;
      entries.push({ name: name[1] ?? name[2] ?? '', value: member });
      take(gap);
    }
    at++;
    return entries.length === 0 && !isObject ? { kind: 'list', items: [] } : asList(entries);
  }
  function string(bytes: number): Tree | null {
    let end = at + bytes;
    // The length counts bytes, so the end lies before it if characters have several.
    if (text.charAt(end) !== '"' || utf8Length(text.slice(at, end)) !== bytes) {
      let left = bytes;
      for (end = at; left > 0 && end < text.length; end++) {
        const code = text.charCodeAt(end);
        left -= code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 2 : 3;
      }
    }
    work.spend(bytes);
    if (text.charAt(end) !== '"') return null;
    const found = text.slice(at, end);
    at = end + 1;
    return { kind: 'string', text: found };
  }
  const tree = value(0);
  return tree === null ? null : { tree, end: at };
}

const closing: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' };

/** Separators of one notation: `, name=` of Java, ` name:` of Go. */
interface Separators {
  /** Between a name and its value. */
  readonly mark: '=' | ':';
  /** Between two fields or items. */
  readonly between: ', ' | ' ';
  /** Matches what may stand before an opening bracket. */
  readonly prefix: RegExp;
}

/** Separators in the text of Java's maps, records and Lombok's classes: `{time=20-11-2026, data={a=b}}`, `Envelope(action=…)`. */
export const java: Separators = { mark: '=', between: ', ', prefix: /(?:[A-Za-z_$][\w$.]{0,80}(?:@[0-9a-f]{1,8})?)?(?=[{[(])/y };
/** Separators that Go prints for `%v` and `%+v`: `map[action:gameList data:map[…]]`, `{Action:gameList}`. */
export const go: Separators = { mark: ':', between: ' ', prefix: /(?:&|map(?=\[)|\*?[A-Za-z_][\w.]{0,80}(?=\{))?(?=[{[])/y };
const fieldName = /[A-Za-z_$][\w$]{0,80}/y;

/** Reads what a program printed with these separators and without quotes. */
export function readUnquoted(text: string, start: number, { mark, between, prefix }: Separators, work: Work): ReadTree | null {
  let at = start;

  function matched(expression: RegExp, from: number): string | null {
    expression.lastIndex = from;
    work.spend(8);
    return expression.exec(text)?.[0] ?? null;
  }
  function value(depth: number, outer: string, isItem: boolean): Tree | null {
    if (depth > deepest || work.over) return null;
    const before = matched(prefix, at);
    if (before === null) return scalarUntil(outer, isItem);
    at += before.length;
    const close = closing[text.charAt(at)] as string;
    at++;
    const isMap = isNamed(at) || before.startsWith('map');
    const entries: Entry[] = [];
    const items: Tree[] = [];
    while (text.charAt(at) !== close) {
      if (at >= text.length) return null;
      const name = isMap ? matched(fieldName, at) : null;
      if (isMap) {
        if (name === null || text.charAt(at + name.length) !== mark) return null;
        at += name.length + 1;
      }
      const member = value(depth + 1, close, !isMap);
      if (member === null) return null;
      if (name === null) items.push(member);
      else entries.push({ name, value: member });
      if (text.startsWith(between, at)) at += between.length;
      else if (text.charAt(at) !== close) return null;
    }
    at++;
    return entries.length > 0 || (isMap && items.length === 0) ? { kind: 'object', entries } : { kind: 'list', items };
  }
  function isNamed(from: number): boolean {
    const name = matched(fieldName, from);
    return name !== null && text.charAt(from + name.length) === mark;
  }
  /** A text goes on to the next known field, or to the bracket that closes its object. */
  function scalarUntil(close: string, isItem: boolean): Tree {
    const from = at;
    for (; at < text.length; at++) {
      const character = text.charAt(at);
      if (character === close || character === '\n') break;
      if (character !== between.charAt(0) || !text.startsWith(between, at)) continue;
      const name = matched(fieldName, at + between.length);
      if (isItem || (name !== null && isNext(name, at + between.length))) break;
    }
    work.spend(at - from + 1);
    return { kind: 'word', text: text.slice(from, at) };
  }
  function isNext(name: string, from: number): boolean {
    return text.charAt(from + name.length) === mark && (isFieldName(name) || between === ', ');
  }

  const tree = value(0, '', false);
  return tree !== null && holdsFields(tree) ? { tree, end: at } : null;
}

/** Returns whether an object has a field of the spec: others are as likely code, or a sentence. */
function holdsFields(tree: Tree): boolean {
  return entriesOf(tree).some(({ name, value }) => isFieldName(name) || holdsFields(value));
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}
