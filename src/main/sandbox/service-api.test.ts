import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createSchemaValidator } from '#testing/schema-validator.ts';
import { games } from './catalogue.ts';
import { startTestSandbox, testHash, testKey, testTime, type TestSandbox } from '#testing/sandbox-client.ts';

const code8 = '{"code":8,"message":"hash not valid","data":null}';
const code9 = '{"code":9,"message":"platform not valid (partnerid or platform values are wrong","data":null}';
const launch = {
  gameMode: 'fun',
  gameId: '1042',
  lang: 'en',
  externalToken: '',
  playerId: 'player-1',
  country: 'DE',
  ip: '203.0.113.9',
  exitURL: 'https://casino.example/lobby?a=1&b=2',
};
let sandbox: TestSandbox;
let clock = Date.UTC(2026, 10, 20, 10, 15, 30);

beforeAll(async () => {
  sandbox = await startTestSandbox({
    now: () => clock,
    actions: () => ({ cancelFreeRounds: 'cancelFR', currencyList: 'currencies' }),
  });
});
afterAll(() => sandbox.close());

const contract = createSchemaValidator({
  'cancelFreeRounds.action': { value: 'cancelFR' },
  'currencyList.action': { value: 'currencies' },
});
afterEach(() => {
  for (const { path, body, answer } of sandbox.exchanges.splice(0))
    expect(contract.exchange(path, body, answer.text), body).toEqual([]);
});

function sha256(text: string): string {
  return JSON.stringify(createHash('sha256').update(text, 'utf8').digest('hex'));
}

describe('the envelope', () => {
  test('a signed gameList is code 0 with the message of the spec', async () => {
    const answer = await sandbox.call('gameList', undefined, { currency: '"EUR"' });
    expect(answer.status).toBe(200);
    expect(answer.text.startsWith('{"code":0,"message":"ok","data":{"slots":[{"id":1001,')).toBe(true);
  });

  test.each([
    ['another platform', { platform: '8' }],
    ['another partnerId', { partnerId: '13' }],
    ['platform in quotes', { platform: '"7"' }],
    ['platform null', { platform: 'null' }],
    ['both wrong and the hash too', { platform: '1', hash: '"x"' }],
  ])('%s is code 9', async (_what, envelope) => {
    expect((await sandbox.call('gameList', undefined, { currency: '"EUR"', ...envelope })).text).toBe(code9);
  });

  test('a platform written as a float is the same number', async () => {
    expect((await sandbox.call('gameList', undefined, { currency: '"EUR"', platform: '7.0' })).json['code']).toBe(0);
  });

  test.each([
    ['one digit changed', testHash('').replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))],
    ['upper case', testHash('').toUpperCase()],
    ['empty', ''],
  ])('a hash with %s is code 8', async (_what, hash) => {
    expect((await sandbox.call('gameList', undefined, { currency: '"EUR"', hash: JSON.stringify(hash) })).text).toBe(code8);
  });

  test('a missing hash and a missing time are code 8', async () => {
    expect((await sandbox.send('/serviceApi.php', '{"action":"gameList","platform":7,"partnerId":12,"time":"x"}')).text).toBe(
      code8,
    );
    expect((await sandbox.send('/serviceApi.php', '{"action":"gameList","platform":7,"partnerId":12,"hash":"x"}')).text).toBe(
      code8,
    );
    expect(sandbox.lastWhy()).toMatch(/^time is missing/);
  });

  test.each([
    ['not JSON', '{"action":', /not JSON: Syntax error at byte 10/],
    ['not JSON behind characters beyond ASCII', '{"a":"é",}', /not JSON: Syntax error at byte 10\./],
    ['not an object', '[1]', /not a JSON object/],
    ['a byte order mark', '\ufeff{}', /not JSON: Syntax error at byte 0\./],
  ])('a body that is %s is refused with code 9', async (_what, body, why) => {
    const answer = await sandbox.send('/serviceApi.php', body);
    expect([answer.status, answer.text]).toEqual([400, code9]);
    expect(sandbox.lastWhy()).toMatch(why);
    expect(sandbox.lastWhy()).toContain('the built-in provider uses');
  });

  test('an unknown action is refused after the hash was found right', async () => {
    const answer = await sandbox.call('gamelist', undefined, { currency: '"EUR"' });
    expect([answer.status, answer.text]).toEqual([400, code9]);
    expect(sandbox.lastWhy()).toContain('The hash is right. There is no action "gamelist".');
  });

  test('the verdict carries the body as received and names the action', async () => {
    await sandbox.call('gameList', undefined, { currency: '"EUR"' });
    expect(sandbox.verdicts.at(-1)).toMatchObject({
      time: '2026-11-20T10:15:30.000Z',
      path: '/serviceApi.php',
      action: 'gameList',
      verdict: { code: 0, message: 'ok' },
      bodyText: `{"action":"gameList","platform":7,"partnerId":12,"time":"${testTime}","hash":"${testHash('')}","currency":"EUR"}`,
    });
  });
});

