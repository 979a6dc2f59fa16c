import type { JsonNode, JsonObject } from '#shared/json/parse.ts';
import { pointerStep } from '#shared/json/pointer.ts';
import type { Item, Members } from './members.ts';

/** Schemas that hold for one value together: one, its allOf, and a branch of its oneOf and its anyOf. */
export interface View {
  readonly schemas: readonly Members[];
  /** Their titles, and the values by which a discriminator chooses the branch. */
  readonly names: readonly string[];
}

/** More branches than this are not looked at. */
const mostViews = 200;
/** Deepest nesting of properties: each schema is read once, but one may refer to the next. */
const deepest = 100;

/** The words of a schema that give a value, the strictest first. */
const words = ['const', 'example', 'examples', 'default', 'enum'] as const;

function exampleIn(schema: Members, word: (typeof words)[number]): Item | null {
  const found = word === 'examples' || word === 'enum' ? (schema.items(word)[0] ?? null) : schema.take(word);
  return found?.node.kind === 'null' ? null : found;
}

/** Returns whether an example of one schema is of the whole value: it is the outermost, or the others have no properties. */
function isWhole(schema: Members, all: readonly Members[]): boolean {
  return schema === all[0] || all.every((other) => other === schema || !other.has('properties'));
}

/** Returns the examples of parts of an object, as of one schema of an allOf. */
function partialExamples(schemas: readonly Members[]): { at: string; node: JsonObject }[] {
  return schemas.flatMap((schema) => {
    if (isWhole(schema, schemas)) return [];
    const found = words.flatMap((word) => exampleIn(schema, word) ?? [])[0];
    return found?.node.kind === 'object' ? [{ at: found.at, node: found.node }] : [];
  });
}

/** A schema that gives only this example. */
function givenAs(value: JsonNode): JsonNode {
  return { kind: 'object', members: [{ key: 'example', keyStart: 0, keyEnd: 0, value }], start: 0, end: 0 };
}

export type SchemaReader = ReturnType<typeof createSchemaReader>;

/**
 * Creates a reader of the values that the schemas of a file give: examples, constants, defaults and enumerated values, also of properties. `resolve` follows the references of a schema, `textOf` returns the JSON text of a value of
 * the file.
 */
