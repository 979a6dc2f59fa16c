import type { Written } from './live-encoders.ts';

/**
 * .NET cannot be had from the distributions' packages. What its encoders write is made here by their documented rules and their sources
 * (System.Text.Encodings.Web, Newtonsoft.Json), apart from the doctor's own rules.
 */
export function dotnetByRule(texts: readonly string[]): Written {
  const ways: readonly (readonly [string, (value: string) => string, Numbers])[] = [
    ['System.Text.Json', systemDefault, 'plain'],
    ['System.Text.Json, UnsafeRelaxedJsonEscaping', systemRelaxed, 'plain'],
    ['Newtonsoft.Json', newtonsoft, 'fraction'],
  ];
  return new Map(ways.map(([way, escape, numbers]) => [way, texts.map((text) => Buffer.from(written(text, escape, numbers)))]));
}

type Numbers = 'plain' | 'fraction';

/** Rewrites the tokens of a compact JSON text in their places: neither library changes the order of members. */
function written(text: string, escape: (value: string) => string, numbers: Numbers): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"') ? `"${escape(JSON.parse(token) as string)}"` : number(token, numbers),
  );
}

/** A double is printed with the fewest digits, with E+22 from 1E+15 up and E-05 below 0.0001; Newtonsoft adds .0. */
function number(token: string, numbers: Numbers): string {
  if (/^-?\d+$/.test(token)) return token;
  const value = Number(token);
  const [mantissa = '', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (value !== 0 && (exponent >= 15 || exponent < -4))
    return `${mantissa}E${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
  const plain = String(value);
  return numbers === 'fraction' && !plain.includes('.') ? `${plain}.0` : plain;
}

const unit = (char: string) => `\\u${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
const short = new Map([
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\f', '\\f'],
  ['\r', '\\r'],
  ['\\', '\\\\'],
]);
const everyUnit = (value: string, one: (char: string) => string) =>
  Array.from({ length: value.length }, (_, at) => one(value.charAt(at))).join('');

/** JavaScriptEncoder.Default: Basic Latin but for control characters and those that mean something in HTML, UTF-7 and scripts. */
function systemDefault(value: string): string {
  return everyUnit(value, (char) => short.get(char) ?? (/[ -~]/.test(char) && !/[<>&'"+`]/.test(char) ? char : unit(char)));
}

/** UnsafeRelaxedJsonEscaping: all but control characters, separators, unassigned ones, and everything beyond U+FFFF. */
function systemRelaxed(value: string): string {
  return everyUnit(value, (char) => {
    if (char === '"') return '\\"';
    return short.get(char) ?? (char === ' ' || !/[\p{C}\p{Z}]/u.test(char) ? char : unit(char));
  });
}

/** Newtonsoft's default: quotes, backslashes, control characters, U+0085, U+2028 and U+2029, in lower case. */
function newtonsoft(value: string): string {
  return everyUnit(value, (char) => {
    if (char === '"') return '\\"';
    return short.get(char) ?? (char < ' ' || /[\u0085\u2028\u2029]/.test(char) ? unit(char).toLowerCase() : char);
  });
}
