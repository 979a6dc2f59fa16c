import { parseJson, type JsonNode, type JsonObject } from '#shared/json/parse.ts';
import { entriesOf, plainName, writeTree, type Tree } from './tree.ts';

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
      { name, kind: value.kind, text: writeTree(value, lossy), scalar: 'text' in value ? value.text : null },
    ]),
  );
}

/** Returns the fields with those of `data` gathered from columns such as `data.roundId`, as search engines flatten objects. */
export function unflattened(parts: Parts): Parts {
  const columns = [...parts.values()].filter(({ name }) => /^(?:.{0,80}\.)?data\.\w+$/.test(name));
  if (columns.length === 0 || parts.has('data')) return parts;
  const texts = columns.map(({ name, text, kind }) => {
    const parsed = kind === 'array' ? parseJson(text) : null;
    const only =
      parsed?.ok === true && parsed.root.kind === 'array' && parsed.root.items.length === 1 ? parsed.root.items[0] : undefined;
    return `${JSON.stringify(name.replace(/^.*data\./, ''))}:${only === undefined ? text : text.slice(only.start, only.end)}`;
  });
  return new Map([...parts, ['data', { name: 'data', kind: 'object', text: `{${texts.join(',')}}`, scalar: null }]]);
}
