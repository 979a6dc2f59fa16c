import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { allCases } from '#shared/wallet/cases/all-cases.ts';
import type { WalletCase } from '#shared/wallet/wallet-case.ts';
import { createTestApp, temporaryFolder, type TestApp } from '#testing/app.ts';
import { startHttpsServer, type TestServer } from '#testing/https-server.ts';
import { testWallet, walletAnswers } from '#testing/wallet-driver.ts';
import { createWalletRun } from './case-run.ts';

const token = 'a-session-token-of-the-wallet';
const killed = fileURLToPath(new URL('../../../testing/wallet-killed.ts', import.meta.url));

/** Cents of the one player, by transaction what was booked, and what the test changes about it. */
let cents: number;
let renewals = 0;
let renewed: (fresh: string) => object;
let booked: Map<string, number>;
let sent: string[];
let onBooked: (method: string) => void;
let shown: () => number;
let named: () => string;
/** Answers in place of the wallet, before or after it booked; true if it did. */
let instead: (method: string, response: ServerResponse) => boolean;
let after: typeof instead;
let test: TestApp;
let far: TestServer;
let environmentId: string;
/** The valid session token. */
let valid: string;
let isRepeatRefused: boolean;

beforeAll(async () => {
  far = await startHttpsServer(({ request, body }, response) => {
    const method = (request.url ?? '').slice(1);
    const asked = JSON.parse(body.toString()) as Record<string, unknown>;
    if (instead(method, response)) return;
    const say = (value: object) => after(method, response) || response.end(JSON.stringify(value));
    const refuse = (code: number) => say({ code, message: code === 404 ? 'Invalid Token' : 'no' });
    if ((asked['externalToken'] ?? asked['token']) !== valid) return void refuse(404);
    if (method === 'generateNewToken') return void say(renewed((valid = `${token}-${(renewals += 1)}`)));
    if (method === 'playerInfo')
      return void say({ code: 0, country: 'DE', currency: 'EUR', balance: shown() / 100, playerId: named() });
    const amount = Math.round(Number(asked['amount']) * 100);
    const change = method === 'bet' ? -amount : amount;
    const key = `${method} ${String(asked['transactionId'])}`;
    if (cents + change < 0) return void refuse(402);
    if (booked.has(key) && isRepeatRefused) return void refuse(409);
    if (!booked.has(key)) {
      booked.set(key, change);
      cents += change;
      sent.push(`${method} ${amount / 100}`);
      onBooked(method);
    }
    say({ code: 0, transactionId: asked['transactionId'], externalTrxId: key, balance: cents / 100 });
  });
  test = await createTestApp({ host: { allowCommand: async () => true } });
  environmentId = (await test.environment(far, { answers: walletAnswers })).id;
});
afterAll(async () => {
  await test.close();
  await far.close();
});
beforeEach(() => {
  [cents, valid, isRepeatRefused] = [10_000, token, false];
  [booked, sent] = [new Map(), []];
  renewed = (fresh) => ({ code: 0, token: fresh });
  onBooked = () => undefined;
  shown = () => cents;
  named = () => 'p';
  instead = after = () => false;
});
const down = (_: string, response: ServerResponse) => response.writeHead(503).end() === response;

const ask = (only: string[]) => testWallet(test.client, { environmentId, tokens: [token], only });
const stateOf = async (runId: string) => {
  const { runs } = await test.client.call('runs.list', { collectionId: 'wallet' });
  return runs.find((one) => one.runId === runId)?.state;
};

