import { inputs, type CallName } from '#shared/ipc/index.ts';
import { z } from '#shared/model/schema.ts';

/** The part of JSON Schema that says where texts are. */
interface Schema {
  readonly type?: string;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: boolean | Schema;
  readonly prefixItems?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** A text in a call's input. */
export interface TextPlace {
  readonly path: readonly string[];
  /** The object in a list or under a name that it belongs to, with what that needs beside it; undefined outside of any. */
  readonly around: { readonly path: readonly string[]; readonly value: unknown } | undefined;
}

/** Returns the texts in a call's input that may be at least this long: without a most, and not of one form or a few values, as long as anybody likes. */
export function textsOfCall(name: CallName, least: number): TextPlace[] {
  const schema = z.toJSONSchema(inputs[name], { io: 'input', unrepresentable: 'any' }) as Schema;
  const places = textsOf(schema, least, { path: [], around: undefined });
  return [...new Map(places.map((place) => [place.path.join('\0'), place])).values()];
}

function textsOf(schema: Schema, least: number, { path, around }: TextPlace): TextPlace[] {
  const { type, properties, additionalProperties, items, prefixItems, anyOf = [], allOf = [] } = schema;
  const isClosed = [schema.pattern, schema.enum, schema.const].some((one) => one !== undefined);
  const maxLength = schema.maxLength ?? (isClosed ? 0 : Infinity);
  const of = (name: string): TextPlace => ({ path: [...path, name], around });
  const made = (name: string, one: Schema) => {
    const place = of(name);
    return [one, { ...place, around: { path: place.path, value: sampleOf(one) } }] as const;
  };
  const inside = [
    ...Object.entries(properties ?? {}).map(([name, one]) => [one, of(name)] as const),
    ...Object.entries(prefixItems ?? []).map(([name, one]) => [one, of(name)] as const),
    ...(typeof items === 'object' ? [made('0', items)] : []),
    ...(typeof additionalProperties === 'object' ? [made('name', additionalProperties)] : []),
  ];
  return [
    ...(type === 'string' && maxLength >= least ? [{ path, around }] : []),
    ...inside.flatMap(([one, place]) => textsOf(one, least, place)),
    // Each form of an object needs something else beside its texts.
    ...[...anyOf, ...allOf].flatMap((one) =>
      textsOf(one, least, {
        path,
        around: around && { ...around, value: withText(around.value, path.slice(around.path.length), sampleOf(one)) },
      }),
    ),
  ];
}

/** Returns the least that fits a schema: what it requires, each text one of a few that some form lets in. */
function sampleOf({ type, properties = {}, required = [], pattern = '', anyOf, enum: values, const: only }: Schema): unknown {
  if (only !== undefined) return only;
  if (values !== undefined) return values[0];
  if (anyOf !== undefined) return sampleOf(anyOf[0] ?? {});
  if (type === 'string') return ['/a', '200', 'a'].find((text) => new RegExp(pattern, 'u').test(text));
  if (type === 'object') return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {})]));
  return type === 'array' ? [] : type === 'boolean' ? true : 1;
}

/** Returns the inputs in which a text stands at its place, by itself or after what its form may ask it to begin with. */
export function inputsWith(valid: readonly unknown[], { path, around }: TextPlace, text: string): unknown[] {
  const grounds = valid.flatMap((one) => [one, ...(around === undefined ? [] : [withText(one, around.path, around.value)])]);
  return ['', '/', 'text: '].flatMap((start) => grounds.map((one) => withText(one, path, `${start}${text}`)));
}

/** Returns a copy with another value at a path, whose objects and lists are made where they are missing. */
function withText(value: unknown, [name, ...rest]: readonly string[], text: unknown): unknown {
  if (name === undefined) return text;
  if (Array.isArray(value) || (value === undefined && /^[0-9]+$/.test(name)))
    return Object.assign([...((value as unknown[] | undefined) ?? [])], {
      [name]: withText((value as unknown[] | undefined)?.[Number(name)], rest, text),
    });
  const object = (typeof value === 'object' ? value : null) as Record<string, unknown> | null;
  return { ...object, [name]: withText(object?.[name], rest, text) };
}
