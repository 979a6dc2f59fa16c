import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Input, SandboxPlayer, SandboxVerdict } from '#shared/ipc/index.ts';
import { createTestApp, temporaryFolder, type TestApp } from '#testing/app.ts';

const key = 'K3y/with "quotes" $HOME {{x}} & \\ é😀';
/** Program of newman, which `npm run test:long -- newman` installs; undefined in every other run. */
const newman = process.env['CROUPIER_NEWMAN'] ?? '';

type Request = Input<'collections.create'>['request'];

let test: TestApp;
let folder: string;
let player: SandboxPlayer;
let verdicts: SandboxVerdict[] = [];
let made = 0;

beforeAll(async () => {
  folder = await temporaryFolder();
  test = await createTestApp({ home: join(folder, 'home'), sandbox: { key } });
  test.app.subscribe((name, payload) => {
    if (name === 'sandbox.judged') verdicts.push(payload as SandboxVerdict);
  });
  const { environments } = await test.client.call('environments.list', {});
  const sandbox = environments.find(({ id }) => id === 'sandbox');
  if (sandbox === undefined) throw new Error('No sandbox');
  await test.client.call('environments.save', { environment: { ...sandbox, timeZone: 'Europe/Warsaw' } });
  const { players } = await test.client.call('sandbox.status', {});
  // Its name is beyond ASCII.
  player = players.find(({ playerId }) => /[^\x20-\x7e]/.test(playerId)) as SandboxPlayer;
});
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  verdicts = [];
});

interface Execution {
  readonly name: string;
  readonly sent: string;
  readonly answer: string;
  /** Failures, in words. */
  readonly failed: readonly string[];
  readonly passed: readonly string[];
}

/** Creates a collection of these requests, by their paths. */
async function collectionOf(
  requests: Record<string, Request>,
  variables: Record<string, Record<string, string>> = {},
): Promise<string> {
  const directory = join(folder, `collection-${++made}`);
  const { id } = await test.client.call('collections.open', { directory, create: true });
  const orders = new Map<string, string[]>([['', []]]);
  for (const [path, request] of Object.entries(requests)) {
    const parts = path.split('/');
    const name = parts.pop() ?? '';
    const parent = parts.join('/');
    if (!orders.has(parent)) {
      await test.client.call('collections.createFolder', { id, folder: '', name: parent });
      orders.set(parent, []);
      orders.get('')?.push(parent);
    }
    await test.client.call('collections.create', { id, folder: parent, name, request });
    orders.get(parent)?.push(`${name}.yaml`);
  }
  for (const [path, order] of orders) {
    const { revision } = await test.client.call('collections.readFolder', { id, path });
    await test.client.call('collections.saveFolder', {
      id,
      path,
      settings: { variables: variables[path] ?? {}, order },
      revision,
      // A token of the built-in provider, whose form is that of a secret.
      secrets: { token: 'keep' },
    });
  }
  return id;
}

async function exported(id: string, environmentId: string | null = 'sandbox', path = '') {
  const { files, notCarried } = await test.client.call('collections.export', { id, path, format: 'postman', environmentId });
  return { text: files[0]?.text ?? '', notCarried };
}

/** Runs the text with newman and returns what it did, in order. The key is in a file, as Postman keeps it. */
async function run(
  text: string,
  more: readonly string[] = [],
): Promise<{ code: number; executions: Execution[]; failures: string[]; out: string }> {
  const home = join(folder, `run-${++made}`);
  await mkdir(home);
  const { environments } = await test.client.call('environments.list', {});
  await writeFile(join(home, 'ca.pem'), environments.find(({ id }) => id === 'sandbox')?.ca ?? '');
  await writeFile(join(home, 'collection.json'), text);
  await writeFile(
    join(home, 'environment.json'),
    JSON.stringify({ name: 'e', values: [{ key: 'privateKey', value: key, enabled: true }] }),
  );
  const args = [
    'run',
    'collection.json',
    '-e',
    'environment.json',
    '--ssl-extra-ca-certs',
    'ca.pem',
    '--reporters',
    'json,cli',
    '--reporter-json-export',
    'out.json',
    ...more,
  ];
  const { code, out } = await new Promise<{ code: number; out: string }>((resolve) => {
    execFile(process.execPath, [newman, ...args], { cwd: home, maxBuffer: 1e8 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), out: stdout + stderr }),
    );
  });
  const report = JSON.parse(await readFile(join(home, 'out.json'), 'utf8')) as {
    run: {
      failures: { error: { test: string; message: string } }[];
      executions: {
        item: { name: string };
        request: { body?: { raw?: string } };
        response?: { stream: { data: number[] } };
        assertions?: { assertion: string; error?: { message: string } }[];
      }[];
    };
  };
  const executions = report.run.executions.map(({ item, request, response, assertions = [] }) => ({
    name: item.name,
    sent: request.body?.raw ?? '',
    answer: Buffer.from(response?.stream.data ?? []).toString('utf8'),
    failed: assertions.flatMap(({ assertion, error }) => (error === undefined ? [] : [`${assertion}: ${error.message}`])),
    passed: assertions.flatMap(({ assertion, error }) => (error === undefined ? [assertion] : [])),
  }));
  const failures = report.run.failures.map(({ error }) => `${error.test}: ${error.message}`);
  return { code, executions, failures, out };
}

