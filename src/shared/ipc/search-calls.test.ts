import { expect, it } from 'vitest';
import { searchCalls } from './search-calls.ts';
import type { CallPage, Client, Input } from './index.ts';

/** A search of three looks: one call in the first, none in the second, so many in the last. */
async function search(query: Input<'calls.list'>, last: number) {
  const asked: unknown[] = [];
  const page = (ids: readonly number[], rest: CallPage['rest']): CallPage => ({
    calls: ids.map((id) => ({ id }) as CallPage['calls'][number]),
    total: ids.length,
    totalIsExact: false,
    searchedFrom: null,
    rest,
  });
  const looks = [
    page([900], { before: 501, looked: 400, of: 1_000 }),
    page([], { before: 201, looked: 300, of: 1_000 }),
    page([9, 8, 7].slice(0, last), null),
  ];
  const client = {
    call: async (_name: string, input: unknown) => (asked.push(input), looks.shift()),
  } as unknown as Client;
  const seen = [];
  for await (const found of searchCalls(client, query)) seen.push(found);
  return { asked, seen };
}

it('goes on where a look ended, for as many as are wanting, and says how far it is', async () => {
  const { asked, seen } = await search({ text: 'x', limit: 4 }, 2);
  expect(asked).toEqual([
    { text: 'x', limit: 4 },
    { text: 'x', limit: 3, before: 501 },
    { text: 'x', limit: 3, before: 201 },
  ]);
  expect(seen.map(({ calls, searching }) => [calls.map(({ id }) => id), searching])).toEqual([
    [[900], { looked: 400, of: 1_000, before: 501 }],
    [[900], { looked: 700, of: 1_000, before: 201 }],
    [[900, 9, 8], null],
  ]);
});

it('knows the number of all where it came to the end of all, and not where the page is full or begins further down', async () => {
  const told = async (query: Input<'calls.list'>, last: number) => {
    const { seen } = await search(query, last);
    return seen.map(({ total, totalIsExact }) => [total, totalIsExact]);
  };
  expect(await told({ text: 'x', limit: 4 }, 2)).toEqual([
    [1, false],
    [1, false],
    [3, true],
  ]);
  for (const [query, last] of [
    [{ text: 'x', limit: 4 }, 3],
    [{ text: 'x', limit: 4, before: 950 }, 2],
  ] as const) {
    expect((await told(query, last)).map(([, exact]) => exact)).toEqual([false, false, false]);
  }
});
