import { compareDecimals } from './decimal.ts';
import { minifyJson } from './format.ts';
import type { JsonNode, JsonObject } from './parse.ts';

/** Returns a value of `source` as text: a string's characters, a number's source digits, true, false, null, or compact JSON. */
export function valueText(source: string, node: JsonNode): string {
  switch (node.kind) {
    case 'string':
      return node.value;
    case 'number':
      return node.text;
    case 'object':
    case 'array':
      return minifyJson(source.slice(node.start, node.end));
    case 'true':
    case 'false':
    case 'null':
      return node.kind;
  }
}

/** Returns the members of an object, each name once; the last value of a duplicate counts. */
export function membersOf(object: JsonObject): ReadonlyMap<string, JsonNode> {
  return new Map(object.members.map(({ key, value }) => [key, value]));
}

/** Returns the value of a name; the last one of a duplicate. */
export function memberOf(object: JsonObject, name: string): JsonNode | undefined {
  return object.members.findLast(({ key }) => key === name)?.value;
}

/**
 * Returns whether two values are the same: numbers of any length by their values, texts by their characters, objects whatever the order of their
 * members. `spend` gets the cost of each comparison, so that a caller can limit it.
 */
export function sameValue(one: JsonNode, other: JsonNode, spend: (steps: number) => void = () => undefined): boolean {
  spend(1);
  if (one.kind === 'number' && other.kind === 'number') {
    spend((one.text.length + other.text.length) >> 6);
    return compareDecimals(one.text, other.text) === 0;
  }
  if (one.kind === 'string' && other.kind === 'string') return one.value === other.value;
  if (one.kind === 'array' && other.kind === 'array') {
    if (one.items.length !== other.items.length) return false;
    return one.items.every((item, index) => sameValue(item, other.items[index] as JsonNode, spend));
  }
  if (one.kind === 'object' && other.kind === 'object') {
    spend(one.members.length + other.members.length);
    const [members, others] = [membersOf(one), membersOf(other)];
    if (members.size !== others.size) return false;
    for (const [name, value] of members) {
      const counterpart = others.get(name);
      if (counterpart === undefined || !sameValue(value, counterpart, spend)) return false;
    }
    return true;
  }
  return one.kind === other.kind;
}
