import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#testing/app.ts';
import { testWallet, troublesOf, walletAnswers, type WalletTest } from '#testing/wallet-driver.ts';

let test: TestApp;
let whole: WalletTest;

beforeAll(async () => {
  test = await createTestApp({ sandbox: true });
  const { environments } = await test.client.call('environments.list', {});
  const [sandbox] = environments.filter(({ kind }) => kind === 'sandbox');
  if (sandbox === undefined) throw new Error('The built-in provider has no environment');
  await test.client.call('environments.save', { environment: { ...sandbox, answers: { ...sandbox.answers, ...walletAnswers } } });
  whole = await testWallet(test.client, { environmentId: sandbox.id, stake: '10000' });
}, 60_000);
afterAll(() => test.close());

it('finds nothing to blame in the built-in wallet', () => {
  expect(troublesOf(whole)).toEqual([]);
  expect(test.faults).toEqual([]);
  const counts = new Map<string, number>();
  for (const { verdict } of whole.cases.values()) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  expect(whole.cases.size).toBeGreaterThanOrEqual(113);
  expect(Object.entries(Object.fromEntries(counts)).toSorted(([one], [other]) => one.localeCompare(other))).toEqual([
    ['holds', 98],
    ['observed', 11],
    ['skipped', 4],
  ]);
});

it('puts back what it moved, and says what moved', () => {
  const moved = [...whole.cases.values()].flatMap((one) => one.moved);
  expect(moved.length).toBeGreaterThan(30);
  expect(moved.filter(({ left }) => left !== '0.00')).toEqual([]);
});