describe('the hash', () => {
  const typed = '{ "playerId":"Zoë-7","exitURL":"https:\\/\\/a.example\\/", "n":1.50 }';
  const reencoded = '{"playerId":"Zo\\u00eb-7","exitURL":"https://a.example/","n":1.5}';

  test('is taken over data decoded and encoded again', async () => {
    const answer = await sandbox.call('currencies', typed, { hash: JSON.stringify(testHash(reencoded)) });
    expect(answer.json['code']).toBe(0);
  });

  test('over the received text is code 8 and says so', async () => {
    expect((await sandbox.call('currencies', typed)).text).toBe(code8);
    expect(sandbox.lastWhy()).toContain('The hash matches data as it was sent');
    expect(sandbox.lastWhy()).toContain(`<PRIVATE_KEY>${testTime}${reencoded}`);
    expect(sandbox.lastWhy()).toContain(`19 bytes of time and ${reencoded.length} bytes of data`);
    expect(sandbox.lastWhy()).toContain(testHash(typed));
    expect(sandbox.lastWhy()).not.toContain(testKey);
  });

  const data = '{"url":"https://a/b","name":"Zo\\u00eb","a":2,"b":{"z":1,"y":2}}';
  test.each([
    ['upper case', JSON.stringify(testHash(data).toUpperCase()), 'in uppercase'],
    ['spaces around it', JSON.stringify(` ${testHash(data)}\n`), 'whitespace around it'],
    ['escaped slashes', sha256(testKey + testTime + data.replaceAll('/', '\\/')), 'escapes the slashes'],
    ['another key', sha256(`other${testTime}${data}`), 'check the private key'],
    ['a number', '5', 'not a string'],
  ])('with %s is code 8 with a hint', async (_what, hash, hint) => {
    expect((await sandbox.call('currencies', data, { hash })).text).toBe(code8);
    expect(sandbox.lastWhy()).toContain(hint);
  });

  test('over the received text is told in parts: both hashes, the input, and the first byte that differs', async () => {
    await sandbox.call('currencies', typed);
    expect(sandbox.verdicts.at(-1)?.verdict).toMatchObject({
      code: 8,
      expected: {
        hash: testHash(reencoded),
        input: { key: '<PRIVATE_KEY>', time: testTime, data: reencoded, dataBytes: reencoded.length },
        dataIs: 'reencoded',
      },
      received: { hash: testHash(typed), data: typed, dataBytes: Buffer.byteLength(typed) },
      difference: { byte: 1, offset: 1, expected: reencoded.slice(1, 25), received: typed.slice(1, 25), isReason: true },
      mistake: expect.stringContaining('The hash matches data as it was sent, but the signing rule requires another form.'),
    });
  });

  test('a difference that is not the reason is told as such, by its byte and not by its character', async () => {
    await sandbox.call('currencies', '{"n":"Zo\\u00eb","m":"é"}', { hash: JSON.stringify(sha256('other')) });
    expect(sandbox.verdicts.at(-1)?.verdict).toMatchObject({
      difference: { byte: 21, offset: 21, expected: '\\u00e9"}', received: 'é"}', isReason: false },
      mistake: null,
    });
    // The same first byte of two characters of three bytes, and the same first half of two pairs.
    await sandbox.call('currencies', '{"n":"\\/😀"}', { hash: '"00"' });
    expect(sandbox.verdicts.at(-1)?.verdict).toMatchObject({ difference: { byte: 6, offset: 6, received: '\\/😀"}' } });
  });

  test('what cannot match any hash has no expected one, and what is not there is null', async () => {
    await sandbox.call('currencies', '{"n":1e400}', { hash: '5' });
    expect(sandbox.verdicts.at(-1)?.verdict).toMatchObject({
      expected: { hash: null, input: { data: null } },
      received: { hash: null, data: '{"n":1e400}', dataBytes: 11 },
      difference: null,
    });
    await sandbox.call('gameList', undefined, { currency: '"EUR"', hash: '"x"' });
    expect(sandbox.verdicts.at(-1)?.verdict).toMatchObject({
      expected: { hash: testHash(''), input: { time: testTime, data: null, dataBytes: 0 } },
      received: { hash: 'x', data: null, dataBytes: 0 },
    });
    await sandbox.call('gameList', undefined, { currency: '"EUR"', time: '7' });
    expect(sandbox.verdicts.at(-1)?.verdict).toMatchObject({
      expected: { hash: null, input: null },
      received: { hash: testHash('') },
    });
    const accepted = sandbox.verdicts.length;
    await sandbox.call('gameList', undefined, { currency: '"EUR"' });
    expect(Object.keys(sandbox.verdicts[accepted]?.verdict ?? {})).toEqual(['code', 'message', 'why', 'reason', 'standsIn']);
  });

  test('long data is cut where it is told, and compared whole', async () => {
    const long = `{"n":"${'a'.repeat(200_000)}\\/"}`;
    await sandbox.call('currencies', long);
    const { expected, received, difference } = sandbox.verdicts.at(-1)?.verdict ?? {};
    expect([expected?.input?.data?.length, expected?.input?.dataBytes]).toEqual([100_000, long.length - 1]);
    expect([received?.data?.length, received?.dataBytes]).toEqual([100_000, long.length]);
    expect(difference).toEqual({ byte: 200_006, offset: 200_006, expected: '/"}', received: '\\/"}', isReason: true });
  });

  test('mode received hashes the text as it came, and names a re-encoded one', async () => {
    const strict = await startTestSandbox({ choices: { mode: 'received' }, actions: () => ({ currencyList: 'currencies' }) });
    try {
      expect((await strict.call('currencies', typed)).json['code']).toBe(0);
      expect((await strict.call('currencies', typed, { hash: JSON.stringify(testHash(reencoded)) })).text).toBe(code8);
      expect(strict.lastWhy()).toContain('data decoded and encoded again, as PHP does, not as it was sent');
      expect(strict.verdicts.at(-1)?.verdict).toMatchObject({
        expected: { hash: testHash(typed), input: { data: typed }, dataIs: 'received' },
        difference: null,
      });
    } finally {
      await strict.close();
    }
  });

  test('a private key that a request carries in clear is not reported', async () => {
    await sandbox.call('currencies', `{"key":"${testKey}"}`, { hash: '"00"' });
    expect(JSON.stringify(sandbox.verdicts.at(-1))).not.toContain(testKey);
    expect(sandbox.lastWhy()).toContain('must never be sent');
    expect(sandbox.verdicts.at(-1)?.verdict.expected?.input?.data).toBe('{"key":"<PRIVATE_KEY>"}');
    await sandbox.call('currencies', `{"key" : "${testKey}"}`, { hash: '"00"' });
    expect(JSON.stringify(sandbox.verdicts.at(-1))).not.toContain(testKey);
    // Its places are those of other texts now.
    expect(sandbox.verdicts.at(-1)?.verdict.difference).toBeNull();
  });
});

