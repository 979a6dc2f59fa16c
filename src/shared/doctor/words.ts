import type { Fidelity } from '../model/fidelity.ts';
import type { Language } from './model.ts';
import type { Stage } from './search.ts';

export const fidelityWords: Readonly<Record<Fidelity, string>> = {
  exact: 'exact bytes',
  reencoded: 'written again by a program: the order may hold, escapes and spaces may not',
  lossy: "lossy: types or characters were lost, and Croupier completed them from the API's fields",
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

/** Names of the stages, in their order. */
export const stageWords: Readonly<Record<Stage, string>> = {
  rule: 'The rule itself',
  singles: 'Single mistakes',
  seconds: 'A clock that is up to an hour off',
  pairs: 'Pairs of mistakes',
  orders: 'Other orders of the fields',
  triples: 'Three mistakes at once',
  clock: 'A clock that is off, with a mistake',
};
