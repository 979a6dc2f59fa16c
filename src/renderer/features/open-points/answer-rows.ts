import { parseJson, type JsonNode } from '#shared/json/parse.ts';

/** One row of a table of values: a value and its meaning, or a code and its HTTP status. */
export interface ValueRow {
  readonly name: string;
  readonly meaning: string;
}

/** One row of a table of fields. `name` leads into objects with dots and into arrays with `[]`. */
export interface FieldRow {
  readonly name: string;
  readonly type: string;
  readonly optional: boolean;
  readonly meaning: string;
}

/** The rows of a shape; `rest`: further fields are allowed. */
export interface FieldRows {
  readonly rows: readonly FieldRow[];
  readonly rest: boolean;
}

/** Reads an answer's text as rows; null if only the text itself can show it. An empty text has no rows. */
export function valueRows(text: string): readonly ValueRow[] | null {
  if (text.trim() === '') return [];
  const parsed = parseJson(text);
  if (!parsed.ok || parsed.root.kind !== 'object') return null;
  const rows: ValueRow[] = [];
  for (const { key, value } of parsed.root.members) {
    if (value.kind !== 'string' && value.kind !== 'number') return null;
    rows.push({ name: key, meaning: value.kind === 'string' ? value.value : value.text });
  }
  return rows;
}

/** Writes rows as the text of an answer; empty rows are left out, and no row at all is an empty text. */
export function valueText(rows: readonly ValueRow[], meaning: 'text' | 'number'): string {
  const filled = rows.filter((row) => row.name.trim() !== '' || row.meaning.trim() !== '');
  if (filled.length === 0) return '';
  const members = filled.map((row) => {
    const typed = row.meaning.trim();
    const asNumber = meaning === 'number' && /^(?:0|[1-9]\d*)$/.test(typed);
    return `${JSON.stringify(row.name.trim())}: ${asNumber ? typed : JSON.stringify(typed)}`;
  });
  return `{${members.join(', ')}}`;
}

/** Reads the text of a shape as rows; null if only the text itself can show it. */
export function fieldRows(text: string): FieldRows | null {
  if (text.trim() === '') return { rows: [], rest: false };
  // A field's name alone: the position of the token.
  if (/^[A-Za-z_][\w.-]*$/.test(text.trim())) {
    return { rows: [{ name: text.trim(), type: 'token', optional: false, meaning: '' }], rest: true };
  }
  const parsed = parseJson(text);
  if (!parsed.ok) return null;
  const rows: FieldRow[] = [];
  const rest = { there: false };
  return collect(parsed.root, '', false, rows, rest) ? { rows, rest: rest.there } : null;
}

function collect(node: JsonNode, at: string, optional: boolean, rows: FieldRow[], rest: { there: boolean }): boolean {
  if (node.kind === 'string') {
    const [, type, meaning = ''] = /^([A-Za-z]*)(?:: *(.*))?$/su.exec(node.value) ?? [];
    if (type === undefined || at === '') return false;
    rows.push({ name: at, type, optional, meaning });
    return true;
  }
  // A mark on a whole object or array has no row.
  if (optional) return false;
  if (node.kind === 'array') {
    const [item] = node.items;
    return item !== undefined && node.items.length === 1 && collect(item, `${at}[]`, false, rows, rest);
  }
  if (node.kind !== 'object' || (at !== '' && node.members.length === 0)) return false;
  return node.members.every(({ key, value }) => {
    if (key === '...') {
      rest.there = true;
      return at === '';
    }
    const mayLack = key.endsWith('?');
    const name = mayLack ? key.slice(0, -1) : key;
    if (name === '' || /[.[\]]/.test(name)) return false;
    return collect(value, at === '' ? name : `${at}.${name}`, mayLack, rows, rest);
  });
}

interface Branch {
  readonly members: [string, Branch | string][];
}

/** Writes rows of fields as the text of a shape; no row at all is an empty text. A name that is there twice is written twice. */
export function fieldText({ rows, rest }: FieldRows): string {
  const filled = rows.filter((row) => row.name.trim() !== '' || row.meaning.trim() !== '');
  if (filled.length === 0) return rest ? '{"...": "any"}' : '';
  const root: Branch = { members: [] };
  for (const row of filled) {
    const steps = row.name
      .trim()
      .replaceAll('[]', '.[]')
      .split('.')
      .filter((step, at) => step !== '' || at > 0);
    const meaning = row.meaning.trim();
    const leaf = JSON.stringify(meaning === '' ? row.type : `${row.type}: ${meaning}`);
    put(root, steps, leaf, row.optional);
  }
  if (rest) root.members.push(['...', '"any"']);
  return print(root);
}

function put(branch: Branch, steps: readonly string[], leaf: string, optional: boolean): void {
  const [step = '', ...inner] = steps;
  if (inner.length === 0) {
    branch.members.push([optional && step !== '[]' ? `${step}?` : step, leaf]);
    return;
  }
  const last = branch.members.findLast(([name, value]) => name === step && typeof value !== 'string');
  let next = last?.[1];
  if (next === undefined || typeof next === 'string') branch.members.push([step, (next = { members: [] })]);
  put(next, inner, leaf, optional);
}

function print(node: Branch | string): string {
  if (typeof node === 'string') return node;
  const [first, ...more] = node.members;
  if (first?.[0] === '[]' && more.length === 0) return `[${print(first[1])}]`;
  return `{${node.members.map(([name, value]) => `${JSON.stringify(name)}: ${print(value)}`).join(', ')}}`;
}
