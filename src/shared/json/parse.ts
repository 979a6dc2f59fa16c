import { createPlaceCounter } from './line-and-column.ts';
import { escapeUnpaired, isLowSurrogate, unescapeString, type StringFault } from './string-escapes.ts';
import { explainUnexpected, type Expected } from './syntax-error.ts';

/** The mistake in a text that is not JSON: UTF-16 offset, and line and column counted from 1 in characters. */
export interface JsonSyntaxError {
  readonly message: string;
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** One `"name": value` of an object. `keyStart` and `keyEnd` bound the name with its quotes. */
export interface JsonMember {
  readonly key: string;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly value: JsonNode;
}

export interface JsonObject {
  readonly kind: 'object';
  readonly start: number;
  readonly end: number;
  readonly members: readonly JsonMember[];
}

export interface JsonArray {
  readonly kind: 'array';
  readonly start: number;
  readonly end: number;
  readonly items: readonly JsonNode[];
}

interface JsonString {
  readonly kind: 'string';
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

/** A number as it was typed: `text` keeps every digit. */
export interface JsonNumber {
  readonly kind: 'number';
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface JsonLiteral {
  readonly kind: 'true' | 'false' | 'null';
  readonly start: number;
  readonly end: number;
}

/** A value with its range: `text.slice(start, end)` is its source text. */
export type JsonNode = JsonObject | JsonArray | JsonString | JsonNumber | JsonLiteral;

export type JsonResult = { ok: true; root: JsonNode } | { ok: false; error: JsonSyntaxError };

/** Rules of a parser beyond the grammar. */
export interface ParseRules {
  /** Deepest nesting of arrays and objects. */
  readonly maxDepth: number;
  /** Refuses unpaired surrogates, which have no UTF-8 form. */
  readonly pairedSurrogates: boolean;
  /** Refuses property names that begin with U+0000, as PHP does for objects. */
  readonly refuseNulNames: boolean;
}

const plainRules: ParseRules = { maxDepth: 1_000, pairedSurrogates: false, refuseNulNames: false };

/** Returns whether a text is empty or JSON white space only. */
export function isBlank(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text);
}

/** Parses JSON into nodes with ranges; duplicate names stay separate members. Nesting beyond 1,000 is an error. */
export function parseJson(text: string): JsonResult {
  return parseWith(text, plainRules);
}

/** Builds the error for an offset in the text, with its line and column. */
export function syntaxErrorAt(text: string, offset: number, message: string): JsonSyntaxError {
  return { message, offset, ...createPlaceCounter(text)(offset) };
}

/** Describes the error with its position, for a terminal or a notice. */
export function describeSyntaxError(error: JsonSyntaxError): string {
  return `${error.message} (line ${error.line}, column ${error.column})`;
}

interface OpenMember {
  key: string;
  keyStart: number;
  keyEnd: number;
  value: JsonNode;
}
interface OpenObject {
  kind: 'object';
  start: number;
  end: number;
  members: OpenMember[];
}
interface OpenArray {
  kind: 'array';
  start: number;
  end: number;
  items: JsonNode[];
}

const placeholder: JsonLiteral = { kind: 'null', start: 0, end: 0 };

/** Parses by the given rules. Keeps its own stack, so that nesting cannot exhaust the program's. */
export function parseWith(text: string, rules: ParseRules): JsonResult {
  const cursor: Cursor = { text, pairedSurrogates: rules.pairedSurrogates, at: 0, failure: null };
  const stack: (OpenObject | OpenArray)[] = [];
  let container: OpenObject | OpenArray | null = null;
  /** True if a comma was just read, false after an opening bracket. */
  let afterComma = false;
  for (;;) {
    let node: JsonNode | null = null;
    const code = skipSpace(cursor);
    if (code === 0x7b || code === 0x5b) {
      if (stack.length + (container === null ? 0 : 1) >= rules.maxDepth) {
        failAt(cursor, cursor.at, `Nested more than ${rules.maxDepth} levels deep`);
        break;
      }
      if (container !== null) stack.push(container);
      container = open(cursor, code);
      const next = skipSpace(cursor);
      if (next !== closingOf(container)) {
        if (container.kind === 'object' && !readKey(cursor, rules, container, false)) break;
        afterComma = false;
        continue;
      }
      node = close(cursor, container);
      container = stack.pop() ?? null;
    } else {
      const isNext = container?.kind === 'array' && afterComma;
      node = readScalar(cursor, code, isNext ? 'next item' : 'value', container?.start ?? 0);
    }
    if (node === null) break;

    for (;;) {
      if (container === null) {
        if (skipSpace(cursor) === -1) return { ok: true, root: node };
        failUnexpected(cursor, 'end', 0);
        break;
      }
      if (container.kind === 'array') container.items.push(node);
      else (container.members[container.members.length - 1] as OpenMember).value = node;
      const next = skipSpace(cursor);
      if (next === 0x2c) {
        cursor.at++;
        if (container.kind === 'object') readKey(cursor, rules, container, true);
        afterComma = true;
        break;
      }
      if (next !== closingOf(container)) {
        failUnexpected(cursor, container.kind === 'array' ? 'comma or ]' : 'comma or }', container.start);
        break;
      }
      node = close(cursor, container);
      container = stack.pop() ?? null;
    }
    if (cursor.failure !== null) break;
  }
  const { offset, message } = cursor.failure ?? { offset: cursor.at, message: 'This is not JSON' };
  return { ok: false, error: syntaxErrorAt(text, offset, message) };
}

function open(cursor: Cursor, bracket: number): OpenObject | OpenArray {
  const start = cursor.at++;
  return bracket === 0x7b ? { kind: 'object', start, end: start, members: [] } : { kind: 'array', start, end: start, items: [] };
}

function closingOf({ kind }: OpenObject | OpenArray): number {
  return kind === 'array' ? 0x5d : 0x7d;
}

/** Ends the container after its closing bracket. */
function close(cursor: Cursor, container: OpenObject | OpenArray): OpenObject | OpenArray {
  container.end = ++cursor.at;
  return container;
}

/** Reads a property name and its colon; false if it failed. */
function readKey(cursor: Cursor, rules: ParseRules, object: OpenObject, afterComma: boolean): boolean {
  if (skipSpace(cursor) !== 0x22) {
    failUnexpected(cursor, afterComma ? 'next name' : 'first name', object.start);
    return false;
  }
  const keyStart = cursor.at;
  const key = readString(cursor);
  if (key === null) return false;
  if (rules.refuseNulNames && key.charCodeAt(0) === 0) {
    failAt(cursor, keyStart, 'PHP refuses a property name that begins with U+0000');
    return false;
  }
  const keyEnd = cursor.at;
  if (skipSpace(cursor) !== 0x3a) {
    failUnexpected(cursor, 'colon', keyStart);
    return false;
  }
  cursor.at++;
  object.members.push({ key, keyStart, keyEnd, value: placeholder });
  return true;
}

/** Reads the string, number or word that begins with the character `code`; null if it failed. */
function readScalar(cursor: Cursor, code: number, expected: 'next item' | 'value', opener: number): JsonNode | null {
  const start = cursor.at;
  switch (code) {
    case 0x22: {
      const value = readString(cursor);
      return value === null ? null : { kind: 'string', start, end: cursor.at, value };
    }
    case 0x74:
      return literal(cursor, 'true');
    case 0x66:
      return literal(cursor, 'false');
    case 0x6e:
      return literal(cursor, 'null');
    default:
      if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
        return readNumber(cursor) ? { kind: 'number', start, end: cursor.at, text: cursor.text.slice(start, cursor.at) } : null;
      }
      failUnexpected(cursor, expected, opener);
      return null;
  }
}

function literal(cursor: Cursor, kind: JsonLiteral['kind']): JsonLiteral | null {
  const start = cursor.at;
  return readWord(cursor, kind) ? { kind, start, end: cursor.at } : null;
}

/*
 * Reads the strings, numbers and words of a JSON text, one at a time. Each function begins at `at` and leaves it after the text that it
 * read, or notes why it failed.
 */

/** Position in a text, with the first mistake found in it. Offsets are UTF-16. */
export interface Cursor {
  readonly text: string;
  /** Refuses unpaired surrogates. */
  readonly pairedSurrogates: boolean;
  at: number;
  failure: StringFault | null;
}

/** Notes a mistake. The first one stays. */
function failAt(cursor: Cursor, offset: number, message: string): void {
  cursor.failure ??= { offset, message };
}

/** Notes that `expected` is missing here; `opener` is the start of the construct around it. */
function failUnexpected(cursor: Cursor, expected: Expected, opener: number): void {
  const { offset, message } = explainUnexpected(cursor.text, cursor.at, expected, opener);
  failAt(cursor, offset, message);
}

/** Skips white space and returns the code of the next character, -1 at the end. */
export function skipSpace(cursor: Cursor): number {
  const { text } = cursor;
  let { at } = cursor;
  let code = text.charCodeAt(at);
  while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt(++at);
  cursor.at = at;
  return at < text.length ? code : -1;
}

/** Reads the string whose opening quote stands here; null if it failed. */
export function readString(cursor: Cursor): string | null {
  const { text, pairedSurrogates } = cursor;
  const start = cursor.at + 1;
  let escaped = false;
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) {
      cursor.at = i + 1;
      if (!escaped) return text.slice(start, i);
      const result = unescapeString(text, start, i, pairedSurrogates);
      if (typeof result === 'string') return result;
      failAt(cursor, result.offset, result.message);
      return null;
    }
    if (code === 0x5c) {
      escaped = true;
      i++;
    } else if (code < 0x20) {
      failString(cursor, start, i, escaped, explainUnexpected(text, i, 'in string', start - 1).message);
      return null;
    } else if (code >= 0xd800 && code < 0xe000 && pairedSurrogates) {
      if (code >= 0xdc00 || !isLowSurrogate(text.charCodeAt(i + 1))) {
        failString(cursor, start, i, escaped, escapeUnpaired(code));
        return null;
      }
      i++;
    }
  }
  const before = escaped ? unescapeString(text, start, text.length, pairedSurrogates) : '';
  if (typeof before !== 'string' && before.offset < text.length) failAt(cursor, before.offset, before.message);
  failAt(cursor, start - 1, 'This string is never closed: add a double quote at its end');
  return null;
}

