/**
 * JSON as a PHP provider reads and writes it. Only the built-in provider uses it, and it shares no code with the
 * signer, so that a mistake in either shows as a hash that does not match.
 */

import { byteText } from '#shared/model/byte-text.ts';
import { fail, readNumber, readString, readWord, skipSpace, type Cursor, type PhpFault } from './php-scan.ts';

/** PHP's values: a `bigint` is PHP's int, a `number` is PHP's float, a Map is an object with its keys in order. */
export type PhpValue = null | boolean | string | bigint | number | PhpValue[] | PhpObject;
export type PhpObject = Map<string, PhpValue>;

/** `spans`: the range of each top-level member's value in the text; empty unless the text is an object. */
export type PhpDecoded =
  | { readonly ok: true; readonly value: PhpValue; readonly spans: ReadonlyMap<string, readonly [number, number]> }
  | { readonly ok: false; readonly fault: PhpFault };

/** Says why a body is not JSON, and at which of its bytes the decoder stopped. */
export function notJson(body: string, { message, offset }: PhpFault): string {
  return `The body is not JSON: ${message} at ${byteText(Buffer.byteLength(body.slice(0, offset)))}.`;
}

/** PHP 8 refuses the 512th level of nesting with its default limit. */
const maxDepth = 511;

/**
 * Reads a text as `json_decode($text)` does: objects stay objects, integers are exact within 64 bits and floats beyond. `associative`
 * refuses no name, as `json_decode($text, true)` does; `phpEncode` then prints what becomes of objects.
 */
export function phpDecode(text: string, { associative = false }: { readonly associative?: boolean } = {}): PhpDecoded {
  const cursor: Cursor = { text, at: 0, fault: null };
  let depth = 0;
  const spans = new Map<string, readonly [number, number]>();

  function readArray(): PhpValue | undefined {
    const items: PhpValue[] = [];
    skipSpace(cursor);
    if (text[cursor.at] === ']') {
      cursor.at += 1;
      return items;
    }
    for (;;) {
      const item = readValue();
      if (item === undefined) return undefined;
      items.push(item);
      skipSpace(cursor);
      const mark = text[cursor.at];
      if (mark !== ',' && mark !== ']') return fail(cursor, 'Syntax error');
      cursor.at += 1;
      if (mark === ']') return items;
    }
  }

  function readObject(): PhpValue | undefined {
    const members: PhpObject = new Map();
    skipSpace(cursor);
    if (text[cursor.at] === '}') {
      cursor.at += 1;
      return members;
    }
    for (;;) {
      skipSpace(cursor);
      const keyStart = cursor.at;
      if (text[cursor.at] !== '"') return fail(cursor, 'Syntax error');
      cursor.at += 1;
      const key = readString(cursor);
      if (key === undefined) return undefined;
      if (key.startsWith('\0') && !associative) return fail(cursor, 'The decoded property name is invalid', keyStart);
      skipSpace(cursor);
      if (text[cursor.at] !== ':') return fail(cursor, 'Syntax error');
      cursor.at += 1;
      skipSpace(cursor);
      const start = cursor.at;
      const value = readValue();
      if (value === undefined) return undefined;
      members.set(key, value);
      if (depth === 1) spans.set(key, [start, cursor.at]);
      skipSpace(cursor);
      const mark = text[cursor.at];
      if (mark !== ',' && mark !== '}') return fail(cursor, 'Syntax error');
      cursor.at += 1;
      if (mark === '}') return members;
    }
  }

  function readValue(): PhpValue | undefined {
    skipSpace(cursor);
    switch (text.charAt(cursor.at)) {
      case '{':
      case '[': {
        if (depth === maxDepth) return fail(cursor, 'Maximum stack depth exceeded');
        const isObject = text[cursor.at] === '{';
        cursor.at += 1;
        depth += 1;
        const value = isObject ? readObject() : readArray();
        depth -= 1;
        return value;
      }
      case '"':
        cursor.at += 1;
        return readString(cursor);
      case 't':
        return readWord(cursor, 'true', true);
      case 'f':
        return readWord(cursor, 'false', false);
      case 'n':
        return readWord(cursor, 'null', null);
      default:
        return readNumber(cursor);
    }
  }

  const value = readValue();
  if (value !== undefined) {
    skipSpace(cursor);
    if (cursor.at < text.length) fail(cursor, 'Syntax error');
  }
  if (value === undefined || cursor.fault)
    return { ok: false, fault: cursor.fault ?? { message: 'Syntax error', offset: cursor.at } };
  return { ok: true, value, spans };
}

