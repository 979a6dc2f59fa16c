import { createHash, type Hash } from 'node:crypto';
import { isAbsolute } from 'node:path';
import type { Variables } from '#shared/collections/model.ts';
import { setImmediate } from 'node:timers/promises';
import { AppError } from '#shared/errors.ts';
import type { RunData } from '#shared/ipc/index.ts';
import { openToRead } from '../files/files.ts';
import { readDataRows, type DataRow } from '../formats/read/data-rows.ts';

/** One iteration through the requests. */
export interface Iteration {
  /** From 1. */
  readonly number: number;
  /** The number of its data row, from 1; null without data. */
  readonly row: number | null;
  /** Of the run and of the row. */
  readonly variables: Variables;
}

/** All iterations of a run, read as they are asked for: a data file may be longer than memory. */
export interface Iterations {
  readonly count: number;
  /** Names of the variables of the data rows. */
  readonly names: ReadonlySet<string>;
  /** Number of data rows; null without data. */
  readonly rows: number | null;
  /** SHA-256 of all rows, in hexadecimal; empty without data. */
  readonly digest: string;
  /** Sentences about how the data was read. */
  readonly notes: readonly string[];
  rowOf(number: number): number | null;
  /** Yields the iterations with these numbers; fails with `invalid_input` if the data has changed. */
  open(numbers: Iterable<number>): AsyncGenerator<Iteration, void>;
}

/**
 * Reads through the data once before anything is sent, so that a bad row stops no run half way. `inspect` gets the values of some rows at a time.
 * Fails with `invalid_input` and the line, and as `inspect` does.
 */
export async function prepareIterations(
  { repeat, variables, data }: { readonly repeat: number; readonly variables: Variables; readonly data: RunData | null },
  inspect: (values: string) => Promise<void>,
): Promise<Iterations> {
  if (data === null) {
    return {
      count: repeat,
      names: new Set(),
      rows: null,
      digest: '',
      notes: [],
      rowOf: () => null,
      async *open(numbers) {
        for (const number of numbers) yield { number, row: null, variables };
      },
    };
  }
  const names = new Set<string>();
  const hash = createHash('sha256');
  const notes: string[] = [];
  const rows = await countRows(data, names, hash, inspect, notes);
  const rowOf = (number: number) => ((number - 1) % rows) + 1;
  return {
    count: rows * repeat,
    names,
    rows,
    digest: hash.digest('hex'),
    notes,
    rowOf,
    async *open(numbers) {
      let read: AsyncGenerator<DataRow, void> | null = null;
      let row: DataRow | null = null;
      try {
        for (const number of numbers) {
          const wanted = rowOf(number);
          if (row !== null && row.number > wanted) {
            await read?.return();
            [read, row] = [null, null];
          }
          while (row === null || row.number < wanted) {
            read ??= readDataRows(bytesOf(data), data.format, { separator: data.delimiter });
            const next = await read.next();
            if (next.done === true)
              throw new AppError('invalid_input', 'The data changed during the run: it has fewer rows now.');
            row = next.value;
          }
          yield { number, row: row.number, variables: { ...variables, ...row.variables } };
        }
      } finally {
        await read?.return();
      }
    },
  };
}

const partCharacters = 1_000_000;

async function countRows(
  data: RunData,
  names: Set<string>,
  hash: Hash,
  inspect: (values: string) => Promise<void>,
  notes: string[],
): Promise<number> {
  let count = 0;
  let values: string[] = [];
  let characters = 0;
  const options = { separator: data.delimiter, onNote: (note: string) => void notes.push(note) };
  for await (const row of readDataRows(bytesOf(data), data.format, options)) {
    count = row.number;
    hash.update(`${JSON.stringify(row.variables)}\n`);
    for (const [name, value] of Object.entries(row.variables)) {
      if (!names.has(name)) values.push(name);
      names.add(name);
      values.push(value);
      characters += value.length;
    }
    if (characters < partCharacters) continue;
    await inspect(values.join('\n'));
    [values, characters] = [[], 0];
  }
  await inspect(values.join('\n'));
  if (count === 0) throw new AppError('invalid_input', 'The data has no rows.');
  return count;
}

const partBytes = 65_536;

async function* bytesOf({ text, file }: RunData): AsyncGenerator<Uint8Array, void> {
  if ((text === undefined) === (file === undefined))
    throw new AppError('invalid_input', 'Give the data either as text or as a file.');
  if (text !== undefined) {
    const bytes = Buffer.from(text);
    // As from a file: in parts, with room for others between them.
    for (let at = 0; at < bytes.length; at += partBytes) {
      yield bytes.subarray(at, at + partBytes);
      await setImmediate();
    }
    return;
  }
  const path = file ?? '';
  if (!isAbsolute(path)) throw new AppError('invalid_input', 'Use an absolute path for the data.');
  try {
    // It is read more than once: before the first request leaves, and for each repetition.
    const handle = await openToRead('data.lines', path);
    try {
      yield* handle.createReadStream() as AsyncIterable<Uint8Array>;
    } finally {
      await handle.close();
    }
  } catch (cause) {
    if (cause instanceof AppError) throw new AppError('invalid_input', `The data ${path} cannot be read. ${cause.message}`);
    const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
    const reason = code === 'ENOENT' ? 'there is no such file' : code;
    throw new AppError('invalid_input', `The data ${path} cannot be read: ${reason}.`, undefined, { cause });
  }
}
