import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCli, linesFrom, newEnvironment, type Cli } from '#testing/cli-driver.ts';

const env = { KEY: 'k/"wallet"+key&1', TOKEN: 'a-token-of-nobody' };
const ofSandbox = ['--env', 'sandbox', '--key-env', 'KEY'];

let cli: Cli;
beforeAll(async () => {
  cli = await createCli();
  const sandbox = cli.start(['sandbox', '--port', '0', '--key-env', 'KEY', '--wallet-fault', 'retry-debits-twice'], { env });
  await linesFrom(sandbox).next(() => true);
});
afterAll(() => cli.close());

const test = (...more: string[]) => cli.run(['wallet', 'test', ...ofSandbox, '--only', 'retries-01', ...more], { env });

it('warns of a retry that debits twice, puts its money back, and fails it with --strict', { timeout: 30_000 }, async () => {
  const [html, junit] = ['a.html', 'a.xml'].map((name) => join(cli.home, name));
  const more = ['bet-01', 'bet-05', 'cancel-01', 'retries-10'].flatMap((id) => ['--only', id]);
  const { code, out, err } = await test(...more, '--html', html ?? '', '--junit', junit ?? '');
  expect({ code, err }).toMatchObject({
    code: 0,
    err: expect.stringContaining('5 cases; a faulty wallet could take at most 20.00'),
  });
  expect(
    out
      .replaceAll(/\d+(?:\.\d+)? (?=m?s\b)/g, '# ')
      .replaceAll(/ +/g, ' ')
      .split('\n'),
  ).toEqual([
    'holds bet-01 A bet player-1 -0.10, put back # ms',
    'observed bet-05 A bet of 0 A bet of 0: It is accepted with code 0 # ms',
    'warns retries-01 The same bet again, at once player-1 -0.20, put back # ms',
    ' Sent: /bet 0.1 again',
    ' Expected: recognised, no money moved again',
    ' Came: code 0, balance 999.8 · player-1 -0.10, not 0.00',
    expect.stringMatching(/^ Calls: \d+$/),
    'answered bet-05 croupier env set sandbox --answer bet.zero=accepted # It is accepted with code 0',
    'skipped retries-10 It repeats transactions of an earlier run (--retry-of).',
    'waiting cancel-01 It waits for an answer to "Request of /cancel" (cancel.request).',
    'To record an answer: croupier env set sandbox --answer POINT=TEXT, or Open points in the workbench.',
    'Grade: required 1 holds, 1 waiting',
    'Grade: customary 1 warns, 1 skipped',
    'Grade: open point 1 observed',
    'Money of player-1 0.30 moved in 2 cases, all put back',
    expect.stringMatching(/^\/playerInfo \d+ calls: /),
    expect.stringMatching(/^\/bet 4 calls: median # ms, 95th # ms, worst # ms$/),
    expect.stringMatching(/^\/win 3 calls: /),
    'Time limit The first providers give up after # s.',
    expect.stringMatching(/^5 cases: 1 warns, 1 holds, 1 observed, 1 waiting, 1 skipped; # m?s; run \S+$/),
    '',
  ]);
  expect(await readFile(junit ?? '', 'utf8')).toMatch(/<system-out>[\s\S]*retries-01[\s\S]*<\/system-out>/);
  expect(await readFile(html ?? '', 'utf8')).toMatch(
    /What failed or warns[\s\S]*A provider repeats[\s\S]*<summary class="warning">Retries: 1 warns/,
  );
  const strict = await test('--strict');
  expect(strict).toMatchObject({ code: 1, out: expect.stringContaining('still failing: retries-01.') });
  const json = (await test('--json')).out.trimEnd().split('\n');
  expect(json.map((line) => JSON.parse(line) as object)).toMatchObject([
    { request: { case: { id: 'retries-01', verdict: 'warns' } } },
    { state: 'finished' },
  ]);
  const restored = await cli.run(['wallet', 'restore', 'last', '--key-env', 'KEY'], { env });
  expect(restored).toMatchObject({ code: 0, out: expect.stringContaining('player-1: was 1000.00, is 1000.00\n') });
});

it('ends with 1 if a token is not accepted, with 4 if nobody answers, and with 2 without a token', async () => {
  const refused = await test('--token-env', 'TOKEN');
  expect(refused).toMatchObject({
    code: 1,
    out: expect.stringContaining("/playerInfo doesn't accept session token 1: code 404"),
  });
  await cli.run(newEnvironment('dead', 'https://localhost:1'));
  const dead = ['wallet', 'test', '--env', 'dead', '--only', 'bet'];
  const silent = await cli.run([...dead, '--token', 'one']);
  expect(silent).toMatchObject({ code: 4, out: expect.stringMatching(/12 cases: 12 not run; .*run \S+\n$/) });
  expect(await cli.run(dead)).toMatchObject({ code: 2, err: expect.stringContaining('There is no session token of dead') });
  expect(await test('--only', 'betting')).toMatchObject({
    code: 2,
    err: expect.stringContaining('croupier wallet test --dry-run'),
  });
  await writeFile(
    join(cli.home, 'wallet-cases.yaml'),
    'cases:\n  - { id: ours, name: Our case, why: We see it., harm: Money is lost., steps: [{ call: bet, expect: booked }] }\n',
  );
  const own = await test('--only', 'own', '--collection', cli.home);
  expect(own).toMatchObject({ code: 0, out: expect.stringContaining('holds      ours Our case  player-1 -0.10, put back') });
  const listed = await cli.run(['wallet', 'test', '--env', 'dead', '--only', 'retries', '--dry-run']);
  expect(listed).toMatchObject({ code: 0, err: expect.stringContaining('13 cases; a faulty wallet could take at most 20.00') });
  expect(listed.out).toMatch(/^retries-01 +customary +at risk +0\.20 {2}The same bet again, at once\n(?:retries-.+\n){12}$/);
});
