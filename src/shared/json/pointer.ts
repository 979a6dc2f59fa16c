import type { JsonNode } from './parse.ts';
import { memberOf, membersOf } from './values.ts';

/** Writes one step of a JSON Pointer. */
export function pointerStep(name: string | number): string {
  const text = String(name);
  return /[~/]/.test(text) ? `/${text.replaceAll('~', '~0').replaceAll('/', '~1')}` : `/${text}`;
}

/** Returns the names and positions of a JSON Pointer (RFC 6901), or a sentence that says what is wrong with it. */
export function pointerSteps(
  pointer: string,
): { readonly ok: true; readonly steps: readonly string[] } | { readonly ok: false; readonly message: string } {
  if (pointer === '') return { ok: true, steps: [] };
  if (!pointer.startsWith('/')) return { ok: false, message: 'A JSON Pointer is empty or begins with /.' };
  if (/~(?![01])/.test(pointer)) return { ok: false, message: 'In a JSON Pointer, write ~ as ~0 and / within a name as ~1.' };
  const steps = pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return { ok: true, steps };
}

/** Returns the value at the end of the steps, or a sentence about what is there instead. */
export function lookUp(
  root: JsonNode,
  steps: readonly string[],
): { readonly ok: true; readonly node: JsonNode } | { readonly ok: false; readonly message: string } {
  let node = root;
  let place = '';
  for (const step of steps) {
    const next = childOf(node, step);
    if (next === undefined) {
      const wanted = shortPlace(steps.map(pointerStep).join(''));
      return {
        ok: false,
        message: `${wanted} is missing: ${place === '' ? 'the response' : shortPlace(place)} is ${describeNode(node)}.`,
      };
    }
    node = next;
    place += pointerStep(step);
  }
  return { ok: true, node };
}

function childOf(node: JsonNode, step: string): JsonNode | undefined {
  if (node.kind === 'object') return memberOf(node, step);
  if (node.kind === 'array') return /^(?:0|[1-9]\d{0,15})$/.test(step) ? node.items[Number(step)] : undefined;
  return undefined;
}

/** Returns the JSON Pointer of a node that is in the tree below the root. */
export function pointerTo(root: JsonNode, target: JsonNode): string {
  let node = root;
  let pointer = '';
  const holds = ({ start, end }: JsonNode) => start <= target.start && target.end <= end;
  while (node !== target) {
    if (node.kind === 'object') {
      const member = node.members.find(({ value }) => holds(value));
      if (member === undefined) break;
      node = member.value;
      pointer += pointerStep(member.key);
    } else if (node.kind === 'array') {
      const index = node.items.findIndex(holds);
      if (index === -1) break;
      node = node.items[index] as JsonNode;
      pointer += pointerStep(index);
    } else break;
  }
  return pointer;
}

const mostNames = 12;
/** Longest value to show. Longer ones are not shown in part, because no mask would find a part of a token. */
const mostShown = 40;

/** Describes a value for a sentence: `an object with "code" and "message"`, `an array of 3`, `the string "abc"`, `the number 0.10`. */
export function describeNode(node: JsonNode): string {
  switch (node.kind) {
    case 'object': {
      const names = [...membersOf(node).keys()];
      if (names.length === 0) return 'an empty object';
      const quoted = names.slice(0, mostNames).map((name) => JSON.stringify(clipped(name)));
      const last = names.length > mostNames ? `${names.length - mostNames} more` : (quoted.pop() as string);
      return `an object with ${quoted.length === 0 ? last : `${quoted.join(', ')} and ${last}`}`;
    }
    case 'array':
      return node.items.length === 0 ? 'an empty array' : `an array of ${node.items.length}`;
    case 'string':
      if (node.value.length > mostShown) return `a string of ${node.value.length} characters`;
      return node.value === '' ? 'an empty string' : `the string ${JSON.stringify(node.value)}`;
    case 'number':
      return node.text.length > mostShown ? `a number of ${node.text.length} characters` : `the number ${node.text}`;
    case 'true':
    case 'false':
    case 'null':
      return node.kind;
  }
}

function clipped(text: string): string {
  return text.length <= mostShown ? text : `${text.slice(0, mostShown - 1)}…`;
}

function shortPlace(pointer: string): string {
  return pointer.length <= 200 ? pointer : `${pointer.slice(0, 199)}…`;
}
