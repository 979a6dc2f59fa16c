import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createCli, linesFrom } from '#testing/cli-driver.ts';
import { leaksIn } from '#testing/secret-forms.ts';

describe('sandbox and history', () => {
  const env = { SANDBOX_KEY: 'k/"sandbox"+key&1' };

  it('runs the provider, judges what comes, and records every call', { timeout: 90_000 }, async () => {
    const own = await createCli();
    const sandbox = own.start(
      ['sandbox', '--port', '0', '--key-env', 'SANDBOX_KEY', '--platform', '5', '--partner-id', '6', '--json'],
      { env },
    );
    let err = '';
    sandbox.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    const lines = linesFrom(sandbox);
    const first = JSON.parse(await lines.next(() => true)) as {
      baseUrl: string;
      caFile: string;
      players: { playerId: string; externalToken: string; balance: number }[];
    };
    expect(Object.keys(first)).toEqual([
      'baseUrl',
      'walletUrl',
      'caFile',
      'platform',
      'partnerId',
      'actions',
      'players',
      'controlUrl',
    ]);
    expect(first).toMatchObject({ walletUrl: first.baseUrl, platform: 5, partnerId: 6 });
    expect(first.baseUrl).toMatch(/^https:\/\/localhost:\d+$/);
    expect(await readFile(first.caFile, 'utf8')).toContain('BEGIN CERTIFICATE');
    const [player] = first.players;
    expect(Object.keys(player ?? {})).toEqual(['playerId', 'externalToken', 'currency', 'balance']);

    const call = (operation: string, ...more: string[]) =>
      own.run(['call', operation, '--key-env', 'SANDBOX_KEY', ...more], { env });
    expect((await call('gameList')).out).toContain('"slots"');
    expect(await lines.next((line) => line.includes('"action":"gameList"'))).toMatch(
      /^\{"time":"[^"]+","path":"\/serviceApi.php","action":"gameList","verdict":\{"code":0,/,
    );
    expect((await own.run(['call', 'gameList', '--key-env', 'SANDBOX_KEY'], { env: { SANDBOX_KEY: 'wrong' } })).code).toBe(3);
    expect(await lines.next((line) => line.includes('"code":8'))).toContain('hash not valid');

    const bet = [
      '--set',
      `externalToken=${player?.externalToken ?? ''}`,
      '--set',
      `playerId=${player?.playerId ?? ''}`,
      '--set',
      'amount=1.25',
      '--set',
      'gameId=1001',
    ];
    const placed = await call('bet', ...bet, '--set', 'transactionId=t-1');
    expect(placed.code).toBe(0);
    expect((JSON.parse(placed.out) as { balance: number }).balance).toBe((player?.balance ?? 0) - 1.25);

    // The provider runs in another process: its reason comes with the response.
    const why = 'The balance of 998.75 EUR does not cover the bet of 99999.';
    const over = await call('bet', ...bet.slice(0, 4), '--set', 'amount=99999', '--set', 'gameId=1001');
    expect(over.code).toBe(3);
    expect(over.err.split('\n').slice(0, 2)).toEqual(['croupier: Code 404, Invalid Token', `croupier: ${why}`]);
    expect(over.err).toContain('"croupier sandbox --json"');
    expect(over.err).not.toContain('token');
    const level = await call('freeRounds', '--set', 'betLevel=50', '--json');
    expect(JSON.parse(level.out)).toMatchObject({ explanation: { title: expect.stringMatching(/^betLevel 50 is too high/) } });
    expect(level.err).not.toContain('Compare platform');

    const listed = JSON.parse((await own.run(['history', 'list', '--json'])).out) as {
      calls: { id: number; operation: string; code: number }[];
      total: number;
    };
    expect(listed.total).toBe(5);
    expect(listed.calls.map(({ operation }) => operation)).toEqual(['freeRounds', 'bet', 'bet', 'gameList', 'gameList']);
    const plain = await own.run(['history', 'list', '--limit', '1']);
    expect(plain.out.trim().split('\n')).toHaveLength(1);
    expect(plain.err).toContain('1 of 5');
    const found = JSON.parse((await own.run(['history', 'search', 'hash not valid', '--json'])).out) as {
      calls: { code: number }[];
    };
    expect(found.calls.map(({ code }) => code)).toEqual([8]);
    const shown = JSON.parse((await own.run(['history', 'show', String(listed.calls[2]?.id), '--json'])).out) as {
      response: { bodyText: string };
    };
    expect(shown).toMatchObject({ response: { bodyText: placed.out }, explanation: null });
    expect((await own.run(['history', 'show', '99'])).code).toBe(2);

    sandbox.kill('SIGTERM');
    expect(await once(sandbox, 'close')).toEqual([0, null]);
    const stopped = await call('gameList');
    expect(stopped.code).toBe(4);
    expect(stopped.err).toContain('croupier sandbox');
    // What the provider said is kept with the call.
    expect((await own.run(['history', 'show', String(listed.calls[1]?.id)])).out).toContain(`\n${why}\n`);
    expect(leaksIn(lines.lines.join('\n') + err + stopped.err, env.SANDBOX_KEY)).toEqual([]);
    await own.close();
  });

  it('plays a provider with other choices about signing', async () => {
    const own = await createCli();
    const choices = ['--time-order', 'ymd', '--time-tolerance', '600', '--time-zone', 'Asia/Tokyo', '--first', 'hash'];
    const sandbox = own.start(['sandbox', '--port', '0', '--key-env', 'SANDBOX_KEY', '--json', ...choices], { env });
    const lines = linesFrom(sandbox);
    await lines.next(() => true);
    const call = (time: string) => own.run(['call', 'gameList', '--key-env', 'SANDBOX_KEY', '--time', time], { env });
    expect((await call('20-11-2026 10:15:30')).code).toBe(3);
    expect(await lines.next((line) => line.includes('"code":8'))).toContain('time must be a date and time with the year first');
    const tokyo = new Date(Date.now() + 9 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
    expect((await call(tokyo)).code).toBe(0);
    expect(await lines.next((line) => line.includes('"code":0'))).toContain('"action":"gameList"');
    await own.close();
  });

  it('has players of a file, meets requests with faults, and begins again where it ended', { timeout: 60_000 }, async () => {
    const own = await createCli();
    await own.run(['env', 'list']);
    const [players, state] = [join(own.home, 'players.yaml'), join(own.home, 'state.json')];
    await writeFile(
      players,
      'currencies: [EUR, { code: PTS, digits: 0 }]\nplayers:\n  - { playerId: alice, externalToken: of-alice, currency: PTS, balance: 1000 }\n  - { playerId: rich, externalToken: of-rich, currency: PTS, balance: 9007199254740993 }\n',
    );
    const begin = async (...more: string[]) => {
      const sandbox = own.start(['sandbox', '--port', '0', '--key-env', 'SANDBOX_KEY', '--state', state, ...more], { env });
      const noted = once(sandbox.stderr, 'data').then(String);
      const line = await linesFrom(sandbox).next(() => true);
      const first = JSON.parse(line) as { players: unknown[]; walletFault?: string };
      return { sandbox, line, first, noted };
    };
    const bet = (transactionId: string) =>
      own.run(
        [
          'call',
          'bet',
          '--key-env',
          'SANDBOX_KEY',
          '--data',
          JSON.stringify({
            externalToken: 'of-alice',
            playerId: 'alice',
            gameId: '1001',
            transactionId,
            amount: 10,
            currency: 'PTS',
          }),
        ],
        { env },
      );
    const faults = ['--fault', 'bet=500,1', '--fault', 'bet=cut-after,2', '--wallet-fault', 'retry-refused'];
    const one = await begin('--players', players, ...faults);
    expect(one.first.walletFault).toBe('retry-refused');
    expect(await one.noted).toContain('croupier: the wallet has the fault retry-refused. A transaction that is sent again');
    expect(one.first.players[0]).toEqual({ playerId: 'alice', externalToken: 'of-alice', currency: 'PTS', balance: 1000 });
    expect(one.line).toContain('"balance":9007199254740993}');
    const failed = await bet('t-1');
    expect(failed).toMatchObject({
      code: 3,
      err: expect.stringContaining('Injected fault: HTTP 500. The provider did not act on the request.') as string,
    });
    expect((await bet('t-1')).code).toBe(4);
    expect((await bet('t-2')).code).toBe(4);
    expect((await bet('t-2')).err).toContain('transactionId "t-2" was already used.');
    one.sandbox.kill('SIGTERM');
    await once(one.sandbox, 'close');
    const two = await begin();
    expect(two.first.players[0]).toMatchObject({ playerId: 'alice', externalToken: 'of-alice', balance: 980 });
    expect(two.first).not.toHaveProperty('walletFault');
    const again = await bet('t-1');
    expect(again).toMatchObject({ code: 0, err: expect.stringContaining('already processed') as string });
    expect(JSON.parse(again.out)).toMatchObject({ balance: 990 });
    await own.close();
  });

  it('refuses players that it cannot use, with line and column, and a file that is no state', async () => {
    const own = await createCli();
    await own.run(['env', 'list']);
    const file = join(own.home, 'players.json');
    await writeFile(file, '{"players": [\n  {"playerId": 7, "currency": "EUR", "balance": 1.234}\n]}');
    const { code, out, err } = await own.run(['sandbox', '--port', '0', '--players', file]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('players.json:2:16: playerId must be a string: put it in quotes.');
    const state = await own.run(['sandbox', '--port', '0', '--state', file]);
    expect(state).toMatchObject({ code: 2, out: '', err: expect.stringContaining('players.json is not a state') as string });
    expect((await own.run(['sandbox', '--fault', 'bett=500'])).err).toContain('There is no operation bett');
    expect((await own.run(['sandbox', '--wallet-fault', 'retry-refuse'])).err).toContain(
      'There is no wallet fault "retry-refuse". Did you mean retry-refused? Use one of unknown-token-first-player, ',
    );
    await own.close();
  });

  it('leaves the environment to a provider that runs already', async () => {
    const own = await createCli();
    const first = own.start(['sandbox', '--port', '0', '--key-env', 'SANDBOX_KEY', '--platform', '5'], { env });
    const { baseUrl } = JSON.parse(await linesFrom(first).next(() => true)) as { baseUrl: string };
    const second = own.start(['sandbox', '--port', '0', '--key-env', 'OTHER'], { env: { OTHER: 'another key' } });
    let err = '';
    second.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    const other = JSON.parse(await linesFrom(second).next(() => true)) as { baseUrl: string };
    expect(other.baseUrl).not.toBe(baseUrl);
    await expect
      .poll(() => err)
      .toContain(`another built-in provider is running on this home at ${baseUrl}, and the sandbox environment belongs to it.`);
    const shown = JSON.parse((await own.run(['env', 'show', 'sandbox', '--json'])).out) as { baseUrl: string };
    expect(shown).toMatchObject({ baseUrl, platform: 5 });
    expect((await own.run(['call', 'gameList', '--key-env', 'SANDBOX_KEY'], { env })).code).toBe(0);
    expect(await own.run(['sandbox', '--port', '0'])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('start this one with --key-env VAR') as string,
    });
    await own.close();
  });

  it('ends with 2 where the port is taken', async () => {
    const own = await createCli();
    const first = own.start(['sandbox', '--port', '0', '--key-env', 'SANDBOX_KEY'], { env });
    const { baseUrl } = JSON.parse(await linesFrom(first).next(() => true)) as { baseUrl: string };
    const other = await createCli();
    const second = await other.run(['sandbox', '--port', new URL(baseUrl).port, '--key-env', 'SANDBOX_KEY'], { env });
    expect(second).toMatchObject({ code: 2, out: '' });
    await own.close();
    await other.close();
  });
});
