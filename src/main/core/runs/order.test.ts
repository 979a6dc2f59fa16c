import { expect, it } from 'vitest';
import type { Iterations } from './iterations.ts';
import { createOrder, type Place } from './order.ts';
import type { Plan } from './plan.ts';

const needs = [new Map<string, number>(), new Map([['token', 0]])];
const plan = {
  requests: ['first', 'second'].map((path) => ({ path, request: null, problem: '', folders: [] })),
  needs,
  collection: {},
  warnings: [],
  used: new Set<string>(),
  takersFor: async () => undefined,
} satisfies Plan;

function iterations(count: number, failAt = 0): Iterations {
  return {
    count,
    names: new Set(),
    rows: null,
    digest: '',
    notes: [],
    rowOf: (number) => number * 10,
    async *open(numbers) {
      for (const number of numbers) {
        if (number === failAt) throw new Error('The row changed.');
        yield { number, row: number * 10, variables: {} };
      }
    },
  };
}

const at = (place: Place | 'waits' | null) =>
  place === null || place === 'waits' ? place : `${place.begun.iteration.number}.${place.index}`;
const rest = (order: ReturnType<typeof createOrder>) =>
  [...order.rest()].map(({ iteration, indexes }) => `${iteration.number}/${iteration.row}: ${indexes.join(' ')}`);

it('gives a request out when what it needs is done, with the values that it needs', async () => {
  const order = createOrder(plan, iterations(1), null);
  expect(order.planned).toBe(2);
  await order.beginNext();
  const first = order.next(true) as Place;
  expect([at(first), at(order.next(true)), at(order.next(false))]).toEqual(['1.0', 'waits', null]);
  order.done(first, { token: 'abc' });
  const second = order.next(true) as Place;
  expect(order.valuesFor(second)).toEqual({ answers: { token: 'abc' }, missing: new Map() });
  order.done(second, {});
  await order.beginNext();
  expect([order.exhausted, order.empty]).toEqual([true, true]);
});

it('names the request that did not give its value', async () => {
  const order = createOrder(plan, iterations(1), null);
  await order.beginNext();
  order.done(order.next(true) as Place, {});
  expect(order.valuesFor(order.next(true) as Place)).toEqual({ answers: {}, missing: new Map([['token', 'first']]) });
});

it('gives what was given back out again before any other, in its order', async () => {
  const order = createOrder({ ...plan, needs: [new Map(), new Map()] }, iterations(2), null);
  await order.beginNext();
  await order.beginNext();
  const taken = [order.next(false), order.next(false)] as Place[];
  order.giveBack(taken);
  expect([at(order.next(false)), at(order.next(false)), at(order.next(false))]).toEqual(['1.0', '1.1', '2.0']);
});

it('knows each request that was not given out: given back, begun, and of iterations that never began', async () => {
  const order = createOrder(plan, iterations(3), null);
  await order.beginNext();
  order.giveBack([order.next(true) as Place]);
  expect(rest(order)).toEqual(['1/10: 0', '1/10: 1', '2/20: 0 1', '3/30: 0 1']);
});

it('counts the iteration whose data could not be read to the rest, and begins no other', async () => {
  const order = createOrder(plan, iterations(3, 2), null);
  await order.beginNext();
  await expect(order.beginNext()).rejects.toThrow('The row changed.');
  expect(order.exhausted).toBe(true);
  expect(rest(order)).toEqual(['1/10: 0 1', '2/20: 0 1', '3/30: 0 1']);
});

it('holds the wanted requests with what they need, and no other iteration', async () => {
  const order = createOrder(plan, iterations(3), new Map([[2, [1]]]));
  expect(order.planned).toBe(2);
  await order.beginNext();
  expect(at(order.next(true))).toBe('2.0');
  expect(rest(order)).toEqual(['2/20: 1']);
});
