import { pipeline, Readable } from 'node:stream';
import type { CsvError } from 'csv-parse';
import type { RunData } from '#shared/ipc/index.ts';
import { VariableName } from '#shared/collections/model.ts';
import { AppError } from '#shared/errors.ts';
import { asUtf8 } from '#shared/json/file-text.ts';
import { isNumberText } from '#shared/json/decimal.ts';
import { describeSyntaxError, parseJson } from '#shared/json/parse.ts';
import { measureJson } from '#shared/json/measure.ts';
import { decodeUtf8Leniently } from '#shared/json/utf8.ts';
import { valueText } from '#shared/json/values.ts';
import { beyond, readers } from '#shared/model/readers.ts';

/** One row of a data file: what one iteration's variables are. */
export interface DataRow {
  /** From 1; a heading is not a row. */
  readonly number: number;
  readonly variables: Readonly<Record<string, string>>;
}

export type DataFormat = 'csv' | 'jsonl';

/** Of one row, or one line: a quote that is never closed would take the whole file. */
const { line: mostRowBytes } = readers['data.lines'];
const tooLong = beyond('data.lines', { line: Number.POSITIVE_INFINITY }) ?? '';
const mostColumns = 1_000;

/**
 * Reads the rows of a data file as they are asked for. CSV: the first line names the variables; every value is its text, and after
 * `name:number`, `name:boolean` or `name:json` it has to be one. JSON lines: an object on each line; strings are their characters,
 * everything else is its text, with every digit. `options` are those of CSV. Fails with `invalid_input` and the line.
 */
export function readDataRows(
  bytes: AsyncIterable<Uint8Array>,
  format: DataFormat,
  options: CsvOptions = {},
): AsyncGenerator<DataRow, void> {
  const text = decoded(bytes);
  return format === 'csv' ? csvRows(text, options) : jsonRows(text);
}

function wrong(line: number, message: string): AppError {
  return new AppError('invalid_input', `Line ${line} of the data: ${message}`, { line });
}

/** As text without a byte order mark; stops at the first byte that is out of place. */
async function* decoded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  const decode = (chunk?: Uint8Array) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      const { text, firstFault } = decodeUtf8Leniently(chunk ?? new Uint8Array());
      line += text.slice(0, firstFault?.charOffset).split('\n').length - 1;
      throw wrong(line, 'a byte here is not UTF-8. Save the file as UTF-8.');
    }
  };
  for await (const chunk of asUtf8(bytes, 'The data')) {
    const text = decode(chunk);
    yield text;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) line++;
  }
  yield decode();
}

const kinds = ['string', 'number', 'boolean', 'json'] as const;
type Kind = (typeof kinds)[number];
interface Column {
  readonly name: string;
  readonly kind: Kind;
}

/** A record as the library returns it with `info`: `lines` is the line at which it ends. */
interface ParsedRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

async function* csvRows(text: AsyncIterable<string>, options: CsvOptions): AsyncGenerator<DataRow, void> {
  let columns: readonly Column[] | null = null;
  let number = 0;
  for await (const { values, line } of readCsv(text, options)) {
    if (columns === null) columns = columnsOf(values, line);
    else yield { number: ++number, variables: variablesOf(columns, values, line) };
  }
  if (columns === null) throw new AppError('invalid_input', 'The data is empty: its first line must name the variables.');
}

/** One record of CSV; `line` is the one at which it ends, from 1. */
export interface CsvRecord {
  readonly values: readonly string[];
  readonly line: number;
}

export type Separator = NonNullable<RunData['delimiter']>;
const separators: Readonly<Record<Separator, string>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'vertical bar' };

export interface CsvOptions {
  /** Separator of the columns; if nobody says it, the first line shows it. */
  readonly separator?: Separator | undefined;
  /** Called with a sentence about what was found: another separator than a comma, empty rows at the end. */
  readonly onNote?: ((note: string) => void) | undefined;
}

/**
 * Reads the records of CSV. Passes over empty lines, the line `sep=;` of Excel, and rows of empty cells at the end. Fails with `invalid_input` and
 * the line, without a value.
 */
