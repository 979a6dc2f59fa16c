import { closeSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { recoveredPath, writeRecovered } from './set-aside.ts';

const range = 200;
/** After so many ids in a row that give nothing, a file without a known end is at its end. */
const patience = 50_000;

/**
 * Writes what can be read out of a damaged history as JSON lines next to it, one call a line, and gives back how many. The file is
 * opened for reading alone. Bodies that are no UTF-8 are in base64. A file that gives nothing leaves no lines.
 */
export function recoverCalls(aside: string): number {
  const temporary = `${recoveredPath(aside)}.tmp`;
  let calls = 0;
  const output = openSync(temporary, 'w', 0o600);
  try {
    for (const row of readable(aside)) {
      writeSync(output, `${JSON.stringify(row)}\n`);
      calls += 1;
    }
  } finally {
    closeSync(output);
  }
  if (calls > 0) renameSync(temporary, recoveredPath(aside));
  else rmSync(temporary, { force: true });
  writeRecovered(aside, calls);
  return calls;
}

type Row = Record<string, unknown>;

function* readable(path: string): Generator<Row> {
  // With its write-ahead log first; where that is what is broken, the file alone.
  for (const options of ['mode=ro', 'immutable=1']) {
    let found = false;
    for (const row of readAs(path, options)) {
      found = true;
      yield row;
    }
    if (found) return;
  }
}

function* readAs(path: string, options: string): Generator<Row> {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  let connection: DatabaseSync | null = null;
  try {
    connection = new DatabaseSync(`${pathToFileURL(path).href}?${options}`, { readOnly: true, defensive: false });
    // A file that was cut off is refused as a whole without this; nothing is written in any case.
    connection.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA writable_schema = ON');
    const tables = [
      ['calls', 'id'],
      ['call_requests', 'call_id'],
      ['call_responses', 'call_id'],
    ] as const;
    const last = attempt(() =>
      Number(connection?.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'calls'").get()?.['seq']),
    );
    let barren = 0;
    for (let from = 1; last === null ? barren < patience : from <= last; from += range) {
      let some = false;
      for (const row of rangeOf(connection, tables, from)) {
        some = true;
        yield row;
      }
      barren = some ? 0 : barren + range;
    }
  } catch {
    // Not even its first page can be read.
  } finally {
    connection?.close();
  }
}

type Table = readonly [name: string, key: string];

/** The calls from one id on: each table read at once where it can be, else id by id, so that one broken page costs only its own rows. */
function rangeOf(connection: DatabaseSync, tables: readonly Table[], from: number): Row[] {
  const found = new Map<number, Row>();
  for (const [name, key] of tables) {
    const all = connection.prepare(`SELECT * FROM ${name} WHERE ${key} BETWEEN ? AND ?`);
    const rows =
      attempt(() => all.all(from, from + range - 1)) ??
      Array.from({ length: range }, (_, at) => attempt(() => all.get(from + at, from + at))).filter(
        (row) => row !== null && row !== undefined,
      );
    for (const row of rows) {
      const id = Number(row[key]);
      const call = found.get(id) ?? { id };
      if (name === 'calls') Object.assign(call, plain(row));
      else call[name === 'call_requests' ? 'request' : 'response'] = plain(row);
      found.set(id, call);
    }
  }
  return [...found.values()].sort((one, other) => Number(one['id']) - Number(other['id']));
}

function plain(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Uint8Array ? textOf(value) : value]),
  );
}

function textOf(bytes: Uint8Array): unknown {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { base64: Buffer.from(bytes).toString('base64') };
  }
}

function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