/** Notes the mistake at `at` of the string that begins at `start`. An earlier invalid escape is reported first. */
function failString(cursor: Cursor, start: number, at: number, escaped: boolean, message: string): void {
  const before = escaped ? unescapeString(cursor.text, start, at, cursor.pairedSurrogates) : '';
  if (typeof before !== 'string') failAt(cursor, before.offset, before.message);
  failAt(cursor, at, message);
}

/** Reads the number that begins here with a minus sign or a digit; false if it failed. */
export function readNumber(cursor: Cursor): boolean {
  const { text } = cursor;
  const start = cursor.at;
  let i = start;
  if (text.charCodeAt(i) === 0x2d) i++;
  if (text.charCodeAt(i) === 0x30) {
    i++;
    if (isDigit(text.charCodeAt(i))) {
      failAt(cursor, start, "A number can't begin with 0: remove the leading zero, or put the number in double quotes");
      return false;
    }
  } else if (isDigit(text.charCodeAt(i))) {
    i = afterDigits(text, i);
  } else {
    cursor.at = i;
    failUnexpected(cursor, 'digit', start);
    return false;
  }
  if (text.charCodeAt(i) === 0x2e) {
    i++;
    if (!isDigit(text.charCodeAt(i))) {
      failAt(cursor, i, 'A digit is missing after the decimal point');
      return false;
    }
    i = afterDigits(text, i);
  }
  const exponent = text.charCodeAt(i);
  if (exponent === 0x65 || exponent === 0x45) {
    const sign = text.charCodeAt(++i);
    if (sign === 0x2b || sign === 0x2d) i++;
    if (!isDigit(text.charCodeAt(i))) {
      failAt(cursor, i, 'A digit is missing in the exponent');
      return false;
    }
    i = afterDigits(text, i);
  }
  cursor.at = i;
  return true;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function afterDigits(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at++;
  return at;
}

/** Reads the expected word; false if another text stands here. */
export function readWord(cursor: Cursor, word: 'true' | 'false' | 'null'): boolean {
  if (!cursor.text.startsWith(word, cursor.at)) {
    failUnexpected(cursor, 'value', cursor.at);
    return false;
  }
  cursor.at += word.length;
  return true;
}
