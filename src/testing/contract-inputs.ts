import { inputs, type CallName } from '#shared/ipc/index.ts';
import { z } from '#shared/model/schema.ts';

/** The part of JSON Schema that says where texts are. */
interface Schema {
  readonly type?: string;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: boolean | Schema;
  readonly prefixItems?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** Returns the paths of the texts in a call's input that may be at least this long. */
export function textsOfCall(name: CallName, least: number): string[][] {
  const paths = textsOf(z.toJSONSchema(inputs[name], { io: 'input', unrepresentable: 'any' }) as Schema, least, []);
  return [...new Map(paths.map((path) => [path.join('\0'), path])).values()];
}

function textsOf(schema: Schema, least: number, path: readonly string[]): string[][] {
  const { type, maxLength = Infinity, properties, additionalProperties, items, prefixItems, anyOf = [], allOf = [] } = schema;
  const inside = [
    ...Object.entries(properties ?? {}),
    ...Object.entries(prefixItems ?? []),
    ...(typeof items === 'object' ? [['0', items] as const] : []),
    ...(typeof additionalProperties === 'object' ? [['name', additionalProperties] as const] : []),
  ];
  return [
    ...(type === 'string' && maxLength >= least ? [[...path]] : []),
    ...inside.flatMap(([name, one]) => textsOf(one, least, [...path, name])),
    ...[...anyOf, ...allOf].flatMap((one) => textsOf(one, least, path)),
  ];
}

/** Returns a copy with another value at a path, whose objects and lists are made where they are missing. */
export function withText(value: unknown, [name, ...rest]: readonly string[], text: string): unknown {
  if (name === undefined) return text;
  if (Array.isArray(value) || (value === undefined && /^[0-9]+$/.test(name)))
    return Object.assign([...((value as unknown[] | undefined) ?? [])], {
      [name]: withText((value as unknown[] | undefined)?.[Number(name)], rest, text),
    });
  const object = (typeof value === 'object' ? value : null) as Record<string, unknown> | null;
  return { ...object, [name]: withText(object?.[name], rest, text) };
}
