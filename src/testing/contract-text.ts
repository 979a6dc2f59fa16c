import { z } from '#shared/model/schema.ts';

/** The part of JSON Schema that the contract uses. */
interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly items?: boolean | Schema;
  readonly prefixItems?: readonly Schema[];
  readonly [rule: string]: unknown;
}

/** Words of a schema that are shown in a line of their own or in another way. */
const shown = new Set(
  '$ref $defs $schema id type const enum anyOf allOf properties required additionalProperties propertyNames items prefixItems'.split(
    ' ',
  ),
);
/** Bounds that JSON Schema gives every integer: those of JavaScript's exact integers. */
const bounds: readonly unknown[] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
/** Number of values in one line; more of them have a line each. */
const inOneLine = 5;

/** The schemas of a contract by their use. */
export interface ContractParts {
  readonly inputs: Readonly<Record<string, z.ZodMiniType>>;
  readonly outputs: Readonly<Record<string, z.ZodMiniType>>;
  readonly events: Readonly<Record<string, z.ZodMiniType>>;
  /** Modules whose exported schemas are types with a name. */
  readonly modules: readonly Readonly<Record<string, unknown>>[];
}

/** Returns a contract as text to compare: one short line for each field; a named type is written once. */
export function contractText({ inputs, outputs, events, modules }: ContractParts): string {
  const names = z.registry<{ id: string }>();
  for (const module of modules) {
    for (const [id, value] of Object.entries(module)) {
      if (value instanceof z.core.$ZodType && !names.has(value)) names.add(value, { id });
    }
  }
  const sent = new Map<string, Schema>();
  const given = new Map<string, Schema>();

  /** Inside an object, because a schema with a name is a reference only as a part of another one. */
  function schemaOf(type: z.ZodMiniType, io: 'input' | 'output'): Schema {
    const whole = z.toJSONSchema(z.strictObject({ it: type }), { io, metadata: names, unrepresentable: 'any' }) as Schema;
    for (const [id, schema] of Object.entries(whole.$defs ?? {})) (io === 'input' ? sent : given).set(id, schema);
    return whole.properties?.['it'] ?? {};
  }

  const calls = Object.entries(inputs).flatMap(([name, input]) => [
    `call ${name}`,
    ...linesOf('input', schemaOf(input, 'input')),
    ...(outputs[name] === undefined ? [] : linesOf('output', schemaOf(outputs[name], 'output'))),
  ]);
  const told = Object.entries(events).flatMap(([name, payload]) => [
    `event ${name}`,
    ...linesOf('payload', schemaOf(payload, 'output')),
  ]);
  const types = [...new Set([...sent.keys(), ...given.keys()])].sort().flatMap((id) => {
    const [input, output] = [sent, given].map((all) => {
      const schema = all.get(id);
      return schema === undefined ? [] : linesOf('', schema);
    }) as [string[], string[]];
    if (input.length === 0 || output.length === 0 || input.join() === output.join()) {
      return [`type ${id}`, ...(input.length === 0 ? output : input)];
    }
    return [`type ${id}, as it is sent`, ...input, `type ${id}, as it is given`, ...output];
  });
  return `${[...calls, ...told, ...types].join('\n')}\n`;
}

/** Returns a line for the position, and below it the lines of its fields, under their own names. */
function linesOf(place: string, schema: Schema): string[] {
  return below(place, schema).map((line) => `  ${line}`);
}

function below(place: string, schema: Schema): string[] {
  const [main, nullable] = withoutNull(schema);
  const { properties, items, prefixItems, anyOf, additionalProperties, propertyNames } = main;
  const extra = [rulesOf(schema), main === schema ? '' : rulesOf(main)].filter((rules) => rules !== '').join(', ');
  const line = (text: string) => [
    place,
    [`${text}${nullable ? ' or null' : ''}`, extra].filter((part) => part !== '').join(', '),
  ];
  const say = (text: string) =>
    line(text)
      .filter((part) => part !== '')
      .join(': ');
  const inside = (name: string) => (place === '' ? name : `${place}.${name}`);
  const values = main.enum ?? [];
  if (main.$ref !== undefined) return [say(main.$ref.replace(/^.*\//, ''))];
  if (main.allOf !== undefined) return main.allOf.flatMap((part) => below(place, { ...part, default: main['default'] }));
  if (values.length > inOneLine) return [say('one of'), ...values.map((value) => `${place}| ${JSON.stringify(value)}`)];
  if (values.length > 0) return [say(values.map((value) => JSON.stringify(value)).join(' | '))];
  if ('const' in main) return [say(JSON.stringify(main.const))];
  if (anyOf !== undefined) return [say('one of'), ...anyOf.flatMap((part, at) => below(`${place}|${at + 1}`, part))];
  if (prefixItems !== undefined) return [say('tuple'), ...prefixItems.flatMap((part, at) => below(`${place}[${at}]`, part))];
  if (typeof items === 'object') return [say('array'), ...below(`${place}[]`, items)];
  if (typeof additionalProperties === 'object' && properties === undefined) {
    return [
      say('record'),
      ...(propertyNames === undefined ? [] : below(inside('(name)'), propertyNames)),
      ...below(inside('*'), additionalProperties),
    ];
  }
  if (properties === undefined) return [say(typeof main.type === 'string' ? main.type : 'anything')];
  const own = say(additionalProperties === false ? 'object' : 'object with more');
  // Its fields show that it is one.
  const isPlain = own === (place === '' ? 'object' : `${place}: object`) && Object.keys(properties).length > 0;
  return [
    ...(isPlain ? [] : [own]),
    ...Object.entries(properties).flatMap(([name, member]) =>
      below(inside(main.required?.includes(name) === true ? name : `${name}?`), member),
    ),
  ];
}

/** Returns what a schema accepts beside null, and whether it accepts null. */
function withoutNull(schema: Schema): [Schema, boolean] {
  if (Array.isArray(schema.type) && schema.type.length === 2 && schema.type.includes('null')) {
    return [{ ...schema, type: schema.type.find((name) => name !== 'null') as string }, true];
  }
  const others = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  const [only] = others;
  if (schema.anyOf?.length !== 2 || others.length !== 1 || only === undefined) return [schema, false];
  return [only, true];
}

function rulesOf(schema: Schema): string {
  return Object.entries(schema)
    .filter(
      ([name, value]) =>
        !shown.has(name) && value !== undefined && !(name === 'pattern' && 'format' in schema) && !bounds.includes(value),
    )
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    .join(', ');
}
