import type { Field } from './model.ts';

/** Says whether a field is required. The spec states it for some fields; for most it does not. */
export type Standing = 'required' | 'optional' | 'required in real mode' | 'not stated';

const standings: Readonly<Record<Field['required'], Standing>> = {
  yes: 'required',
  no: 'optional',
  realMode: 'required in real mode',
  unstated: 'not stated',
};

/** Returns the one word for a field's standing, the same in form, editor, command line and documents. */
export function standingOf(field: Field): Standing {
  return standings[field.required];
}

/** Returns whether the standing is a recorded answer of the provider and not the spec's own statement. */
export function isRecordedStanding({ recorded, required }: Field): boolean {
  return recorded === true && (required === 'yes' || required === 'no');
}

/** Names the source of a standing; empty if it is the spec's own statement. */
export function standingNote(field: Field): string {
  if (field.required === 'unstated') return notStatedMeaning;
  return isRecordedStanding(field) ? `According to the recorded answer, the field is ${standingOf(field)}.` : '';
}

/** Explains the standing "not stated". */
export const notStatedMeaning = "Not stated: the spec doesn't say whether the field may be left out.";
