/** Returns whether a number's text has neither a fraction nor an exponent. */
export function isWhole(text: string): boolean {
  return /^-?\d+$/.test(text);
}

/** Digits and exponent of the shortest text that reads back as the same number, or of one with so many digits. */
function scientific(value: number, digits?: number): { readonly digits: string; readonly exponent: number } {
  const [mantissa = '', exponent = ''] = value.toExponential(digits === undefined ? undefined : digits - 1).split('e');
  return { digits: mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa, exponent: Number(exponent) };
}

/** Writes plain decimals, with at least the digit after the point that a language always writes. */
function plain(value: number, exponent: number, digits: number, least: '' | '.0'): string {
  const text = digits > 17 ? String(value) : value.toFixed(Math.min(100, Math.max(0, digits - 1 - exponent)));
  const cut = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  return cut.includes('.') ? cut : cut + least;
}

/** Python's repr of a float. */
export function pythonFloat(value: number): string {
  return withExponent(value, { from: -4, below: 16, point: '', mark: 'e', sign: '+', least: 2, plainPoint: '.0' });
}

/** Ruby's text of a float. */
export function rubyFloat(value: number): string {
  return withExponent(value, { from: -4, below: 15, point: '.0', mark: 'e', sign: '+', least: 2, plainPoint: '.0' });
}

/** Java's Double.toString, for values that the shortest digits tell apart. */
export function javaDouble(value: number): string {
  return withExponent(value, { from: -3, below: 7, point: '.0', mark: 'E', sign: '', least: 1, plainPoint: '.0' });
}

/** Go's fmt of a float64. */
export function goFloat(value: number): string {
  return withExponent(value, { from: -4, below: 6, point: '', mark: 'e', sign: '+', least: 2, plainPoint: '' });
}

/** .NET's text of a double; `plainPoint` is written after whole numbers. */
export function dotnetFloat(value: number, plainPoint: '' | '.0' = ''): string {
  return withExponent(value, { from: -4, below: 15, point: '', mark: 'E', sign: '+', least: 2, plainPoint });
}

/** C's `%.15g` and the like. */
export function cFloat(value: number, digits: number): string {
  return withExponent(value, { from: -4, below: digits, point: '', mark: 'e', sign: '+', least: 2, plainPoint: '', digits });
}

/** The text of a float in PHP: with so many digits in JSON, and with 14 and a capital E where it is joined to a text. */
export function phpPrecision(value: number, digits: number, mark: 'e' | 'E' = 'e'): string {
  return withExponent(value, { from: -4, below: digits, point: '.0', mark, sign: '+', least: 1, plainPoint: '', digits });
}

/** The text of a number in jq 1.6. */
export function jqNumber(value: number): string {
  const below = scientific(value).digits.replace(/\D/g, '').length + 15;
  return withExponent(value, { from: -4, below, point: '', mark: 'e', sign: '+', least: 2, plainPoint: '' });
}

interface FloatForm {
  /** Smallest exponent that is written plainly, and the first that is not again. */
  readonly from: number;
  readonly below: number;
  /** Written after a single digit before the exponent. */
  readonly point: '' | '.0';
  readonly mark: 'e' | 'E';
  readonly sign: '' | '+';
  /** Fewest digits of the exponent. */
  readonly least: number;
  /** Written after whole numbers. */
  readonly plainPoint: '' | '.0';
  /** Most significant digits; as many as tell the number apart, unless given. */
  readonly digits?: number;
}

function withExponent(value: number, form: FloatForm): string {
  if (value === 0) return `${Object.is(value, -0) ? '-' : ''}0${form.plainPoint}`;
  const { digits, exponent } = scientific(value, form.digits);
  if (exponent >= form.from && exponent < form.below) return plain(value, exponent, form.digits ?? 18, form.plainPoint);
  const sign = exponent < 0 ? '-' : form.sign;
  const size = String(Math.abs(exponent)).padStart(form.least, '0');
  return `${digits.includes('.') ? digits : digits + form.point}${form.mark}${sign}${size}`;
}
