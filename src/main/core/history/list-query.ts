import type { CallFilter, CallOutcome } from '#shared/ipc/index.ts';

/** Parts of a query; each begins with AND or is empty, and speaks of the table `calls` as `c`. */
export interface Condition {
  /** All of it. */
  readonly sql: string;
  readonly values: readonly (string | number)[];
  /** The part that an index gives, newest first. */
  readonly driver: Part;
  /** The part to check in each row of the driver. */
  readonly rest: Part;
}

interface Part {
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

/**
 * Returns the part of a query that keeps to the filter and leaves deleted calls out. One field of the filter, which most likely
 * leaves the fewest calls, uses its index; a plus sign keeps SQLite from taking another index, or one that would have to be sorted.
 */
export function conditionOf(filter: CallFilter): Condition {
  const drivers: Part[] = [];
  const rest: Part[] = [{ sql: 'c.deleted_by IS NULL', values: [] }];
  const literal = (sql: string, add: boolean) => {
    if (add) drivers.push({ sql, values: [] });
  };
  const hasOnly = (...wanted: readonly string[]) =>
    [filter.outcomes, filter.states].some((list) => list?.length === 1 && wanted.includes(list[0] ?? ''));
  const anyOf = (column: string, list: readonly (string | number)[] | undefined, index: string | null) => {
    if (list === undefined || list.length === 0) return;
    if (index !== null && list.length === 1) drivers.push({ sql: index, values: list });
    rest.push({ sql: `+c.${column} IN (${list.map(() => '?').join(', ')})`, values: list });
  };
  literal('c.pinned = 1', filter.pinned === true);
  if (filter.collectionRun !== undefined) {
    drivers.push({ sql: 'c.collection_run = ?', values: [filter.collectionRun] });
    rest.push({ sql: '+c.collection_run = ?', values: [filter.collectionRun] });
  }
  if (filter.requestPath !== undefined) rest.push({ sql: 'c.request_path = ?', values: [filter.requestPath] });
  // Nearly all calls have code 0, which has no index.
  anyOf('code', filter.codes, filter.codes?.[0] === 0 ? null : '(c.code <> 0 AND c.code = ?)');
  literal('c.code <> 0', hasOnly('refused'));
  literal("c.state NOT IN ('answered', 'pending')", hasOnly('unanswered', 'failed', 'cancelled', 'interrupted'));
  literal("c.id IN (SELECT id FROM calls WHERE state = 'pending')", hasOnly('pending'));
  anyOf('environment_id', filter.environmentIds, 'c.environment_id = ?');
  anyOf('operation', filter.operations, 'c.operation = ?');
  // Croupier's own have none, and no index.
  const passed = filter.origins?.filter((origin) => origin !== 'croupier') ?? [];
  if (passed.length < (filter.origins?.length ?? 0)) {
    rest.push({ sql: `(c.origin IS NULL OR +c.origin IN (${passed.map(() => '?').join(', ')}))`, values: passed });
  } else anyOf('origin', passed, 'c.origin = ?');
  anyOf('state', filter.states, null);
  anyOf('run', filter.runs, null);
  if (filter.outcomes !== undefined && filter.outcomes.length > 0) {
    rest.push({ sql: `(${filter.outcomes.map((outcome) => outcomes[outcome]).join(' OR ')})`, values: [] });
  }
  if (filter.since !== undefined) rest.push({ sql: `c.sent_at >= ${whole(filter.since)}`, values: [] });
  if (filter.until !== undefined) rest.push({ sql: `c.sent_at < ${whole(filter.until)}`, values: [] });
  if (filter.pinned !== undefined) rest.push({ sql: `+c.pinned = ${filter.pinned ? 1 : 0}`, values: [] });
  const driver = joined(drivers.slice(0, 1));
  const others = joined(rest);
  return { sql: driver.sql + others.sql, values: [...driver.values, ...others.values], driver, rest: others };
}

function joined(parts: readonly Part[]): Part {
  return { sql: parts.map(({ sql }) => ` AND ${sql}`).join(''), values: parts.flatMap(({ values }) => values) };
}

function whole(value: number): string {
  return BigInt(Math.trunc(value)).toString();
}
