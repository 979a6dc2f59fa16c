import type { CallPage, CallSummary } from './outputs/calls.ts';
import type { Client, Input } from './index.ts';

/** The calls that a search has found so far. */
export interface SearchedCalls extends Omit<CallPage, 'rest'> {
  /** Null at the end; otherwise the calls searched, of how many, and where the search continues. */
  readonly searching: {
    readonly looked: number;
    readonly of: number;
    readonly before: number;
  } | null;
}

/**
 * Searches part by part and yields all calls found so far after each. A caller that stops iterating ends the search. Without a text there is one part.
 */
export async function* searchCalls(client: Client, query: Input<'calls.list'>): AsyncGenerator<SearchedCalls, void, void> {
  const calls: CallSummary[] = [];
  const { limit = 50 } = query;
  let { before } = query;
  let looked = 0;
  for (let first = true; ; first = false) {
    const page = await client.call('calls.list', {
      ...query,
      limit: limit - calls.length,
      ...(before === undefined ? {} : { before }),
    });
    const { rest } = page;
    calls.push(...page.calls);
    looked += rest?.looked ?? 0;
    yield {
      ...totalOf(page, {
        first,
        all: query.before === undefined,
        found: calls.length,
        limit,
      }),
      calls: [...calls],
      searchedFrom: page.searchedFrom,
      searching:
        rest === null
          ? null
          : {
              looked: Math.min(looked, rest.of),
              of: rest.of,
              before: rest.before,
            },
    };
    if (rest === null) return;
    before = rest.before;
  }
}

/** Returns the total of a search. If it needed several parts, it is the number found, exact if the search covered all calls to the end. */
function totalOf(
  { total, totalIsExact, rest }: CallPage,
  { first, all, found, limit }: { first: boolean; all: boolean; found: number; limit: number },
): Pick<CallPage, 'total' | 'totalIsExact'> {
  if (rest === null && first) return { total, totalIsExact };
  const isWhole = rest === null && all && found < limit;
  return {
    total: isWhole ? found : Math.max(total, found),
    totalIsExact: isWhole,
  };
}
