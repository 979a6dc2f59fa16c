import { useMemo } from 'react';
import type { OperationName } from '#shared/model/operations.ts';
import { DataTable, type Column } from '#renderer/ui/data-table.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { Skeleton } from '#renderer/ui/skeleton.tsx';
import { compareNumbers, type BodyTable } from '#renderer/calls/body-table.ts';
import type { ResponseBody } from './response-store.ts';
import styles from './response-table.module.css';

interface TableRow {
  readonly index: number;
  readonly cells: readonly string[];
}

/** The list in a response as a table; numbers with every digit as received. */
export function ResponseTable({
  body,
  operation,
}: {
  readonly body: ResponseBody | null;
  readonly operation: OperationName | null;
}) {
  const table = body?.state === 'ready' ? body.table : 'reading';
  if (table === 'reading' || table === 'unread') return <Skeleton rows={10} label="Reading the list" />;
  if (body?.state === 'ready' && body.body.unread !== null) {
    return (
      <EmptyState title="Not read" small>
        {body.body.unread}
      </EmptyState>
    );
  }
  if (table === null) {
    return (
      <EmptyState title="No list in this response" small>
        Only a list of objects has a table.
      </EmptyState>
    );
  }
  return <Rows table={table} operation={operation} />;
}

function Rows({ table, operation }: { readonly table: BodyTable; readonly operation: OperationName | null }) {
  const rows = useMemo(() => table.rows.map((cells, index): TableRow => ({ index, cells })), [table]);
  const columns = useMemo(() => columnsOf(table, operation), [table, operation]);
  const all = rows.length + table.hidden;
  const some = table.hidden > 0 ? `The first ${rows.length.toLocaleString('en')} of ` : '';
  const count = `${some}${all.toLocaleString('en')} ${all === 1 ? 'row' : 'rows'}`;
  return (
    <DataTable
      label={`List ${table.place}`}
      columns={columns}
      rows={rows}
      rowKey={(row) => row.index}
      footer={
        <span>
          {count} in <code>{table.place === '' ? 'the body' : table.place}</code>
        </span>
      }
    />
  );
}

const CHARACTER = 7.3;
const PADDING = 26;
/** Number of rows that decide the first width of a column. */
const SAMPLE = 200;

function columnsOf(table: BodyTable, operation: OperationName | null): Column<TableRow>[] {
  return table.columns.map((column, at): Column<TableRow> => {
    const text = (row: TableRow) => row.cells[at] ?? '';
    const levels = operation === 'gameList' && column.name === 'bets';
    const title = levels ? 'bets, with betLevel' : column.name;
    const longest = table.rows.slice(0, SAMPLE).reduce((most, row) => Math.max(most, row[at]?.length ?? 0), title.length);
    const width = Math.round(Math.min(longest, 22) * CHARACTER + PADDING);
    const base = { id: String(at), title, text, sortable: true, code: true };
    if (column.kind === 'number') {
      return { ...base, width: `${width}px`, align: 'end', compare: (a, b) => compareNumbers(text(a), text(b)) };
    }
    if (column.kind === 'numbers') {
      const cell = levels ? { cell: (row: TableRow) => <Levels text={text(row)} /> } : {};
      return { ...base, width: `minmax(300px, ${longest}fr)`, sortable: false, ...cell };
    }
    return { ...base, width: `minmax(${width}px, ${Math.min(longest, 30)}fr)` };
  });
}

/** Bet amounts with their position, which is the betLevel. */
function Levels({ text }: { readonly text: string }) {
  return (
    <span className={styles.levels}>
      {text.split(', ').map((amount, level) => (
        <span key={level}>
          <i>{level}</i>
          {amount}
        </span>
      ))}
    </span>
  );
}
