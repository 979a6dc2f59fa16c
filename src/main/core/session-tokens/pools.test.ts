import { expect, it } from 'vitest';
import { createTokenPools } from './pools.ts';
import { readTokens } from './read-tokens.ts';

const pasted = { kind: 'pasted', file: '' } as const;
const nobody = () => null;
const any = () => true;

async function poolWith(text: string) {
  const changes: string[] = [];
  const pools = createTokenPools((environmentId) => changes.push(environmentId));
  const added = pools.add('e', await readTokens(text), pasted);
  return { pools, changes, added, states: () => pools.list('e', nobody).map(({ state }) => state) };
}

it('gives each token once, in order, until used ones are put back', async () => {
  const { pools, states } = await poolWith('one\ntwo');
  const first = pools.take('e', any);
  expect(first?.token).toBe('one');
  expect(pools.take('e', any)?.token).toBe('two');
  expect(pools.take('e', any)).toBeNull();
  expect(pools.take('other', any)).toBeNull();
  first?.used();
  expect(states()).toEqual(['used', 'taken']);
  expect(pools.take('e', any)).toBeNull();
  expect(pools.restore('e')).toBe(1);
  expect(pools.take('e', any)?.token).toBe('one');
});

it('gives the next launch a token with which nothing was sent', async () => {
  const { pools } = await poolWith('one');
  pools.take('e', any)?.back();
  expect(pools.take('e', any)?.token).toBe('one');
});

it('passes over tokens that a launch has, and names the launch', async () => {
  const { pools } = await poolWith('one\ntwo');
  expect(pools.take('e', (token) => token !== 'one')?.token).toBe('two');
  expect(pools.list('e', (token) => (token === 'one' ? 'Lucky' : null))).toMatchObject([
    { state: 'in use', user: 'Lucky' },
    { state: 'taken', user: '' },
  ]);
});

it('shows no token: its start only if it is long', async () => {
  const { pools } = await poolWith('short-token\nabcdefghijklmnop');
  expect(pools.list('e', nobody).map(({ start }) => start)).toEqual(['', 'abcd']);
  expect(JSON.stringify(pools.list('e', nobody))).not.toMatch(/short|efgh/);
});

it('adds no token twice, and names the lines', async () => {
  const { pools, added } = await poolWith('one\n\none\ntwo');
  expect(added).toEqual({ added: 2, left: ['Line 2 is empty.', 'Line 3 repeats a token from another line.'] });
  const lines = Array.from({ length: 12 }, () => 'two').join('\n');
  expect(pools.add('e', await readTokens(`one\ntwo\nthree\n${lines}`), { kind: 'file', file: 'a.csv' })).toEqual({
    added: 1,
    left: [
      'Each of the lines 1, 2 has a token that the pool already has.',
      'Each of the lines 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 and 2 more repeats a token from another line.',
    ],
  });
  expect(pools.list('e', nobody).map(({ from }) => from)).toEqual([
    'pool, pasted line 1',
    'pool, pasted line 4',
    'pool, line 3 of a.csv',
  ]);
});

it('holds 10,000 tokens at most', async () => {
  const text = (count: number) => Array.from({ length: count }, (_, at) => `t${at}`).join('\n');
  const { pools } = await poolWith(text(10_000));
  const more = await readTokens('another');
  expect(() => pools.add('e', more, pasted)).toThrow('more than 10,000 tokens');
});

it('removes tokens, but not one that a launch is taking', async () => {
  const { pools, states, changes } = await poolWith('one\ntwo\nthree');
  const taken = pools.take('e', any);
  const ids = pools.list('e', nobody).map(({ id }) => id);
  changes.length = 0;
  expect(pools.remove('e', [...ids.slice(0, 2), 99])).toBe(1);
  expect(changes).toEqual(['e']);
  expect(states()).toEqual(['taken', 'unused']);
  taken?.used();
  expect(pools.remove('e', ids)).toBe(2);
  taken?.back();
  expect(states()).toEqual([]);
});

it('forgets the tokens of a player', async () => {
  const { pools, changes } = await poolWith('one,p1\ntwo,p2\nthree,p1');
  const taken = pools.take('e', any);
  changes.length = 0;
  pools.forget('p1');
  taken?.used();
  expect(pools.list('e', nobody).map(({ playerId }) => playerId)).toEqual(['p2']);
  pools.forget('nobody');
  expect(changes).toEqual(['e']);
});

it('puts a renewed token in the place of the old one', async () => {
  const { pools, states } = await poolWith('one,p1');
  const [{ id } = { id: 0 }] = pools.list('e', nobody);
  const taken = pools.takeOne('e', id);
  expect(pools.takeOne('e', id)).toBeNull();
  taken?.renewed('new');
  expect(states()).toEqual(['unused']);
  expect(pools.take('e', any)).toMatchObject({
    token: 'new',
    player: { playerId: 'p1' },
    from: 'generateNewToken of pool, pasted line 1',
  });
});
