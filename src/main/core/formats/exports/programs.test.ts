import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call, ExportForm, Input, Overrides, SandboxPlayer, SandboxVerdict } from '#shared/ipc/index.ts';
import type { ProgramFormat } from '#shared/model/formats.ts';
import { exportWhole } from '#shared/ipc/read-export.ts';
import { operations, type OperationName } from '#shared/provider/index.ts';
import { createTestApp, draftOf, temporaryFolder, type TestApp } from '#testing/app.ts';
import { describeWithTool, requireTool, toolPath } from '#testing/external-tools.ts';

// The exported programs are run, as they are, against the built-in provider.
const key = 'K3y/with "quotes" $HOME `id` & \\ é😀';

interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

let test: TestApp;
let player: SandboxPlayer;
let folder: string;
const verdicts: SandboxVerdict[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
  await open(0);
});
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

async function open(port: number): Promise<void> {
  test = await createTestApp({ home: join(folder, 'home'), sandbox: { key, port } });
  test.app.subscribe((name, payload) => {
    if (name === 'sandbox.judged') verdicts.push(payload as SandboxVerdict);
  });
  await setSandbox({ timeZone: 'Europe/Warsaw' });
  // Its name is beyond ASCII.
  const { players } = await test.client.call('sandbox.status', {});
  player = players.find(({ playerId }) => /[^\x20-\x7e]/.test(playerId)) as SandboxPlayer;
}

/** The same provider at the same address, which has forgotten every grant. */
async function forget(): Promise<void> {
  const { baseUrl } = await test.client.call('sandbox.status', {});
  await test.close();
  await open(Number(new URL(baseUrl ?? '').port));
}

async function setSandbox(settings: Partial<Input<'environments.save'>['environment']>): Promise<void> {
  const { environments } = await test.client.call('environments.list', {});
  const sandbox = environments.find(({ id }) => id === 'sandbox');
  if (sandbox === undefined) throw new Error('No sandbox');
  await test.client.call('environments.save', { environment: { ...sandbox, ...settings } });
}

const note = `zażółć 中文 😀 \u2028 </script> '"$(id)\`%s%d\\n`;
/** Returns one text of each operation that the built-in provider accepts, with characters that are hard to quote and to count. */
function payload(operation: OperationName, unique: string): string | null {
  const { externalToken, playerId, currency } = player;
  const movement = { externalToken, playerId, gameId: '1001', transactionId: unique, currency };
  const grant = {
    externalReferenceId: unique,
    freeRoundValidity: '31-12-2099 23:59:59',
    numberOfFreeRounds: 3,
    gameIds: ['1001'],
  };
  // Written by hand, for the digits: amounts and IDs that a JSON library would change.
  const withDigits = (value: object, digits: string) => `${JSON.stringify({ ...value, note }).slice(0, -1)},${digits}}`;
  switch (operation) {
    case 'gameList':
      return '{"currency": "EUR", "note": "zażółć 😀", "big": 9007199254740993}';
    case 'roundReplayInfo':
    case 'getGameRound':
      return withDigits({}, '"roundId": 9007199254740993 , "logMonth":0');
    case 'getLauncherURL':
      return withDigits(
        { gameMode: 'real', gameId: '1001', lang: 'en', externalToken, playerId, country: 'DE', ip: '203.0.113.9' },
        '"exitURL":"https:\\/\\/casino.example\\/выход?a=1&b=2","big":9223372036854775807',
      );
    case 'freeRounds':
      return withDigits(
        { ...grant, playerId, externalReferenceId: unique, gameIds: ['1001'], betLevel: 0 },
        '"big":18446744073709551616',
      );
    case 'freeRoundsByBet':
      return withDigits(
        { ...grant, playerIds: [playerId, 'ö'], externalReferenceIds: [unique, `${unique}-ö`], gameId: '1001', currency },
        '"betAmount": 0.10, "big":9007199254740993',
      );
    case 'playerInfo':
      return withDigits({ externalToken }, '"big":9007199254740993');
    case 'bet':
    case 'win':
    case 'tournamentWin':
      return withDigits(movement, '"amount": 0.10, "big":9007199254740993');
    case 'promoWin':
      return withDigits({ ...movement, externalReferenceId: unique }, '"amount": 1.50');
    case 'cancel':
      return withDigits(movement, '"amount": 0.10');
    case 'generateNewToken':
    case 'cancelFreeRounds':
    case 'currencyList':
      return null;
  }
}

async function record(operation: OperationName, unique: string, more: { overrides?: Overrides } = {}): Promise<Call> {
  if (operation === 'cancel') await record('bet', unique);
  const text =
    operation === 'generateNewToken'
      ? JSON.stringify({ token: await freshToken(), newGameId: 'ę😀' })
      : payload(operation, unique);
  if (text === null) throw new Error(`No payload for ${operation}`);
  const form = operation === 'freeRounds' ? { form: 'single' } : {};
  return test.send(draftOf('sandbox', { operation, text, ...form, ...more }));
}

