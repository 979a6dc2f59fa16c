import type { JsonNode } from '#shared/json/parse.ts';

export interface Member {
  readonly name: string;
  readonly value: Value;
}
/** A decoded JSON value; a number keeps its digits. */
export type Value =
  | { readonly kind: 'object'; readonly members: readonly Member[] }
  | { readonly kind: 'array'; readonly items: readonly Value[] }
  | { readonly kind: 'string'; readonly text: string }
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'word'; readonly text: 'true' | 'false' | 'null' };

export const nullWord: Value = { kind: 'word', text: 'null' };

/** Decodes as every encoder's decoder does: of a duplicate name, the first place with the last value. */
export function valueOf(node: JsonNode): Value {
  switch (node.kind) {
    case 'object': {
      const members = new Map<string, Member>();
      for (const { key, value } of node.members) members.set(key, { name: key, value: valueOf(value) });
      return { kind: 'object', members: [...members.values()] };
    }
    case 'array':
      return { kind: 'array', items: node.items.map(valueOf) };
    case 'string':
      return { kind: 'string', text: node.value };
    case 'number':
      return { kind: 'number', text: node.text };
    case 'true':
    case 'false':
    case 'null':
      return { kind: 'word', text: node.kind };
  }
}

/** Replaces values from the innermost outwards; `change` gets the name of the member that holds the value, if one does. */
export function mapValues(value: Value, change: (value: Value, name: string | null) => Value, name: string | null = null): Value {
  if (value.kind === 'array') return change({ kind: 'array', items: value.items.map((item) => mapValues(item, change)) }, name);
  if (value.kind !== 'object') return change(value, name);
  const members = value.members.map((member) => ({ name: member.name, value: mapValues(member.value, change, member.name) }));
  return change({ kind: 'object', members }, name);
}

/** Changes the members of every object. */
export function mapMembers(value: Value, change: (members: readonly Member[]) => readonly Member[]): Value {
  return mapValues(value, (one) => (one.kind === 'object' ? { kind: 'object', members: change(one.members) } : one));
}

/** Decodes as PHP does with associative arrays: an object with the names 0, 1, 2 and so on, or none, is a list. */
export function associative(value: Value): Value {
  return mapValues(value, (one) =>
    one.kind === 'object' && one.members.every(({ name }, at) => name === String(at))
      ? { kind: 'array', items: one.members.map((member) => member.value) }
      : one,
  );
}

/** Changes every text that is a value. */
export function mapTexts(value: Value, change: (text: string) => string): Value {
  return mapValues(value, (one) => (one.kind === 'string' ? { kind: 'string', text: change(one.text) } : one));
}

/** Most members of which each has mistakes of its own: in pairs they are thousands of texts. */
const mostOwnMistakes = 40;

/** Returns the members of the outermost object that can have mistakes of their own; none if there are too many. */
export function membersWithOwnMistakes(value: Value): readonly Member[] {
  return value.kind === 'object' && value.members.length <= mostOwnMistakes ? value.members : [];
}