const note = `zażółć 中文 😀 \\u2028 https://a.example/b\\/c {{$braces}}x}}`;

// The exported collection is run by newman, as it is, against the built-in provider.
if (newman !== '') {
  describe('a collection exported for Postman', () => {
    it('signs for itself, and every request gets code 0', async () => {
      const id = await collectionOf(
        {
          'first call/game list': {
            operation: 'gameList',
            data: '{"currency": "{{currency}}", "note": "zażółć/😀", "big": 9007199254740993}',
          },
          'launch/in fun': {
            operation: 'getLauncherURL',
            data: `{"gameMode": "fun", "gameId": "1001", "lang": "{{lang}}", "playerId": "{{player}}", "country": "{{country}}", "ip": "{{ip}}", "exitURL": "{{exitURL}}https://casino.example/", "note": "${note}", "big": 9223372036854775807}`,
          },
          'launch/in real': {
            operation: 'getLauncherURL',
            data: '{\n  "gameMode": "real", "gameId": "1001", "lang": "en", "externalToken": "{{token}}", "playerId": "{{player}}", "country": "DE",\n  "ip": "203.0.113.9", "exitURL": "https:\\/\\/casino.example\\/выход?a=1&b=2", "amount": 0.10, "f": 1.50\n}',
          },
          'rounds/one round': {
            operation: 'getGameRound',
            data: '{"roundId": {{round}} , "logMonth": 0, "rate": {{rate}}, "more": -{{rate}}}',
          },
          'rounds/replay': { operation: 'roundReplayInfo', data: '{"roundId": 9007199254740993, "logMonth": 0}' },
          'free rounds/grant': {
            operation: 'freeRounds',
            form: 'single',
            data: '{"playerId": "{{player}}", "externalReferenceId": "{{$uniqueId:grant}}", "freeRoundValidity": "{{$now+7d}}", "numberOfFreeRounds": 3, "betLevel": 0, "gameIds": ["1001"]}',
          },
          'wallet/player': {
            operation: 'playerInfo',
            data: '{"externalToken": "{{token}}"}',
            take: { balance: '/balance', currencyOfPlayer: '$.currency' },
          },
          'wallet/bet': {
            operation: 'bet',
            data: '{"externalToken": "{{token}}", "playerId": "{{player}}", "gameId": "1001", "transactionId": "{{$uniqueId:bet}}", "amount": 1.50, "currency": "{{currencyOfPlayer}}"}',
            expect: [
              { status: '200' },
              { balance: { before: '{{balance}}', change: '-1.50' } },
              { path: '/balance', type: 'number', atLeast: '0' },
              { path: '$.externalTrxId', present: true },
            ],
            take: { balance: '/balance' },
          },
          'wallet/win': {
            operation: 'win',
            data: '{"externalToken": "{{token}}", "playerId": "{{player}}", "gameId": "1001", "transactionId": "{{$uniqueId}}", "amount": {{won}}, "currency": "{{currencyOfPlayer}}"}',
            expect: [{ balance: { before: '{{balance}}', change: '{{won}}' } }, { withinMs: '60000' }, { shape: 'documented' }],
          },
          'wallet/second bet': {
            operation: 'bet',
            data: '{"externalToken": "{{token}}", "playerId": "{{player}}", "gameId": "1002", "transactionId": "{{$uniqueId:second}}", "amount": 1, "currency": "{{currencyOfPlayer}}"}',
          },
          'wallet/cancel': {
            operation: 'cancel',
            data: '{"externalToken": "{{token}}", "playerId": "{{player}}", "gameId": "1002", "transactionId": "{{$uniqueId:second}}", "amount": 1, "currency": "{{currencyOfPlayer}}"}',
          },
        },
        {
          '': { token: player.externalToken, player: player.playerId, won: '2.25' },
          rounds: { round: '9007199254740993', rate: '1.50' },
        },
      );
      const { text, notCarried } = await exported(id);
      expect(text).not.toContain(key);
      expect(notCarried).toEqual([
        {
          where: 'wallet/win.yaml',
          what: 'the check that the response has the documented shape',
          why: expect.any(String),
          at: [],
        },
      ]);
      const { code, executions, out } = await run(text);
      expect(
        executions.flatMap(({ name, failed }) => failed.map((one) => `${name}: ${one}`)),
        out,
      ).toEqual([]);
      expect(code).toBe(0);
      expect(executions).toHaveLength(11);
      expect(verdicts.map(({ verdict }) => verdict.code)).toEqual(executions.map(() => 0));
      const sent = (name: string) => executions.find((one) => one.name === name)?.sent ?? '';
      // The bytes of the environment's serialization, with every digit.
      expect(sent('in fun')).toContain(
        `"note":"za\\u017c\\u00f3\\u0142\\u0107 \\u4e2d\\u6587 \\ud83d\\ude00 \\u2028 https://a.example/b/c {{x}}","big":9223372036854775807}`,
      );
      expect(sent('in real')).toContain('"exitURL":"https://casino.example/\\u0432');
      expect(sent('in real')).toContain('"amount":0.1,"f":1.5}');
      expect(sent('one round')).toContain('"data": {"roundId":9007199254740993,"logMonth":0,"rate":1.5,"more":-1.5}');
      expect(executions.find(({ name }) => name === 'bet')?.passed).toEqual([
        'HTTP status is 200',
        '/balance is {{balance}} plus -1.50',
        '/balance: type number, atLeast 0',
        '$.externalTrxId: present true',
      ]);
      expect(JSON.parse(sent('second bet'))).toMatchObject({
        transactionId: (JSON.parse(sent('cancel')) as { transactionId: string }).transactionId,
      });
    });
  });

  describe('the starter collections', () => {
    const starters = fileURLToPath(new URL('../../../../../starter-collections', import.meta.url));
    for (const name of readdirSync(starters)) {
      it(`${name} runs under newman, signed by itself, every request with code 0 but those that are refused on purpose`, async () => {
        const { id } = await test.client.call('collections.open', { directory: join(starters, name) });
        const { nodes } = await test.client.call('collections.tree', { id });
        const requests: { name: string; refused: boolean }[] = [];
        for (const node of nodes) {
          if (node.kind !== 'request') continue;
          const { request } = await test.client.call('collections.read', { id, path: node.path });
          const refused = request.expect.some(
            (one) => ('code' in one && one.code !== '0') || ('path' in one && one.path === '/code' && one.not === '0'),
          );
          requests.push({ name: node.name, refused });
        }
        const { text } = await exported(id);
        expect(text).not.toContain(key);
        // A session of the player, as the workbench gives it with its own provider.
        const { code, executions, out } = await run(text, ['--env-var', `externalToken=${player.externalToken}`]);
        expect(
          executions.flatMap((one) => one.failed.map((why) => `${one.name}: ${why}`)),
          out,
        ).toEqual([]);
        expect(code).toBe(0);
        expect(executions.map((one) => one.name)).toEqual(requests.map((one) => one.name));
        expect(verdicts.map(({ verdict }) => verdict.code === 0)).toEqual(requests.map(({ refused }) => !refused));
        expect(requests.some(({ refused }) => !refused)).toBe(true);
      });
    }
  });

  describe('what cannot be signed', () => {
    it('is not sent, with the reason as a test that failed', async () => {
      const id = await collectionOf(
        {
          'a missing value': { operation: 'getGameRound', data: '{"roundId": {{nobody}}, "logMonth": 0}' },
          'no JSON': { operation: 'getGameRound', data: '{"roundId": {{text}}, "logMonth": 0}' },
          'replaced later': { operation: 'getGameRound', data: '{"roundId": 1, "logMonth": 0, "note": "{{$braces}}text}}"}' },
        },
        { '': { text: 'words' } },
      );
      const { failures, code } = await run((await exported(id)).text);
      expect(code).toBe(1);
      expect(verdicts).toEqual([]);
      expect(failures).toEqual([
        'the request can be made: The variable nobody has no value. Set it, or first send the request whose response sets it.',
        'the request can be made: The value of text is not JSON. Put it in double quotes in the body.',
        'the request can be made: A value contains {{…}}, which Postman would replace after signing.',
      ]);
    });

    it('is not sent without the key', async () => {
      const id = await collectionOf({ 'a call': { operation: 'gameList', data: '{"currency": "EUR"}' } });
      const { text } = await exported(id);
      const { failures } = await run(text.replaceAll('privateKey', 'anotherName'));
      expect(verdicts).toEqual([]);
      expect(failures[0]).toContain('The variable anotherName is not set.');
    });
  });

  describe('deliberate faults', () => {
    it('stay faults', async () => {
      const data = '{"roundId": 1, "logMonth": 0}';
      const id = await collectionOf({
        'a wrong hash': { operation: 'getGameRound', data, overrides: { hash: 'wrong' }, expect: [{ code: '3' }] },
        'a hash by hand': { operation: 'getGameRound', data, overrides: { hash: 'abc' }, expect: [{ path: '/code', not: '0' }] },
        'another platform': {
          operation: 'getGameRound',
          data,
          overrides: { platform: '999' },
          expect: [{ path: '/code', not: '0' }],
        },
        'no hash': { operation: 'getGameRound', data, overrides: { omit: ['hash'] }, expect: [{ path: '/code', not: '0' }] },
        'an old time': { operation: 'getGameRound', data, overrides: { time: '01-02-2020 10:00:00' }, expect: [] },
      });
      const { executions } = await run((await exported(id)).text);
      const judged = Object.fromEntries(executions.map(({ name }, index) => [name, verdicts[index]?.verdict.why ?? '']));
      expect(judged['a wrong hash']).toContain('Received hash');
      expect(judged['a hash by hand']).toContain('Received hash: abc.');
      expect(judged['another platform']).toContain('platform');
      expect(judged['no hash']).toContain('The request has no hash.');
      expect(judged['an old time']).not.toContain('Expected the lowercase');
    });
  });
}