export function createSchemaReader(resolve: (schema: Item) => Members | null, textOf: (node: JsonNode) => string) {
  const emptyView: View = { schemas: [], names: [] };
  // Null while it is being read: a schema in a circle ends there. Each is read once, however often it is referred to.
  const known = new Map<string, readonly View[] | null>();
  const valued = new Map<string, string | null>();
  let circles = 0;

  function views(schema: Item | null): readonly View[] {
    const own = schema === null ? null : resolve(schema);
    if (own === null) return [emptyView];
    const before = known.get(own.at);
    if (before === null) circles += 1;
    if (before !== undefined) return before ?? [emptyView];
    const outside = circles;
    known.set(own.at, null);
    const title = own.text('title');
    let found: readonly View[] = [{ schemas: [own], names: title === null ? [] : [title] }];
    for (const part of own.items('allOf')) found = joined(found, views(part));
    const mapping = own.object('discriminator')?.object('mapping')?.all() ?? [];
    for (const kind of ['oneOf', 'anyOf'] as const) {
      const branches = own.items(kind).flatMap((branch) => {
        const reference =
          branch.node.kind === 'object' ? branch.node.members.find(({ key }) => key === '$ref')?.value : undefined;
        const chosen = mapping.flatMap(({ key, value }) =>
          value.kind === 'string' && reference?.kind === 'string' && value.value === reference.value ? [key] : [],
        );
        return views(branch).map((view) => ({ ...view, names: [...view.names, ...chosen] }));
      });
      if (branches.length > 0) found = joined(found, branches);
    }
    // What ended at a circle is less than the schema is elsewhere.
    if (circles === outside) known.set(own.at, found);
    else known.delete(own.at);
    return found;
  }

  function joined(some: readonly View[], others: readonly View[]): readonly View[] {
    return some
      .flatMap((one) =>
        others.map((other) => ({ schemas: [...one.schemas, ...other.schemas], names: [...one.names, ...other.names] })),
      )
      .slice(0, mostViews);
  }

  /** The schemas of each property that a request may have, by its name. */
  function properties({ schemas }: View): Map<string, Item[]> {
    const found = new Map<string, Item[]>();
    for (const schema of schemas)
      for (const { key, value, at } of schema.object('properties')?.all() ?? [])
        found.set(key, [...(found.get(key) ?? []), { node: value, at }]);
    for (const { at, node } of partialExamples(schemas))
      for (const { key, value } of node.members)
        found.set(key, [...(found.get(key) ?? []), { node: givenAs(value), at: at + pointerStep(key) }]);
    for (const [key, items] of found) if (items.some((item) => resolve(item)?.text('readOnly') === 'true')) found.delete(key);
    return found;
  }

  function together(items: readonly Item[]): readonly View[] {
    return items.map(views).reduce(joined, [emptyView]);
  }

  function example({ schemas }: View): Item | null {
    for (const word of words) {
      for (const schema of schemas) {
        const found = exampleIn(schema, word);
        if (found !== null && (found.node.kind !== 'object' || isWhole(schema, schemas))) return found;
      }
    }
    return null;
  }

  function value(view: View, depth = 0): string | null {
    const own = example(view);
    if (own !== null) return textOf(own.node);
    const at = view.schemas.map((schema) => schema.at).join(' ');
    const before = valued.get(at);
    if (before !== undefined || depth > deepest) return before ?? null;
    valued.set(at, null);
    const members = [...values(view, depth)].map(([name, text]) => `${JSON.stringify(name)}: ${text}`);
    const items = view.schemas.flatMap((schema) => schema.take('items') ?? []);
    const item = members.length > 0 ? null : first(together(items), depth);
    const made = members.length > 0 ? `{${members.join(', ')}}` : item === null ? null : `[${item}]`;
    valued.set(at, made);
    return made;
  }

  function first(found: readonly View[], depth: number): string | null {
    for (const view of found) {
      const text = value(view, depth + 1);
      if (text !== null) return text;
    }
    return null;
  }

  function values(view: View, depth = 0): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const [name, items] of properties(view)) {
      const text = first(together(items), depth);
      if (text !== null) found.set(name, text);
    }
    return found;
  }

  const viewsOf = (view: View, name: string): readonly View[] => together(properties(view).get(name) ?? []);
  return {
    /** A view that says nothing. */
    emptyView,
    textOf,
    views,
    /** The views of a property. */
    viewsOf,
    /** The names of its properties. */
    fields: (view: View) => [...properties(view).keys()],
    /** The example of the whole; null if only its parts have some. */
    example,
    /** JSON text of a value, put together of those of its parts; null if there is none. */
    value: (view: View) => value(view),
    /** JSON texts of its properties that have a value. */
    values: (view: View) => values(view),
    /** The texts that a property may be by its schemas. */
    texts: (view: View, name: string) => viewsOf(view, name).flatMap(allowedTexts),
  };
}

/** Returns the texts that the schemas of a view allow together: those of all their lists, or else their examples. */
function allowedTexts({ schemas }: View): string[] {
  const texts = (items: readonly Item[]) => items.flatMap(({ node }) => (node.kind === 'string' ? [node.value] : []));
  const lists = schemas.flatMap((schema) => {
    const single = schema.take('const');
    return [single === null ? [] : texts([single]), texts(schema.items('enum'))];
  });
  const [first, ...others] = lists.filter(({ length }) => length > 0);
  if (first !== undefined) return first.filter((text) => others.every((other) => other.includes(text)));
  return texts(schemas.flatMap((schema) => words.flatMap((word) => exampleIn(schema, word) ?? [])));
}
