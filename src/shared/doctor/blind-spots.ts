import type { DataTexts } from './data-texts.ts';
import { listed } from '../listed.ts';

/** Values that a backend writes in its own way, and the mistakes that would show it: none of them changes this request. */
const written: readonly (readonly [words: string, ids: readonly string[]])[] = [
  ['slashes', ['slash.escaped']],
  ['non-ASCII characters such as é', ['unicode.bare', 'unicode.escaped', 'unicode.upper']],
  ['<, > and &', ['html.lower']],
  ["= and '", ['html.gson']],
  ['+', ['html.dotnet']],
  ['whole amounts such as 1.0', ['numbers.amounts-with-fraction', 'numbers.as-typed']],
  ['integers beyond 2^53', ['numbers.double']],
];

/** Values that a backend may leave out or change. */
const kept: typeof written = [
  ['0', ['members.zero-dropped']],
  ['empty strings', ['members.empty-text-dropped']],
  ['null', ['members.null-dropped']],
  ['empty objects and arrays', ['members.object-to-list', 'members.list-to-object', 'members.objects-kept']],
];

/** Says, in up to three sentences, which usual mistakes a request cannot show, because its data lacks what they change. */
export function blindSpotsOf({ value, unseen }: DataTexts): string[] {
  if (value === null) return [];
  const ids = new Set(unseen().map(({ id }) => id));
  const hidden = (all: typeof written) => all.filter(([, own]) => own.every((id) => ids.has(id))).map(([words]) => words);
  const [howWritten, whetherKept] = [hidden(written), hidden(kept)];
  return [
    ...(howWritten.length === 0 ? [] : [`How your backend writes ${listed(howWritten)}: data has none of them.`]),
    ...(whetherKept.length === 0 ? [] : [`Whether your backend keeps ${listed(whetherKept)}: data has none of them.`]),
    ...(ids.has('order.sorted') ? ["Whether your backend sorts the fields: they're already in order."] : []),
  ];
}
