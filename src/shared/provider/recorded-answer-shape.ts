import { parseJson } from '../json/parse.ts';
import type { JsonNode, JsonObject } from '../json/parse.ts';
import type { Shape } from './model.ts';

/** Result of reading a recorded answer. */
export type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string };

/** Shapes by the type name of a field in a recorded shape. */
const shapeTypes = {
  string: { kind: 'string' },
  integer: { kind: 'integer' },
  number: { kind: 'number' },
  boolean: { kind: 'boolean' },
  amount: { kind: 'number', money: true },
  currency: { kind: 'string', format: 'currency' },
  dateTime: { kind: 'string', format: 'dateTime' },
  url: { kind: 'string', format: 'url' },
  token: { kind: 'string', token: true },
  null: { kind: 'null' },
  any: { kind: 'any' },
} as const satisfies Record<string, Shape>;
export type ShapeType = keyof typeof shapeTypes;

/** The names of `shapeTypes`, in the order of the choices. */
export const shapeTypeNames = Object.keys(shapeTypes) as ShapeType[];

const deepest = 6;
const mostFields = 200;
const example = '{"transactionId": "string", "balance?": "amount"}';

/**
 * Reads a recorded shape: a JSON object of field names, each with a type (one of `shapeTypes`, with an optional `: meaning`), an object for
 * nested fields, or an array of one element for an array. A `?` at the end of a name marks an optional field; the name `...` stands for
 * further fields.
 */
export function readShape(text: string): Read<Shape> {
  const parsed = parseJson(text);
  if (!parsed.ok) {
    return refuse(`This is not JSON: ${parsed.error.message}. Write the fields with their types, such as ${example}.`);
  }
  const count = { fields: 0 };
  return shapeOf(parsed.root, '', 0, count);
}

function shapeOf(node: JsonNode, at: string, depth: number, count: { fields: number }): Read<Shape> {
  const where = at === '' ? 'The answer' : at;
  if (depth > deepest) return refuse(`${where} is nested too deeply: Croupier reads at most ${deepest} levels.`);
  if (node.kind === 'string') return leafOf(node.value, where);
  if (node.kind === 'array') {
    const [item, ...more] = node.items;
    if (item === undefined || more.length > 0) {
      return refuse(`${where} is an array and must have exactly one element: the type of its items.`);
    }
    const read = shapeOf(item, `${at}[]`, depth + 1, count);
    return read.ok ? { ok: true, value: { kind: 'array', items: read.value } } : read;
  }
  if (node.kind === 'object') return fieldsOf(node, at, depth, count);
  return refuse(`${where} must be a type in double quotes, fields in braces or an array, such as ${example}.`);
}

function fieldsOf(node: JsonObject, at: string, depth: number, count: { fields: number }): Read<Shape> {
  // No prototype, so that a field can have any name.
  const fields: Record<string, Shape> = Object.create(null);
  let rest = false;
  for (const { key, value } of node.members) {
    if (key === '...') {
      rest = true;
      continue;
    }
    const optional = key.endsWith('?');
    const name = optional ? key.slice(0, -1) : key;
    const inside = at === '' ? name : `${at}.${name}`;
    if (name === '' || name.length > 100)
      return refuse(`A field name${at === '' ? '' : ` in ${at}`} must have 1 to 100 characters.`);
    if (Object.hasOwn(fields, name)) return refuse(`${inside} occurs twice.`);
    count.fields++;
    if (count.fields > mostFields) return refuse(`The shape has more than ${mostFields} fields.`);
    const read = shapeOf(value, inside, depth + 1, count);
    if (!read.ok) return read;
    fields[name] = optional ? { ...read.value, optional: true } : read.value;
  }
  return { ok: true, value: { kind: 'object', fields, ...(rest ? { rest: true as const } : {}) } };
}

function leafOf(text: string, where: string): Read<Shape> {
  const [, type = '', meaning] = /^([A-Za-z]*)(?:: *(.*))?$/su.exec(text) ?? [];
  if (!isShapeType(type)) {
    return refuse(`${where} has the unknown type ${JSON.stringify(text)}. The types are ${shapeTypeNames.join(', ')}.`);
  }
  const shape: Shape = shapeTypes[type];
  return { ok: true, value: meaning === undefined || meaning === '' ? shape : { ...shape, notes: meaning } };
}

function isShapeType(name: string): name is ShapeType {
  return Object.hasOwn(shapeTypes, name);
}

function refuse(message: string): Read<never> {
  return { ok: false, message };
}

/** Finds the fields of type token, each as a path of names, with `[]` for a position in an array. */
export function tokenPaths(shape: Shape): string[][] {
  if (shape.kind === 'array') return tokenPaths(shape.items).map((steps) => ['[]', ...steps]);
  if (shape.kind !== 'object') return [];
  return Object.entries(shape.fields).flatMap(([name, field]) => {
    if (field.kind === 'string' && field.token === true) return [[name]];
    return tokenPaths(field).map((steps) => [name, ...steps]);
  });
}

/** Lists all fields of a shape, with dots and `[]` for nesting. */
export function shapeFieldNames(shape: Shape, at = ''): string[] {
  if (shape.kind === 'array') return shapeFieldNames(shape.items, `${at}[]`);
  if (shape.kind !== 'object') return [];
  return Object.entries(shape.fields).flatMap(([name, field]) => {
    const inside = at === '' ? name : `${at}.${name}`;
    const names = shapeFieldNames(field, inside);
    return names.length === 0 ? [inside] : names;
  });
}
