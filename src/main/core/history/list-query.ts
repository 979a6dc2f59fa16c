import type { CallFilter, CallOutcome } from '#shared/ipc/index.ts';

export interface Condition {
  /** Begins with AND, or is empty. Speaks of the table `calls` as `c`. */
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

const outcomes: Readonly<Record<CallOutcome, string>> = {
  accepted: "(c.state = 'answered' AND c.code = 0)",
  refused: "(c.state = 'answered' AND c.code <> 0)",
  uncoded: "(c.state = 'answered' AND c.code IS NULL)",
  unanswered: "c.state IN ('failed', 'cancelled', 'interrupted')",
  pending: "c.state = 'pending'",
};

/** The part of a query that keeps to the filter and leaves out what was deleted. */
export function conditionOf(filter: CallFilter): Condition {
  const parts = ['c.deleted_by IS NULL'];
  const values: (string | number)[] = [];
  const anyOf = (column: string, list: readonly (string | number)[] | undefined) => {
    if (list === undefined || list.length === 0) return;
    values.push(...list);
    // One value reads its index in the order of the list; several would have to be sorted, and reading down is quicker than that.
    parts.push(list.length === 1 ? `c.${column} = ?` : `+c.${column} IN (${list.map(() => '?').join(', ')})`);
  };
  anyOf('operation', filter.operations);
  anyOf('environment_id', filter.environmentIds);
  anyOf('code', filter.codes);
  anyOf('state', filter.states);
  anyOf('run', filter.runs);
  if (filter.outcomes !== undefined && filter.outcomes.length > 0) {
    parts.push(`(${filter.outcomes.map((outcome) => outcomes[outcome]).join(' OR ')})`);
  }
  if (filter.since !== undefined) parts.push(`c.sent_at >= ${whole(filter.since)}`);
  if (filter.until !== undefined) parts.push(`c.sent_at < ${whole(filter.until)}`);
  // The literal lets the index of pinned calls be used.
  if (filter.pinned !== undefined) parts.push(`c.pinned = ${filter.pinned ? 1 : 0}`);
  return { sql: parts.map((part) => ` AND ${part}`).join(''), values };
}

function whole(value: number): string {
  return BigInt(Math.trunc(value)).toString();
}