export async function* readCsv(
  given: AsyncIterable<string> | Iterable<string>,
  { separator, onNote }: CsvOptions = {},
): AsyncGenerator<CsvRecord, void> {
  // Most runs have no data.
  const { CsvError, parse } = await import('csv-parse');
  const { first, text } = await withFirstLine(given);
  const [, said] = /^sep=(.)$/.exec(first) ?? [];
  const delimiter = separator ?? (said !== undefined && isSeparator(said) ? said : separatorIn(first));
  if (separator === undefined && delimiter !== ',')
    onNote?.(`The columns of the data are separated by ${separators[delimiter]}s.`);
  let lastLine = 0;
  let empty: CsvRecord[] = [];
  const parser = parse({
    info: true,
    delimiter,
    from_line: said === undefined ? 1 : 2,
    // Asked as soon as a row was read: what fails overtakes rows that wait to be asked for.
    on_record: (record, { lines }) => {
      lastLine = lines;
      return record;
    },
    record_delimiter: ['\r\n', '\n', '\r'],
    // Counted by the caller, to name missing and surplus columns.
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: mostRowBytes,
  });
  // Ends one with the other; what fails comes out of the parser.
  pipeline(Readable.from(text), parser, () => undefined);
  try {
    for await (const { record, info } of parser as AsyncIterable<ParsedRecord>) {
      const one = { values: record, line: info.lines };
      if (record.length > 1 && record.every((value) => value === '')) empty.push(one);
      else {
        yield* empty;
        empty = [];
        yield one;
      }
    }
  } catch (error) {
    throw error instanceof CsvError ? csvProblem(error, lastLine + 1, separators[delimiter]) : error;
  }
  if (empty.length === 1) onNote?.('The last row of the data has only empty cells and was left out.');
  if (empty.length > 1)
    onNote?.(`The last ${empty.length.toLocaleString('en')} rows of the data have only empty cells and were left out.`);
}

function isSeparator(text: string): text is Separator {
  return Object.hasOwn(separators, text);
}