/** The token of a player whom no other test needs. */
async function freshToken(): Promise<string> {
  return (await test.client.call('sandbox.status', {})).players.at(-1)?.externalToken ?? '';
}

async function exported(ids: number[], format: ProgramFormat, form: ExportForm): Promise<string> {
  const { files } = await exportWhole(test.client, { callIds: ids, format, form, keepTokens: true });
  return files[0]?.text ?? '';
}

let runs = 0;
async function run(program: readonly [string, ...string[]], text: string, env: Record<string, string> = {}): Promise<Run> {
  const own = join(folder, `run-${++runs}`);
  await mkdir(own);
  const file = join(own, 'program');
  // The name that Node needs to take it for a module.
  const path = program[0] === process.execPath ? `${file}.mjs` : file;
  await writeFile(path, text);
  const [command, ...first] = program;
  return new Promise((resolve) => {
    const settings = { PATH: process.env['PATH'] ?? '', CROUPIER_CA: join(test.home, 'sandbox', 'ca.pem'), ...env };
    execFile(command, [...first, path], { env: settings, encoding: 'utf8' }, (error, out, err) =>
      resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : null, out, err }),
    );
  });
}

const answerOf = (out: string) => JSON.parse(out.trim()) as { code: number };
const withKey = { CROUPIER_KEY: key };

function suite(format: ProgramFormat, program: readonly [string, ...string[]]): void {
  // The two whose request the spec does not show have nothing documented to send.
  const documented = operations.filter(({ name }) => name !== 'currencyList' && name !== 'cancelFreeRounds');

  it.each(documented.map(({ name }) => name))('%s: as sent and signed again', async (operation) => {
    const call = await record(operation, `${format}-${operation}`);
    expect(call).toMatchObject({ code: 0, state: 'answered' });
    for (const form of ['as-sent', 'resigning'] as const) {
      // It grants free rounds under one reference only once.
      if (operation.startsWith('freeRounds')) await forget();
      const before = verdicts.length;
      const { code, out, err } = await run(program, await exported([call.id], format, form), form === 'resigning' ? withKey : {});
      expect({ code, err }).toEqual({ code: 0, err: 'HTTP 200\n' });
      const [verdict, ...others] = verdicts.slice(before);
      expect(others).toEqual([]);
      // The built-in provider accepts a token only once.
      expect(answerOf(out).code).toBe(operation === 'generateNewToken' ? 404 : 0);
      if (form === 'as-sent' || call.request.hashInput === null) expect(verdict?.bodyText).toBe(call.request.bodyText);
      else expectSigned(verdict?.bodyText ?? '', call);
    }
  });

  it('sends several calls in their order, each with a hash of its own', async () => {
    const ids = [];
    for (const operation of ['gameList', 'playerInfo', 'getGameRound'] as const)
      ids.push((await record(operation, `${format}-all`)).id);
    const before = verdicts.length;
    const { code, err } = await run(program, await exported(ids.toReversed(), format, 'resigning'), withKey);
    expect({ code, err }).toEqual({ code: 0, err: 'HTTP 200\n'.repeat(3) });
    expect(verdicts.slice(before).map(({ path, verdict }) => [path, verdict.code])).toEqual([
      ['/serviceApi.php', 0],
      ['/playerInfo', 0],
      ['/serviceApi.php', 0],
    ]);
  });

  it('sends what no JSON library writes, byte for byte', async () => {
    await setSandbox({ serialization: 'verbatim' });
    const text =
      '{ "roundId" : 9007199254740993,\r\n\t"logMonth": 0e0, "a":1.50, "a":"\u0000\u007f\ufeff\u202e", "b": -0.0, "c":"\\u00E9\\/" , }';
    const call = await test.send(draftOf('sandbox', { operation: 'getGameRound', text }));
    await setSandbox({ serialization: 'php' });
    const plain = await test.send(draftOf('sandbox', { operation: 'playerInfo', text: `@${text}\n` }));
    expect(plain.request.bodyText).toBe(`@${text}\n`);
    for (const form of ['as-sent', 'resigning'] as const) {
      const before = verdicts.length;
      const result = await run(program, await exported([call.id, plain.id], format, form), withKey);
      expect(result.code, result.err).toBe(0);
      const [signed, unsigned] = verdicts.slice(before);
      expect(unsigned?.bodyText).toBe(plain.request.bodyText);
      if (form === 'as-sent') expect(signed?.bodyText).toBe(call.request.bodyText);
      else expectSigned(signed?.bodyText ?? '', call);
    }
  });

  it('sends a body of a megabyte', async () => {
    const text = JSON.stringify({ roundId: 1, logMonth: 0, note: `${note}ä`.repeat(11_000) });
    const call = await test.send(draftOf('sandbox', { operation: 'getGameRound', text }));
    expect(call.requestBytes).toBeGreaterThan(1_000_000);
    for (const form of ['as-sent', 'resigning'] as const) {
      const { code, out, err } = await run(program, await exported([call.id], format, form), withKey);
      expect({ code, err }).toEqual({ code: 0, err: 'HTTP 200\n' });
      expect(answerOf(out).code).toBe(0);
    }
  });

  it('makes right what was wrong on purpose, and leaves out what was left out', async () => {
    const overrides = { hash: 'wrong', time: 'long ago "\\' };
    const wrong = await record('getGameRound', 'wrong', { overrides });
    expect(wrong.code).toBe(8);
    expect(answerOf((await run(program, await exported([wrong.id], format, 'as-sent'))).out).code).toBe(8);
    expect(answerOf((await run(program, await exported([wrong.id], format, 'resigning'), withKey)).out).code).toBe(0);
    const bare = await record('getGameRound', 'bare', { overrides: { omit: ['hash', 'time'] } });
    const { out } = await run(program, await exported([bare.id], format, 'resigning'), withKey);
    expect(answerOf(out).code).not.toBe(0);
    expect(verdicts.at(-1)?.bodyText).toBe(bare.request.bodyText);
  });

  it('ends with a sentence where the key is missing', async () => {
    const call = await record('gameList', 'no-key');
    const { code, err, out } = await run(program, await exported([call.id], format, 'resigning'));
    expect(code).not.toBe(0);
    expect(err).toContain('private key of the environment');
    expect(out).toBe('');
  });

  it('refuses a provider whose authority it was not told', async () => {
    const call = await record('gameList', 'no-ca');
    const before = verdicts.length;
    const { code, out } = await run(program, await exported([call.id], format, 'as-sent'), {
      CROUPIER_CA: '',
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
    });
    expect(code).not.toBe(0);
    expect(out.trim()).toBe('');
    expect(verdicts.length).toBe(before);
  });

  it('writes the time in the zone and in the order of the environment', async () => {
    await setSandbox({ timeZone: 'Pacific/Kiritimati', answers: { 'time.order': { value: 'ymd', note: '' } } });
    const far = await exported([(await record('gameList', 'far')).id], format, 'resigning');
    await setSandbox({ timeZone: 'america/st_johns' });
    const other = await exported([(await record('gameList', 'other')).id], format, 'resigning');
    await setSandbox({ timeZone: 'Europe/Warsaw', answers: {} });
    for (const [text, zone] of [
      [far, 'Pacific/Kiritimati'],
      [other, 'America/St_Johns'],
    ] as const) {
      const from = Date.now();
      expect(answerOf((await run(program, text, withKey)).out).code).toBe(0);
      const { time } = JSON.parse(verdicts.at(-1)?.bodyText ?? '') as { time: string };
      const written = (at: number) => new Date(at).toLocaleString('sv-SE', { timeZone: zone });
      expect(time >= written(from) && time <= written(Date.now()), time).toBe(true);
    }
  });
}

