import { AppError } from '#shared/errors.ts';
import { inPieces } from '#shared/json/text-pieces.ts';
import { readers } from '#shared/model/readers.ts';
import { offsetOfLine } from './yaml-tree.ts';

/** A printable value: strings, booleans, numbers, lists and fields in order. */
export type Printable = string | boolean | number | readonly Printable[] | { readonly [name: string]: Printable };

/** `head` follows the colon or the dash on its line; `lines` are whole lines without their line breaks. */
export interface Printed {
  readonly head: string;
  readonly lines: readonly string[];
  /** True if empty lines after it would become part of it. */
  readonly keeps: boolean;
}

/** Conditions under which a text is a literal block. */
interface Style {
  /** True: also a text of one line. False: a text of several lines. `never`: no text. */
  readonly literal: boolean | 'never';
  /** True: also a text that ends with empty lines, which no other empty lines may follow. */
  readonly mayKeep: boolean;
  /** True: a text of digits alone is quoted, for readers that would take it for a number. Our own files are read as texts. */
  readonly quotesDigits?: boolean;
}

const usual: Style = { literal: false, mayKeep: true };

/** Matches words that other YAML parsers do not read as strings. */
const words = /^(?:y|n|yes|no|on|off|true|false|null|none|nan|inf)$/i;
/** Matches a number that every reader writes back as it was. */
const safeInteger = /^(?:0|-?[1-9]\d{0,14})$/;
const plainText = /^[\p{L}_/$(][^\p{Cc}\u00a0\u2028\u2029\ufeff\ufffe\uffff]*$/u;
/** Matches characters that a literal block cannot hold in every parser: controls, carriage returns, and old line breaks. */
const notLiteral = /[\p{Cc}--[\t\n]]|[\u2028\u2029\ufeff\ufffe\uffff]/v;
/** Matches a first line that begins with a space, which would be taken for a deeper indentation. */
const needsIndicator = /^\n*[ \t]/;
const escaped = /["\\\p{Cc}\u00a0\u2028\u2029\ufeff\ufffe\uffff]/gu;
/** The same but for quotes and backslashes. */
const strangeCharacter = /[\p{Cc}\u00a0\u2028\u2029\ufeff\ufffe\uffff]/u;
const shortEscapes: Record<string, string> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\0': '\\0' };

/**
 * Prints a value as YAML below a column of `indent` spaces. A text with line breaks is a literal block if a block can hold each of
 * its characters, else a text in double quotes. Fails with `invalid_input` for half a surrogate pair, which no file in UTF-8 can
 * hold.
 */
export function printValue(value: Printable, indent: number, style = usual): Printed {
  if (typeof value === 'boolean' || typeof value === 'number') return { head: ` ${value}`, lines: [], keeps: false };
  if (typeof value === 'string') {
    if (wantsLiteral(value, style) && fitsLiteral(value)) return printLiteral(value, indent);
    return { head: ` ${printText(value, style.quotesDigits)}`, lines: [], keeps: false };
  }
  const inner = { ...style, literal: false };
  if (Array.isArray(value)) {
    if (value.length === 0) return { head: ' []', lines: [], keeps: false };
    return below((value as readonly Printable[]).map((item) => printItem(item, indent + 2, inner)));
  }
  const fields = Object.entries(value as Record<string, Printable>);
  if (fields.length === 0) return { head: ' {}', lines: [], keeps: false };
  return below(fields.map(([name, field]) => printField(name, field, indent + 2, inner)));
}

/** Prints a field as whole lines; its name begins at `indent`. */
export function printField(name: string, value: Printable, indent: number, style = usual): Printed {
  const { head, lines, keeps } = printValue(value, indent, style);
  return { head: '', lines: [`${' '.repeat(indent)}${printText(name)}:${head}`, ...lines], keeps };
}

/** Prints an item of a list as whole lines; its dash stands at `indent`. */
export function printItem(item: Printable, indent: number, style = usual): Printed {
  const fields = typeof item === 'object' && !Array.isArray(item) ? Object.entries(item as Record<string, Printable>) : [];
  const { head, lines, keeps } =
    fields.length > 0
      ? below(fields.map(([name, field]) => printField(name, field, indent + 2, style)))
      : printValue(item, indent, style);
  const [first = '', ...others] = lines;
  const dash = `${' '.repeat(indent)}-`;
  if (fields.length > 0) return { head: '', lines: [`${dash}${first.slice(indent + 1)}`, ...others], keeps };
  return { head: '', lines: [`${dash}${head}`, ...lines], keeps };
}

const longestFlow = 100;

/** Prints texts as a list on one line: ` [smoke, "1.0"]`. Returns null for other items, for texts that cannot stand there, and for a long line. */
export function printFlow(items: readonly Printable[]): string | null {
  const printed = items.map((item) => (typeof item === 'string' && !item.includes('\n') ? printText(item) : '['));
  const line = ` [${printed.join(', ')}]`;
  return line.length <= longestFlow && printed.every((text) => /^(?:["']|[\w. -]+$)/.test(text)) ? line : null;
}

function below(parts: readonly Printed[]): Printed {
  return { head: '', lines: parts.flatMap(({ lines }) => lines), keeps: parts.at(-1)?.keeps ?? false };
}

/** Prints a text on one line: bare if every reader takes it for the same text, else in quotes. */
function printText(text: string, quotesDigits = false): string {
  if (!text.isWellFormed()) {
    throw new AppError('invalid_input', 'A text contains half of a surrogate pair, which no file can hold. Remove it.');
  }
  if (safeInteger.test(text) && !quotesDigits) return text;
  if (plainText.test(text) && !words.test(text) && !/:(?:\s|$)|\s#|\s$/.test(text)) return text;
  // Without a match, only the quotes themselves need an escape.
  const strange = strangeCharacter.test(text);
  if (!strange && /["\\]/.test(text) && !text.includes("'")) return `'${text}'`;
  return `"${inPieces(text, (piece) => piece.replaceAll(escaped, escape))}"`;
}

function escape(character: string): string {
  const short = shortEscapes[character];
  if (short !== undefined) return short;
  const code = character.charCodeAt(0).toString(16);
  return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u${code.padStart(4, '0')}`;
}

function wantsLiteral(text: string, { literal, mayKeep }: Style): boolean {
  if (literal === 'never' || (!mayKeep && text.endsWith('\n\n'))) return false;
  return literal || text.includes('\n');
}

function fitsLiteral(text: string): boolean {
  // The library cuts spaces off the end of a block whose indentation is written as a number.
  if (needsIndicator.test(text) && /\n[ \t]+\n*$/.test(text)) return false;
  return text.isWellFormed() && /[^\s]/.test(text) && !notLiteral.test(text);
}

function printLiteral(text: string, indent: number): Printed {
  // Checked before the lines are split: that is one step, which no limit of memory ends.
  const { lines: maxLines } = readers['collections.readFile'];
  if (offsetOfLine(text, maxLines + 1) !== null) {
    const most = maxLines.toLocaleString('en');
    throw new AppError('invalid_input', `A text has more than ${most} lines, too many for a collection's file. Shorten it.`);
  }
  const keeps = text.endsWith('\n\n');
  const chomping = keeps ? '+' : text.endsWith('\n') ? '' : '-';
  const indicator = needsIndicator.test(text) ? '2' : '';
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
  const margin = ' '.repeat(indent + 2);
  return { head: ` |${indicator}${chomping}`, lines: lines.map((line) => (line === '' ? '' : margin + line)), keeps };
}
