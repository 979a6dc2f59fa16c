import { parseJson, type JsonNode, type JsonObject } from '#shared/json/parse.ts';

/** A list in a response as rows and columns. */
export interface BodyTable {
  /** Path of the list, such as `data.slots`; empty for the whole body. */
  readonly place: string;
  readonly columns: readonly BodyColumn[];
  /** One text per column: strings decoded, numbers with every digit as received, other values as JSON; empty if absent. */
  readonly rows: readonly (readonly string[])[];
  /** Number of rows of the list beyond these. */
  readonly hidden: number;
}

interface BodyColumn {
  readonly name: string;
  /** `numbers`: a list of numbers, whose texts are joined by `, `. */
  readonly kind: 'text' | 'number' | 'numbers';
}

const MAX_COLUMNS = 40;
const MAX_ROWS = 10_000;

/** Returns the first list of objects in the response, nearest to the top; null without one, or if the text is not JSON. */
export function bodyTable(text: string): BodyTable | null {
  const parsed = parseJson(text);
  if (!parsed.ok) return null;
  const found = firstList(parsed.root);
  if (found === null) return null;
  const positions = new Map<string, number>();
  const shown = found.rows.slice(0, MAX_ROWS);
  for (const row of shown) {
    for (const member of row.members) {
      if (!positions.has(member.key) && positions.size < MAX_COLUMNS) positions.set(member.key, positions.size);
    }
  }
  const kinds: (BodyColumn['kind'] | null)[] = Array.from(positions, () => null);
  const rows = shown.map((row) => {
    const cells = Array.from(positions, () => '');
    for (const { key, value } of row.members) {
      const at = positions.get(key);
      if (at === undefined) continue;
      cells[at] = cellText(value, text);
      const kind = kindOf(value);
      if (kind !== null) kinds[at] = kinds[at] === null || kinds[at] === kind ? kind : 'text';
    }
    return cells;
  });
  const columns = Array.from(positions.keys(), (name, at) => ({ name, kind: kinds[at] ?? 'text' }));
  return { place: found.place, columns, rows, hidden: found.rows.length - shown.length };
}

/** Orders two cells of a column of numbers without losing a digit; cells that are not numbers come last. */
export function compareNumbers(a: string, b: string): number {
  const difference = Number(a === '' ? Number.NaN : a) - Number(b === '' ? Number.NaN : b);
  if (Number.isNaN(difference)) return Number(a === '' || Number.isNaN(Number(a))) - Number(b === '' || Number.isNaN(Number(b)));
  if (difference !== 0 || !/^-?\d+$/.test(a) || !/^-?\d+$/.test(b)) return difference;
  const [x, y] = [BigInt(a), BigInt(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

function firstList(root: JsonNode): { place: string; rows: readonly JsonObject[] } | null {
  let level: { node: JsonNode; place: string }[] = [{ node: root, place: '' }];
  while (level.length > 0) {
    const below: typeof level = [];
    for (const { node, place } of level) {
      if (node.kind === 'array') {
        const rows = node.items.filter((item) => item.kind === 'object');
        if (rows.length > 0 && rows.length === node.items.length) return { place, rows };
      } else if (node.kind === 'object') {
        for (const { key, value } of node.members) below.push({ node: value, place: place === '' ? key : `${place}.${key}` });
      }
    }
    level = below;
  }
  return null;
}

function kindOf(node: JsonNode): BodyColumn['kind'] | null {
  if (node.kind === 'number') return 'number';
  if (node.kind === 'array' && node.items.length > 0 && node.items.every((item) => item.kind === 'number')) return 'numbers';
  return node.kind === 'null' ? null : 'text';
}

function cellText(node: JsonNode, text: string): string {
  if (node.kind === 'string') return node.value;
  if (node.kind === 'number') return node.text;
  if (node.kind === 'array' && node.items.every((item) => item.kind === 'number')) {
    return node.items.map((item) => text.slice(item.start, item.end)).join(', ');
  }
  return text.slice(node.start, node.end);
}
