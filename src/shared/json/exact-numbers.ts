import { AppError } from '../errors.ts';
import { describeSyntaxError, parseJson, type JsonNode, type JsonSyntaxError } from './parse.ts';

/** A number that a JavaScript number cannot hold without a change of its value. */
export class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/**
 * Parses like JSON.parse, but returns an ExactNumber for each number that JSON.parse would change. As there, the last value of a
 * duplicate name counts and integer-like names come first; use parseJson if order or duplicates matter.
 * Throws `invalid_input` with the position if the text is not JSON.
 */
export function parseExact(text: string): unknown {
  try {
    return readExact(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const result = parseJson(text);
    if (result.ok)
      throw new AppError('internal', 'One reader took this text as JSON and another refused it', null, { cause: error });
    throw new AppError('invalid_input', describeSyntaxError(result.error), placeOf(result.error));
  }
}

function placeOf({ offset, line, column }: JsonSyntaxError) {
  return { offset, line, column };
}

/**
 * Parses with JSON.parse: passes each number that it would damage as a marked string, and replaces the marked strings in the result.
 * Building the values here is slower, so it is left for texts that JSON.parse may get wrong.
 */
function readExact(text: string): unknown {
  let mark: string | null = null;
  let marked = '';
  let copied = 0;
  let slash = text.indexOf('\\');
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) {
      const end = closingQuote(text, i);
      if (slash !== -1 && slash < i) slash = text.indexOf('\\', i);
      // V8 can confuse an escape in a name with another name's backslash: after {"\\":1}, it reads {"\n":1} with the first's name.
      if (slash !== -1 && slash < end && isName(text, end + 1)) return readNodes(text);
      i = end;
      continue;
    }
    if (code < 0x30 || code > 0x39) continue;
    const end = numberEnd(text, i);
    const start = i;
    i = end - 1;
    if (end - start < 16 && !hasExponent(text, start, end)) continue;
    const from = text.charCodeAt(start - 1) === 0x2d ? start - 1 : start;
    const number = text.slice(from, end);
    // JSON.parse refuses a malformed number, and a number in place of a name.
    if (!(isUnsafeInteger(text, start, end) || !survives(number)) || !numberGrammar.test(number) || isName(text, end)) continue;
    mark ??= unusedCharacter(text);
    if (mark === null) return readNodes(text);
    marked += `${text.slice(copied, from)}"${mark}${number}"`;
    copied = end;
  }
  if (mark === null) return JSON.parse(text);
  return replaceMarks(JSON.parse(marked + text.slice(copied)), mark);
}

/** Returns the offset of the quote that closes the string begun at `at`, or the text's length. */
function closingQuote(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

/** Finds the end of a number's characters. */
function numberEnd(text: string, at: number): number {
  for (;;) {
    const code = text.charCodeAt(++at);
    if (!((code >= 0x30 && code <= 0x39) || code === 0x2e || code === 0x65 || code === 0x45 || code === 0x2b || code === 0x2d)) {
      return at;
    }
  }
}

/** Returns whether the digits alone, 16 or more, show that the integer is beyond 2^53. */
function isUnsafeInteger(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (text.charCodeAt(i) < 0x30 || text.charCodeAt(i) > 0x39) return false;
  return end - start > 16 || (end - start === 16 && text.slice(start, end) > '9007199254740991');
}

function isName(text: string, end: number): boolean {
  let code = text.charCodeAt(end);
  while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt(++end);
  return code === 0x3a;
}

function hasExponent(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if ((text.charCodeAt(i) | 0x20) === 0x65) return true;
  return false;
}

const numberGrammar = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Returns whether JSON.parse keeps the number: a safe integer, or a fraction that prints with the same digits. */
function survives(text: string): boolean {
  const value = Number(text);
  if (text === String(value) && (Number.isSafeInteger(value) || !Number.isInteger(value))) return Number.isFinite(value);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    // Every integer beyond 2^53 becomes an ExactNumber, so that the type of an ID does not depend on its digits.
    return /[.eE]/.test(text) && significant(text) === significant(String(value));
  }
  return Number.isFinite(value) && significant(text) === significant(String(value));
}

/** Returns the digits without zeros at either end, with the power of ten of the last digit. */
function significant(text: string): string {
  const mark = text.search(/[eE]/);
  const mantissa = mark === -1 ? text : text.slice(0, mark);
  const exponent = mark === -1 ? 0 : Number(text.slice(mark + 1));
  const point = mantissa.indexOf('.');
  const fraction = point === -1 ? 0 : mantissa.length - point - 1;
  const digits = mantissa.replace('.', '').replace(/^(-?)0+/, '$1');
  const trimmed = digits.replace(/0+$/, '');
  return trimmed === '' || trimmed === '-' ? '0' : `${trimmed}e${exponent - fraction + digits.length - trimmed.length}`;
}

/**
 * Returns a character that no string of the text holds, bare or escaped; null if the text holds all candidates. They are from
 * Latin-1, because a mark beyond it would double the text's size in memory, and because their escapes have one spelling.
 */
function unusedCharacter(text: string): string | null {
  for (const code of [0x80, 0x81, 0x82, 0x83, 0x84, 0x86, 0x87, 0x88, 0x89, 0x90, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96]) {
    const character = String.fromCharCode(code);
    if (!text.includes(character) && !text.includes(`\\u00${code.toString(16)}`)) return character;
  }
  return null;
}

type Container = Record<string, unknown> | unknown[];

function replaceMarks(root: unknown, mark: string): unknown {
  const markCode = mark.charCodeAt(0);
  const open: Container[] = [];
  const holder = [root];
  open.push(holder);
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    if (Array.isArray(container)) {
      for (let i = 0; i < container.length; i++) {
        const value = container[i];
        if (typeof value === 'object') {
          if (value !== null) open.push(value as Container);
        } else if (typeof value === 'string' && value.charCodeAt(0) === markCode) {
          container[i] = new ExactNumber(value.slice(1));
        }
      }
      continue;
    }
    for (const key in container) {
      const value = container[key];
      if (typeof value === 'object') {
        if (value !== null) open.push(value as Container);
      } else if (typeof value === 'string' && value.charCodeAt(0) === markCode) {
        putOwn(container, key, new ExactNumber(value.slice(1)));
      }
    }
  }
  return holder[0];
}

/** Sets a property, even `__proto__`, which is an ordinary name in JSON. */
function putOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

function readNodes(text: string): unknown {
  const result = parseJson(text);
  if (!result.ok) throw new AppError('invalid_input', describeSyntaxError(result.error), placeOf(result.error));
  return valueOf(result.root);
}

function valueOf(node: JsonNode): unknown {
  switch (node.kind) {
    case 'object': {
      const object: Record<string, unknown> = {};
      for (const member of node.members) putOwn(object, member.key, valueOf(member.value));
      return object;
    }
    case 'array':
      return node.items.map(valueOf);
    case 'string':
      return node.value;
    case 'number':
      return survives(node.text) ? Number(node.text) : new ExactNumber(node.text);
    case 'null':
      return null;
    case 'true':
    case 'false':
      return node.kind === 'true';
  }
}