/** Returns a string, or the digits of an integer; empty for anything else. */
export function textOf(value: PhpValue | undefined): string {
  return typeof value === 'string' || typeof value === 'bigint' ? value.toString() : '';
}

/** The flags of `json_encode` that matter here. */
export interface PhpEncodeFlags {
  readonly unescapedUnicode?: boolean;
  /** Prints a map as the array that `json_decode($text, true)` makes of an object: with the keys 0, 1, 2 and so on, or none, it is a list. */
  readonly associative?: boolean;
}

const exactText = Symbol('exact');

/** A decimal that is printed with its own digits, not as a float. */
export interface Exact {
  readonly [exactText]: string;
}

/** Values of the provider's responses: PHP's values, plain records and exact decimals. */
export type ResponseValue =
  | null
  | boolean
  | string
  | bigint
  | number
  | Exact
  | readonly ResponseValue[]
  | ReadonlyMap<string, ResponseValue>
  | { readonly [name: string]: ResponseValue };

/** Marks a decimal so that the encoder prints it unchanged. */
export function exact(text: string): Exact {
  return { [exactText]: text };
}

/** Prints a value as `json_encode($value, JSON_UNESCAPED_SLASHES)` does; null if PHP fails (a float that is not finite). */
export function phpEncode(value: ResponseValue, flags: PhpEncodeFlags = {}): string | null {
  if (typeof value === 'string') return encodeString(value, flags);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'number') return Number.isFinite(value) ? phpFloat(value) : null;
  if (value === null) return 'null';
  if (isExact(value)) return value[exactText];
  if (Array.isArray(value)) {
    let out = '[';
    for (const item of value as readonly ResponseValue[]) {
      const text = phpEncode(item, flags);
      if (text === null) return null;
      out += out.length === 1 ? text : `,${text}`;
    }
    return `${out}]`;
  }
  if (flags.associative === true && value instanceof Map && isList(value)) return phpEncode([...value.values()], flags);
  let out = '{';
  for (const [name, member] of value instanceof Map ? (value as ReadonlyMap<string, ResponseValue>) : Object.entries(value)) {
    const text = phpEncode(member, flags);
    if (text === null) return null;
    if (out.length > 1) out += ',';
    out += `${encodeString(name, flags)}:${text}`;
  }
  return `${out}}`;
}

/** Returns whether the keys are 0, 1, 2 and so on, in this order: PHP makes integers of such keys. */
function isList(members: ReadonlyMap<string, ResponseValue>): boolean {
  let next = 0;
  for (const name of members.keys()) {
    if (name !== String(next)) return false;
    next += 1;
  }
  return true;
}

function isExact(value: object): value is Exact {
  return exactText in value;
}

/** Prints a finite float as PHP does with `serialize_precision` -1: shortest digits, PHP's exponent form. */
export function phpFloat(value: number): string {
  if (Object.is(value, -0)) return '-0';
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-4 && size < 1e17)) return String(value);
  const [mantissa = '', exponent = ''] = value.toExponential().split('e');
  return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}e${exponent}`;
}

const needsEscape = /[^ !#-.0-[\]-\u007f]/;
const shortEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

function encodeString(value: string, flags: PhpEncodeFlags): string {
  if (!needsEscape.test(value)) return `"${value}"`;
  let out = '"';
  let plainFrom = 0;
  for (let index = 0; index < value.length; index += 1) {
    const code = value.charCodeAt(index);
    const replacement = escapeUnit(code, value[index] ?? '', flags);
    if (replacement === null) continue;
    out += value.slice(plainFrom, index) + replacement;
    plainFrom = index + 1;
  }
  return `${out}${value.slice(plainFrom)}"`;
}

function escapeUnit(code: number, unit: string, flags: PhpEncodeFlags): string | null {
  if (code > 0x7f) {
    const bare = flags.unescapedUnicode === true && code !== 0x2028 && code !== 0x2029;
    return bare ? null : `\\u${code.toString(16).padStart(4, '0')}`;
  }
  return shortEscapes[unit] ?? (code < 0x20 ? `\\u${code.toString(16).padStart(4, '0')}` : null);
}