describe('gameList', () => {
  test('has about 60 games with exact bets in the asked currency', async () => {
    const eur = await sandbox.call('gameList', undefined, { currency: '"EUR"' });
    const { slots } = eur.json['data'] as { slots: { id: number; gameName: string; bets: number[]; thumbnail: string }[] };
    expect(slots).toHaveLength(60);
    expect(slots.map((slot) => slot.gameName)).toEqual(games.map((game) => game.name));
    expect(slots[41]?.bets).toEqual([0.25, 0.5, 1]);
    const jpy = await sandbox.call('gameList', undefined, { currency: '"JPY"' });
    expect(jpy.text).toContain('"gameName":"Firefly Lagoon","bets":[25,50,100]');
    for (const slot of slots) expect(slot.thumbnail).toMatch(new RegExp(`^${sandbox.baseUrl}/thumbs/[a-z0-9-]+\\.svg$`));
  });

  test('refuses a currency it does not deal in', async () => {
    expect((await sandbox.call('gameList', undefined, { currency: '"XXX"' })).text).toBe(code9);
    expect(sandbox.lastWhy()).toContain("doesn't support the currency XXX");
    expect((await sandbox.call('gameList')).text).toBe(code9);
    expect(sandbox.lastWhy()).toContain('currency is missing');
  });
});

