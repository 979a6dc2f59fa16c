import { Composer, isMap, isPair, isScalar, isSeq, Lexer, Parser } from 'yaml';
import type { CST, Node as YamlNode, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { AppError } from '#shared/errors.ts';
import { readers } from '#shared/model/readers.ts';

/** A text as the file means it: a number or a boolean is its text, with every digit. */
interface TextNode {
  readonly kind: 'text';
  readonly value: string;
  /** True without quotes and outside a block: `true` here may be meant as a boolean. */
  readonly plain: boolean;
  readonly block: boolean;
  /** True for a block that keeps its last empty lines (`|+`). */
  readonly keeps: boolean;
  /** The comment after `|`. */
  readonly headComment: string;
  readonly start: number;
  readonly end: number;
}

export interface Entry {
  readonly key: string;
  readonly keyStart: number;
  /** The offset behind the colon. */
  readonly afterColon: number;
  readonly value: TreeNode;
}

/**
 * Offsets are in UTF-16 units of the source; `end` is behind the last character of the content, before a comment and the line
 * break.
 */
export interface MapNode {
  readonly kind: 'map';
  readonly flow: boolean;
  readonly indent: number;
  readonly entries: readonly Entry[];
  readonly start: number;
  readonly end: number;
}

export interface ListNode {
  readonly kind: 'list';
  readonly flow: boolean;
  readonly indent: number;
  readonly items: readonly { readonly afterDash: number; readonly value: TreeNode }[];
  readonly start: number;
  readonly end: number;
}

export type TreeNode = TextNode | MapNode | ListNode;

/** Position of a fault in a file; line and column count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
  /** The line itself, shortened. */
  readonly excerpt: string;
  /** True if git left both versions of a change there. */
  readonly conflict?: true;
}

/** Number of lexemes of a file at most: each takes up to half a kilobyte of memory. */
const maxLexemes = 150_000;
/**
 * Each line of a block is a part of its own for the library, which makes a list of millions of them in one step that no limit of memory can
 * end.
 */
const { lines: maxLines, depth: maxDepth } = readers['collections.readFile'];
const maxParserErrors = 100;
/** Mark that the library puts before the text of a scalar. */
const scalarMark = '\u001f';
/** Marks of the lexer that are not characters of the text. */
const marks: ReadonlySet<string> = new Set([scalarMark, '\u0002', '\u0018']);
/** YAML allows none of these as they are; the library's lexer also uses some of them as marks of its own. */
const forbidden = /[\p{Cc}--[\t\n\r\u0085]]|\r(?!\n)/v;

/** Returns an `invalid_input` about one position of a source text; `details` is the Place. */
export function faultAt(source: string, offset: number, message: string): AppError {
  return new AppError('invalid_input', message, placeOf(source, offset));
}

/** Reads one document whose outermost value is a block of fields; a file without any has none. Fails with `faultAt`. */
export function readTree(source: string): MapNode {
  const control = forbidden.exec(source);
  if (control !== null) {
    const what = control[0].startsWith('\r')
      ? 'A carriage return has no line feed after it.'
      : `There is a control character here, U+${control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}.`;
    throw faultAt(source, control.index, `${what} Write it as an escape in double quotes.`);
  }
  const conflict = conflictIn(source);
  if (conflict !== null) {
    throw new AppError(
      'invalid_input',
      'This is an unresolved Git merge conflict, from <<<<<<< to >>>>>>>. Keep one version and remove the marker lines.',
      { ...placeOf(source, conflict), conflict: true },
    );
  }
  const excess = offsetOfLine(source, maxLines + 1);
  if (excess !== null)
    throw faultAt(source, excess, `The file has more than ${maxLines.toLocaleString('en')} lines. Split it into several files.`);
  const contents = parse(source);
  if (contents === null) return { kind: 'map', flow: false, indent: 0, entries: [], start: source.length, end: source.length };
  const tree = treeOf(source, contents, 0);
  if (tree.kind === 'text' && tree.value === '' && tree.plain) {
    return { kind: 'map', flow: false, indent: 0, entries: [], start: source.length, end: source.length };
  }
  if (tree.kind !== 'map' || tree.flow) {
    throw faultAt(source, tree.start, 'Write one field per line, such as `operation: gameList`.');
  }
  for (const { keyStart } of tree.entries) {
    if (source.slice(lineStart(source, keyStart), keyStart).replace('\uFEFF', '').trim() !== '') {
      throw faultAt(source, keyStart, 'Start this field on its own line.');
    }
  }
  return tree;
}

