import { Buffer } from 'node:buffer';
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { migrations } from './migrations.ts';
import { openPages, type PageRow, type Pages, type PageValue, type RowPlace, type RowShape, type ValueKind } from './pages.ts';
import { recoveredPath, writeRecovered, type Recovered } from './set-aside.ts';
import { renameSync, rmSync } from '../files/moves.ts';

/**
 * Writes everything that can be read out of a damaged history as JSON lines next to it, one call a line, and returns the counts.
 * Each page is read by itself, so that a broken or missing one costs its own rows alone. The file is opened only for reading.
 * Bodies that are not UTF-8 are in base64. A file that gives nothing leaves no lines.
 */
export function recoverCalls(aside: string): Recovered {
  const temporary = `${recoveredPath(aside)}.tmp`;
  const output = openSync(temporary, 'w', 0o600);
  let recovered: Recovered;
  try {
    recovered = readOut(aside, (row) => void writeSync(output, `${JSON.stringify(row)}\n`));
  } finally {
    closeSync(output);
  }
  if (recovered.calls > 0) renameSync(temporary, recoveredPath(aside));
  else rmSync(temporary, { force: true });
  writeRecovered(aside, recovered);
  return recovered;
}

const tables = ['calls', 'call_requests', 'call_responses'] as const;
type Table = (typeof tables)[number];
type Row = Record<string, unknown>;

interface Column {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
}

/** The columns of a table now, and their number at first: a row keeps the number with which it was written. */
interface Form {
  readonly columns: readonly Column[];
  readonly least: number;
}

function readOut(aside: string, write: (row: Row) => void): Recovered {
  const noCalls = { calls: 0, partial: 0, about: null };
  const pages = (statSync(aside, { throwIfNoEntry: false })?.size ?? 0) === 0 ? null : openPages(aside);
  if (pages === null) return noCalls;
  try {
    const forms = readForms();
    const { found, newest } = findRows(pages, forms);
    let [calls, partial] = [0, 0];
    for (const [id, places] of together(found)) {
      const row: Row = { id };
      for (const [at, table] of tables.entries()) {
        const place = places[at];
        const read = place === undefined ? null : pages.row(place);
        if (read === null) continue;
        const values = named(read, forms[table]);
        if (table === 'calls') Object.assign(row, values);
        else row[table === 'call_requests' ? 'request' : 'response'] = values;
      }
      if (Object.keys(row).length === 1) continue;
      calls += 1;
      if (!isWhole(row)) partial += 1;
      write(row);
    }
    return { calls, partial, about: aboutOf(calls, pages, newest) };
  } finally {
    pages.close();
  }
}

/** Returns whether a call is complete. A call that was not over when the program ended has no response. */
function isWhole({ url, state, request, response }: Row): boolean {
  return url !== undefined && request !== undefined && (response !== undefined || state === 'pending' || state === 'interrupted');
}

/** Part of a file below which it shows little about the rest. */
const leastPart = 0.25;

/** Estimates the number of calls from the present part of the file, at most the highest number; null if all or too little is present. */
function aboutOf(calls: number, { present, stated }: Pages, newest: number | null): number | null {
  if (stated === null || stated <= present || present < stated * leastPart) return null;
  return Math.max(calls, Math.min(Math.round((calls * stated) / present), newest ?? Infinity));
}

/** The positions of a table's rows, in no order. */
interface Found {
  readonly ids: number[];
  readonly pages: number[];
  readonly cells: number[];
}

function findRows(pages: Pages, forms: Readonly<Record<Table, Form>>): { found: Record<Table, Found>; newest: number | null } {
  const none = (): Found => ({ ids: [], pages: [], cells: [] });
  const found = { calls: none(), call_requests: none(), call_responses: none() };
  let newest: number | null = null;
  for (const place of pages.places()) {
    const shape = pages.shape(place);
    if (shape === null) continue;
    const table = tables.find((name) => isOf(shape, forms[name]));
    if (table !== undefined) {
      found[table].ids.push(shape.rowid);
      found[table].pages.push(place.page);
      found[table].cells.push(place.cell);
    } else if (shape.kinds.join(' ') === 'text number') {
      const [name, last] = pages.row(place)?.values ?? [];
      if (name === 'calls' && typeof last === 'number') newest = last;
    }
  }
  return { found, newest };
}

/** Yields each ID with the positions of its rows, the lowest first. */
function* together(found: Readonly<Record<Table, Found>>): Generator<[id: number, places: (RowPlace | undefined)[]]> {
  const lists = tables.map((table) => {
    const { ids, pages, cells } = found[table];
    const order = Uint32Array.from(ids.keys()).sort((one, other) => (ids[one] ?? 0) - (ids[other] ?? 0));
    return { ids, pages, cells, order, at: 0 };
  });
  const idOf = ({ ids, order, at }: (typeof lists)[number]) => ids[order[at] ?? -1] ?? Infinity;
  for (;;) {
    const id = Math.min(...lists.map(idOf));
    if (id === Infinity) return;
    yield [
      id,
      lists.map((list) => {
        if (idOf(list) !== id) return undefined;
        const at = list.order[list.at] ?? 0;
        // A table has an ID once; of a copy that damage left, the first is as good.
        while (idOf(list) === id) list.at += 1;
        return { page: list.pages[at] ?? 0, cell: list.cells[at] ?? 0 };
      }),
    ];
  }
}

/** Reads the columns of the tables from the schema. */
function readForms(): Record<Table, Form> {
  const columnsAfter = (steps: readonly string[]) => {
    const connection = new DatabaseSync(':memory:');
    for (const step of steps) connection.exec(step);
    const of = (table: Table) =>
      connection
        .prepare(`PRAGMA table_info(${table})`)
        .all()
        .map((row): Column => ({ name: String(row['name']), type: String(row['type']), required: row['notnull'] === 1 }));
    const read = { calls: of('calls'), call_requests: of('call_requests'), call_responses: of('call_responses') };
    connection.close();
    return read;
  };
  const [first, now] = [columnsAfter(migrations.slice(0, 1)), columnsAfter(migrations)];
  const form = (table: Table): Form => ({ columns: now[table], least: first[table].length });
  return { calls: form('calls'), call_requests: form('call_requests'), call_responses: form('call_responses') };
}

/** Returns whether a row can be one of the table. The ID of a row stands in its key alone: its column is empty. */
function isOf({ kinds }: RowShape, { columns, least }: Form): boolean {
  if (kinds.length < least || kinds.length > columns.length || kinds[0] !== 'null') return false;
  return kinds.every((kind, at) => at === 0 || fits(kind, columns[at]));
}

function fits(kind: ValueKind, column: Column | undefined): boolean {
  if (kind === 'null') return column?.required === false;
  return kind === (column?.type === 'TEXT' ? 'text' : column?.type === 'BLOB' ? 'blob' : 'number');
}

function named({ rowid, values }: PageRow, { columns }: Form): Row {
  return Object.fromEntries(values.map((value, at) => [columns[at]?.name ?? '', at === 0 ? rowid : plain(value)]));
}

function plain(value: PageValue): unknown {
  return value instanceof Buffer ? textOf(value) : typeof value === 'bigint' ? String(value) : value;
}

function textOf(bytes: Buffer): unknown {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { base64: bytes.toString('base64') };
  }
}
