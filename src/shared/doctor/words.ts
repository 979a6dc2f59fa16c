import type { Fidelity } from '../model/fidelity.ts';
import type { Language } from './model.ts';
import type { Stage } from './search.ts';

export const fidelityWords: Readonly<Record<Fidelity, string>> = {
  exact: 'exact bytes',
  reencoded: 'written again by a program: the order may hold, the escapes may not',
  lossy: 'lossy: types or characters are missing, and Croupier completed them',
};

export const languageNames: Readonly<Record<Language, string>> = {
  php: 'PHP',
  node: 'Node',
  python: 'Python',
  java: 'Java',
  csharp: 'C#',
  go: 'Go',
  ruby: 'Ruby',
};

export const stageWords: Readonly<Record<Stage, string>> = {
  rule: 'The rule',
  singles: 'Single mistakes',
  seconds: 'Other seconds, up to an hour',
  pairs: 'Pairs',
  orders: 'Other orders of the members',
  triples: 'Triples',
  clock: 'Other seconds with one more mistake',
};