/** Returns the offset of a line, counted from 1; null if there are fewer. */
export function offsetOfLine(source: string, line: number): number | null {
  let at = -1;
  for (let count = 1; count < line; count += 1) {
    at = source.indexOf('\n', at + 1);
    if (at < 0) return null;
  }
  return at + 1 < source.length ? at + 1 : null;
}

/** Parses line by line, so that a hostile file is given up before it fills the memory. */
function parse(source: string): YamlNode | null {
  // In the failsafe schema every scalar is its text.
  const composer = new Composer({ schema: 'failsafe', uniqueKeys: false, keepSourceTokens: true, prettyErrors: false });
  // Documents are created as they are asked for: a file of a million of them costs two.
  const documents = composer.compose(tokensOf(source), true, source.length);
  const [first, second] = [documents.next().value, documents.next().value];
  const error = first?.errors.toSorted((one, other) => one.pos[0] - other.pos[0])[0];
  if (error !== undefined) throw unreadable(source, error.pos[0], error.message);
  if (second !== undefined) {
    throw faultAt(source, second.range[0], 'A second document starts here. A file can have only one.');
  }
  return first?.contents ?? null;
}

/** Number of lexemes that are read in a few milliseconds. */
const quickLexemes = 2_000;
const quickLength = 65_536;
/** Number of characters below which lexemes need no count. */
const shortLength = 4_096;

/** Returns whether a text is read so fast that nobody waits for it. */
export function isQuick(source: string): boolean {
  if (source.length > quickLength) return false;
  // A character is two lexemes at most.
  if (source.length <= shortLength) return true;
  let left = quickLexemes;
  for (const _ of new Lexer().lex(source)) if (--left < 0) return false;
  return true;
}

