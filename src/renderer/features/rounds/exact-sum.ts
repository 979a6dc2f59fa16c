/** Returns the sum of amounts as text, digit by digit; null if one of them is not a plain decimal number. */
export function sumExactly(amounts: readonly string[]): string | null {
  const parts: { digits: bigint; scale: number }[] = [];
  for (const amount of amounts) {
    const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount);
    if (match === null) return null;
    const [, sign = '', whole = '', fraction = ''] = match;
    parts.push({ digits: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length });
  }
  const scale = parts.reduce((most, part) => Math.max(most, part.scale), 0);
  const sum = parts.reduce((total, part) => total + part.digits * 10n ** BigInt(scale - part.scale), 0n);
  const text = (sum < 0n ? -sum : sum).toString().padStart(scale + 1, '0');
  const sign = sum < 0n ? '-' : '';
  return scale === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -scale)}.${text.slice(-scale)}`;
}
