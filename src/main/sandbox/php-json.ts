/**
 * JSON as a PHP provider reads and writes it. Only the built-in provider uses it, and it shares no code with the
 * signer, so that a mistake in either shows as a hash that does not match.
 */

/** PHP's values: a `bigint` is PHP's int, a `number` is PHP's float, a Map is an object with its keys in order. */
export type PhpValue = null | boolean | string | bigint | number | PhpValue[] | PhpObject;
export type PhpObject = Map<string, PhpValue>;

/** The error of PHP's decoder, and the UTF-16 offset at which it stopped. */
interface PhpFault {
  readonly message: string;
  readonly offset: number;
}

/** `spans`: the range of each top-level member's value in the text; empty unless the text is an object. */
export type PhpDecoded =
  | { readonly ok: true; readonly value: PhpValue; readonly spans: ReadonlyMap<string, readonly [number, number]> }
  | { readonly ok: false; readonly fault: PhpFault };

/** PHP 8 refuses the 512th level of nesting with its default limit. */
const maxDepth = 511;
const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;
const numberToken = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
/** Matches characters without an escape. */
const plainRun = /[ !#-[\]-\uffff]*/y;

/** Reads a text as `json_decode($text)` does: objects stay objects, integers are exact within 64 bits and floats beyond. */
export function phpDecode(text: string): PhpDecoded {
  let at = 0;
  let depth = 0;
  let fault: PhpFault | null = null;
  const spans = new Map<string, readonly [number, number]>();

  function fail(message: string, offset = at): undefined {
    fault ??= { message, offset };
    return undefined;
  }

  function skipSpace(): void {
    for (;;) {
      const code = text.charCodeAt(at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      at += 1;
    }
  }

  function readUnit(): number | undefined {
    const digits = text.slice(at, at + 4);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) return fail('Syntax error');
    at += 4;
    return Number.parseInt(digits, 16);
  }

  function readEscape(): string | undefined {
    const start = at - 1;
    const letter = text.charAt(at);
    at += 1;
    switch (letter) {
      case '"':
      case '\\':
      case '/':
        return letter;
      case 'b':
        return '\b';
      case 'f':
        return '\f';
      case 'n':
        return '\n';
      case 'r':
        return '\r';
      case 't':
        return '\t';
      case 'u': {
        const unit = readUnit();
        if (unit === undefined) return undefined;
        if (unit < 0xd800 || unit > 0xdfff) return String.fromCharCode(unit);
        const lone = 'Single unpaired UTF-16 surrogate in unicode escape';
        if (unit > 0xdbff || text[at] !== '\\' || text[at + 1] !== 'u') return fail(lone, start);
        at += 2;
        const low = readUnit();
        if (low === undefined) return undefined;
        return low >= 0xdc00 && low <= 0xdfff ? String.fromCharCode(unit, low) : fail(lone, start);
      }
      default:
        return fail('Syntax error', start);
    }
  }

  /** Reads a string; `at` is the offset after the opening quote. */
  function readString(): string | undefined {
    let value = '';
    for (;;) {
      plainRun.lastIndex = at;
      plainRun.test(text);
      value += text.slice(at, plainRun.lastIndex);
      at = plainRun.lastIndex;
      const code = text.charCodeAt(at);
      if (code === 0x22) {
        at += 1;
        return value;
      }
      if (code !== 0x5c) {
        return fail(at >= text.length ? 'Syntax error' : 'Control character error, possibly incorrectly encoded');
      }
      at += 1;
      const escaped = readEscape();
      if (escaped === undefined) return undefined;
      value += escaped;
    }
  }

  function readNumber(): PhpValue | undefined {
    numberToken.lastIndex = at;
    const match = numberToken.exec(text);
    if (!match) return fail('Syntax error');
    at = numberToken.lastIndex;
    const token = match[0];
    if (match[1] !== undefined || match[2] !== undefined) return Number(token);
    const whole = BigInt(token);
    return whole >= int64Min && whole <= int64Max ? whole : Number(token);
  }

  function readWord(word: string, value: null | boolean): PhpValue | undefined {
    if (!text.startsWith(word, at)) return fail('Syntax error');
    at += word.length;
    return value;
  }

  function readArray(): PhpValue | undefined {
    const items: PhpValue[] = [];
    skipSpace();
    if (text[at] === ']') {
      at += 1;
      return items;
    }
    for (;;) {
      const item = readValue();
      if (item === undefined) return undefined;
      items.push(item);
      skipSpace();
      const mark = text[at];
      if (mark !== ',' && mark !== ']') return fail('Syntax error');
      at += 1;
      if (mark === ']') return items;
    }
  }

  function readObject(): PhpValue | undefined {
    const members: PhpObject = new Map();
    skipSpace();
    if (text[at] === '}') {
      at += 1;
      return members;
    }
    for (;;) {
      skipSpace();
      const keyStart = at;
      if (text[at] !== '"') return fail('Syntax error');
      at += 1;
      const key = readString();
      if (key === undefined) return undefined;
      if (key.startsWith('\0')) return fail('The decoded property name is invalid', keyStart);
      skipSpace();
      if (text[at] !== ':') return fail('Syntax error');
      at += 1;
      skipSpace();
      const start = at;
      const value = readValue();
      if (value === undefined) return undefined;
      members.set(key, value);
      if (depth === 1) spans.set(key, [start, at]);
      skipSpace();
      const mark = text[at];
      if (mark !== ',' && mark !== '}') return fail('Syntax error');
      at += 1;
      if (mark === '}') return members;
    }
  }

  function readValue(): PhpValue | undefined {
    skipSpace();
    switch (text.charAt(at)) {
      case '{':
      case '[': {
        if (depth === maxDepth) return fail('Maximum stack depth exceeded');
        const isObject = text[at] === '{';
        at += 1;
        depth += 1;
        const value = isObject ? readObject() : readArray();
        depth -= 1;
        return value;
      }
      case '"':
        at += 1;
        return readString();
      case 't':
        return readWord('true', true);
      case 'f':
        return readWord('false', false);
      case 'n':
        return readWord('null', null);
      default:
        return readNumber();
    }
  }

  const value = readValue();
  if (value !== undefined) {
    skipSpace();
    if (at < text.length) fail('Syntax error');
  }
  if (value === undefined || fault) return { ok: false, fault: fault ?? { message: 'Syntax error', offset: at } };
  return { ok: true, value, spans };
}

/** Returns a string, or the digits of an integer; empty for anything else. */
export function textOf(value: PhpValue | undefined): string {
  return typeof value === 'string' || typeof value === 'bigint' ? value.toString() : '';
}

/** The flags of `json_encode` that matter here. */
export interface PhpEncodeFlags {
  readonly escapeSlashes?: boolean;
  readonly unescapedUnicode?: boolean;
}

const exactText = Symbol('exact');

/** A decimal that is printed with its own digits, not as a float. */
export interface Exact {
  readonly [exactText]: string;
}

/** Values of the provider's responses: PHP's values, plain records and exact decimals. */
export type Answer =
  | null
  | boolean
  | string
  | bigint
  | number
  | Exact
  | readonly Answer[]
  | ReadonlyMap<string, Answer>
  | { readonly [name: string]: Answer };

/** Marks a decimal so that the encoder prints it unchanged. */
export function exact(text: string): Exact {
  return { [exactText]: text };
}

/** Prints a value as `json_encode($value, JSON_UNESCAPED_SLASHES)` does; null if PHP fails (a float that is not finite). */
export function phpEncode(value: Answer, flags: PhpEncodeFlags = {}): string | null {
  if (typeof value === 'string') return encodeString(value, flags);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'number') return Number.isFinite(value) ? phpFloat(value) : null;
  if (value === null) return 'null';
  if (isExact(value)) return value[exactText];
  if (Array.isArray(value)) {
    let out = '[';
    for (const item of value as readonly Answer[]) {
      const text = phpEncode(item, flags);
      if (text === null) return null;
      out += out.length === 1 ? text : `,${text}`;
    }
    return `${out}]`;
  }
  let out = '{';
  for (const [name, member] of value instanceof Map ? (value as ReadonlyMap<string, Answer>) : Object.entries(value)) {
    const text = phpEncode(member, flags);
    if (text === null) return null;
    if (out.length > 1) out += ',';
    out += `${encodeString(name, flags)}:${text}`;
  }
  return `${out}}`;
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
  if (code === 0x2f) return flags.escapeSlashes === true ? '\\/' : null;
  return shortEscapes[unit] ?? (code < 0x20 ? `\\u${code.toString(16).padStart(4, '0')}` : null);
}