describe('getLauncherURL', () => {
  function url(answer: { json: { readonly [name: string]: unknown } }): URL {
    return new URL((answer.json['data'] as { launcherURL: string }).launcherURL);
  }

  test('carries exactly the documented parameters; no token in fun mode', async () => {
    const made = url(await sandbox.call('getLauncherURL', JSON.stringify(launch)));
    expect([...made.searchParams]).toEqual([
      ['partnerId', '12'],
      ['gameId', '1042'],
      ['gameMode', 'fun'],
      ['lang', 'en'],
      ['platform', '7'],
      ['exitURL', launch.exitURL],
    ]);
    expect(made.origin).toBe(sandbox.baseUrl);
  });

  test('carries the token in real mode and an empty exitURL', async () => {
    const data = JSON.stringify({ ...launch, gameMode: 'real', externalToken: 'a b/ë', exitURL: '' });
    const escaped = data.replace('ë', '\\u00eb');
    const made = url(await sandbox.call('getLauncherURL', data, { hash: JSON.stringify(testHash(escaped)) }));
    expect(made.searchParams.get('externalToken')).toBe('a b/ë');
    expect(made.searchParams.get('exitURL')).toBe('');
  });

  test.each([
    ['no token', { externalToken: '' }],
    ['a token of 256 characters', { externalToken: 'x'.repeat(256) }],
    ['a token that is a number', { externalToken: 5 }],
  ])('real mode with %s is code 404', async (_what, change) => {
    const answer = await sandbox.call('getLauncherURL', JSON.stringify({ ...launch, gameMode: 'real', ...change }));
    expect([answer.status, answer.text]).toEqual([200, '{"code":404,"message":"Invalid Token","data":null}']);
  });

  test.each([
    ['gameMode', 'demo'],
    ['gameId', 1042],
    ['gameId', '9'],
    ['lang', 'eng'],
    ['lang', 'EN'],
    ['playerId', ''],
    ['country', 'D'],
    ['ip', '999.1.1.1'],
    ['exitURL', 'javascript:alert(1)'],
    ['exitURL', undefined],
  ])('refuses %s %s and names the field', async (name, value) => {
    const answer = await sandbox.call('getLauncherURL', JSON.stringify({ ...launch, [name]: value }));
    expect([answer.status, answer.text]).toEqual([400, code9]);
    expect(sandbox.lastWhy()).toContain(`The hash is right. ${name} `);
  });
});

