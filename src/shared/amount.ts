/** Returns a number with its noun, in the plural if there is not exactly one: `1 request`, `1,000 requests`. */
export function amount(number: number, noun: string, plural = `${noun}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : plural}`;
}