describe('a wallet test', () => {
  it('stops at a balance that nothing explains, and puts back only what it moved itself', async () => {
    onBooked = (method) => (cents -= method === 'bet' ? 777 : 0);
    const { runId, requests } = await ask(['bet-01', 'bet-11', 'win-01']);
    expect(requests.map(({ state, reason }) => [state, reason.slice(0, 100)])).toMatchObject([
      ['failed', expect.stringContaining('-7.87')],
      ['skipped', expect.stringContaining('no combination')],
      ['skipped', expect.stringContaining('no combination')],
    ]);
    expect(await stateOf(runId)).toBe('finished');
    expect(sent).toEqual(['bet 0.1', 'win 0.1']);
    expect(cents).toBe(10_000 - 777);
  });

  it('goes on where an earlier request of the case explains the balance', async () => {
    onBooked = () => {
      cents += 10;
      onBooked = () => {
        cents -= 10;
        onBooked = () => undefined;
      };
    };
    const { cases, requests } = await ask(['hostile-09', 'order-14']);
    expect(requests.map(({ state }) => state)).toEqual(['passed', 'passed']);
    expect(cases.get('hostile-09')).toMatchObject({ verdict: 'warns', saw: expect.stringContaining('-0.20') });
    expect(cents).toBe(10_000);
  });

  it('asks a second time before it blames, and says that the balance was late', async () => {
    let stale = 0;
    let was = cents;
    onBooked = () => (stale = 1);
    shown = () => (stale-- > 0 ? was : (was = cents));
    const { cases } = await ask(['bet-01']);
    expect(cases.get('bet-01')).toMatchObject({ verdict: 'fails', saw: expect.stringContaining('a second later') });
    expect(cases.get('bet-01')?.moved.map(({ left }) => left)).toEqual(['0.00']);
    expect(cents).toBe(10_000);
  });

  it('finishes the case that a stop meets, and puts its money back', async () => {
    onBooked = () => {
      onBooked = () => undefined;
      void test.client
        .call('runs.list', { collectionId: 'wallet' })
        .then(async ({ runs: [run] }) => test.client.call('runs.cancel', { runId: run?.runId ?? '' }));
    };
    const { runId, requests } = await ask(['bet-11', 'bet-12', 'win-01', 'win-07']);
    expect(requests.filter(({ state }) => state === 'skipped').length).toBeGreaterThan(0);
    expect(requests[0]?.state).toBe('passed');
    expect(await stateOf(runId)).toBe('cancelled');
    expect(cents).toBe(10_000);
  });

  it('says what it could not put back, and what the wallet confirmed, when no balance is told any more', async () => {
    onBooked = () => (instead = down);
    const { cases, requests } = await ask(['bet-11', 'win-01']);
    expect(requests.map(({ state }) => state)).toEqual(['failed', 'skipped']);
    expect(cases.get('win-01')).toMatchObject({
      verdict: 'fails',
      saw: expect.stringContaining("doesn't tell the balance of p"),
      moved: [{ before: '100.00', after: '99.90', left: '-0.10' }],
    });
    expect(cents).toBe(9_990);
  });

  it('stops when no balance is told after it put money back', async () => {
    onBooked = (method) => (method === 'win' ? (instead = down) : undefined);
    const { requests } = await ask(['bet-01', 'bet-11']);
    expect(requests.map(({ state, case: one }) => [state, one?.moved[0]?.left])).toEqual([
      ['failed', '0.00'],
      ['skipped', undefined],
    ]);
    expect(cents).toBe(10_000);
  });

  it('sends no second win for one whose response it did not hear', async () => {
    after = (method, response) => method === 'win' && response.destroy() === response;
    await ask(['bet-01']);
    expect([cents, sent]).toEqual([10_000, ['bet 0.1', 'win 0.1']]);
  });

  it('puts a repeated transaction back once where it cannot explain the balance', async () => {
    let reads = 0;
    shown = () => ((reads += 1) === 3 ? (cents -= 777) : cents);
    await ask(['retries-01']);
    expect([cents, sent]).toEqual([10_000 - 777, ['bet 0.1', 'win 0.1']]);
  });

  it('takes no balance from the response about another player', async () => {
    let reads = 0;
    named = () => ((reads += 1) === 2 ? 'q' : 'p');
    const { cases } = await ask(['bet-01']);
    expect(cases.get('bet-01')).toMatchObject({ verdict: 'fails', saw: expect.stringContaining('playerId q') });
    expect(cents).toBe(10_000);
  });

  it('begins with no balance below 0', async () => {
    cents = -500;
    expect((await ask(['session-01'])).requests).toMatchObject([{ state: 'error', reason: expect.stringContaining('is -5.00') }]);
  });

  it('repeats no run that the history of this environment does not have', async () => {
    const { runId } = await ask(['bet-01']);
    const { id } = await test.environment(far, { answers: walletAnswers });
    for (const [environment, retryOf] of [
      [environmentId, 'none'],
      [id, runId],
    ] as const) {
      const asked = testWallet(test.client, { environmentId: environment, tokens: [token], only: ['retries-10'], retryOf });
      await expect(asked).rejects.toThrow(retryOf === 'none' ? 'no calls of run none' : 'was not made in');
    }
  });

  it('repeats what was booked with any HTTP status of success', async () => {
    after = (_, response) => {
      response.statusCode = 201;
      return false;
    };
    const { runId } = await ask(['bet-01']);
    const again = await testWallet(test.client, { environmentId, tokens: [token], only: ['retries-10'], retryOf: runId });
    expect(again.cases.get('retries-10')).toMatchObject({ verdict: 'holds' });
  });

  it('makes no case that could cost more than what is left of the stake', async () => {
    const { requests } = await testWallet(test.client, {
      environmentId,
      tokens: [token],
      only: ['bet-02', 'money-09', 'bet-01'],
      stake: '3',
    });
    const told = new Map(requests.map(({ case: one, reason }) => [one?.id, reason]));
    expect(told.get('bet-02')).toBe('A faulty wallet could take 100.00 EUR; the stake is 3.00.');
    expect(told.get('money-09')).toBe('A faulty wallet could take 4.00 EUR; the stake is 3.00.');
    expect(told.get('bet-01')).toBe('');
  });

  it('knows by the first bet with decimals that amounts have them', async () => {
    const { id } = await test.environment(far);
    const verdictsOf = async (...only: string[]) => {
      const { cases } = await testWallet(test.client, { environmentId: id, tokens: [token], only });
      return only.map((one) => cases.get(one)?.verdict);
    };
    expect(await verdictsOf('money-03')).toEqual(['waiting']);
    expect(await verdictsOf('money-12', 'money-03')).toEqual(['observed', 'holds']);
  });

  it('asks by name before production, each time', async () => {
    const { id } = await test.environment(far, { answers: walletAnswers, production: true });
    const start = { environmentId: id, tokens: [token], only: ['session-01'] };
    for (const confirmed of [false, 'tenMinutes', false] as const) {
      const asked = test.client.call('wallet.start', { ...start, confirmed });
      if (confirmed !== false) await asked;
      else await expect(asked).rejects.toMatchObject({ code: 'refused', message: expect.stringContaining('Test the wallet of') });
    }
  });

  it('keeps the tokens that it got, or those that replaced them, for the next one', async () => {
    expect((await ask(['token-01'])).cases.get('token-01')?.verdict).toBe('holds');
    expect(valid).not.toBe(token);
    for (const id of ['bet-01', 'token-04', 'token-01']) {
      const { cases } = await testWallet(test.client, { environmentId, only: [id] });
      expect(cases.get(id)?.verdict).toBe('holds');
    }
    const { runId } = await testWallet(test.client, { environmentId, only: ['bet-01'] });
    await test.client.call('wallet.restore', { runId });
    await test.client.call('tokens.list', { environmentId }).then(({ tokens }) => {
      for (const { state } of tokens) expect(state).toBe('unused');
    });
  });

  it('knows its cases and groups, and no other', async () => {
    await expect(ask(['bet-01', 'bets'])).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('"bets"'),
    });
  });

  it('takes a token of the environment’s command, and says where to get one without it', async () => {
    const { id } = await test.environment(far, { answers: walletAnswers });
    const start = { environmentId: id, only: ['session-01'] };
    await expect(testWallet(test.client, start)).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('no session token'),
    });
    await test.client.call('tokens.setCommand', { environmentId: id, command: `echo ${token}` });
    expect((await testWallet(test.client, start)).cases.get('session-01')?.verdict).toBe('holds');
  });

  it('shows its session token in no report', async () => {
    const { runId } = await ask(['bet-03', 'session-03', 'session-05', 'hostile-02']);
    for (const as of ['json', 'junit', 'html'] as const) {
      const { text } = await test.client.call('runs.export', { runId, as });
      expect(text.toLowerCase()).not.toContain(token);
    }
  });
});

