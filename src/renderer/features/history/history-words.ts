import { operationByName, type OperationName } from '#shared/provider/index.ts';
import type { HistorySearch } from './call-pages.ts';

/** Returns `1,234 calls`, `1,000+ calls found`. */
export function countText(total: number, exact: boolean, narrowed: boolean): string {
  const calls = `${totalText(total, exact)} ${total === 1 && exact ? 'call' : 'calls'}`;
  return narrowed ? `${calls} found` : calls;
}

/** Returns the progress of a search: `1,200,000 of 4,800,000 calls looked through.` */
export function searchedText({ looked, of }: Pick<HistorySearch, 'looked' | 'of'>): string {
  const many = looked.toLocaleString('en');
  return of === null ? `${many} older calls looked through.` : `${many} of ${of.toLocaleString('en')} calls looked through.`;
}

/** Returns the number, with a plus if there may be more. */
export function totalText(total: number, exact: boolean): string {
  return `${total.toLocaleString('en')}${exact ? '' : '+'}`;
}

/** Returns the operation's name on the wire: a wallet method goes by its path. */
export function operationTitle(name: OperationName): string {
  const operation = operationByName(name);
  return operation.endpoint === 'wallet' ? operation.path : operation.name;
}
