import { parseJson, type JsonNode } from '#shared/json/parse.ts';
import type { VariableUse } from '#shared/variables/substitute.ts';

/** A part of the hashed or sent text that a variable gave; UTF-16 offsets into that text. */
export interface VariablePart {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly value: string;
  readonly source: VariableUse['source'];
}

/** Number of characters beyond which a key press would wait for the marks. */
const MAX_LENGTH = 300_000;

/**
 * Returns the positions of the values of variables in `dataJson`, which is `text` written by a serialization: other spaces, other
 * escapes, the same values in the same order. A value that cannot be found again is left out.
 */
export function variableParts(text: string, dataJson: string, uses: readonly VariableUse[]): VariablePart[] {
  if (uses.length === 0 || text.length > MAX_LENGTH || dataJson.length > MAX_LENGTH) return [];
  const typed = parseJson(text);
  const written = parseJson(dataJson);
  if (!typed.ok || !written.ok) return [];
  const parts: VariablePart[] = [];
  const pairs: (readonly [JsonNode, JsonNode])[] = [[typed.root, written.root]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [from, to] = pair;
    if (from.kind !== to.kind) continue;
    let isWhole = false;
    for (const use of uses) {
      const { name, value, source, outputStart, outputEnd } = use;
      if (outputEnd <= from.start || outputStart >= from.end) continue;
      if (!use.inString && outputStart <= from.start && outputEnd >= from.end) {
        isWhole = true;
        parts.push({ start: to.start, end: to.end, name, value, source });
      } else if (from.kind === 'string' && use.inString) {
        const start = sameCharacter(text, from.start, outputStart, dataJson, to.start);
        const end = sameCharacter(text, from.start, outputEnd, dataJson, to.start);
        parts.push({ start, end, name, value, source });
      } else if (from.kind === 'number') {
        // A minus sign comes before it; its digits may be written in another way.
        parts.push({ start: to.start + (dataJson[to.start] === '-' ? 1 : 0), end: to.end, name, value, source });
      }
    }
    if (!isWhole) pairs.push(...inside(from, to));
  }
  return parts.filter(({ start, end }) => end > start).toSorted((a, b) => a.start - b.start);
}

/** Pairs the values within two equal values: by position, and if that cannot be, by name. */
function inside(from: JsonNode, to: JsonNode): (readonly [JsonNode, JsonNode])[] {
  const pairs: (readonly [JsonNode, JsonNode])[] = [];
  if (from.kind === 'array' && to.kind === 'array') {
    for (const [at, item] of from.items.entries()) {
      const other = to.items[at];
      if (other !== undefined) pairs.push([item, other]);
    }
  }
  if (from.kind === 'object' && to.kind === 'object') {
    const byName = new Map(to.members.map((member) => [member.key, member.value]));
    for (const { key, value } of from.members) {
      const other = byName.get(key);
      if (other !== undefined) pairs.push([value, other]);
    }
  }
  return pairs;
}

/** Returns the offset, in another writing of a string, of the character at `offset` in this one. */
function sameCharacter(text: string, start: number, offset: number, other: string, otherStart: number): number {
  let units = 0;
  for (let at = start + 1; at < offset; at += unitLength(text, at)) units += 1;
  let at = otherStart + 1;
  for (; units > 0; units -= 1) at += unitLength(other, at);
  return at;
}

/** Returns the number of characters of JSON text for one UTF-16 unit of a string's value. */
function unitLength(text: string, at: number): number {
  if (text[at] !== '\\') return 1;
  return text[at + 1] === 'u' ? 6 : 2;
}
