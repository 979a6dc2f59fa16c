import { expect, it } from 'vitest';
import { saveStateOf } from './save-state.ts';
import type { TabFile } from './tab-file.ts';

const file: TabFile = { collectionId: 'c', path: 'w/bet.yaml', revision: 'r', gone: false, theirs: null, problem: null };

it.each<[string, Parameters<typeof saveStateOf>[0], string | null, string, string]>([
  ['no file', { file: null, dirty: true }, null, 'new', 'to collection…'],
  ['nothing to save', { file, dirty: false }, null, 'saved', 'Saved'],
  ['an edit', { file, dirty: true }, null, 'unsaved', 'Unsaved changes'],
  ['a file that is gone', { file: { ...file, gone: true }, dirty: true }, null, 'new', 'File removed'],
  ['another version', { file: { ...file, theirs: {} as never }, dirty: true }, null, 'waits', 'Changed on disk'],
  ['a save that failed', { file: { ...file, problem: 'The disk is full.' }, dirty: true }, null, 'unsaved', 'Not saved'],
  ['a newer format', { file, dirty: true }, 'A newer version wrote it.', 'waits', 'Read-only'],
])('says of %s what Save would do', (_, tab, readOnly, state, words) => {
  const found = saveStateOf(tab, readOnly);
  expect([found.state, found.words]).toEqual([state, words]);
  expect(found.title).not.toBe('');
});
