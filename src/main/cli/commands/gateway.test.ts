import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createCli, linesFrom, type Cli } from '#testing/cli-driver.ts';
import { leaksIn } from '#testing/secret-forms.ts';

let cli: Cli;
afterEach(() => cli.close());
const env = { KEY: 'k/"gateway"+key&1' };

interface FirstLine {
  readonly baseUrl: string;
  readonly caFile: string;
}

function ask({ baseUrl, caFile }: FirstLine, body: string, path = 'serviceApi.php'): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', ca: readFileSync(caFile), agent: false, headers: { 'content-type': 'application/json' } };
    const asked = request(`${baseUrl}/${path}`, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve(`${response.statusCode} ${text}`));
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

it('watches a backend until it rests, tells each exchange, and ends as --fail-on says', { timeout: 60_000 }, async () => {
  cli = await createCli();
  const sandbox = cli.start(['sandbox', '--port', '0', '--key-env', 'KEY'], { env });
  const { players } = JSON.parse(await linesFrom(sandbox).next(() => true)) as { players: Record<string, string>[] };
  await cli.run(['env', 'set', 'sandbox', '--answer', 'win.bet=oldest']);
  const { playerId, externalToken, currency } = players[0] ?? {};
  const bet = JSON.stringify({ externalToken, playerId, gameId: '1', transactionId: 't', amount: 1, currency });
  const signed = (await cli.run(['call', 'gameList', '--dry-run', '--key-env', 'KEY'], { env })).out.trim();
  const report = join(cli.home, 'report.xml');
  const options = ['--until-idle', '300ms', '--fail-on', 'wrong-hash', '--junit', report, '--json'];
  const gateway = cli.start(['gateway', '--env', 'sandbox', '--key-env', 'KEY', ...options], { env });
  let err = '';
  gateway.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const lines = linesFrom(gateway);
  const first = JSON.parse(await lines.next(() => true)) as FirstLine;
  expect(first).toMatchObject({ environment: 'sandbox', walletUrl: null });
  expect(await ask(first, signed)).toMatch(/^200 \{"code":0/);
  expect(JSON.parse(await lines.next((line) => line.includes('gameList')))).toMatchObject({ verdict: 'good', callId: 1 });
  expect(await ask(first, signed.replace(/"hash":"./, '"hash":"x'))).toMatch(/^200 \{"code":8/);
  expect(JSON.parse(await lines.next((line) => line.includes('wrongHash')))).toMatchObject({ callId: 2, hashIsRight: false });
  expect(await ask(first, bet, 'bet')).toMatch(/^200 .*"balance":/);
  const [code] = (await once(gateway, 'close')) as [number];
  expect(code).toBe(1);
  expect(err).toContain('croupier: 1 of 3 wrong hash.');
  expect(err).toContain('croupier: 1 bet had no win or cancel yet: call 3.');
  const junit = await readFile(report, 'utf8');
  expect(junit).toContain('tests="3" failures="1"');
  const listed = (await cli.run(['history', 'list', '--json'])).out;
  expect(listed.match(/"origin": ?"backend"/g)).toHaveLength(3);
  expect(leaksIn(err + junit + listed, env.KEY)).toEqual([]);
});

describe('refuses', () => {
  it.each([
    [['--fail-on', 'wrong'], '--fail-on does not know wrong. Use stopped, failed, wrong-hash, rejected, unclear, other.'],
    [['--until-idle', '5'], '--until-idle must be a time such as 5s, 500ms or 2m.'],
    [['--listen', '0.0.0.0'], '--listen needs --allow'],
    [['--allow', '10.0.0.0/8'], '--allow needs --listen'],
    [['--listen', '127.0.0.1', '--allow', '10.0.0.0/99'], '10.0.0.0/99 is not a network.'],
    [['--wallet', 'http://wallet.example'], 'https only'],
    [['--env', 'production'], 'Pass requests to production?'],
  ])('%j', async (options, message) => {
    cli = await createCli();
    await cli.run([
      'env',
      'set',
      'production',
      '--base-url',
      'https://a.example',
      '--platform=1',
      '--partner-id=2',
      '--production',
    ]);
    const named = options.includes('--env') ? [] : ['--env', 'sandbox'];
    const { code, err } = await cli.run(['gateway', ...named, ...options]);
    expect(err).toContain(message);
    expect(code).toBe(2);
  });
});
