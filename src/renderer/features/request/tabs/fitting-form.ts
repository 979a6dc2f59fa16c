import { fittingForm, memberNames, type Operation } from '#shared/provider/index.ts';

/**
 * Returns the form that a changed text has come to fit: the present one lacks a field that is new in the text, and another has more of the text's
 * fields, such as `playerIds` for many players. Null where the present form stays.
 */
export function formThatFits(
  operation: Pick<Operation, 'forms'>,
  present: string,
  { before, after }: { readonly before: string; readonly after: string },
): string | null {
  const { forms } = operation;
  if (forms.length < 2) return null;
  const current = forms.find(({ id }) => id === present);
  const names = memberNames(after);
  if (current === undefined || names.length === 0) return null;
  const has = (form: (typeof forms)[number], name: string) => form.fields.some((field) => field.name === name);
  const known = new Set(memberNames(before));
  const isNew = (name: string) => !known.has(name) && !has(current, name) && forms.some((form) => has(form, name));
  if (!names.some(isNew)) return null;
  const count = (form: (typeof forms)[number]) => names.filter((name) => has(form, name)).length;
  const best = fittingForm(operation, names) ?? current;
  return count(current) < count(best) ? best.id : null;
}
