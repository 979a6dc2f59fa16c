import { parseWith, syntaxErrorAt, type JsonMember, type JsonNode, type JsonSyntaxError, type ParseRules } from './parse.ts';

/** PHP's options: `unicode` is JSON_UNESCAPED_UNICODE, `assoc` decodes objects to associative arrays. */
export interface PhpOptions {
  readonly unicode: boolean;
  readonly assoc: boolean;
}

export type PhpResult = { ok: true; json: string } | { ok: false; error: JsonSyntaxError };

// PHP's depth of 512 counts the values inside the innermost array, so that 511 nested arrays are the most it reads.
/** PHP's parser rules when it decodes objects to objects. */
export const phpRules: ParseRules = { maxDepth: 511, pairedSurrogates: true, refuseNulNames: true };
const assocRules: ParseRules = { ...phpRules, refuseNulNames: false };

/** Returns PHP 8's output of `json_encode(json_decode(text, assoc), JSON_UNESCAPED_SLASHES)`, or why and where PHP refuses. */
export function phpJson(text: string, options: PhpOptions): PhpResult {
  const parsed = parseWith(text, options.assoc ? assocRules : phpRules);
  if (!parsed.ok) return parsed;
  const encoder: Encoder = { text, unicode: options.unicode, assoc: options.assoc, overflow: null, escapes: new Map() };
  const json = encode(encoder, parsed.root);
  if (encoder.overflow === null) return { ok: true, json };
  return {
    ok: false,
    error: syntaxErrorAt(
      text,
      encoder.overflow,
      "This number is too large for PHP: it becomes infinity, which JSON doesn't have",
    ),
  };
}

interface Encoder {
  readonly text: string;
  readonly unicode: boolean;
  readonly assoc: boolean;
  /** Offset of the first number that PHP cannot print. */
  overflow: number | null;
  /** Cache of escapes, because a text uses few characters many times. */
  readonly escapes: Map<number, string>;
}

function encode(encoder: Encoder, node: JsonNode): string {
  switch (node.kind) {
    case 'string':
      return encodeString(encoder, node.value, node.start, node.end);
    case 'number': {
      const number = phpNumber(node.text);
      if (number === null) encoder.overflow ??= node.start;
      return number ?? '0';
    }
    case 'array': {
      let json = '[';
      for (let i = 0; i < node.items.length; i++) {
        if (i > 0) json += ',';
        json += encode(encoder, node.items[i] as JsonNode);
      }
      return json + ']';
    }
    case 'object':
      return encodeObject(encoder, node.members);
    case 'true':
    case 'false':
    case 'null':
      return node.kind;
  }
}

function encodeObject(encoder: Encoder, typed: readonly JsonMember[]): string {
  const members = hasDuplicates(typed) ? withoutDuplicates(typed) : typed;
  const list = encoder.assoc && members.every((member, index) => member.key === String(index));
  let json = list ? '[' : '{';
  for (let i = 0; i < members.length; i++) {
    const member = members[i] as JsonMember;
    if (i > 0) json += ',';
    if (!list) json += encodeString(encoder, member.key, member.keyStart, member.keyEnd) + ':';
    json += encode(encoder, member.value);
  }
  return json + (list ? ']' : '}');
}

function hasDuplicates(members: readonly JsonMember[]): boolean {
  if (members.length > 12) return new Set(members.map((member) => member.key)).size !== members.length;
  for (let i = 1; i < members.length; i++) {
    const key = (members[i] as JsonMember).key;
    for (let j = 0; j < i; j++) if ((members[j] as JsonMember).key === key) return true;
  }
  return false;
}

/** Removes duplicate names as PHP does: the first position with the last value. */
function withoutDuplicates(members: readonly JsonMember[]): JsonMember[] {
  const byKey = new Map<string, JsonMember>();
  for (const member of members) {
    const first = byKey.get(member.key);
    byKey.set(member.key, first === undefined ? member : { ...first, value: member.value });
  }
  return [...byKey.values()];
}

/** Prints a JSON number as PHP does; null if it becomes infinite. */
export function phpNumber(text: string): string | null {
  if (isInteger(text)) {
    if (text === '-0') return '0';
    if (fitsInt64(text)) return text;
  }
  return phpFloat(Number(text.length > 20_000 ? likeStrtod(text) : text));
}

function isInteger(text: string): boolean {
  for (let i = text.charCodeAt(0) === 0x2d ? 1 : 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x30 || code > 0x39) return false;
  }
  return true;
}

function fitsInt64(text: string): boolean {
  const negative = text.charCodeAt(0) === 0x2d;
  const digits = negative ? text.length - 1 : text.length;
  if (digits !== 19) return digits < 19;
  return negative ? text.slice(1) <= '9223372036854775808' : text <= '9223372036854775807';
}

/** Limits the exponent to 19999 as PHP's strtod does, which matters only beside thousands of zeros. */
function likeStrtod(text: string): string {
  return text.replace(/[eE]([+-]?)0*([1-9]\d*)$/, (_, sign: string, digits: string) =>
    digits.length > 5 || Number(digits) > 19_999 ? `e${sign}19999` : `e${sign}${digits}`,
  );
}

/** Prints the shortest digits that read back as the same number: plain from 1e-4 to below 1e17, otherwise with an exponent and a point. */
function phpFloat(value: number): string | null {
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const size = Math.abs(value);
  if (size >= 1e-4 && size < 1e17) return String(value);
  if (size === Infinity) return null;
  const printed = value.toExponential();
  const mark = printed.indexOf('e');
  return printed.includes('.') ? printed : `${printed.slice(0, mark)}.0${printed.slice(mark)}`;
}

const beyondAscii = /[\u0080-\uffff]/;
const needsEscape = /[^ !#-[\]-\x7f]/;
const needsEscapeInUnicode = /[^ !#-[\]-\u2027\u202a-\uffff]/;

function encodeString(encoder: Encoder, value: string, start: number, end: number): string {
  // A string typed without an escape needs none, except for non-ASCII characters.
  const asTyped = value.length === end - start - 2;
  if (encoder.unicode ? !needsEscapeInUnicode.test(value) : !(asTyped ? beyondAscii : needsEscape).test(value)) {
    return asTyped ? encoder.text.slice(start, end) : `"${value}"`;
  }
  return escapeString(encoder, value);
}

const hex = '0123456789abcdef';

function escapeString({ unicode, escapes }: Encoder, value: string): string {
  let json = '"';
  let from = 0;
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    if (code >= 0x20 && code !== 0x22 && code !== 0x5c && (code < 0x80 || (unicode && code !== 0x2028 && code !== 0x2029)))
      continue;
    if (from < i) json += value.slice(from, i);
    from = i + 1;
    let escape = escapes.get(code);
    if (escape === undefined) escapes.set(code, (escape = escapeUnit(code)));
    json += escape;
  }
  return json + value.slice(from) + '"';
}

function escapeUnit(code: number): string {
  switch (code) {
    case 0x22:
      return '\\"';
    case 0x5c:
      return '\\\\';
    case 0x08:
      return '\\b';
    case 0x0c:
      return '\\f';
    case 0x0a:
      return '\\n';
    case 0x0d:
      return '\\r';
    case 0x09:
      return '\\t';
    default:
      return '\\u' + hex[code >> 12] + hex[(code >> 8) & 15] + hex[(code >> 4) & 15] + hex[code & 15];
  }
}
