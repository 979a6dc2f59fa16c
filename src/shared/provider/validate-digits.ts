import { fitsSigned64 } from '../json/decimal.ts';
import { parseJson, type JsonNode } from '../json/parse.ts';
import { pointerStep } from '../json/pointer.ts';
import { shown, type FindingList } from './findings.ts';
import type { Shape } from './model.ts';

/** Matches the first 19 digits of a number, which may exceed 64 bits. It does not match the rest, because a million digits exhaust the engine's stack. */
const suspicious = /[:[,\s]-?\d{19}/;

/**
 * Finds identifiers beyond a signed 64-bit integer in the source of a response, because a parsed number has lost digits.
 * Parses the source only if it may hold such a number, so that a long list of games is not parsed twice.
 */
export function validateDigits(list: FindingList, shape: Shape, bodyText: string, path: readonly string[]): void {
  if (!suspicious.test(bodyText)) return;
  const parsed = parseJson(bodyText);
  let node: JsonNode | null = parsed.ok ? parsed.root : null;
  for (const name of path) {
    if (node?.kind !== 'object') return;
    node = node.members.findLast(({ key }) => key === name)?.value ?? null;
  }
  const at = path.map(pointerStep).join('');
  if (node !== null) findDigits(list, shape, node, { path: at, group: at, name: path.at(-1) ?? '' });
}

interface Place {
  readonly path: string;
  readonly group: string;
  readonly name: string;
}

function findDigits(list: FindingList, shape: Shape, node: JsonNode, at: Place): void {
  if (shape.kind === 'array' && node.kind === 'array') {
    node.items.forEach((item, index) =>
      findDigits(list, shape.items, item, { ...at, path: `${at.path}/${index}`, group: `${at.group}/*` }),
    );
  } else if (shape.kind === 'object' && node.kind === 'object') {
    for (const { key, value } of node.members) {
      const field = shape.fields[key];
      const step = pointerStep(key);
      if (field !== undefined) findDigits(list, field, value, { path: at.path + step, group: at.group + step, name: key });
    }
  } else if (
    (shape.kind === 'integer' || shape.kind === 'bigint') &&
    node.kind === 'number' &&
    !/[.eE]/.test(node.text) &&
    !fitsSigned64(node.text)
  ) {
    const { start, end } = node;
    const message = `${at.name} is ${shown(node.text)}, beyond a signed 64-bit integer: PHP and most databases lose its digits.`;
    list.add('integer-range', at.group, () => ({ severity: 'warning', path: at.path, message, start, end }));
  }
}
