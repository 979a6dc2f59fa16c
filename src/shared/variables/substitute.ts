import { createPlaceCounter, type Place } from '../json/line-and-column.ts';
import type { TimeOrder } from '../signing/time.ts';
import { findPlaceholders, shortName, type Placeholder, type TextKind } from '../payload-text/placeholders.ts';
import type { Resolved, Resolution, Resolver } from './resolver.ts';

/** One substituted value. Offsets are UTF-16: `start` and `end` in the typed text, the other two in the result. */
export interface VariableUse {
  readonly name: string;
  readonly source: Resolved['source'];
  /** The value before it was escaped for a JSON string. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
  readonly outputStart: number;
  readonly outputEnd: number;
  readonly inString: boolean;
}

/** Reason why a value cannot be substituted. `name` is empty if there is no name between the braces; line and column count from 1. */
export interface VariableError extends Place {
  readonly message: string;
  readonly name: string;
  /** The variable that has no value: `name`, or one inside its value. Absent if something else is wrong. */
  readonly missing?: string | undefined;
  readonly start: number;
  readonly end: number;
}

export type Substitution =
  | { ok: true; text: string; uses: readonly VariableUse[] }
  | { ok: false; errors: readonly VariableError[] };

export interface SubstitutionRules {
  readonly kind: TextKind;
  /** Longest result, in UTF-16 units. */
  readonly limit: number;
  /** The order of times without an order of their own; day first unless given. */
  readonly timeOrder?: TimeOrder;
}

/**
 * Substitutes variables in a text, once: variables inside a value are not substituted again. In `json`, a value inside a string becomes
 * part of the string, and one outside strings must itself be JSON, whose source text is kept. Returns all errors.
 */
export function substitute(text: string, resolver: Resolver, rules: SubstitutionRules): Substitution {
  const { kind, limit, timeOrder = 'dmy' } = rules;
  const placeholders = findPlaceholders(text, kind);
  if (placeholders.length === 0) return { ok: true, text, uses: [] };

  const placeOf = createPlaceCounter(text);
  const errors: VariableError[] = [];
  const uses: VariableUse[] = [];
  const parts: string[] = [];
  let from = 0;
  let length = 0;
  for (const placeholder of placeholders) {
    const { name, start, end, inString } = placeholder;
    const resolution = resolve(placeholder, resolver, timeOrder);
    let problem = resolution.ok ? null : resolution.message;
    const missing = resolution.ok ? undefined : resolution.missing;
    if (resolution.ok) {
      const { resolved } = resolution;
      const isText = kind === 'json' && !inString && !resolved.isJson();
      const value = kind === 'json' && inString ? resolved.inJsonString() : resolved.value;
      const outputStart = length + start - from;
      length = outputStart + value.length;
      if (isText) {
        const state = resolved.value === '' ? 'empty, which is not JSON' : 'not JSON';
        problem = `The value of ${shortName(name)} is ${state}. Put it in double quotes: "${shortName(text.slice(start, end))}".`;
      } else if (length > limit) {
        errors.push({ message: tooLong(limit), name, start, end, ...placeOf(start) });
        break;
      } else if (errors.length === 0) {
        parts.push(text.slice(from, start), value);
        uses.push({
          name,
          source: resolved.source,
          value: resolved.value,
          start,
          end,
          outputStart,
          outputEnd: length,
          inString,
        });
      }
    }
    if (problem !== null)
      errors.push({ message: problem, name, ...(missing === undefined ? {} : { missing }), start, end, ...placeOf(start) });
    from = end;
  }
  const last = placeholders.at(-1);
  if (errors.length === 0 && last !== undefined && length + text.length - from > limit) {
    const { name, start, end } = last;
    errors.push({ message: tooLong(limit), name, start, end, ...placeOf(start) });
  }
  if (errors.length > 0) return { ok: false, errors };
  parts.push(text.slice(from));
  return { ok: true, text: parts.join(''), uses };
}

function tooLong(limit: number): string {
  return `With its values this text has more than ${limit.toLocaleString('en')} characters. Shorten it.`;
}

function resolve({ kind, name, message }: Placeholder, resolver: Resolver, timeOrder: TimeOrder): Resolution {
  if (kind === 'malformed') return { ok: false, message };
  return kind === 'variable' ? resolver.variable(name, timeOrder) : resolver.generated(name, timeOrder);
}

/**
 * Returns the range of the typed text for a range of the result, with a whole `{{…}}` if the range begins or ends within its value. `uses`
 * are those of that substitution.
 */
export function inputRange(uses: readonly VariableUse[], start: number, end: number): { start: number; end: number } {
  const first = uses[countUses(uses, start + 1) - 1];
  const inputStart = first === undefined ? start : start < first.outputEnd ? first.start : start - first.outputEnd + first.end;
  if (end <= start) return { start: inputStart, end: inputStart };
  // A range that ends at the beginning of a value does not include it.
  const last = uses[countUses(uses, end) - 1];
  return { start: inputStart, end: last === undefined ? end : Math.max(0, end - last.outputEnd) + last.end };
}

/** Returns the position in the typed text of an offset in the result, for an error found in the result. */
export function inputPlace(input: string, uses: readonly VariableUse[], offset: number): Place & { offset: number } {
  const { start } = inputRange(uses, offset, offset);
  return { offset: start, ...createPlaceCounter(input)(start) };
}

/** Counts the values that begin before an offset of the result. */
function countUses(uses: readonly VariableUse[], offset: number): number {
  let low = 0;
  let high = uses.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((uses[middle] as VariableUse).outputStart < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
