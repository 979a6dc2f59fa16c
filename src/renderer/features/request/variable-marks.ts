import { parseJson, type JsonNode } from '#shared/json/parse.ts';
import type { VariableUse } from '#shared/variables/substitute.ts';

/** A part of the text that is hashed or sent which a variable gave; UTF-16 offsets into that text. */
export interface VariablePart {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly value: string;
  readonly source: VariableUse['source'];
}

/** Beyond this a key press would wait for what it tells. */
const MAX_LENGTH = 300_000;

/**
 * Where the values of variables stand in `dataJson`, which is `text` written by a serialization: other spaces, other escapes, the same
 * values in the same order. What cannot be found again is left out.
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
        // A minus sign stands before it; its digits may be written in another way.
        parts.push({ start: to.start + (dataJson[to.start] === '-' ? 1 : 0), end: to.end, name, value, source });
      }
    }
    if (!isWhole) pairs.push(...inside(from, to));
  }
  return parts.filter(({ start, end }) => end > start).toSorted((a, b) => a.start - b.start);
}

/** The values within two values that are the same: by place, and where that cannot be, by name. */
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

/** The offset in another writing of a string that stands before the same character as `offset` does in this one. */
function sameCharacter(text: string, start: number, offset: number, other: string, otherStart: number): number {
  let units = 0;
  for (let at = start + 1; at < offset; at += unitLength(text, at)) units += 1;
  let at = otherStart + 1;
  for (; units > 0; units -= 1) at += unitLength(other, at);
  return at;
}

/** How many characters of JSON text one UTF-16 unit of a string's value takes there. */
function unitLength(text: string, at: number): number {
  if (text[at] !== '\\') return 1;
  return text[at + 1] === 'u' ? 6 : 2;
}
