import type { Input } from '#shared/ipc/index.ts';
import type { OperationName } from '#shared/model/operations.ts';
import { operations, operationTitle } from '#shared/provider/index.ts';

type Query = Omit<Input<'calls.list'>, 'limit' | 'before'>;

const outcomes = { accepted: 'accepted', refused: 'refused', failed: 'unanswered', waiting: 'pending' } as const;

/**
 * Returns the searches for the calls that a text of the palette means, the most exact one first: `bet 404` is first the bets with
 * code 404, then those that hold 404, then every call with both words.
 */
export function callQueries(text: string): readonly Query[] {
  const words = text.split(/\s+/).filter(Boolean);
  if (words.length === 0) return [{}];
  const names = new Set<OperationName>();
  const rest: string[] = [];
  const filter: Query['filter'] = {};
  for (const word of words) {
    const outcome = outcomeOf(word);
    const named = operationsNamed(word);
    for (const name of named) names.add(name);
    if (outcome !== null) filter.outcomes = [outcome];
    else if (word.toLowerCase() === 'pinned') filter.pinned = true;
    else if (named.length === 0) rest.push(word);
  }
  const everything: Query = { text: words.join(' '), match: 'words' };
  if (rest.length === words.length) return [everything];
  if (names.size > 0) filter.operations = [...names];
  const [only] = rest;
  const code = rest.length === 1 && only !== undefined && /^\d{1,6}$/.test(only) ? Number(only) : null;
  return [
    ...(code === null ? [] : [{ filter: { ...filter, codes: [code] } }]),
    { filter, ...(rest.length === 0 ? {} : { text: rest.join(' '), match: 'words' as const }) },
    everything,
  ];
}

function outcomeOf(word: string): (typeof outcomes)[keyof typeof outcomes] | null {
  const name = Object.keys(outcomes).find((one) => one === word.toLowerCase());
  return name === undefined ? null : outcomes[name as keyof typeof outcomes];
}

/** Returns the operations with a name on the wire that a word is, or begins with at least three characters. */
function operationsNamed(word: string): OperationName[] {
  const named = (fits: (title: string) => boolean) =>
    operations.map(({ name }) => name).filter((name) => fits(operationTitle(name).replace(/^\//, '').toLowerCase()));
  const wanted = word.replace(/^\//, '').toLowerCase();
  const exact = named((title) => title === wanted);
  return exact.length > 0 || wanted.length < 3 ? exact : named((title) => title.startsWith(wanted));
}
