import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Input } from '#shared/ipc/index.ts';
import { createTestApp, type TestApp } from '#testing/app.ts';
import { chooseSeed, seededRandom } from '#testing/seeded-random.ts';
import { testWallet, troublesOf, walletAnswers, type WalletTest } from '#testing/wallet-driver.ts';
import { startReferenceWallet, type ReferenceWallet, type ReferenceWalletOptions } from '#testing/wallets/reference-wallet.ts';
import { walletFaults, type WalletFault } from '#testing/wallets/wallet-faults.ts';

/** `npm run test:long -- wallet`: every fault, and each race 20 times. */
const isWhole = process.env['CROUPIER_WALLET'] === 'whole';
const sampled = 10;
const languages = ['php', 'python'] as const;

let test: TestApp;

beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

type Start = Omit<Input<'wallet.start'>, 'environmentId' | 'tokens'>;
type Ask = (start: Start) => Promise<WalletTest>;

/** Starts a wallet with an environment of its own for as long as the work takes. */
async function withWallet<T>(
  options: ReferenceWalletOptions,
  answers: Readonly<Record<string, { readonly value: string }>>,
  work: (ask: Ask, wallet: ReferenceWallet, environmentId: string) => Promise<T>,
): Promise<T> {
  const wallet = await startReferenceWallet(options);
  try {
    const ofWallet = { baseUrl: wallet.walletUrl, ca: readFileSync(wallet.ca, 'utf8') };
    const { id } = await test.environment(ofWallet, { answers: { ...walletAnswers, ...answers } });
    const tokens = wallet.players.map(({ externalToken }) => externalToken);
    return await work((start) => testWallet(test.client, { environmentId: id, tokens, ...start }), wallet, id);
  } finally {
    await wallet.stop();
  }
}

const countsOf = ({ cases }: WalletTest) => {
  const counts: Record<string, number> = {};
  for (const { verdict } of cases.values()) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return counts;
};

const small = [{ balance: '60.10' }, { balance: '70' }];
type Language = (typeof languages)[number];
const wholeRuns = new Map<Language, Promise<{ result: WalletTest; balances: number[] }>>();

/** Runs all cases against a correct wallet, once. */
function wholeRun(language: Language) {
  const begun = wholeRuns.get(language);
  if (begun !== undefined) return begun;
  const run = withWallet({ language, players: small }, {}, async (ask, wallet) => {
    const result = await ask({ stake: '1000' });
    return { result, balances: wallet.players.map(({ playerId }) => Number(wallet.balanceOf(playerId))) };
  });
  wholeRuns.set(language, run);
  return run;
}

describe.each(languages)('a correct wallet in %s', (language) => {
  it('has no required and no customary failure, and ends with the money it began with', { timeout: 60_000 }, async () => {
    const { result, balances } = await wholeRun(language);
    expect(troublesOf(result)).toEqual([]);
    // Three currencies and an earlier run are missing.
    expect(countsOf(result)['skipped']).toBe(4);
    expect(countsOf(result)['waiting']).toBeUndefined();
    expect(balances).toEqual([60.1, 70]);
  });
});

/** Faults that show in two runs. */
const apart: readonly WalletFault[] = ['keys-forgotten-after-12-hours', 'keys-in-memory'];
/** Cases that must come first. */
const before: Partial<Record<WalletFault, readonly string[]>> = { 'refusal-with-trace': ['session-03', 'bet-03'] };

const faults = Object.keys(walletFaults) as WalletFault[];
const each = faults.filter((fault) => !apart.includes(fault));

function sample(): readonly WalletFault[] {
  const random = seededRandom(chooseSeed());
  const order = new Map(each.map((fault) => [fault, random()]));
  return each.toSorted((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0)).slice(0, sampled);
}

/** Runs the cases that must find a fault; returns those that did, and those that a stop left out. */
async function findersOf(fault: WalletFault): Promise<string[]> {
  const { in: written, cases, shownBy = { players: small }, answers = {} } = walletFaults[fault];
  const found: string[] = [];
  for (const language of written) {
    await withWallet({ ...shownBy, language, fault }, answers, async (ask) => {
      const isLarge = cases.includes('money-07');
      const result = await ask({ stake: isLarge ? '20' : '1000', only: [...(before[fault] ?? []), ...cases] });
      const finders = cases.filter((id) => ['fails', 'warns'].includes(result.cases.get(id)?.verdict ?? ''));
      // One that stops at a balance that nothing explains leaves the others out.
      const isStopped = result.requests.some(({ case: one, state }) => one === undefined && state === 'skipped');
      found.push(...(isStopped && finders.length > 0 ? cases : finders));
    });
  }
  return found;
}