it('what a test put back stays as it is, also when the player has played since', async () => {
  const { runId } = await ask(['win-08']);
  cents -= 300;
  const asked = test.client.call('wallet.restore', { runId, tokens: [token] });
  await expect(asked).rejects.toMatchObject({ code: 'refused', message: expect.stringContaining("doesn't explain") });
  expect(cents).toBe(9_700);
});

it('nothing is put back without the first calls of a test', async () => {
  const { runId } = await ask(['bet-01']);
  const { calls } = await test.client.call('calls.list', { filter: { collectionRun: runId } });
  await test.client.call('calls.delete', { ids: calls.slice(-1).map(({ id }) => id) });
  const asked = test.client.call('wallet.restore', { runId, tokens: [token] });
  await expect(asked).rejects.toMatchObject({ message: expect.stringContaining('no longer has the first calls') });
});

it('a full disk is no verdict about the wallet', async () => {
  const body = Buffer.from('{"code":0,"playerId":"p","balance":100}');
  const send = () => Promise.resolve({ call: { id: 1, status: 200, failure: null, durationMs: 1 }, body });
  let announced = 0;
  const announce = () =>
    (announced += 1) > 2 ? Promise.reject(new AppError('storage', 'The disk is full.')) : Promise.resolve({ send });
  const settings = { runId: 'r', tokens: [token], stake: '', gameId: '1', strict: false, earlier: null };
  const environment = { id: 'e', answers: {}, defaults: { currency: 'EUR' } };
  const deps = { environment, announce, later: () => () => undefined, monotonic: () => 0, mask: (text: string) => text };
  const run = createWalletRun(settings, deps as never);
  const [bet] = allCases().filter(({ id }) => id === 'bet-01');
  await expect(run.run(bet as WalletCase, 0, 'bet-01')).rejects.toMatchObject({ code: 'storage' });
});

