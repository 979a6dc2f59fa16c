import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, temporaryFolder, type TestApp } from '#testing/app.ts';
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
  expect(whole.cases.size).toBeGreaterThanOrEqual(114);
  expect(Object.entries(Object.fromEntries(counts)).toSorted(([one], [other]) => one.localeCompare(other))).toEqual([
    ['holds', 99],
    ['observed', 11],
    ['skipped', 4],
  ]);
});

it('puts back what it moved, and says what moved', () => {
  const moved = [...whole.cases.values()].flatMap((one) => one.moved);
  expect(moved.length).toBeGreaterThan(30);
  expect(moved.filter(({ left }) => left !== '0.00')).toEqual([]);
});

it('says what is special about a request', () => {
  const sent = (id: string) => whole.cases.get(id)?.steps.map((step) => step.sent) ?? [];
  expect(sent('session-04').slice(1, 3)).toEqual(['/playerInfo with externalToken null', '/playerInfo without externalToken']);
  expect(sent('bet-07')).toEqual(['/bet 12.52 with currency "JPY"']);
  expect(sent('retries-09')[1]).toBe('/bet 12.520 again written differently');
  expect(sent('money-13').slice(0, 3)).toEqual(['/bet true', '/bet null', '/bet []']);
  expect(sent('hostile-01')[0]).toContain('5 × /bet 12.52 each without another member');
  expect(sent('hostile-07')).toEqual(['/bet 25.04 after "amount":{b}']);
  expect(sent('hostile-08')[0]).toBe('/bet 12.52 with the body ""');
  expect(sent('hostile-09')[0]).toMatch(/^\/bet 12.52 with note "x+…$/);
  expect(sent('hostile-10')[0]).toBe('/bet 12.52 cut in the body');
  expect(sent('token-03')[1]).toBe('/playerInfo with the replaced token');
});

it('sends IDs of exactly 255 and 256 characters', async () => {
  const ids = (whole.cases.get('hostile-03')?.steps ?? []).flatMap(({ calls }) => calls);
  const calls = await Promise.all(ids.map((id) => test.client.call('calls.get', { id })));
  const sent = calls.map((call) => JSON.parse(call?.request.bodyText ?? '{}') as { transactionId: string });
  expect(sent.map(({ transactionId }) => transactionId.length)).toEqual([255, 256, 256]);
});

describe('a team’s own case', () => {
  const step =
    '      - { call: bet, amount: b, as: bet, expect: booked }\n      - { call: again, of: bet, expect: recognised }\n';
  const written = `cases:\n  - id: our-retry\n    name: Our retry\n    why: Our provider does it.\n    harm: Money is lost.\n    steps:\n${step}`;

  async function withCases<T>(text: string, work: (directory: string) => Promise<T>): Promise<T> {
    const directory = await temporaryFolder();
    await writeFile(join(directory, 'collection.yaml'), 'format: 1\n');
    await writeFile(join(directory, 'wallet-cases.yaml'), text);
    try {
      return await work(directory);
    } finally {
      await rm(directory, { recursive: true });
    }
  }
  const ask = (text: string, only: string[]) =>
    withCases(text, (directory) => testWallet(test.client, { environmentId: 'sandbox', directory, only, stake: '20' }));

  it('is run like any other', async () => {
    const { cases } = await ask(
      `${written}      - { call: bet, amount: "=0.5", times: 3, with: { note: '"x"' }, expect: booked }\n`,
      ['own'],
    );
    expect([...cases.values()].map(({ id, verdict, steps }) => [id, verdict, steps.map(({ sent }) => sent)])).toEqual([
      ['our-retry', 'holds', ['/bet 0.1', '/bet 0.1 again', '3 × /bet 0.5 with note "x", 3 at once']],
    ]);
  });

  it.each([
    ['a field that is none', written.replace('harm', 'damage'), /wallet-cases.yaml.*line 2/s],
    ['an unknown expectation', written.replace('expect: booked', 'expect: paid'), /cases, 0, steps, 0/],
    ['an ID of Croupier’s', written.replace('our-retry', 'bet-01'), /bet-01 is the ID of one of Croupier's own cases/],
    ['a step that repeats nothing', written.replace('of: bet', 'of: bit'), /no step before it names/],
    ['no steps', `${written.slice(0, written.indexOf('    steps'))}    steps: []\n`, /Write at least one step/],
    ['an ID twice', `${written}${written.replace('cases:\n', '')}`, /Two cases have the ID our-retry/],
    ['an amount without a meaning', written.replace('amount: b,', 'amount: lots,'), /Write an amount such as 2b/],
    ['an amount divided by 0', written.replace('amount: b,', 'amount: b/0,'), /Write an amount such as 2b/],
  ])('with %s is refused', async (_, text, words) => {
    const told = await ask(text, ['own']).then(
      ({ requests }) => requests.map(({ reason }) => reason).join(' '),
      (error: unknown) => (error instanceof Error ? error.message : ''),
    );
    expect(told).toMatch(words);
  });
});

it('says what the wallet does at each open point, with the answer where only one agrees', () => {
  const seen = [...whole.cases.values()].flatMap(({ id, answer }) => (answer === null ? [] : [[id, answer.point, answer.value]]));
  expect(seen).toEqual([
    ['session-01', 'wallet.codeAndMessage', null],
    ['money-12', 'amounts.unit', 'whole'],
    ['win-05', 'win.withoutBet', 'accepted'],
    ['win-06', 'win.second', 'accepted'],
    ['win-09', 'wallet.currency', 'rejected'],
    ['bet-05', 'bet.zero', 'accepted'],
    ['bet-07', 'wallet.currency', 'rejected'],
    ['retries-01', 'wallet.retry', null],
    ['retries-03', 'wallet.retry', 'first'],
    ['retries-06', 'wallet.idempotency', null],
    ['cancel-02', 'cancel.second', 'accepted'],
    ['cancel-05', 'cancel.unknown', 'rejected'],
    ['cancel-06', 'bet.afterCancel', 'booked'],
    ['cancel-08', 'cancel.afterWin', 'rejected'],
    ['prizes-04', 'wallet.currency', 'rejected'],
    ['prizes-11', 'wallet.idempotency', 'idPlayerMethod'],
    ['win-10', 'token.replaced', 'rejected'],
    ['cancel-13', 'token.replaced', 'rejected'],
  ]);
  expect(whole.cases.get('session-01')?.answer?.words).toContain('code 0 and message on success');
  expect(whole.cases.get('retries-06')?.answer?.words).toContain('transactionId and player');
});

it('plans with the usual stake and its bets', async () => {
  const plan = await test.client.call('wallet.plan', { environmentId: 'sandbox' });
  const risks = new Map(plan.cases.map(({ id, risk }) => [id, risk]));
  expect([plan.stake, plan.small, risks.get('retries-01'), risks.get('bet-02')]).toEqual(['20.00', '0.10', '0.20', null]);
});
