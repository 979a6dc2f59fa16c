import { expect, it } from 'vitest';
import { chooseTagged } from './tags.ts';

/** Requests with these tags (null for a file that cannot be read); `needs`: each index, and the one whose value it uses. */
function planOf(tags: readonly (readonly string[] | null)[], needs: Readonly<Record<number, number>> = {}) {
  return {
    requests: tags.map((own) => ({ request: own === null ? null : { tags: [...own] } })),
    needs: tags.map((_, at) => new Map(needs[at] === undefined ? [] : [['v', needs[at]]])),
  };
}

const choose = (plan: ReturnType<typeof planOf>, tags: string[], excludeTags: string[] = []) =>
  chooseTagged(plan, { tags, excludeTags });

it('takes all without tags, and those with one of them otherwise, in their order', () => {
  const plan = planOf([['a'], [], ['b', 'c'], ['c']]);
  expect(choose(plan, [])).toEqual([0, 1, 2, 3]);
  expect(choose(plan, ['c'])).toEqual([2, 3]);
  expect(choose(plan, ['c', 'a'])).toEqual([0, 2, 3]);
  expect(choose(plan, [], ['c'])).toEqual([0, 1]);
  expect(choose(plan, ['c'], ['b'])).toEqual([3]);
});

it('takes what a request needs, however far, but nothing with an excluded tag', () => {
  const plan = planOf([['login'], [], ['smoke'], ['other']], { 2: 1, 1: 0 });
  expect(choose(plan, ['smoke'])).toEqual([0, 1, 2]);
  expect(choose(plan, ['smoke'], ['login'])).toEqual([1, 2]);
});

it('keeps a file that cannot be read', () => {
  expect(choose(planOf([null, ['a'], ['b']]), ['b'])).toEqual([0, 2]);
});

it('refuses a tag that no request has, also one to be left out, and a choice of nothing', () => {
  const plan = planOf([['smoke'], ['slow', 'smoke']]);
  expect(() => choose(plan, ['smok'])).toThrow(
    'Nothing was run: no request here has the tag smok. Did you mean smoke? Their tags are slow, smoke.',
  );
  expect(() => choose(plan, [], ['slwo'])).toThrow('Did you mean slow?');
  expect(() => choose(planOf([[]]), ['a'])).toThrow('None has a tag.');
  expect(() => choose(plan, ['slow'], ['smoke'])).toThrow('every request with these tags also has an excluded tag.');
});
