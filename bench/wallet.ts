import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { Pool } from 'undici';
import type { Figure } from './measure.ts';
import { median } from './measure.ts';

const bin = path.resolve('bin/croupier');
const delayMs = 20;
const cancelRequest =
  'cancel.request={"externalToken": "string", "playerId": "string", "transactionId": "string", "amount?": "amount"}';
const players = `players:
  - { playerId: one, externalToken: token-of-player-one, currency: EUR, balance: 60.10 }
  - { playerId: two, externalToken: token-of-player-two, currency: EUR, balance: 70 }
`;

interface Wallet {
  readonly child: ChildProcess;
  readonly url: string;
  readonly ca: string;
}

/** Starts a wallet that answers after 20 ms, with two players. */
async function startWallet(home: string): Promise<Wallet> {
  const file = path.join(home, 'players.yaml');
  writeFileSync(file, players);
  const env = { ...process.env, CROUPIER_HOME: mkdtempSync(path.join(home, 'wallet-')), BENCH_KEY: 'bench-key-0123456789abcdef' };
  const options = ['sandbox', '--port', '0', '--key-env', 'BENCH_KEY', '--players', file, '--fault', `all=delay:${delayMs}`];
  const child = spawn(bin, options, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { walletUrl, caFile } = JSON.parse(line) as { walletUrl: string; caFile: string };
  return { child, url: walletUrl, ca: caFile };
}

async function croupier(home: string, ...options: string[]): Promise<void> {
  const child = spawn(bin, options, { env: { ...process.env, CROUPIER_HOME: home }, stdio: ['ignore', 'ignore', 'inherit'] });
  await once(child, 'close');
}

interface Sent {
  readonly target: string;
  readonly body: Uint8Array;
  readonly from: number;
  readonly to: number;
}

/** Returns the requests of the run in the history, those that were under way together in one list. */
function groupsIn(home: string): Sent[][] {
  const database = new DatabaseSync(path.join(home, 'history.sqlite'), { readOnly: true });
  const rows = database
    .prepare('SELECT url, sent_at, duration_ms, body FROM calls JOIN call_requests ON call_id = id ORDER BY id')
    .all() as { url: string; sent_at: number; duration_ms: number | null; body: Uint8Array }[];
  database.close();
  const groups: Sent[][] = [];
  let end = 0;
  for (const { url, sent_at: from, duration_ms: took, body } of rows) {
    const sent = { target: new URL(url).pathname, body, from, to: from + (took ?? 0) };
    if (from < end - delayMs / 2) groups.at(-1)?.push(sent);
    else groups.push([sent]);
    end = Math.max(end, sent.to);
  }
  return groups;
}

/** Sends the same requests in the same groups and does nothing else. Returns milliseconds. */
async function bareLoop(groups: readonly Sent[][], { url, ca }: Wallet): Promise<number> {
  const pool = new Pool(url, { connections: 50, connect: { ca: readFileSync(ca, 'utf8') } });
  const from = performance.now();
  for (const group of groups) {
    await Promise.all(
      group.map(async ({ target, body }) => {
        const answer = await pool.request({
          path: target,
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
        await answer.body.text();
      }),
    );
  }
  const took = performance.now() - from;
  await pool.close();
  return took;
}

/** Measures all cases against a wallet that answers in 20 ms, beside a loop that sends the same requests. */
export async function measureWallet(rounds = 3): Promise<Figure[]> {
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const home = mkdtempSync(path.join(tmpdir(), 'croupier-bench-'));
    const own = path.join(home, 'own');
    const wallets: Wallet[] = [];
    try {
      const first = await startWallet(home);
      wallets.push(first);
      const identity = ['--base-url', first.url, '--platform', '1', '--partner-id', '42', '--no-production', '--ca', first.ca];
      await croupier(own, 'env', 'set', 'bench', ...identity, '--answer', cancelRequest, '--answer', 'amounts.unit=whole');
      const report = path.join(home, 'report.json');
      const tokens = ['--token', 'token-of-player-one', '--token', 'token-of-player-two'];
      await croupier(own, 'wallet', 'test', '--env', 'bench', ...tokens, '--stake', '1000', '--report-json', report);
      ours.push((JSON.parse(readFileSync(report, 'utf8')) as { durationMs: number }).durationMs);
      const second = await startWallet(home);
      wallets.push(second);
      bare.push(await bareLoop(groupsIn(own), second));
    } finally {
      for (const { child } of wallets) child.kill();
      for (const { child } of wallets) if (child.exitCode === null) await once(child, 'close');
      rmSync(home, { recursive: true, force: true });
    }
  }
  return [
    { name: 'all cases, a wallet that answers in 20 ms', ours: median(ours), baseline: median(bare), unit: 'ms', goal: 1.3 },
    { name: 'the same, by itself', ours: median(ours) / 1_000, unit: 's', goal: 60 },
  ];
}
