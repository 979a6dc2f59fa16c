import { parseJson } from '#shared/json/parse.ts';
import type { Operation } from '#shared/provider/index.ts';

/**
 * Returns the form that a changed text has come to fit: the present one lacks a field that is new in the text, and another has more of the text's
 * fields, such as `playerIds` for many players. Null where the present form stays.
 */
export function fittingForm(
  { forms }: Pick<Operation, 'forms'>,
  present: string,
  { before, after }: { readonly before: string; readonly after: string },
): string | null {
  if (forms.length < 2) return null;
  const current = forms.find(({ id }) => id === present);
  const names = memberNames(after);
  if (current === undefined || names.length === 0) return null;
  const has = (form: (typeof forms)[number], name: string) => form.fields.some((field) => field.name === name);
  const known = new Set(memberNames(before));
  const isNew = (name: string) => !known.has(name) && !has(current, name) && forms.some((form) => has(form, name));
  if (!names.some(isNew)) return null;
  const counted = forms.map((form) => ({ form, count: names.filter((name) => has(form, name)).length }));
  const most = Math.max(...counted.map(({ count }) => count));
  const best = counted.find(({ count }) => count === most)?.form ?? current;
  return names.filter((name) => has(current, name)).length < most ? best.id : null;
}

function memberNames(text: string): string[] {
  const parsed = parseJson(text);
  return parsed.ok && parsed.root.kind === 'object' ? parsed.root.members.map(({ key }) => key) : [];
}
