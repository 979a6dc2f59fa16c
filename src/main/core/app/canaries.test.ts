import { expect, it } from 'vitest';
import { contractCanaries } from '../../../testing/contract-canaries.ts';
import { chooseSeed } from '../../../testing/seeded-random.ts';

it(
  'a key and session tokens in texts of the contract are in no file but those that may hold them',
  { timeout: 120_000 },
  async () => {
    // `npm run test:long -- doors` has every token in every text.
    const { planted, found } = await contractCanaries(25, chooseSeed());
    expect(found).toEqual([]);
    expect(planted.length).toBeGreaterThan(4);
  },
);
