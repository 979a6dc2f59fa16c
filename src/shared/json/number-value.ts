/** Most digits of an exponent. Numbers with longer ones are equal only if their texts are. */
const longestExponent = 15;

/** Returns whether two JSON numbers have the same value, to the last digit: 1, 1.0, 10e-1 and 1E0 are equal, and so are 0 and -0. */
export function isSameNumber(left: string, right: string): boolean {
  if (left === right) return true;
  const [one, other] = [decimalOf(left), decimalOf(right)];
  return one !== null && other !== null && one === other;
}

/** Returns sign, digits without zeros at either end, and the power of ten of the last digit; null if the exponent is too long. */
function decimalOf(text: string): string | null {
  const mark = text.search(/[eE]/);
  const mantissa = mark === -1 ? text : text.slice(0, mark);
  const exponent = mark === -1 ? '0' : text.slice(mark + 1);
  const negative = mantissa.startsWith('-');
  const point = mantissa.indexOf('.');
  const fraction = point === -1 ? 0 : mantissa.length - point - 1;
  const all = mantissa.slice(negative ? 1 : 0).replace('.', '');
  let start = 0;
  while (all.charCodeAt(start) === 0x30) start += 1;
  if (start === all.length) return '0';
  let end = all.length;
  while (all.charCodeAt(end - 1) === 0x30) end -= 1;
  if (exponent.replace(/^[+-]?0*/, '').length > longestExponent) return null;
  return `${negative ? '-' : ''}${all.slice(start, end)}e${Number(exponent) - fraction + all.length - end}`;
}
