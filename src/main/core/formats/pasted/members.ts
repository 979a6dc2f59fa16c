import { parseJson, type JsonNode, type JsonObject } from '#shared/json/parse.ts';
import { entriesOf, isNothing, plainName, writeTree, type Tree } from './tree.ts';

/** One field of an object, whatever notation it has. */
export interface Part {
  readonly name: string;
  readonly kind: JsonNode['kind'] | 'word' | 'lost' | 'list';
  /** As JSON. */
  readonly text: string;
  /** A string without its quotes, the digits of a number, or a word; null for anything else. */
  readonly scalar: string | null;
}

export type Parts = ReadonlyMap<string, Part>;

/** Returns the fields of a JSON object by their plain names, with their texts as they stand in `source`. */
export function partsOfJson(root: JsonObject, source: string): Parts {
  return new Map(
    root.members.map(({ key, value }) => [
      plainName(key),
      { name: key, kind: value.kind, text: source.slice(value.start, value.end), scalar: scalarOf(value) },
    ]),
  );
}

function scalarOf(node: JsonNode): string | null {
  return node.kind === 'string' ? node.value : node.kind === 'number' ? node.text : null;
}

/** Returns the fields of a value in another notation; `lossy` completes their types. */
export function partsOfTree(tree: Tree, lossy: boolean): Parts {
  return new Map(
    entriesOf(tree).map(({ name, value }) => [
      plainName(name),
      { name, kind: value.kind, text: writeTree(value, lossy), scalar: textIn(value) },
    ]),
  );
}

/**
 * Returns the fields with those of `data` gathered from columns such as `data.roundId`, as search engines flatten objects; the same fields if
 * there are no such columns. A list of one value stands for the value there.
 */
export function unflattened(parts: Parts): Parts {
  const columns = [...parts.values()].filter(({ name }) => /^(?:.{0,80}\.)?data\.\w+$/.test(name));
  if (columns.length === 0 || parts.has('data')) return parts;
  const members = columns.map((column) => `${JSON.stringify(column.name.replace(/^.*data\./, ''))}:${onlyItem(column).text}`);
  const others = [...parts].filter(([, part]) => !columns.includes(part)).map(([name, part]) => [name, onlyItem(part)] as const);
  return new Map([...others, ['data', { name: 'data', kind: 'object', text: `{${members.join(',')}}`, scalar: null }]]);
}

function onlyItem(part: Part): Part {
  const parsed = part.kind === 'array' ? parseJson(part.text) : null;
  if (parsed?.ok !== true || parsed.root.kind !== 'array' || parsed.root.items.length !== 1) return part;
  const [item] = parsed.root.items as [JsonNode];
  return { name: part.name, kind: item.kind, text: part.text.slice(item.start, item.end), scalar: scalarOf(item) };
}

/** A word that stands for nothing is not text. */
function textIn(value: Tree): string | null {
  if (!('text' in value) || (value.kind === 'word' && isNothing(value.text))) return null;
  return value.text;
}
