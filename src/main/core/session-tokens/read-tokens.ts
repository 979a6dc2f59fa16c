import { AppError } from '#shared/errors.ts';
import { excessOf } from '#shared/json/measure.ts';
import { parseJson, type JsonNode } from '#shared/json/parse.ts';
import { valueText } from '#shared/json/values.ts';

/** The player whose session a token is; a field is empty if the text does not say it. */
const columns = ['token', 'playerId', 'lang', 'country', 'currency'] as const;
type Column = (typeof columns)[number];

/** A token with the line of the text at which it ends, from 1. */
export type ReadToken = Readonly<Record<Column, string>> & { readonly line: number };

/** Lines without a token that can be used, by the reason. */
type LeftLines = ReadonlyMap<string, readonly number[]>;

export interface ReadTokens {
  readonly tokens: readonly ReadToken[];
  readonly left: LeftLines;
  /** Sentences about how the text was read. */
  readonly notes: readonly string[];
}

const lineBreak = /\r\n|\n|\r/;

/** Longest value in characters: as long as a field of a launch. */
const longest = 10_000;

/**
 * Reads tokens from lines, from CSV with or without a header, or from JSON: an object, an array of them, or an object on each line.
 * Fails with `invalid_input`; no message holds a value of the text.
 */
export async function readTokens(given: string): Promise<ReadTokens> {
  const text = given.startsWith('\uFEFF') ? given.slice(1) : given;
  const notes: string[] = [];
  const left = new Map<string, number[]>();
  function leave(reason: string, line: number): void {
    const lines = left.get(reason);
    if (lines === undefined) left.set(reason, [line]);
    else lines.push(line);
  }
  const tokens: ReadToken[] = [];
  const lineOf = new Map<string, number>();
  const rows = /^\s*[[{]/.test(text) ? jsonRows(text) : await csvRows(text, (note) => void notes.push(note));
  for (const row of rows) {
    const { token, line } = row;
    const reason = row.problem ?? problemOf(row);
    const before = lineOf.get(token);
    if (reason !== null) leave(reason, line);
    else if (before !== undefined) leave('repeats a token from another line', line);
    else {
      lineOf.set(token, line);
      const { problem: _none, ...read } = row;
      tokens.push(read);
    }
  }
  for (const line of emptyLines(text)) leave('is empty', line);
  return { tokens, left, notes };
}

type Row = ReadToken & { readonly problem?: string };

function problemOf({ token, ...rest }: ReadToken): string | null {
  if (token === '') return 'has no token';
  if (/[\s\p{Cc}]/u.test(token)) return 'has a space or a control character in its token';
  return [token, ...Object.values(rest)].some((value) => typeof value === 'string' && value.length > longest)
    ? `has a value of more than ${longest.toLocaleString('en')} characters`
    : null;
}

/** Returns the numbers of lines with nothing on them, but for those at the end. */
function emptyLines(text: string): number[] {
  const filled = text.trimEnd();
  if (filled === '') return [];
  return filled.split(lineBreak).flatMap((line, at) => (line.trim() === '' ? [at + 1] : []));
}

function rowOf(values: Readonly<Partial<Record<Column, string>>>, line: number): Row {
  const value = (name: Column) => (values[name] ?? '').trim();
  const [token, playerId, lang, country, currency] = [
    value('token'),
    value('playerId'),
    value('lang'),
    value('country'),
    value('currency'),
  ];
  return { token, playerId, lang, country, currency, line };
}

async function csvRows(text: string, onNote: (note: string) => void): Promise<Row[]> {
  // Most sessions read no tokens.
  const { readCsv } = await import('../formats/read/data-rows.ts');
  const rows: Row[] = [];
  let names: readonly (Column | null)[] | null = null;
  for await (const { values, line } of readCsv([text], { separator: isHeaded(text) ? undefined : ',', onNote })) {
    if (values.every((value) => value.trim() === '')) continue;
    if (names === null) {
      names = headerOf(values);
      if (names !== null) continue;
      names = columns;
    }
    const row = rowOf(
      Object.fromEntries(values.flatMap((value, at) => (names?.[at] ? [[names[at], value] as const] : []))),
      line,
    );
    const surplus = values.length > names.length;
    rows.push(surplus ? { ...row, problem: `has more than ${names.length} values` } : row);
  }
  return rows;
}

/** Returns whether the first line says what separates columns: without a header, a token may hold any character. */
function isHeaded(text: string): boolean {
  return /^\s*(?:sep=|(?:[^\r\n]*[;,|\t])?[ "]*token[ "]*(?:[;,|\t]|[\r\n]|$))/i.test(text);
}

/** Returns the columns that a first line names, null for one that is not used; null if it is a row. */
function headerOf(values: readonly string[]): readonly (Column | null)[] | null {
  const heads = values.map((value) => value.trim().toLowerCase());
  if (!heads.includes('token')) return null;
  return heads.map((head) => columns.find((name) => name.toLowerCase() === head) ?? null);
}

function jsonRows(text: string): Row[] {
  const excess = excessOf(Buffer.from(text), 'The JSON', 'Give fewer tokens at a time.');
  if (excess !== null) throw new AppError('invalid_input', excess);
  const whole = parseJson(text);
  if (whole.ok) {
    const { root } = whole;
    const objects = root.kind === 'array' ? root.items : [root];
    let line = 1;
    let at = 0;
    return objects.map((node) => {
      line += text.slice(at, node.start).split(lineBreak).length - 1;
      at = node.start;
      return objectRow(text, node, line);
    });
  }
  return text.split(lineBreak).flatMap((line, at) => {
    if (line.trim() === '') return [];
    const parsed = parseJson(line);
    if (!parsed.ok)
      throw new AppError(
        'invalid_input',
        `Line ${at + 1} is not JSON. Write an object with a token on each line, or an array of objects.`,
      );
    return [objectRow(line, parsed.root, at + 1)];
  });
}

function objectRow(source: string, node: JsonNode, line: number): Row {
  if (node.kind === 'string') return rowOf({ token: node.value }, line);
  if (node.kind !== 'object') return { ...rowOf({}, line), problem: 'is not an object with a token' };
  const values = node.members.flatMap(({ key, value }) => {
    const name = columns.find((column) => column === key);
    return name === undefined || value.kind === 'null' ? [] : [[name, valueText(source, value)] as const];
  });
  return rowOf(Object.fromEntries(values), line);
}
