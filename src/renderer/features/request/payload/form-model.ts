import { parseJson, type JsonMember, type JsonNode } from '#shared/json/parse.ts';
import { withStandIns } from '#shared/payload-text/placeholders.ts';
import type { Field } from '#shared/provider/model.ts';
import { payloadExcess } from '#shared/provider/payload-limits.ts';

/** One field of the form as it is in the text. `json` is the value exactly as typed. */
export type FieldValue =
  | { readonly kind: 'absent' }
  | { readonly kind: 'string'; readonly json: string; readonly value: string }
  | { readonly kind: 'number'; readonly json: string }
  | { readonly kind: 'strings'; readonly json: string; readonly items: readonly string[] }
  /** A value of another type than the spec has for the field: shown as it is, edited as text. */
  | { readonly kind: 'other'; readonly json: string; readonly what: string };

/** The text as the form sees it. */
export type FormModel =
  | { readonly kind: 'fields'; readonly values: ReadonlyMap<string, FieldValue>; readonly unknown: readonly UnknownMember[] }
  /** Nothing typed: every field is absent, and adding one starts the object. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'notObject'; readonly what: string }
  /** Beyond the limits of a payload. */
  | { readonly kind: 'tooLarge'; readonly message: string }
  | { readonly kind: 'notJson'; readonly message: string; readonly line: number; readonly column: number };

/** A field that the spec does not have for this operation. */
export interface UnknownMember {
  readonly name: string;
  readonly json: string;
}

/** Reads a text as the fields of a form; a duplicate name counts by its last value, as PHP reads it. */
export function readForm(text: string, fields: readonly Field[]): FormModel {
  if (text.trim() === '') return { kind: 'empty' };
  const excess = payloadExcess(text);
  if (excess !== null) return { kind: 'tooLarge', message: excess };
  const parsed = parseJson(withStandIns(text));
  if (!parsed.ok) return { kind: 'notJson', message: parsed.error.message, line: parsed.error.line, column: parsed.error.column };
  if (parsed.root.kind !== 'object') return { kind: 'notObject', what: nameOf(parsed.root) };
  const members = new Map<string, JsonMember>();
  for (const member of parsed.root.members) members.set(member.key, member);
  const values = new Map<string, FieldValue>();
  for (const field of fields) values.set(field.name, valueOf(text, field, members.get(field.name)));
  const known = new Set(fields.map((field) => field.name));
  const unknown = [...members.values()]
    .filter((member) => !known.has(member.key))
    .map((member) => ({ name: member.key, json: text.slice(member.value.start, member.value.end) }));
  return { kind: 'fields', values, unknown };
}

/**
 * Returns JSON text for the text typed into a number's field, which may be a variable; null if it is neither. No digit is changed.
 */
export function numberJson(typed: string): string | null {
  const trimmed = typed.trim();
  if (/^-?\{\{[^{}]+\}\}$/.test(trimmed)) return trimmed;
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(trimmed) ? trimmed : null;
}

/** Returns JSON text of a list of strings: on one line while that is short, else one item a line. */
export function stringsJson(items: readonly string[]): string {
  const parts = items.map((item) => JSON.stringify(item));
  const line = `[${parts.join(', ')}]`;
  return line.length <= 72 ? line : `[\n    ${parts.join(',\n    ')}\n  ]`;
}

/**
 * Returns the items of a pasted text: one a line, or in a single line separated by commas or semicolons; blank ones are left out.
 */
export function itemsOf(pasted: string): string[] {
  const lines = pasted.split(/\r\n|\r|\n/);
  const parts = lines.length === 1 ? pasted.split(/[;,\t]/) : lines;
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function valueOf(text: string, field: Field, member: JsonMember | undefined): FieldValue {
  if (member === undefined) return { kind: 'absent' };
  const { value } = member;
  const json = text.slice(value.start, value.end);
  if (field.type === 'string' && value.kind === 'string') return { kind: 'string', json, value: value.value };
  if (field.type === 'strings' && value.kind === 'array') {
    const items: string[] = [];
    for (const item of value.items) {
      if (item.kind !== 'string' || /[\r\n]/.test(item.value)) return { kind: 'other', json, what: 'a list of other values' };
      items.push(item.value);
    }
    return { kind: 'strings', json, items };
  }
  const numeric = field.type === 'integer' || field.type === 'bigint' || field.type === 'number';
  if (numeric && value.kind === 'number') return { kind: 'number', json };
  return { kind: 'other', json, what: nameOf(value) };
}

function nameOf(node: JsonNode): string {
  const names = {
    object: 'an object',
    array: 'a list',
    string: 'a string',
    number: 'a number',
    true: 'true',
    false: 'false',
    null: 'null',
  };
  return names[node.kind];
}