describe('rounds', () => {
  test('exist because of bets, keep every digit and respect logMonth', async () => {
    const player = sandbox.players()[0];
    if (!player) throw new Error('no player');
    const body = { externalToken: player.externalToken, playerId: 'player-1', gameId: '1042', currency: 'EUR' };
    const bet = await sandbox.wallet('bet', { ...body, transactionId: 'r-1', amount: 2.5 });
    const roundId = bet.json['externalTrxId'];
    expect(roundId).toBe('9007199254740993');
    await sandbox.wallet('win', { ...body, transactionId: 'r-1', amount: 7 });

    const query = `{"roundId":${String(roundId)},"logMonth":0}`;
    const records = await sandbox.call('getGameRound', query);
    expect(records.text.match(/"roundId":9007199254740993,/g)).toHaveLength(2);
    expect(records.json['data']).toMatchObject([
      { gameId: 1042, action: 'bet', bet: 2.5, win: 0, currencyName: 'EUR', actionTime: '2026-11-20 10:15:30', source: 1 },
      { gameId: 1042, action: 'win', bet: 0, win: 7, currencyName: 'EUR' },
    ]);
    const replay = await sandbox.call('roundReplayInfo', query);
    expect(replay.json['data']).toMatchObject({ start: '2026-11-20 10:15:30', betAmount: 2.5, winAmount: 7, currency: 'EUR' });
    const link = new URL((replay.json['data'] as { replayLink: string }).replayLink);
    expect([...link.searchParams.keys()]).toEqual(['replayToken', 'tableM', 'lang']);
    const page = await sandbox.send(link.pathname + link.search, '', { method: 'GET' });
    expect([page.status, page.text.includes('9007199254740993')]).toEqual([200, true]);

    const before = clock;
    clock = Date.UTC(2027, 0, 2);
    try {
      expect((await sandbox.call('getGameRound', query)).text).toBe('{"code":0,"message":"ok","data":[]}');
      expect((await sandbox.call('getGameRound', query.replace(':0}', ':2}'))).json['data']).toHaveLength(2);
      expect((await sandbox.call('roundReplayInfo', query)).text).toBe('{"code":0,"message":"ok","data":null}');
    } finally {
      clock = before;
    }
  });

  test('a bet with a whole number as its id is the round of that number', async () => {
    const player = sandbox.players()[1];
    const body = { externalToken: player?.externalToken, playerId: 'player-2', gameId: '1001', currency: 'EUR', amount: 1 };
    await sandbox.wallet('bet', { ...body, transactionId: '9223372036854775807' });
    const answer = await sandbox.call('getGameRound', '{"roundId":9223372036854775807,"logMonth":0}');
    expect(answer.text).toContain('"roundId":9223372036854775807,');
  });

  test.each([
    '{"roundId":"1","logMonth":0}',
    '{"roundId":1.5,"logMonth":0}',
    '{"roundId":1,"logMonth":-1}',
    '{"roundId":1}',
    '[1]',
  ])('refuses %s', async (data) => {
    expect((await sandbox.call('getGameRound', data)).text).toBe(code9);
  });

  test('an altered replay token shows no round', async () => {
    const page = await sandbox.send('/replay?replayToken=abc-000000000000000000000000&tableM=x&lang=en', '', { method: 'GET' });
    expect(page.status).toBe(404);
  });
});

