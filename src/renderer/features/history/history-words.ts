import { subjectText } from '#shared/calls/subject-words.ts';
import type { CallSummary } from '#shared/ipc/index.ts';
import type { HistorySearch } from './call-pages.ts';

/** Returns `1,234 calls`, `1,000+ calls found`. */
export function countText(total: number, exact: boolean, narrowed: boolean): string {
  const calls = `${totalText(total, exact)} ${total === 1 && exact ? 'call' : 'calls'}`;
  return narrowed ? `${calls} found` : calls;
}

/** Returns the progress of a search: `1,200,000 of 4,800,000 calls searched.` */
export function searchedText({ looked, of }: Pick<HistorySearch, 'looked' | 'of'>): string {
  const many = looked.toLocaleString('en');
  return of === null ? `${many} older calls searched.` : `${many} of ${of.toLocaleString('en')} calls searched.`;
}

/** Returns the number, with a plus if there may be more. */
export function totalText(total: number, exact: boolean): string {
  return `${total.toLocaleString('en')}${exact ? '' : '+'}`;
}

/** Returns what tells a call from others: the values of its request; without any, the request of the run that sent it. */
export function subjectOfCall({ subject = [], collectionRun }: CallSummary): string {
  return subjectText(subject) || (collectionRun?.path ?? '');
}

/** Returns `2 ticked`, `2 ticked, 1 not in the list`. */
export function tickedText(count: number, outOfSight: number): string {
  const ticked = `${count.toLocaleString('en')} ticked`;
  return outOfSight === 0 ? ticked : `${ticked}, ${outOfSight.toLocaleString('en')} not in the list`;
}

/** Says how far a text of one or two characters is searched. */
export const shortText = 'Searches with one or two characters cover only the newest 20,000 calls. Type a third to search all.';
