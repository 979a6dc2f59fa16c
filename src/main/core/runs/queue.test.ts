import { fc } from '#testing/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { dependenciesOf } from '#shared/variables/dependencies.ts';
import { withDependencies } from './tags.ts';
import { createQueue } from './queue.ts';

const names = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 3 });
const plans = fc.array(fc.record({ uses: names, sets: names }), { maxLength: 30 });

describe('a queue', () => {
  it('of one lane is the order of the plan', () => {
    fc.assert(
      fc.property(plans, (requests) => {
        const queue = createQueue(
          requests.map((_, index) => index),
          dependenciesOf(requests),
        );
        const order: number[] = [];
        for (let index = queue.next(); index !== null; index = queue.next()) {
          order.push(index);
          queue.done(index);
        }
        expect(order).toEqual(requests.map((_, index) => index));
      }),
    );
  });

  it('gives them in the order of the plan where that is asked for, as many as wait for nothing', () => {
    fc.assert(
      fc.property(plans, (requests) => {
        const needs = dependenciesOf(requests);
        const queue = createQueue(
          requests.map((_, index) => index),
          needs,
        );
        const order: number[] = [];
        let open: number[] = [];
        while (queue.waiting > 0) {
          const next = queue.next(true);
          if (next !== null) {
            order.push(next);
            open.push(next);
            continue;
          }
          // The next request waits for one that was given out.
          expect([...(needs[order.length]?.values() ?? [])].some((needed) => open.includes(needed))).toBe(true);
          for (const index of open) queue.done(index);
          open = [];
        }
        expect(order).toEqual(requests.map((_, index) => index));
      }),
    );
  });

  it('gives each request out once, when everything it needs is done, in whatever order answers come', () => {
    fc.assert(
      fc.property(plans, fc.integer({ min: 1, max: 8 }), fc.infiniteStream(fc.nat()), (requests, lanes, choices) => {
        const needs = dependenciesOf(requests);
        const all = requests.map((_, index) => index);
        const queue = createQueue(all, needs);
        const done = new Set<number>();
        const underWay: number[] = [];
        const given: number[] = [];
        while (done.size < all.length) {
          for (let index = underWay.length < lanes ? queue.next() : null; index !== null;) {
            for (const needed of needs[index]?.values() ?? []) expect(done).toContain(needed);
            given.push(index);
            underWay.push(index);
            index = underWay.length < lanes ? queue.next() : null;
          }
          // Never stuck: something is under way, or all is done.
          expect(underWay.length).toBeGreaterThan(0);
          expect([queue.underWay, queue.waiting]).toEqual([underWay.length, all.length - given.length]);
          expect(queue.rest()).toEqual(all.filter((index) => !given.includes(index)));
          const place = (choices.next().value as number) % underWay.length;
          const [finished = 0] = underWay.splice(place, 1);
          done.add(finished);
          queue.done(finished);
        }
        expect([...given].sort((one, other) => one - other)).toEqual(all);
        expect(queue.next()).toBeNull();
      }),
    );
  });

  it('of a part holds all that the part needs, in order', () => {
    fc.assert(
      fc.property(plans, fc.array(fc.nat({ max: 29 })), (requests, picked) => {
        const needs = dependenciesOf(requests);
        const wanted = picked.filter((index) => index < requests.length);
        const part = withDependencies({ needs }, wanted);
        expect(part).toEqual([...new Set(part)].sort((one, other) => one - other));
        for (const index of wanted) expect(part).toContain(index);
        for (const index of part) for (const needed of needs[index]?.values() ?? []) expect(part).toContain(needed);
        const queue = createQueue(part, needs);
        for (const index of part) {
          expect(queue.next()).toBe(index);
          queue.done(index);
        }
      }),
    );
  });
});
