import { memberText, setMember } from '#shared/payload-text/edit.ts';
import { parseJson } from '#shared/json/parse.ts';
import { withStandIns } from '#shared/payload-text/placeholders.ts';
import type { Operation } from '#shared/provider/model.ts';
import { payloadExcess } from '#shared/provider/payload-limits.ts';

/** Names of the same value for one player and for many. */
const PAIRS: readonly (readonly [one: string, many: string])[] = [
  ['playerId', 'playerIds'],
  ['externalReferenceId', 'externalReferenceIds'],
];

/**
 * Returns the template of another form of the same operation with the values that were already typed: fields of the same name move
 * as they are, and one player becomes a list of one or the first of a list. A text that is not an object, or is beyond the limits
 * of a payload, gives the template.
 */
export function carryFields(from: string, template: string, operation: Operation, form: string): string {
  if (payloadExcess(from) !== null) return template;
  const parsed = parseJson(withStandIns(from));
  if (!parsed.ok || parsed.root.kind !== 'object') return template;
  const fields = operation.forms.find((one) => one.id === form)?.fields ?? [];
  let text = template;
  for (const field of fields) {
    const value = memberText(from, field.name) ?? paired(from, field.name);
    if (value !== null) text = setMember(text, field.name, value);
  }
  return text;
}

function paired(from: string, name: string): string | null {
  for (const [one, many] of PAIRS) {
    if (name === many) {
      const value = memberText(from, one);
      if (value !== null) return `[${value}]`;
    }
    if (name === one) {
      const list = memberText(from, many);
      const parsed = list === null ? null : parseJson(list);
      if (list === null || parsed === null || !parsed.ok || parsed.root.kind !== 'array') continue;
      const first = parsed.root.items[0];
      if (first !== undefined) return list.slice(first.start, first.end);
    }
  }
  return null;
}
