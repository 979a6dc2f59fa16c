import type { Call } from '../ipc/outputs/calls.ts';
import { parseJson, type JsonNode } from '../json/parse.ts';

/** Returns the value at a path of members in the body that left, as its text stands there; null where there is none. */
export function sentText(call: Pick<Call, 'request'>, path: readonly string[]): string | null {
  const { bodyText } = call.request;
  const parsed = parseJson(bodyText);
  let node: JsonNode | null = parsed.ok ? parsed.root : null;
  for (const name of path) {
    if (node?.kind !== 'object') return null;
    // If a name occurs more than once, the last one counts, as in PHP.
    node = node.members.findLast(({ key }) => key === name)?.value ?? null;
  }
  return node === null ? null : bodyText.slice(node.start, node.end);
}
