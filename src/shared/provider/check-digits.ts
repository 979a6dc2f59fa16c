import { parseJson, type JsonNode } from '../json/parse.ts';
import { pointerStep } from '../json/pointer.ts';
import { shown, type FindingList } from './findings.ts';
import type { Shape } from './model.ts';

/** A number of so many digits may be more than 64 bits hold; shorter ones need no second look. How many follow is not asked: a million exhaust the engine's stack. */
const suspicious = /[:[,\s]-?\d{19}/;
const largest = 2n ** 63n - 1n;

/**
 * Finds identifiers beyond a signed 64-bit integer in the source of a response, where every digit stands; a parsed number has lost them.
 * The source is read again only where such a number may stand, so that a long list of games is not read twice.
 */
export function checkDigits(list: FindingList, shape: Shape, bodyText: string, path: readonly string[]): void {
  if (!suspicious.test(bodyText)) return;
  const parsed = parseJson(bodyText);
  let node: JsonNode | null = parsed.ok ? parsed.root : null;
  for (const name of path) {
    if (node?.kind !== 'object') return;
    node = node.members.findLast(({ key }) => key === name)?.value ?? null;
  }
  const at = path.map(pointerStep).join('');
  if (node !== null) look(list, shape, node, { path: at, group: at, name: path.at(-1) ?? '' });
}

interface Place {
  readonly path: string;
  readonly group: string;
  readonly name: string;
}

function look(list: FindingList, shape: Shape, node: JsonNode, at: Place): void {
  if (shape.kind === 'array' && node.kind === 'array') {
    node.items.forEach((item, index) =>
      look(list, shape.items, item, { ...at, path: `${at.path}/${index}`, group: `${at.group}/*` }),
    );
  } else if (shape.kind === 'object' && node.kind === 'object') {
    for (const { key, value } of node.members) {
      const field = shape.fields[key];
      const step = pointerStep(key);
      if (field !== undefined) look(list, field, value, { path: at.path + step, group: at.group + step, name: key });
    }
  } else if (
    (shape.kind === 'integer' || shape.kind === 'bigint') &&
    node.kind === 'number' &&
    /^-?\d+$/.test(node.text) &&
    !fits(node.text)
  ) {
    const { start, end } = node;
    const message = `${at.name} is ${shown(node.text)}, beyond a signed 64-bit integer: PHP and most databases lose its digits.`;
    list.add('integer-range', at.group, () => ({ severity: 'warning', path: at.path, message, start, end }));
  }
}

function fits(text: string): boolean {
  if (text.length > 20) return false;
  const value = BigInt(text);
  return value <= largest && value >= -largest - 1n;
}
