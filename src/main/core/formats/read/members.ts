import type { JsonNode, JsonObject } from '#shared/json/parse.ts';
import { pointerStep } from '#shared/json/pointer.ts';
import type { Lose } from './import-source.ts';

/** A value of a JSON file with its place as a JSON Pointer. */
export interface Item {
  readonly node: JsonNode;
  readonly at: string;
}

/**
 * The members of one object of a file. Each is taken by its name, and `rest` reports those that nobody took: so nothing of an
 * object that is read is lost silently. A value of another kind than requested is not taken.
 */
export interface Members {
  readonly at: string;
  /** Returns a text, or the text of a number or a boolean; null for null, for anything else, and if it is missing. */
  text(name: string): string | null;
  object(name: string): Members | null;
  /** Returns none if it is not an array. */
  items(name: string): Item[];
  /** Returns the member of any type. */
  take(name: string): Item | null;
  has(name: string): boolean;
  /** Returns every member, each counted as taken. */
  all(): { readonly key: string; readonly value: JsonNode; readonly at: string }[];
  /** Reports the members that were not taken and have content. */
  rest(lose: Lose, why: string): void;
}

/** Returns null if it is not an object. */
export function membersOf({ node, at }: Item): Members | null {
  return node.kind === 'object' ? createMembers(node, at) : null;
}

function createMembers({ members }: JsonObject, at: string): Members {
  const taken = new Set<number>();
  const placeOf = (name: string) => at + pointerStep(name);

  /** Of a duplicate the last, as every reader has it; the others stay for `rest`. */
  function find(name: string, fits: (node: JsonNode) => boolean): JsonNode | null {
    const index = members.findLastIndex(({ key }) => key === name);
    const node = members[index]?.value;
    if (node === undefined || !fits(node)) return null;
    taken.add(index);
    return node;
  }

  return {
    at,
    all() {
      for (const index of members.keys()) taken.add(index);
      return members.map(({ key, value }) => ({ key, value, at: placeOf(key) }));
    },
    has: (name) => members.some(({ key }) => key === name),
    text(name) {
      const node = find(name, ({ kind }) => kind !== 'object' && kind !== 'array');
      return node === null ? null : scalarText(node);
    },
    object(name) {
      const node = find(name, ({ kind }) => kind === 'object' || kind === 'null');
      return node?.kind === 'object' ? createMembers(node, placeOf(name)) : null;
    },
    items(name) {
      const node = find(name, ({ kind }) => kind === 'array' || kind === 'null');
      return node?.kind === 'array' ? node.items.map((item, index) => ({ node: item, at: `${placeOf(name)}/${index}` })) : [];
    },
    take(name) {
      const node = find(name, () => true);
      return node === null ? null : { node, at: placeOf(name) };
    },
    rest(lose, why) {
      const left = members.filter(({ value }, index) => !taken.has(index) && !isNothing(value)).map(({ key }) => key);
      if (left.length === 0) return;
      lose(left.join(', '), why, left.map(placeOf));
    },
  };
}

/** Returns a text, or the content of an object, as some tools have notes. */
export function notesIn(owner: Members | null, name: string, lose: Lose): string {
  const inner = owner?.object(name) ?? null;
  if (inner === null) return owner?.text(name) ?? '';
  const content = inner.text('content') ?? '';
  inner.rest(lose, 'Notes are plain text.');
  return content;
}

/** Returns whether a node has no content, as an empty list. */
function isNothing(node: JsonNode): boolean {
  if (node.kind === 'array') return node.items.length === 0;
  if (node.kind === 'object') return node.members.length === 0;
  return node.kind === 'null' || (node.kind === 'string' && node.value === '');
}

/** Null for null, an object and an array. */
export function scalarText(node: JsonNode): string | null {
  if (node.kind === 'string') return node.value;
  if (node.kind === 'number') return node.text;
  return node.kind === 'true' || node.kind === 'false' ? node.kind : null;
}
