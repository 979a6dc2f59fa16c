import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { describeWithTool } from '../external-tools.ts';
import { startReferenceWallet, walletPrograms, type ReferenceWallet, type WalletLanguage } from './reference-wallet.ts';
import { walletFaults } from './wallet-faults.ts';

let wallet: ReferenceWallet;
afterEach(() => wallet.stop());

/** Calls a method on a connection of its own; returns the response's text without its externalTrxId. */
async function call(method: string, body: string | object): Promise<string> {
  const sent = request(`${wallet.walletUrl}/${method}`, { method: 'POST', ca: readFileSync(wallet.ca), agent: false });
  sent.end(typeof body === 'string' ? body : JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return (await text(response)).replace(/"externalTrxId":"[^"]+",/, '');
}

/** The body of a transaction; the amount is JSON text. */
function transaction(transactionId: string, amount: string, more = {}, player = wallet.players[0]) {
  const { externalToken = '', playerId = '', currency = '' } = player ?? {};
  const body = JSON.stringify({ externalToken, playerId, gameId: '17', transactionId, currency, ...more });
  return `${body.slice(0, -1)},"amount":${amount}}`;
}

const balanceIn = (answer: string) => Number(/"balance":([\d.]+)[,}]/.exec(answer)?.[1]);

for (const language of ['php', 'python'] as const satisfies WalletLanguage[]) {
  const { tool, args, file } = walletPrograms[language];
  describeWithTool(tool, `the reference wallet in ${language}`, (program) => {
    it('moves money once, exactly, and refuses what it must', async () => {
      wallet = await startReferenceWallet({ language });
      const [{ externalToken, playerId } = { externalToken: '', playerId: '' }] = wallet.players;
      const ok = (transactionId: string) => `{"code":0,"message":"ok","transactionId":"${transactionId}","balance":`;
      expect(balanceIn(await call('playerInfo', { externalToken }))).toBe(1000);
      for (const amount of ['0.1', '1e-1', '0.10'])
        expect(await call('bet', transaction('b1', amount))).toContain(`${ok('b1')}999.9`);
      expect(await call('bet', transaction('b1', '0.2'))).toContain('"code":409');
      expect(await call('bet', transaction('b2', '999.91'))).toContain('"code":402');
      expect(await call('bet', transaction('b2', '0.001'))).toContain('"code":400');
      for (const amount of ['"1"', 'true', 'null', '-1', '1e400', '[]']) {
        expect(await call('bet', transaction('b2', amount))).toContain('"code":400');
      }
      expect(balanceIn(await call('win', transaction('b1', '5')))).toBe(1004.9);
      expect(await call('cancel', transaction('b1', '0.1'))).toContain('"code":409');
      await call('bet', transaction('b3', '4.9'));
      for (const _ of ['once', 'again']) expect(balanceIn(await call('cancel', transaction('b3', '4.9')))).toBe(1004.9);
      const promo = { externalReferenceId: 'r' };
      expect(balanceIn(await call('promoWin', transaction('p1', '1', promo)))).toBe(1005.9);
      expect(await call('promoWin', transaction('p2', '1', promo))).toContain('"code":409');
      const { token } = JSON.parse(await call('generateNewToken', { token: externalToken, newGameId: '18' })) as {
        token: string;
      };
      expect(await call('playerInfo', { externalToken })).toBe('{"code":404,"message":"Invalid Token"}');
      await wallet.restart();
      expect(balanceIn(await call('bet', transaction('b4', '5.9', { externalToken: token })))).toBe(1000);
      for (const body of ['', '[]', '{', '\ufeff{}', '['.repeat(10_000)])
        expect(await call('bet', body)).toMatch(/^\{"code":400,/);
      expect(wallet.balanceOf(playerId)).toBe('1000.00');
    });

    it.each([
      ['JPY', '9007199254740993', '1', '9007199254740992'],
      ['KWD', '90071992547409.931', '0.006', '90071992547409.925'],
      ['EUR', '90071992547409.93', '0.01', '90071992547409.92'],
    ])('is exact in %s with %s', async (currency, balance, amount, left) => {
      wallet = await startReferenceWallet({ language, currency, players: [{ balance }] });
      expect(await call('bet', transaction('b', amount))).toContain(`"balance":${left}}`);
      expect(await call('bet', transaction('c', '0.0001'))).toContain('"code":400');
      expect(wallet.balanceOf('player-1')).toBe(left);
    });

    it('has bets of one player inside at once and loses none', async () => {
      wallet = await startReferenceWallet({ language, fault: 'control-rendezvous' });
      const same = Array.from({ length: 4 }, () => call('bet', transaction('same', '0.7')));
      const others = Array.from({ length: 4 }, (_, index) => call('bet', transaction(`b${index}`, '0.1')));
      expect(new Set((await Promise.all([...same, ...others])).map((answer) => answer.slice(0, 9)))).toEqual(
        new Set(['{"code":0']),
      );
      expect(wallet.balanceOf('player-1')).toBe('998.90');
      expect(await wallet.mostInside()).toBeGreaterThan(1);
      expect(await wallet.mostInside()).toBe(0);
    });

    it('knows the faults of the table and no other', async () => {
      wallet = await startReferenceWallet({ language });
      const listed = JSON.parse(execFileSync(program, [file, 'faults'], { encoding: 'utf8' })) as string[];
      const expected = Object.entries(walletFaults).filter(([, fault]) =>
        (fault.in as readonly WalletLanguage[]).includes(language),
      );
      expect(listed.toSorted()).toEqual(['control-rendezvous', ...expected.map(([name]) => name)].toSorted());
      const env = { ...process.env, WALLET_FAULT: 'no-such-fault', WALLET_PLAYERS: '[]' };
      const { status, stderr } = spawnSync(program, [...args, file, 'setup'], { env, encoding: 'utf8' });
      expect([status, stderr]).toEqual([1, 'This wallet knows no fault no-such-fault\n']);
    });
  });
}