/** Returns the comments of a file that can be read, a line each, without their marks. */
export function commentsOf(source: string): string[] {
  const comments: string[] = [];
  let before = '';
  for (const lexeme of new Lexer().lex(source)) {
    if (before !== scalarMark && lexeme.startsWith('#')) comments.push(lexeme.replace(/^# ?/, '').trimEnd());
    before = lexeme;
  }
  return comments;
}

function* tokensOf(source: string): Generator<CST.Token, void> {
  const parser = new Parser();
  let firstError: CST.ErrorToken | null = null;
  let errors = 0;
  let offset = 0;
  let lexemes = 0;
  let before = '';
  for (const lexeme of new Lexer().lex(source)) {
    lexemes += 1;
    if (lexemes > maxLexemes) throw faultAt(source, offset, `The file exceeds ${maxLexemes.toLocaleString('en')} parts here.`);
    if (parser.stack.length > 2 * maxDepth) throw faultAt(source, offset, `This is nested deeper than ${maxDepth} levels.`);
    if (before !== scalarMark) refuse(source, offset, lexeme, parser.stack.length === 0);
    for (const token of parser.next(lexeme)) {
      if (token.type === 'error') {
        firstError ??= token;
        errors += 1;
      }
      // Each takes a kilobyte in the library, and only one is reported.
      if (firstError !== null && errors > maxParserErrors) throw unreadable(source, firstError.offset, firstError.message);
      yield token;
    }
    if (!marks.has(lexeme)) offset += lexeme.length;
    before = lexeme;
  }
  yield* parser.end();
}

/** Refuses a YAML construct that collection files do not allow, by its first character. */
function refuse(source: string, offset: number, lexeme: string, outermost: boolean): void {
  const [first] = lexeme;
  if (first === '%' && outermost) throw faultAt(source, offset, "Directives aren't supported. Remove the line.");
  if (first === '!') throw faultAt(source, offset, "Tags (!) aren't supported. Remove it, or put the value in quotes.");
  if (first === '&') throw faultAt(source, offset, "Anchors (&) aren't supported. Write the value out where it is needed.");
  if (first === '*') throw faultAt(source, offset, "Aliases (*) aren't supported. Write the value out, or put it in quotes.");
}

function unreadable(source: string, offset: number, message: string): AppError {
  return faultAt(source, offset, `This is not valid YAML: ${sentence(message)}`);
}

function sentence(message: string): string {
  const first = message.split('\n')[0] ?? '';
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

function treeOf(source: string, node: unknown, depth: number): TreeNode {
  const start = (node as Scalar).range?.[0] ?? 0;
  if (depth > maxDepth) throw faultAt(source, start, `This is nested deeper than ${maxDepth} levels.`);
  if (isMap(node)) return mapOf(source, node, depth);
  if (isSeq(node)) return listOf(source, node, depth);
  if (!isScalar(node)) throw faultAt(source, start, 'This is not text, a list or fields.');
  return textOf(source, node);
}

function textOf(source: string, node: Scalar): TextNode {
  const [start, end] = node.range ?? [0, 0, 0];
  const value = typeof node.value === 'string' ? node.value : '';
  const plain = node.type === 'PLAIN' || node.type === undefined;
  if (node.type !== 'BLOCK_LITERAL' && node.type !== 'BLOCK_FOLDED') {
    return { kind: 'text', value, plain, block: false, keeps: false, headComment: '', start, end };
  }
  const lineBreak = source.indexOf('\n', start);
  const header = source.slice(start, lineBreak < 0 || lineBreak > end ? end : lineBreak);
  const indicators = /^[|>][-+0-9]*/.exec(header)?.[0] ?? '';
  const headComment = header.slice(indicators.length).trimEnd();
  const keeps = indicators.includes('+');
  return {
    kind: 'text',
    value,
    plain: false,
    block: true,
    keeps,
    headComment,
    start,
    end: endOfBlock(source, start, end, keeps),
  };
}

/** Returns the end of a block's content: empty lines below it belong to what follows, unless the block keeps them. */
function endOfBlock(source: string, start: number, end: number, keeps: boolean): number {
  const body = source.slice(start, end);
  if (keeps) return start + body.replace(/\r?\n$/, '').length;
  const firstBreak = body.indexOf('\n');
  if (firstBreak < 0) return end;
  const indent = /\n( *)[^\s]/.exec(body)?.[1]?.length ?? Number.MAX_SAFE_INTEGER;
  const explicit = /^[|>][-+]?[1-9]/.test(body);
  let length = body.length;
  for (;;) {
    const at = body.lastIndexOf('\n', length - 1);
    if (at < 0) break;
    const line = body.slice(at + 1, length);
    // If the indentation is written as a number, lines of spaces can be content; only empty lines are not.
    if (line.trim() !== '' || (explicit ? line.replace('\r', '') !== '' : line.replace('\r', '').length > indent)) break;
    length = at;
  }
  return start + body.slice(0, length).replace(/\r$/, '').length;
}

function mapOf(source: string, map: YAMLMap, depth: number): MapNode {
  const seen = new Map<string, number>();
  const start = map.range?.[0] ?? 0;
  const entries = map.items.map((pair): Entry => {
    if (!isPair(pair)) throw faultAt(source, start, 'This is not a field.');
    const entry = entryOf(source, pair, depth);
    const earlier = seen.get(entry.key);
    if (earlier !== undefined) {
      throw faultAt(
        source,
        entry.keyStart,
        `${entry.key} appears twice: it is already on line ${placeOf(source, earlier).line}.`,
      );
    }
    seen.set(entry.key, entry.keyStart);
    return entry;
  });
  const flow = map.flow === true;
  const last = entries.at(-1);
  return {
    kind: 'map',
    flow,
    indent: (map.srcToken as { indent?: number } | undefined)?.indent ?? 0,
    entries,
    start,
    end: flow || last === undefined ? (map.range?.[1] ?? start) : last.value.end,
  };
}

function entryOf(source: string, pair: Pair, depth: number): Entry {
  const token = pair.srcToken as
    | { explicitKey?: true; key?: unknown; sep?: { type: string; offset: number; source: string }[]; value?: unknown }
    | undefined;
  const key = pair.key;
  const keyStart = (key as { range?: [number, number, number] } | null)?.range?.[0] ?? 0;
  if (!isScalar(key) || typeof key.value !== 'string' || token?.explicitKey === true) {
    throw faultAt(source, keyStart, 'Write a field as a name and a colon, such as `name: value`.');
  }
  treeOf(source, key, depth + 1);
  if (key.value === '<<') throw faultAt(source, keyStart, "Merging (<<) isn't supported. Write the fields out.");
  if (key.value === '__proto__') throw faultAt(source, keyStart, '__proto__ cannot be used as a name. Choose another one.');
  const colon = token?.sep?.find(({ type }) => type === 'map-value-ind');
  if (colon === undefined || pair.value === null) {
    throw faultAt(source, keyStart, `${key.value} has no colon and no value. Write it as \`${key.value}: value\`.`);
  }
  const afterColon = colon.offset + 1;
  const value = treeOf(source, pair.value, depth + 1);
  return { key: key.value, keyStart, afterColon, value: placedIfEmpty(value, afterColon) };
}

/** Corrects the position of an empty value, which the library may place after a comment. */
function placedIfEmpty(value: TreeNode, after: number): TreeNode {
  return value.kind === 'text' && value.plain && value.value === '' ? { ...value, start: after, end: after } : value;
}

function listOf(source: string, list: YAMLSeq, depth: number): ListNode {
  const token = list.srcToken as { indent?: number; items?: { start: { type: string; offset: number }[] }[] } | undefined;
  const flow = list.flow === true;
  const start = list.range?.[0] ?? 0;
  const dashes = flow
    ? []
    : (token?.items ?? []).flatMap((item) =>
        item.start.filter(({ type }) => type === 'seq-item-ind').map(({ offset }) => offset),
      );
  const items = list.items.map((item, at) => {
    if (isPair(item)) {
      throw faultAt(source, start, 'This list in brackets contains a field. Put the field in braces.');
    }
    const afterDash = (dashes[at] ?? start) + 1;
    return {
      afterDash,
      value: flow ? treeOf(source, item, depth + 1) : placedIfEmpty(treeOf(source, item, depth + 1), afterDash),
    };
  });
  const last = items.at(-1);
  return {
    kind: 'list',
    flow,
    indent: dashes[0] === undefined ? 0 : dashes[0] - lineStart(source, dashes[0]),
    items,
    start,
    end: flow || last === undefined ? (list.range?.[1] ?? start) : last.value.end,
  };
}

/** Returns the offset at which the line of `offset` begins. */
export function lineStart(source: string, offset: number): number {
  return source.lastIndexOf('\n', offset - 1) + 1;
}

export function placeOf(source: string, offset: number): Place {
  const at = Math.min(offset, source.length);
  const start = lineStart(source, at);
  let line = 1;
  for (let next = source.indexOf('\n'); next >= 0 && next < start; next = source.indexOf('\n', next + 1)) line += 1;
  const end = source.indexOf('\n', start);
  const text = source.slice(start, end < 0 ? source.length : end).replace('\r', '');
  const mark = line === 1 && source.startsWith('\uFEFF') ? 1 : 0;
  return { line, column: Math.max(1, at - start + 1 - mark), excerpt: text.slice(mark, 200) };
}

/** Returns whether the text of a node ends with empty lines that count. */
export function keepsAtEnd(node: TreeNode): boolean {
  if (node.kind === 'text') return node.keeps;
  const last = node.kind === 'map' ? node.entries.at(-1)?.value : node.items.at(-1)?.value;
  return !node.flow && last !== undefined && keepsAtEnd(last);
}

/** Returns the position of the first conflict that git left, or null. Its marks begin lines, where no value of a block can be. */
function conflictIn(source: string): number | null {
  const start = /^<{7}(?:[ \r].*)?$/m.exec(source);
  if (start === null) return null;
  // One search each, so that a file full of marks costs no more.
  const middle = /^={7}\r?$/m.exec(source.slice(start.index));
  const end = middle === null ? null : /^>{7}(?:[ \r].*)?$/m.exec(source.slice(start.index + middle.index));
  return end === null ? null : start.index;
}
