import { parseJson, type JsonNode } from '../json/parse.ts';
import { findPlaceholders, withStandIns, type Placeholder } from '../payload-text/placeholders.ts';
import type { Variables } from '../collections/model.ts';

/** Number of characters beyond which nothing is read. */
const longest = 1_000_000;

/**
 * Reads from the text that was sent which values the variables of a typed text had, with every digit as it was sent. It gives only what the
 * sent text shows: nothing for a name in two places with two values, for one of several in a string, in the name of a field, or at a
 * place where the texts differ otherwise. Generated values are not among them. The order is
 * that of the typed text.
 */
export function sentValues(typed: string, sent: string): Variables {
  const values: Record<string, string> = {};
  const doubtful = new Set<string>();
  if (typed.length > longest || sent.length > longest) return values;
  const placeholders = findPlaceholders(typed, 'json').filter(({ kind }) => kind !== 'malformed');
  const from = parseJson(withStandIns(typed));
  const to = parseJson(sent);
  if (!from.ok || !to.ok) return values;
  const pairs: (readonly [JsonNode, JsonNode])[] = [[from.root, to.root]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [one, other] = pair;
    const found = one.kind === 'object' || one.kind === 'array' ? [] : within(placeholders, one);
    if (found.length === 0) pairs.push(...inside(one, other));
    const [placeholder] = found;
    if (placeholder === undefined || placeholder.kind !== 'variable') continue;
    const value = found.length > 1 ? null : valueAt(typed, placeholder, one, sent, other);
    const { name } = placeholder;
    if (value === null || (Object.hasOwn(values, name) && values[name] !== value)) doubtful.add(name);
    else values[name] = value;
  }
  const names = placeholders.map(({ name }) => name).filter((name) => Object.hasOwn(values, name) && !doubtful.has(name));
  return Object.fromEntries(names.map((name) => [name, values[name] ?? '']));
}

/** Returns the placeholders in a node; they are in order. */
function within(placeholders: readonly Placeholder[], { start, end }: JsonNode): readonly Placeholder[] {
  let low = 0;
  for (let high = placeholders.length; low < high;) {
    const middle = (low + high) >>> 1;
    if ((placeholders[middle] as Placeholder).start < start) low = middle + 1;
    else high = middle;
  }
  const found: Placeholder[] = [];
  for (let at = low; (placeholders[at]?.end ?? Infinity) <= end; at += 1) found.push(placeholders[at] as Placeholder);
  return found;
}

/** Returns the value of the only placeholder in a node; null if the other node cannot have come from it. */
function valueAt(
  typed: string,
  { start, end, inString }: Placeholder,
  one: JsonNode,
  sent: string,
  other: JsonNode,
): string | null {
  if (!inString) {
    // A minus sign may stand before it.
    const sign = typed.slice(one.start, start);
    const source = sent.slice(other.start, other.end);
    return source.startsWith(sign) ? source.slice(sign.length) : null;
  }
  if (other.kind !== 'string') return null;
  const before = unescaped(typed.slice(one.start + 1, start));
  const after = unescaped(typed.slice(end, one.end - 1));
  const { value } = other;
  if (before === null || after === null || value.length < before.length + after.length) return null;
  return value.startsWith(before) && value.endsWith(after) ? value.slice(before.length, value.length - after.length) : null;
}

function unescaped(source: string): string | null {
  const parsed = parseJson(`"${source}"`);
  return parsed.ok && parsed.root.kind === 'string' ? parsed.root.value : null;
}

/** Pairs the values in two values by their names or positions. */
function inside(one: JsonNode, other: JsonNode): (readonly [JsonNode, JsonNode])[] {
  if (one.kind === 'array' && other.kind === 'array' && one.items.length === other.items.length) {
    return one.items.map((item, at) => [item, other.items[at] as JsonNode]);
  }
  if (one.kind !== 'object' || other.kind !== 'object') return [];
  const byName = new Map(other.members.map(({ key, value }) => [key, value]));
  return one.members.flatMap(({ key, value }) => {
    const its = byName.get(key);
    return its === undefined ? [] : [[value, its] as const];
  });
}
