import { decodeUtf8Leniently } from '#shared/json/utf8.ts';
import { controls } from '../read/shell-words.ts';
import type { Work } from './work.ts';

/** A text below one layer, with the offset behind the layer's part of the outer text. */
export interface Unescaped {
  readonly text: string;
  readonly end: number;
}

/** Gathers characters and bytes: a character of several bytes may be written byte by byte. */
function createGatherer() {
  let text = '';
  let bytes: number[] = [];
  function flush(): void {
    if (bytes.length > 0) text += decodeUtf8Leniently(Uint8Array.from(bytes)).text;
    bytes = [];
  }
  return {
    put(characters: string): void {
      if (bytes.length > 0) flush();
      text += characters;
    },
    putByte: (byte: number) => void bytes.push(byte),
    take(): string {
      flush();
      return text;
    },
  };
}

const numeric =
  /\\(?:x\{([0-9A-Fa-f]{1,6})\}|u\{([0-9A-Fa-f]{1,6})\}|x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([0-7]{3}))/y;

/** Rule for the backslashes that mean something. */
export type Escapes =
  /** All that JSON, C, Go, JavaScript, Python and Ruby know. `\x` is a byte unless `wide`. */
  | 'all'
  /** `\x` is a character, as in JavaScript and Python. */
  | 'wide'
  /** `\\` and the quote, as in single quotes of PHP and Perl. */
  | 'quotes'
  /** `\x` alone, as nginx writes. */
  | 'bytes';

/**
 * Reads from `at` to an unescaped `quote`, or to the end of the line or the text if nothing closes it. Unknown escapes stay as they are.
 * `lines`: the text may go on over lines.
 */
export function unescapeUntil(text: string, at: number, quote: string, escapes: Escapes, work: Work, lines = false): Unescaped {
  const gatherer = createGatherer();
  let from = at;
  let i = at;
  for (; i < text.length; i++) {
    const character = text[i] as string;
    if (character === quote) break;
    if (character === '\n' && !lines) break;
    if (character !== '\\') continue;
    if (from < i) gatherer.put(text.slice(from, i));
    i += readEscape(text, i, quote, escapes, gatherer) - 1;
    from = i + 1;
  }
  work.spend(i - at + 1);
  if (from < i) gatherer.put(text.slice(from, i));
  return { text: gatherer.take(), end: i };
}

/** Reads the escape at an offset and returns its length. */
function readEscape(
  text: string,
  at: number,
  quote: string,
  escapes: Escapes,
  gatherer: ReturnType<typeof createGatherer>,
): number {
  const next = text.charAt(at + 1);
  if (escapes === 'quotes') {
    const known = next === '\\' || next === quote;
    gatherer.put(known ? next : `\\${next}`);
    return 2;
  }
  numeric.lastIndex = at;
  const found = numeric.exec(text);
  if (found !== null) {
    const [whole, wideX, wideU, byte, unit, long, octal] = found;
    if (escapes !== 'bytes' || byte !== undefined) {
      const code = Number.parseInt(wideX ?? wideU ?? byte ?? unit ?? long ?? octal ?? '', octal === undefined ? 16 : 8);
      if (escapes !== 'wide' && (byte !== undefined || octal !== undefined)) gatherer.putByte(code & 0xff);
      else gatherer.put(code <= 0xffff ? String.fromCharCode(code) : code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd');
      return whole.length;
    }
  }
  if (escapes === 'bytes') {
    gatherer.put('\\');
    return 1;
  }
  if (next === '\n') return 2;
  const known = controls[next];
  gatherer.put(known ?? (/[\w\s]/.test(next) ? `\\${next}` : next));
  return 2;
}

/** Undoes `%XX`; `plus` is what a plus sign stands for. */
export function unescapePercent(text: string, plus: ' ' | '+'): string {
  const gatherer = createGatherer();
  let from = 0;
  for (let i = text.search(/[%+]/); i !== -1 && i < text.length; i++) {
    const character = text[i];
    if (character !== '%' && character !== '+') continue;
    const digits = text.slice(i + 1, i + 3);
    const isByte = character === '%' && /^[0-9A-Fa-f]{2}$/.test(digits);
    if (!isByte && character === '%') continue;
    if (from < i) gatherer.put(text.slice(from, i));
    if (isByte) gatherer.putByte(Number.parseInt(digits, 16));
    else gatherer.put(plus);
    from = isByte ? i + 3 : i + 1;
    i = from - 1;
  }
  gatherer.put(text.slice(from));
  return gatherer.take();
}

/** Decodes Base64 of both alphabets; null if it is not UTF-8. */
export function decodeBase64(text: string): string | null {
  const bytes = Buffer.from(text.replaceAll(/\s/g, ''), 'base64');
  const { text: decoded, firstFault } = decodeUtf8Leniently(bytes);
  return firstFault === null ? decoded : null;
}
