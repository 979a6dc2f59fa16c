import { parseJson, type JsonNode } from '#shared/json/parse.ts';
import { withStandIns } from '#shared/payload-text/placeholders.ts';

/** A string or a number in JSON text, without a variable in it. */
export interface Literal {
  /** Name of the field that it belongs to, at any depth of arrays; empty for none. */
  readonly name: string;
  readonly value: string;
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
}

/** Returns a payload with other JSON text in place of the literals for which `write` returns some; null keeps one as it is. */
export function replaceLiterals(data: string, write: (literal: Literal) => string | null): string {
  let result = '';
  let at = 0;
  for (const literal of literalsOf(data)) {
    const text = write(literal);
    if (text === null) continue;
    result += data.slice(at, literal.start) + text;
    at = literal.end;
  }
  return result + data.slice(at);
}

/** A member with a text, in a payload that is not JSON. */
const looseMember = /"([^"\\\s]{1,100})"\s{0,20}:\s{0,20}("[^"\\]*")/g;

/** The literals of a payload, in its order; of one that is not JSON, the members with a plain text. */
export function literalsOf(data: string): Literal[] {
  const parsed = parseJson(withStandIns(data));
  if (!parsed.ok)
    return Array.from(data.matchAll(looseMember), ({ index, 0: all, 1: name = '', 2: quoted = '' }) => {
      const end = index + all.length;
      return { name, value: quoted.slice(1, -1), start: end - quoted.length, end };
    }).filter(({ value }) => !value.includes('{{'));
  const found: Literal[] = [];
  const pending: { name: string; node: JsonNode }[] = [{ name: '', node: parsed.root }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { name, node } = next;
    // One by one: there are lists longer than a call can have arguments.
    if (node.kind === 'array') for (const item of node.items) pending.push({ name, node: item });
    else if (node.kind === 'object') for (const { key, value } of node.members) pending.push({ name: key, node: value });
    else if (node.kind === 'string' || node.kind === 'number') {
      const { start, end } = node;
      const written = data.slice(start, end);
      if (written.replaceAll('{{$braces}}', '').includes('{{')) continue;
      found.push({ name, value: node.kind === 'string' ? node.value : written, start, end });
    }
  }
  return found.sort((one, other) => one.start - other.start);
}