/** Returns the separator that a line has most often outside of quotes; a comma if it has none. */
function separatorIn(line: string): Separator {
  const bare = line.replaceAll(/"[^"]*"/g, '');
  const all = Object.keys(separators).filter(isSeparator);
  const counts = all.map((one) => bare.split(one).length);
  return all[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** Returns the first line that is not empty, up to the most bytes of a row, and the whole text. */
async function withFirstLine(
  given: AsyncIterable<string> | Iterable<string>,
): Promise<{ first: string; text: AsyncIterable<string> }> {
  const parts = (async function* () {
    yield* given;
  })();
  let read = '';
  let first: string | null = null;
  while (first === null) {
    const { value, done } = await parts.next();
    read += value ?? '';
    const end = firstLineEnd(read);
    if (done === true || end !== null || read.length > mostRowBytes) first = read.slice(0, end ?? read.length).trimStart();
  }
  const begun = read;
  return {
    first,
    text: (async function* () {
      yield begun;
      yield* parts;
    })(),
  };
}

/** Returns the offset of the end of the first line that is not empty; null if there is none. A line may end within quotes. */
function firstLineEnd(text: string): number | null {
  let isQuoted = false;
  let isEmpty = true;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') isQuoted = !isQuoted;
    if (character !== '\n' && character !== '\r') isEmpty = false;
    else if (!isQuoted && !isEmpty) return at;
  }
  return null;
}

/** Returns a check of names: each is that of a variable, and stands once. Fails with `invalid_input`. */
function nameCheck(line: number, twice: string): (name: string, shown: string) => void {
  const names = new Set<string>();
  return (name, shown) => {
    if (!VariableName.safeParse(name).success)
      throw wrong(line, `${shown} is not a variable name. Use letters, digits, _, . and - and begin with a letter.`);
    if (names.has(name)) throw wrong(line, `two ${twice} are named ${name}.`);
    names.add(name);
  };
}

function columnsOf(headings: readonly string[], line: number): Column[] {
  if (headings.length > mostColumns) throw wrong(line, `it names more than ${mostColumns.toLocaleString('en')} columns.`);
  const check = nameCheck(line, 'columns');
  return headings.map((heading, index) => {
    const [name = '', kind = 'string', ...more] = heading.split(':').map((part) => part.trim());
    if (VariableName.safeParse(name).success && (more.length > 0 || !(kinds as readonly string[]).includes(kind)))
      throw wrong(line, `heading ${quoted(heading)} has an unknown type. After the colon, use one of ${kinds.join(', ')}.`);
    check(name, `heading ${index + 1}, ${quoted(heading)},`);
    return { name, kind: kind as Kind };
  });
}

function variablesOf(columns: readonly Column[], values: readonly string[], line: number): Record<string, string> {
  if (values.length !== columns.length) {
    const missing = columns[values.length];
    const what =
      missing === undefined ? `the value ${quoted(values[columns.length] ?? '')} has no column` : `${missing.name} is missing`;
    throw wrong(line, `${count(values.length, 'value')} for ${count(columns.length, 'column')}: ${what}.`);
  }
  return Object.fromEntries(
    columns.map(({ name, kind }, index) => {
      const value = values[index] as string;
      const problem = problemOf(kind, value);
      if (problem !== null) throw wrong(line, `${name} ${problem}`);
      return [name, value];
    }),
  );
}

function problemOf(kind: Kind, value: string): string | null {
  switch (kind) {
    case 'string':
      return null;
    case 'number':
      return isNumberText(value) ? null : `must be a JSON number, but is ${quoted(value)}.`;
    case 'boolean':
      return value === 'true' || value === 'false' ? null : `must be true or false, but is ${quoted(value)}.`;
    case 'json': {
      const parsed = parseJson(value);
      return parsed.ok ? null : `must be JSON, but is ${quoted(value)}. ${parsed.error.message}.`;
    }
  }
}

/** `from` is where the row begins that could not be read. */
function csvProblem(error: CsvError, from: number, separator: string): AppError {
  const line = Number(Reflect.get(error, 'lines') ?? 0);
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return wrong(from, 'a quote in the row that begins here is never closed.');
  if (error.code === 'CSV_MAX_RECORD_SIZE') return wrong(from, `the row that begins here ${tooLong}`);
  const messages: Partial<Record<string, string>> = {
    INVALID_OPENING_QUOTE:
      'a value contains a quote but does not start with one. Put the whole value in quotes and double each quote in it.',
    CSV_INVALID_CLOSING_QUOTE: `only a ${separator} or the end of the line can follow a closing quote. Double each quote inside a value.`,
  };
  return wrong(line, messages[error.code] ?? error.message);
}

async function* jsonRows(text: AsyncIterable<string>): AsyncGenerator<DataRow, void> {
  let number = 0;
  let line = 0;
  for await (const content of linesOf(text)) {
    line++;
    if (content.trim() !== '') yield { number: ++number, variables: membersOfLine(content, line) };
  }
  if (number === 0) throw new AppError('invalid_input', 'The data is empty: write one object per line.');
}

// Only at line feeds: a string of JSON may hold every other character that ends a line elsewhere.
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string, void> {
  let rest: string[] = [];
  let length = 0;
  let line = 1;
  for await (const chunk of text) {
    let from = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', from)) {
      rest.push(chunk.slice(from, end));
      const whole = rest.join('');
      if (whole.length > mostRowBytes) throw wrong(line, `it ${tooLong}`);
      yield whole;
      line++;
      rest = [];
      length = 0;
      from = end + 1;
    }
    rest.push(chunk.slice(from));
    length += chunk.length - from;
    if (length > mostRowBytes) throw wrong(line, `it ${tooLong}`);
  }
  yield rest.join('');
}

function membersOfLine(text: string, line: number): Record<string, string> {
  const excess = beyond('data.lines', { values: measureJson(Buffer.from(text)).values });
  if (excess !== null) throw wrong(line, `it ${excess}`);
  const parsed = parseJson(text);
  if (!parsed.ok) throw wrong(line, `it is not JSON. ${describeSyntaxError({ ...parsed.error, line })}.`);
  const { root } = parsed;
  if (root.kind !== 'object') throw wrong(line, 'it must be an object with the variables as members.');
  if (root.members.length > mostColumns) throw wrong(line, `it names more than ${mostColumns.toLocaleString('en')} variables.`);
  const check = nameCheck(line, 'members');
  const entries = root.members.map(({ key, value }) => {
    check(key, quoted(key));
    return [key, valueText(text, value)] as const;
  });
  return Object.fromEntries(entries);
}

function quoted(text: string): string {
  return JSON.stringify(text.length <= 60 ? text : `${text.slice(0, 59)}…`);
}

function count(value: number, name: string): string {
  return `${value} ${name}${value === 1 ? '' : 's'}`;
}
