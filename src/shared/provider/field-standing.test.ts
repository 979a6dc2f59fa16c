import { expect, it } from 'vitest';
import { standingNote } from './field-standing.ts';
import type { Field } from './model.ts';

it('the note on a standing names the recorded answer where that says it, and nothing where the spec does', () => {
  const note = (field: Partial<Field>) => standingNote(field as Field);
  expect(note({ required: 'yes' })).toBe('');
  expect(note({ required: 'yes', recorded: true })).toBe('According to the recorded answer, the field is required.');
  expect(note({ required: 'no', recorded: true })).toBe('According to the recorded answer, the field is optional.');
  expect(note({ required: 'realMode', recorded: true })).toBe('');
  expect(note({ required: 'unstated', recorded: true })).toMatch(/^Not stated: the spec /);
});
