import type { SQLInputValue, StatementSync } from 'node:sqlite';

/** Returns the row of a query that always has one, as a count or a pragma does. */
export function onlyRow(statement: StatementSync, ...values: SQLInputValue[]): Record<string, unknown> {
  return statement.get(...values) as Record<string, unknown>;
}