/** The body is the recorded one but for the time and the hash, and the hash is that of the recorded data. */
function expectSigned(body: string, call: Call): void {
  const { time, dataJson } = call.request.hashInput ?? { time: '', dataJson: null };
  const written = /"time":"(\d\d-\d\d-\d{4} \d\d:\d\d:\d\d)"/.exec(body)?.[1] ?? '';
  const hash = createHash('sha256')
    .update(`${key}${written}${dataJson ?? ''}`)
    .digest('hex');
  expect(body).toBe(call.request.bodyText.replace(`"${time}"`, `"${written}"`).replace(call.request.hash ?? '', hash));
}

describeWithTool('openssl', 'an exported shell script without sha256sum', () => {
  it.each(['sh', 'bash'].filter((shell) => toolPath(shell) !== null))('signs with openssl in %s', async (shell) => {
    const call = await record('getGameRound', `openssl-${shell}`);
    const bin = join(folder, `bin-${shell}`);
    await mkdir(bin);
    for (const tool of ['curl', 'cut', 'date', 'openssl']) await symlink(requireTool(tool), join(bin, tool));
    const text = await exported([call.id], 'curl', 'resigning');
    const { code, out, err } = await run([requireTool(shell)], text, { ...withKey, PATH: bin });
    expect({ code, err }).toEqual({ code: 0, err: 'HTTP 200\n' });
    expect(answerOf(out).code).toBe(0);
  });
});

/** Each format that is a program, run as it is. */
const programs: Readonly<Record<ProgramFormat, () => void>> = {
  curl: () => describeWithTool('curl', 'an exported shell script', () => suite('curl', ['sh'])),
  php: () => describeWithTool('php', 'an exported PHP program', (php) => suite('php', [php])),
  node: () => describe('an exported Node program', () => suite('node', [process.execPath])),
  python: () => describeWithTool('python3', 'an exported Python program', (python) => suite('python', [python])),
};
for (const runProgram of Object.values(programs)) runProgram();