describe('free rounds', () => {
  const single = {
    playerId: 'player-1',
    externalReferenceId: 'ref-1',
    freeRoundValidity: '31-12-2026 23:59:59',
    numberOfFreeRounds: 10,
    betLevel: 0,
    gameIds: ['1042'],
  };
  const many = {
    playerIds: ['player-1', 'nobody'],
    externalReferenceIds: ['m-1', 'm-2'],
    freeRoundValidity: '31-12-2026 23:59:59',
    numberOfFreeRounds: 3,
  };

  test('one player: the reference comes back, and only once', async () => {
    expect((await sandbox.call('freeRounds', JSON.stringify(single))).text).toBe(
      '{"code":0,"message":"ok","data":{"referenceId":"ref-1"}}',
    );
    expect((await sandbox.call('freeRounds', JSON.stringify(single))).text).toBe(code9);
    expect(sandbox.lastWhy()).toContain('ref-1 was used before');
  });

  test('many players by bet level, by amount and by bet', async () => {
    const level = await sandbox.call('freeRounds', JSON.stringify({ ...many, betLevel: 1, gameIds: ['1042', '1001'] }));
    expect(level.json['data']).toEqual([{ referenceId: 'm-1' }, { referenceId: 'm-2' }]);
    const amount = { ...many, externalReferenceIds: ['a-1', 'a-2'], amount: 0.5, currency: 'EUR', gameIds: ['1042'] };
    expect((await sandbox.call('freeRounds', JSON.stringify(amount))).json['code']).toBe(0);
    const byBet = { ...many, externalReferenceIds: ['b-1', 'b-2'], betAmount: 1, currency: 'EUR', gameId: '1042' };
    expect((await sandbox.call('freeRoundsByBet', JSON.stringify(byBet))).json['code']).toBe(0);
  });

  test('a request with one used reference grants nothing', async () => {
    const mixed = { ...many, externalReferenceIds: ['fresh-1', 'm-1'], betLevel: 0, gameIds: ['1042'] };
    expect((await sandbox.call('freeRounds', JSON.stringify(mixed))).text).toBe(code9);
    const again = { ...many, externalReferenceIds: ['fresh-1', 'fresh-2'], betLevel: 0, gameIds: ['1042'] };
    expect((await sandbox.call('freeRounds', JSON.stringify(again))).json['code']).toBe(0);
  });

  test.each([
    [{ ...single, externalReferenceId: 'x'.repeat(101) }, 'at most 100 characters'],
    [{ ...single, externalReferenceId: 'n1', freeRoundValidity: '2026-12-31 23:59:59' }, 'dd-mm-yyyy'],
    [{ ...single, externalReferenceId: 'n1', freeRoundValidity: '31-02-2027 00:00:00' }, 'dd-mm-yyyy'],
    [{ ...single, externalReferenceId: 'n1', numberOfFreeRounds: 0 }, 'from 1 to 10000'],
    [{ ...single, externalReferenceId: 'n1', betLevel: 3 }, 'too high: the last bet of game 1042'],
    [{ ...single, externalReferenceId: 'n1', gameIds: [] }, 'must not be empty'],
    [{ ...single, externalReferenceId: 'n1', gameIds: ['7'] }, 'not in the game list'],
    [{ ...many, externalReferenceIds: ['n1'], betLevel: 0, gameIds: ['1042'] }, 'same number of values'],
    [{ ...many, externalReferenceIds: ['n1', 'n1'], betLevel: 0, gameIds: ['1042'] }, 'has a value twice'],
    [{ ...many, externalReferenceIds: ['n1', 'n2'], amount: 1, currency: 'GBP', gameIds: ['1042'] }, 'plays in EUR'],
  ])('refuses a request that breaks a rule (%#)', async (data, why) => {
    expect((await sandbox.call('freeRounds', JSON.stringify(data))).text).toBe(code9);
    expect(sandbox.lastWhy()).toContain(why);
  });

  test('counts 20,000 characters in each list, and one more is too many', async () => {
    const ids = (prefix: string, last: number) =>
      Array.from({ length: 200 }, (_, index) => `${prefix}${index}`.padEnd(index === 199 ? last : 100, '-'));
    const data = { ...many, playerIds: ids('p', 100), externalReferenceIds: ids('r', 100), betLevel: 0, gameIds: ['1042'] };
    expect((await sandbox.call('freeRounds', JSON.stringify(data))).json['code']).toBe(0);
    const over = { ...data, externalReferenceIds: ids('s', 101) };
    expect((await sandbox.call('freeRounds', JSON.stringify(over))).text).toBe(code9);
    expect(sandbox.lastWhy()).toContain('externalReferenceIds has 20001 characters');
  });

  test('the two open actions exist only under the names they were given', async () => {
    expect((await sandbox.call('cancelFreeRounds', '{}')).text).toBe(code9);
    expect((await sandbox.call('cancelFR', '{"externalReferenceId":"ref-1"}')).json['data']).toEqual({ referenceId: 'ref-1' });
    expect((await sandbox.call('cancelFR', '{"externalReferenceId":"never"}')).text).toBe(code9);
    expect((await sandbox.call('currencies')).json['data']).toContain('KWD');
    const plain = await startTestSandbox();
    try {
      expect((await plain.call('cancelFR', '{"externalReferenceId":"ref-1"}')).text).toBe(code9);
      expect(plain.lastWhy()).toContain('There is no action "cancelFR"');
    } finally {
      await plain.close();
    }
  });
});
