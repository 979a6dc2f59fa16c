import { createPlaceCounter } from './line-and-column.ts';
import { escapeUnpaired, isLowSurrogate, unescapeString } from './string-escapes.ts';
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
  const length = text.length;
  const stack: (OpenObject | OpenArray)[] = [];
  let container: OpenObject | OpenArray | null = null;
  let at = 0;
  let failure: JsonSyntaxError | null = null;

  function fail(offset: number, message: string): void {
    failure ??= syntaxErrorAt(text, offset, message);
  }

  function skipSpace(): number {
    for (; at < length; at++) {
      const code = text.charCodeAt(at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code;
    }
    return -1;
  }

  /** Reads a string and leaves `at` after its closing quote; null if it failed. */
  function readString(): string | null {
    const start = at + 1;
    let escaped = false;
    for (let i = start; i < length; i++) {
      const code = text.charCodeAt(i);
      if (code === 0x22) {
        at = i + 1;
        if (!escaped) return text.slice(start, i);
        const result = unescapeString(text, start, i, rules.pairedSurrogates);
        if (typeof result === 'string') return result;
        fail(result.offset, result.message);
        return null;
      }
      if (code === 0x5c) {
        escaped = true;
        i++;
      } else if (code < 0x20) {
        // An earlier invalid escape is reported first.
        const before = escaped ? unescapeString(text, start, i, rules.pairedSurrogates) : '';
        if (typeof before !== 'string') fail(before.offset, before.message);
        fail(i, explainUnexpected(text, i, 'in string', start - 1).message);
        return null;
      } else if (code >= 0xd800 && code < 0xe000 && rules.pairedSurrogates) {
        if (code < 0xdc00 && isLowSurrogate(text.charCodeAt(i + 1))) {
          i++;
        } else {
          const before = escaped ? unescapeString(text, start, i, true) : '';
          if (typeof before !== 'string') fail(before.offset, before.message);
          fail(i, escapeUnpaired(code));
          return null;
        }
      }
    }
    const before = escaped ? unescapeString(text, start, length, rules.pairedSurrogates) : '';
    if (typeof before !== 'string' && before.offset < length) fail(before.offset, before.message);
    fail(start - 1, 'This string is never closed: add a double quote at its end');
    return null;
  }

  function unexpected(expected: Expected, opener: number): void {
    const { offset, message } = explainUnexpected(text, at, expected, opener);
    fail(offset, message);
  }

  /** Reads a property name and its colon; false if it failed. */
  function readKey(object: OpenObject, afterComma: boolean): boolean {
    if (skipSpace() !== 0x22) {
      unexpected(afterComma ? 'next name' : 'first name', object.start);
      return false;
    }
    const keyStart = at;
    const key = readString();
    if (key === null) return false;
    if (rules.refuseNulNames && key.charCodeAt(0) === 0) {
      fail(keyStart, 'PHP refuses a property name that begins with U+0000');
      return false;
    }
    const keyEnd = at;
    if (skipSpace() !== 0x3a) {
      unexpected('colon', keyStart);
      return false;
    }
    at++;
    object.members.push({ key, keyStart, keyEnd, value: placeholder });
    return true;
  }

  function readNumber(): JsonNumber | null {
    const start = at;
    let i = at;
    if (text.charCodeAt(i) === 0x2d) i++;
    let code = text.charCodeAt(i);
    if (code === 0x30) {
      code = text.charCodeAt(++i);
      if (code >= 0x30 && code <= 0x39) {
        fail(start, 'A number cannot begin with 0: remove the leading zero, or put it in double quotes');
        return null;
      }
    } else if (code >= 0x31 && code <= 0x39) {
      do code = text.charCodeAt(++i);
      while (code >= 0x30 && code <= 0x39);
    } else {
      at = i;
      unexpected('digit', start);
      return null;
    }
    if (code === 0x2e) {
      code = text.charCodeAt(++i);
      if (!(code >= 0x30 && code <= 0x39)) {
        fail(i, 'A digit is missing after the decimal point');
        return null;
      }
      do code = text.charCodeAt(++i);
      while (code >= 0x30 && code <= 0x39);
    }
    if (code === 0x65 || code === 0x45) {
      code = text.charCodeAt(++i);
      if (code === 0x2b || code === 0x2d) code = text.charCodeAt(++i);
      if (!(code >= 0x30 && code <= 0x39)) {
        fail(i, 'A digit is missing in the exponent');
        return null;
      }
      do code = text.charCodeAt(++i);
      while (code >= 0x30 && code <= 0x39);
    }
    at = i;
    return { kind: 'number', start, end: i, text: text.slice(start, i) };
  }

  function readLiteral(kind: 'true' | 'false' | 'null'): JsonLiteral | null {
    if (!text.startsWith(kind, at)) {
      unexpected('value', at);
      return null;
    }
    const start = at;
    at += kind.length;
    return { kind, start, end: at };
  }

  /** True if a comma was just read, false after an opening bracket. */
  let afterComma = false;
  for (;;) {
    let node: JsonNode | null = null;
    const code = skipSpace();
    const start = at;
    if (code === 0x22) {
      const value = readString();
      if (value !== null) node = { kind: 'string', start, end: at, value };
    } else if (code === 0x7b || code === 0x5b) {
      if (stack.length + (container === null ? 0 : 1) >= rules.maxDepth) {
        fail(at, `Nested more than ${rules.maxDepth} levels deep`);
        break;
      }
      if (container !== null) stack.push(container);
      at++;
      if (code === 0x7b) {
        const opened: OpenObject = { kind: 'object', start, end: start, members: [] };
        container = opened;
        if (skipSpace() !== 0x7d) {
          if (!readKey(opened, false)) break;
          afterComma = false;
          continue;
        }
      } else {
        container = { kind: 'array', start, end: start, items: [] };
        if (skipSpace() !== 0x5d) {
          afterComma = false;
          continue;
        }
      }
      at++;
      container.end = at;
      node = container;
      container = stack.pop() ?? null;
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      node = readNumber();
    } else if (code === 0x74) {
      node = readLiteral('true');
    } else if (code === 0x66) {
      node = readLiteral('false');
    } else if (code === 0x6e) {
      node = readLiteral('null');
    } else {
      unexpected(container?.kind === 'array' && afterComma ? 'next item' : 'value', container?.start ?? 0);
    }
    if (node === null) break;

    for (;;) {
      if (container === null) {
        if (skipSpace() === -1) return { ok: true, root: node };
        unexpected('end', 0);
        break;
      }
      if (container.kind === 'array') container.items.push(node);
      else (container.members[container.members.length - 1] as OpenMember).value = node;
      const next = skipSpace();
      if (next === 0x2c) {
        at++;
        if (container.kind === 'object') readKey(container, true);
        afterComma = true;
        break;
      }
      if (next !== (container.kind === 'array' ? 0x5d : 0x7d)) {
        unexpected(container.kind === 'array' ? 'comma or ]' : 'comma or }', container.start);
        break;
      }
      at++;
      container.end = at;
      node = container;
      container = stack.pop() ?? null;
    }
    if (failure !== null) break;
  }
  return { ok: false, error: failure ?? syntaxErrorAt(text, at, 'This is not JSON') };
}
