import { characterName } from './hidden-characters.ts';

/** The token that the parser expected. */
export type Expected =
  | 'value'
  | 'next item'
  | 'first name'
  | 'next name'
  | 'colon'
  | 'comma or ]'
  | 'comma or }'
  | 'digit'
  | 'in string'
  | 'end';

/** Describes the mistake at an offset and what to change; `opener` is the start of the surrounding construct. */
export function explainUnexpected(
  text: string,
  at: number,
  expected: Expected,
  opener: number,
): { offset: number; message: string } {
  if (expected === 'in string') return { offset: at, message: controlInString(text.charCodeAt(at)) };
  const code = text.charCodeAt(at);
  if (expected === 'end') return { offset: at, message: afterTheEnd(text, at, code) };
  if (at >= text.length) return { offset: at, message: tooShort(text, expected, opener) };
  const character = String.fromCodePoint(text.codePointAt(at) as number);

  if ((expected === 'next name' && code === 0x7d) || (expected === 'next item' && code === 0x5d)) {
    return { offset: text.lastIndexOf(',', at), message: `Trailing comma: remove it before the closing ${character}` };
  }
  const general = generalMistake(text, at, code, character);
  if (general !== null) return { offset: at, message: general };
  switch (expected) {
    case 'first name':
    case 'next name':
      if (code === 0x2c) return { offset: at, message: 'One comma too many: remove it' };
      return { offset: at, message: 'A property name must be in double quotes' };
    case 'colon':
      return { offset: at, message: 'A colon is missing after the property name' };
    case 'comma or ]':
    case 'comma or }': {
      const close = expected.slice(-1);
      if (code === 0x7d || code === 0x5d) {
        return { offset: at, message: `${character} can't close ${close === ']' ? '[' : '{'}: use ${close}` };
      }
      if (code === 0x3a) return { offset: at, message: 'Unexpected colon' };
      return { offset: at, message: `A comma or ${close} is missing here` };
    }
    case 'digit':
      return { offset: at, message: 'A digit must follow the minus sign' };
    case 'value':
    case 'next item':
      return { offset: at, message: valueMistake(text, at, code, character) };
  }
}

function tooShort(text: string, expected: Exclude<Expected, 'in string' | 'end'>, opener: number): string {
  if (/^[ \t\n\r]*$/.test(text)) return 'The text is empty: JSON needs at least one value';
  switch (expected) {
    case 'colon':
      return 'The text ends after a property name: a colon and a value are missing';
    case 'digit':
      return 'The text ends after a minus sign: a digit is missing';
    case 'comma or ]':
      return 'The text ends inside an array: a closing ] is missing';
    case 'comma or }':
    case 'first name':
    case 'next name':
      return 'The text ends inside an object: a closing } is missing';
    case 'value':
    case 'next item':
      return text[opener] === '['
        ? 'The text ends inside an array: a closing ] is missing'
        : 'The text ends where a value is missing';
  }
}

function controlInString(code: number): string {
  if (code === 0x0a || code === 0x0d)
    return 'A line break inside a string: write it as \\n or \\r, or close the string before it';
  if (code === 0x09) return 'A tab inside a string: write it as \\t';
  return `A control character inside a string: write it as \\u${code.toString(16).padStart(4, '0')}`;
}

function afterTheEnd(text: string, at: number, code: number): string {
  if (code === 0xfeff) return 'Text after the end: remove the byte order mark (U+FEFF)';
  if (code < 0x20) return `Text after the end: ${characterName(code)}`;
  if (code === 0x7d || code === 0x5d) return `Text after the end: remove this ${text[at]}`;
  if (code === 0x2c) return 'Text after the end: remove the comma';
  return 'Text after the end: there is more than one JSON value';
}

function generalMistake(text: string, at: number, code: number, character: string): string | null {
  if (code === 0xfeff) return 'A byte order mark (U+FEFF) is not JSON: save the text as UTF-8 without it';
  if (code === 0x27) return 'Single quotes are not JSON: use double quotes';
  if (code === 0x2f && (text[at + 1] === '/' || text[at + 1] === '*')) return 'JSON has no comments: remove it';
  if (code === 0x23) return 'JSON has no comments: remove it';
  if (code === 0x60 || (code >= 0x2018 && code <= 0x201f)) {
    return `${character} is not a JSON quote: use the straight double quote "`;
  }
  if (code < 0x20 || code === 0x7f || (code >= 0x80 && /[\p{Z}\p{C}]/u.test(character))) {
    return `${characterName(text.codePointAt(at) as number)} is not allowed between JSON values: remove it`;
  }
  return null;
}

const words: readonly (readonly [RegExp, string])[] = [
  [/^(?:true|false|null)/i, 'Write true, false and null in lowercase'],
  [/^NaN/i, 'JSON has no NaN'],
  [/^Inf(?:inity)?/i, 'JSON has no Infinity'],
  [/^undefined/, 'JSON has no undefined: use null or leave the field out'],
  [/^None\b/, 'JSON has no None: use null'],
];

function valueMistake(text: string, at: number, code: number, character: string): string {
  if (code === 0x2b) return "A number can't begin with a plus sign";
  if (code === 0x2e) return "A number can't begin with a decimal point: put a 0 before it";
  if (code === 0x2c) return 'A value is missing before this comma';
  if (code === 0x3a) return 'Unexpected colon';
  if (code === 0x7d || code === 0x5d) return `A value is missing before this ${character}`;
  const word = text.slice(at, at + 12);
  for (const [pattern, message] of words) {
    const match = pattern.exec(word)?.[0];
    if (match !== undefined && match !== 'true' && match !== 'false' && match !== 'null') return message;
  }
  if (/^[\p{L}_$]/u.test(character)) {
    return `A value can't begin with ${character}: put text in double quotes, except true, false and null`;
  }
  return `A value can't begin with ${character}`;
}
