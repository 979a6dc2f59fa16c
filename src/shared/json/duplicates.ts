import { parseJson, type JsonNode } from './parse.ts';
import { pointerStep } from './pointer.ts';

/** Members of one name in one object, in the order of the text. */
export interface Duplicate {
  readonly name: string;
  /** JSON Pointer of the object. */
  readonly at: string;
  /** The same without positions in arrays. */
  readonly group: string;
  readonly values: readonly JsonNode[];
}

/**
 * Calls `found` for each name that occurs more than once in an object, with its escapes decoded. `parsed` is what JSON.parse made of the
 * text: it has fewer members than the text has names only then, so that nearly every text is counted and not parsed again.
 */
export function findDuplicates(text: string, parsed: unknown, found: (duplicate: Duplicate) => void): void {
  if (countNames(text) === countMembers(parsed)) return;
  const again = parseJson(text);
  if (again.ok) visit(again.root, null, found);
}

/** Counts the colons outside of strings. */
function countNames(text: string): number {
  let names = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) inString = !inString;
    else if (code === 0x5c) i++;
    else if (code === 0x3a && !inString) names++;
  }
  return names;
}

function countMembers(root: unknown): number {
  let members = 0;
  const open = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) {
      for (const item of value as unknown[]) if (typeof item === 'object' && item !== null) open.push(item);
    } else if (typeof value === 'object' && value !== null) {
      for (const name in value) {
        members++;
        const member = (value as Record<string, unknown>)[name];
        if (typeof member === 'object' && member !== null) open.push(member);
      }
    }
  }
  return members;
}

/** Position of an object or array as a chain, so that a pointer is written only for a duplicate. */
interface Place {
  readonly above: Place | null;
  readonly step: string | number;
}

function visit(node: JsonNode, place: Place | null, found: (duplicate: Duplicate) => void): void {
  if (node.kind === 'array') {
    node.items.forEach((item, step) => visit(item, { above: place, step }, found));
  } else if (node.kind === 'object') {
    const values = new Map<string, JsonNode[]>();
    for (const { key, value } of node.members) {
      const same = values.get(key);
      if (same === undefined) values.set(key, [value]);
      else same.push(value);
    }
    if (values.size < node.members.length) {
      for (const [name, same] of values) {
        if (same.length > 1) found({ name, at: pointerOf(place, String), group: pointerOf(place, () => '*'), values: same });
      }
    }
    for (const { key, value } of node.members) visit(value, { above: place, step: key }, found);
  }
}

function pointerOf(place: Place | null, index: (position: number) => string): string {
  let pointer = '';
  for (let one = place; one !== null; one = one.above) {
    pointer = (typeof one.step === 'number' ? `/${index(one.step)}` : pointerStep(one.step)) + pointer;
  }
  return pointer;
}
