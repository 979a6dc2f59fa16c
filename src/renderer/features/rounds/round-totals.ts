import type { RoundRecord } from '#shared/ipc/index.ts';

/** Sums of the rows of one currency. */
export interface RoundTotal {
  /** As received; empty if the rows name none. */
  readonly currency: string;
  readonly rows: number;
  /** Exact text; null if a row has a value that is not a plain decimal number. */
  readonly bet: string | null;
  readonly win: string | null;
}

/** Returns the totals by currency, in the order in which the currencies appear. Rows without a value add nothing. */
export function totalRecords(records: readonly RoundRecord[]): readonly RoundTotal[] {
  const byCurrency = Map.groupBy(records, ({ currencyName }) => currencyName ?? '');
  return [...byCurrency].map(([currency, rows]) => ({
    currency,
    rows: rows.length,
    bet: sumExactly(rows.flatMap(({ bet }) => bet ?? [])),
    win: sumExactly(rows.flatMap(({ win }) => win ?? [])),
  }));
}

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
