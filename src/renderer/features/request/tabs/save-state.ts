import type { RequestTab } from './request-tab.ts';

/** Effect that Save would have on a tab now. */
export interface SaveState {
  readonly state: 'new' | 'unsaved' | 'saved' | 'waits';
  /** The state in a word or three. */
  readonly words: string;
  /** Says what there is to know of it: why it waits, or where it is saved. */
  readonly title: string;
}

/** Returns the state of a tab's file; `readOnly` says why its collection is not saved, null if it is. */
export function saveStateOf({ file, dirty }: Pick<RequestTab, 'file' | 'dirty'>, readOnly: string | null): SaveState {
  if (file === null) return { state: 'new', words: 'to collection…', title: 'Choose a collection and a name.' };
  if (readOnly !== null) return { state: 'waits', words: 'Read-only', title: readOnly };
  if (file.gone) return { state: 'new', words: 'File removed', title: `${file.path} was removed. Choose where to save it.` };
  if (file.theirs !== null) {
    const title = `Another program changed ${file.path}. Choose a version above, then save.`;
    return { state: 'waits', words: 'Changed on disk', title };
  }
  if (file.problem !== null) return { state: 'unsaved', words: 'Not saved', title: file.problem };
  if (dirty) return { state: 'unsaved', words: 'Unsaved changes', title: `Saves to ${file.path}.` };
  return { state: 'saved', words: 'Saved', title: `Saved in ${file.path}.` };
}