describe('what a killed test left moved', () => {
  let home: string;
  let child: ChildProcess | null = null;

  beforeEach(async () => {
    home = await temporaryFolder();
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    await rm(home, { recursive: true, force: true });
  });

  /** Kills a test as soon as its first bet is booked; returns its run. */
  async function killIt(app: () => Promise<TestApp>): Promise<{ app: TestApp; runId: string }> {
    const ca = join(home, 'ca.pem');
    await writeFile(ca, far.ca);
    onBooked = () => child?.kill('SIGKILL');
    child = spawn(process.execPath, [killed, home, far.baseUrl, ca, token], {
      stdio: 'ignore',
      execArgv: process.execArgv,
    } as never);
    await once(child, 'exit');
    onBooked = () => undefined;
    const opened = await app();
    const { runs } = await opened.client.call('runs.list', { collectionId: 'wallet' });
    return { app: opened, runId: runs[0]?.runId ?? '' };
  }

  it('is put back from its record', { timeout: 30_000 }, async () => {
    const { app, runId } = await killIt(() => createTestApp({ home }));
    expect(cents).toBeLessThan(10_000);
    named = () => 'q';
    const ofAnother = app.client.call('wallet.restore', { runId, tokens: [token] });
    await expect(ofAnother).rejects.toThrow('The run may have left money of p moved.');
    named = () => 'p';
    const { players } = await app.client.call('wallet.restore', { runId, tokens: [token] });
    expect(players).toEqual([{ playerId: 'p', before: '99', after: '100', left: '0' }]);
    expect(cents).toBe(10_000);
    const again = await app.client.call('wallet.restore', { runId, tokens: [token] });
    expect(again.players).toEqual([{ playerId: 'p', before: '100', after: '100', left: '0' }]);
    await app.close();
  });

  it('is not touched if somebody else has played meanwhile', { timeout: 30_000 }, async () => {
    const { app, runId } = await killIt(() => createTestApp({ home }));
    cents -= 5_000;
    const asked = app.client.call('wallet.restore', { runId, tokens: [token] });
    await expect(asked).rejects.toMatchObject({ code: 'refused', message: expect.stringContaining('Nothing was put back.') });
    await app.close();
  });
});

it.each([
  ['nothing', {}, 'warns'],
  ['that a repeat gets a code', { 'wallet.retry': { value: 'code' } }, 'holds'],
])('a repeat that is refused, where the recorded answer is %s: %s', async (_, answers, verdict) => {
  isRepeatRefused = true;
  const { id } = await test.environment(far, { answers: { ...walletAnswers, ...answers } });
  const { cases } = await testWallet(test.client, { environmentId: id, tokens: [token], only: ['retries-01'] });
  expect(cases.get('retries-01')?.verdict).toBe(verdict);
});

it.each([
  [10_050, 'holds'],
  [10_000, 'waiting'],
])('a balance of %i cents tells whether amounts have decimals: %s', async (balance, verdict) => {
  cents = balance;
  const { 'amounts.unit': _unit, ...answers } = walletAnswers;
  const { id } = await test.environment(far, { answers });
  const { cases } = await testWallet(test.client, { environmentId: id, tokens: [token], only: ['money-03'] });
  expect(cases.get('money-03')?.verdict).toBe(verdict);
});

describe('a new token', () => {
  it.each([
    ['deep in the response', (fresh: string) => ({ code: 0, data: { session: { externalToken: fresh } } }), '', 'holds'],
    ['in its recorded place', (fresh: string) => ({ code: 0, data: { pass: fresh, old: 'x' } }), 'data.pass', 'holds'],
    ['in another place', (fresh: string) => ({ code: 0, data: { old: fresh } }), 'data.pass', 'fails'],
    ['that is not in the response', () => ({ code: 0, data: null }), '', 'fails'],
  ])('%s', async (_, response, place, verdict) => {
    renewed = response;
    const recorded = place === '' ? {} : { 'generateNewToken.response': { value: place } };
    const { id } = await test.environment(far, { answers: { ...walletAnswers, ...recorded } });
    const { cases } = await testWallet(test.client, { environmentId: id, tokens: [token], only: ['token-03'] });
    expect(cases.get('token-03')?.verdict).toBe(verdict);
  });
});
