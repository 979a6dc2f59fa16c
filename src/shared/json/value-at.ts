import type { JsonNode } from './parse.ts';

/**
 * Returns the value that a cursor at a UTF-16 offset of a JSON text is on: of a field if the cursor is on its name, and the one at the end
 * of its line if the cursor is in the space around it.
 */
export function valueAt(root: JsonNode, text: string, offset: number): JsonNode {
  const at = onToken(text, offset);
  let node = root;
  for (let next = childAt(node, at); next !== undefined; next = childAt(node, at)) node = next;
  return node;
}

/** Moves an offset in the space before a line's text, or behind its comma, onto the text. */
function onToken(text: string, offset: number): number {
  let at = Math.min(offset, text.length);
  while (at < text.length && /[ \t]/.test(text.charAt(at))) at += 1;
  while (at > 0 && /^(?:$|[\r\n])/.test(text.slice(at, at + 1)) && /[, \t]/.test(text.charAt(at - 1))) at -= 1;
  return at;
}

function childAt(node: JsonNode, at: number): JsonNode | undefined {
  if (node.kind === 'object') return node.members.find(({ keyStart, value }) => keyStart <= at && at <= value.end)?.value;
  if (node.kind === 'array') return node.items.find(({ start, end }) => start <= at && at <= end);
  return undefined;
}