describe('an export for Postman', () => {
  it('holds one request or one folder, and says what Postman has no place for', async () => {
    const request: Request = {
      operation: 'bet',
      data: '{"playerId": "{{player}}"}',
      notes: 'words',
      take: { a: '$.data[?@.x > 1].id', b: '/balance' },
      expect: [{ path: '$..id', count: '2' }, { code: '{{$uniqueId}}' }],
    };
    const id = await collectionOf(
      { 'f/a': request, 'g/b': request },
      { f: { player: 'one' }, g: { player: 'two', privateKey: 'x' } },
    );
    const folder = await exported(id, null, 'f');
    const document = JSON.parse(folder.text) as {
      item: { name: string; item: { name: string }[] }[];
      variable: { key: string; value: string }[];
    };
    expect(document.item.map(({ name, item }) => [name, item.map((one) => one.name)])).toEqual([['f', ['a']]]);
    expect(document.variable).toContainEqual({ key: 'player', value: 'one', type: 'string' });
    expect(document.variable).toContainEqual({ key: 'baseUrl', value: '', type: 'string' });
    expect(folder.notCarried.map(({ what }) => what)).toEqual([
      'the check that $..id: count 2',
      'the check that code is {{$uniqueId}}',
      'the variable a that its response sets',
    ]);
    const single = JSON.parse((await exported(id, 'sandbox', 'g/b.yaml')).text) as typeof document;
    expect(single.item.map(({ name }) => name)).toEqual(['b']);
    expect(single.variable).toContainEqual({ key: 'player', value: 'two', type: 'string' });
    const whole = await exported(id);
    expect(whole.notCarried).toContainEqual({
      where: 'g',
      what: 'the variable player',
      why: expect.stringContaining('no variables'),
      at: [],
    });
    expect(whole.notCarried).toContainEqual({ where: 'g', what: 'the variable privateKey', why: expect.any(String), at: [] });
  });

  it('is refused where the collection holds a key', async () => {
    const id = await collectionOf({ a: { operation: 'gameList', data: '{"currency": "EUR"}' } });
    const { collections } = await test.client.call('collections.list', {});
    const directory = collections.find((one) => one.id === id)?.directory ?? '';
    // By another program: the workbench itself does not write it.
    await writeFile(
      join(directory, 'a.yaml'),
      `operation: gameList\ndata: '{"currency": "${Buffer.from(key).toString('base64')}"}'\n`,
    );
    await expect(exported(id)).rejects.toMatchObject({ code: 'refused' });
  });
});