const casesOf = (fault: WalletFault) => walletFaults[fault].in.flatMap(() => [...walletFaults[fault].cases]);

describe('a planted fault', () => {
  it('is one of at least 60', () => {
    expect(faults.length).toBeGreaterThanOrEqual(60);
  });

  it.each(isWhole ? each : sample())('%s is found by the cases that name it', { timeout: 60_000 }, async (fault) => {
    const found = await findersOf(fault);
    expect(found).toEqual(casesOf(fault));
  });

  it.each(['keys-forgotten-after-12-hours', 'keys-in-memory'] as const)(
    '%s is found by a later run',
    { timeout: 30_000 },
    (fault) => {
      const [language = 'php'] = walletFaults[fault].in;
      return withWallet({ language, fault, players: small }, {}, async (ask, wallet) => {
        const { runId } = await ask({ only: ['bet-01', 'win-01', 'prizes-01'] });
        await (fault === 'keys-in-memory' ? wallet.restart() : wallet.moveClock(13 * 3_600));
        const later = await ask({ only: ['retries-10'], retryOf: runId });
        expect(later.cases.get('retries-10')?.verdict).toBe('warns');
      });
    },
  );

  it.each(languages)('of that kind is not seen in a correct wallet in %s', { timeout: 30_000 }, (language) =>
    withWallet({ language, players: small }, {}, async (ask, wallet) => {
      const { runId } = await ask({ only: ['bet-01', 'win-01', 'prizes-01'] });
      await wallet.restart();
      await wallet.moveClock(30 * 3_600);
      const later = await ask({ only: ['retries-10'], retryOf: runId });
      expect(later.cases.get('retries-10')?.verdict).toBe('holds');
      expect(later.cases.get('retries-10')?.steps.length).toBeGreaterThan(4);
    }),
  );
});

function findRaces(): void {
  const races = each.filter((fault) => walletFaults[fault].cases.some((id) => id.startsWith('order-') && id !== 'order-13'));

  it.each(races)('%s is found 20 times of 20', { timeout: 600_000 }, async (fault) => {
    for (let round = 0; round < 20; round += 1) {
      const found = await findersOf(fault);
      expect(found).toEqual(casesOf(fault));
    }
  });

  it.each(languages)(
    'is not seen in a correct wallet in %s that waits inside its lock, with several calls inside at once',
    { timeout: 600_000 },
    (language) =>
      withWallet({ language, fault: 'control-rendezvous', players: small }, {}, async (ask, wallet) => {
        const result = await ask({ stake: '1000', only: ['order'] });
        expect(troublesOf(result)).toEqual([]);
        const inside = await wallet.mostInside();
        expect(inside).toBeGreaterThan(1);
      }),
  );
}

if (isWhole) describe('a race', findRaces);

it('says the same of a wallet that the gateway stands before', { timeout: 60_000 }, async () => {
  const { result: direct } = await wholeRun('python');
  const through = await withWallet(
    { language: 'python', players: small },
    {},
    async (_, { walletUrl, players }, environmentId) => {
      const status = await test.client.call('gateway.start', { environmentId, walletUrl });
      const ofGateway = { baseUrl: status.walletUrl ?? '', ca: readFileSync(status.caFile, 'utf8') };
      const { id } = await test.environment(ofGateway, { answers: walletAnswers });
      const tokens = players.map(({ externalToken }) => externalToken);
      const result = await testWallet(test.client, { environmentId: id, tokens, stake: '1000' });
      await test.client.call('gateway.stop', {});
      return result;
    },
  );
  const verdicts = ({ cases }: WalletTest) => Array.from(cases.values(), ({ id, verdict }) => `${id} ${verdict}`);
  expect(verdicts(through)).toEqual(verdicts(direct));
  expect(troublesOf(through)).toEqual([]);
});
