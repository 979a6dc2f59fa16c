import type { RoundRecord } from '#shared/ipc/index.ts';
import { sumExactly } from './exact-sum.ts';

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
