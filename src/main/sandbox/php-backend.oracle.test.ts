import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithTool } from '../../testing/external-tools.ts';
import { startTestSandbox, testKey, testTime, type TestSandbox } from '#testing/sandbox-client.ts';

interface PeerCall {
  readonly action: string;
  readonly time?: string;
  /** JSON text. */
  readonly data?: string;
  readonly envelope?: Readonly<Record<string, unknown>>;
  readonly key?: string;
  /** Differences of what it hashes from the rule. */
  readonly hashed?: {
    /** Names of json_encode's flags. */
    readonly flags?: readonly string[];
    readonly assoc?: true;
    readonly sort?: true;
    readonly timeFormat?: string;
    readonly hmac?: true;
  };
}

describeWithTool('php', "an integrator's PHP backend", (php) => {
  let sandbox: TestSandbox;

  beforeAll(async () => {
    // Longer than the slowest machine takes, and shorter than the client waits.
    sandbox = await startTestSandbox({ explainMs: 60_000 });
  });
  afterAll(() => sandbox.close());

  async function runPeer(calls: readonly PeerCall[]): Promise<{ status: number; body: string }[]> {
    const peer = spawn(php, [fileURLToPath(new URL('peer.php', import.meta.url))], { stdio: ['pipe', 'pipe', 'pipe'] });
    const { baseUrl, caFile } = sandbox;
    peer.stdin.end(
      JSON.stringify({
        baseUrl,
        caFile,
        platform: 7,
        partnerId: 12,
        key: testKey,
        calls: calls.map((call) => ({ time: testTime, ...call })),
      }),
    );
    const [output, errors] = await Promise.all([peer.stdout.toArray(), peer.stderr.toArray()]);
    const text = Buffer.concat(output as Buffer[]).toString('utf8');
    expect(Buffer.concat(errors as Buffer[]).toString('utf8')).toBe('');
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { status: number; body: string });
  }

  function documentedCalls(): PeerCall[] {
    const player = sandbox.players().find(({ playerId }) => playerId === 'Zoë-7');
    const many = {
      playerIds: ['Zoë-7', 'игрок-1', '玩家😀'],
      externalReferenceIds: ['réf/1', 'réf/2', 'réf/3'],
      freeRoundValidity: '31-12-2030 23:59:59',
      numberOfFreeRounds: 5,
    };
    const launch = { gameMode: 'real', gameId: '1042', lang: 'de', externalToken: player?.externalToken, playerId: 'Zoë-7' };
    return [
      { action: 'gameList', envelope: { currency: 'CHF' } },
      {
        action: 'getLauncherURL',
        data: JSON.stringify({ ...launch, country: 'CH', ip: '2001:db8::7', exitURL: 'https://казино.example/выход?a=1&b=2' }),
      },
      { action: 'getGameRound', data: '{"roundId":9007199254740993,"logMonth":0}' },
      { action: 'roundReplayInfo', data: '{"roundId":9223372036854775807,"logMonth":12}' },
      { action: 'freeRounds', data: JSON.stringify({ ...many, betLevel: 0, gameIds: ['1042'] }) },
      {
        action: 'freeRounds',
        data: JSON.stringify({
          playerId: 'Zoë-7',
          externalReferenceId: 'ένα',
          freeRoundValidity: '31-12-2030 23:59:59',
          numberOfFreeRounds: 1,
          betLevel: 2,
          gameIds: ['1042'],
        }),
      },
      {
        action: 'freeRoundsByBet',
        data: JSON.stringify({
          ...many,
          externalReferenceIds: ['b1', 'b2', 'b3'],
          betAmount: 0.3,
          currency: 'CHF',
          gameId: '1042',
        }),
      },
    ];
  }

  it('gets 0 for all six actions, with non-ASCII values and integers beyond 2^53', async () => {
    const player = sandbox.players()[2];
    await sandbox.wallet('bet', {
      externalToken: player?.externalToken,
      playerId: 'Zoë-7',
      gameId: '1042',
      transactionId: 'first',
      amount: 2.5,
      currency: 'CHF',
    });
    const calls = documentedCalls();
    const answers = await runPeer(calls);
    expect(answers.map(({ body }, index) => [calls[index]?.action, body.slice(0, 25)])).toEqual(
      calls.map(({ action }) => [action, '{"code":0,"message":"ok",']),
    );
    expect(answers[2]?.body).toContain('"roundId":9007199254740993,');
    expect(answers[5]?.body).toContain('{"referenceId":"\\u03ad\\u03bd\\u03b1"}');
    const [launcher] = JSON.parse(`[${answers[1]?.body ?? ''}]`) as { data: { launcherURL: string } }[];
    expect(new URL(launcher?.data.launcherURL ?? '').searchParams.get('exitURL')).toBe('https://казино.example/выход?a=1&b=2');
  });

  it('is told the very hash and data that PHP makes, where its body is laid out otherwise', async () => {
    // PHP's body has escaped slashes; its hash is over bare ones, with another key.
    const data = '{"exitURL":"https://a.example/выход","n":1.50,"id":9223372036854775807,"name":"Zo\u00eb 😀"}';
    const [right] = await runPeer([{ action: 'currencies', data }]);
    expect(right?.body).toContain('"code":9');
    await runPeer([{ action: 'currencies', data, key: 'another' }]);
    const judged = sandbox.verdicts.at(-1);
    const { expected, received, difference, mistake } = judged?.verdict ?? {};
    const sent = JSON.parse(judged?.bodyText ?? '') as { hash: string };
    // What PHP itself signs with the right key for the same call.
    const rightBody = JSON.parse(sandbox.verdicts.at(-2)?.bodyText ?? '') as { hash: string };
    expect(expected?.hash).toBe(rightBody.hash);
    expect(received?.hash).toBe(sent.hash);
    expect(expected?.input).toMatchObject({ key: '<PRIVATE_KEY>', time: testTime });
    expect(expected?.input?.data).toContain('"https://a.example/\\u0432');
    expect(received?.data).toContain('"https:\\/\\/a.example');
    expect(difference).toMatchObject({ byte: 18, isReason: false });
    expect(mistake).toBeNull();
    expect(JSON.stringify(judged)).not.toContain(testKey);
  });

  const slashes = 'Your backend escapes the slashes.';
  const bare = 'Your backend leaves non-ASCII characters unescaped';
  it.each([
    [
      'default flags, and an untrimmed key file',
      { key: `${testKey}\n`, hashed: { flags: [] } },
      slashes,
      'key ends in a line break',
    ],
    ['default flags, and the year first', { hashed: { flags: [], timeFormat: 'Y-m-d H:i:s' } }, slashes, 'the year first'],
    ['default flags, and a 12-hour clock', { hashed: { flags: [], timeFormat: 'd-m-Y h:i:s' } }, slashes, 'a 12-hour clock'],
    ['default flags, and an HMAC', { hashed: { flags: [], hmac: true } }, slashes, 'HMAC'],
    ['default flags, and sorted fields', { hashed: { flags: [], sort: true } }, slashes, 'sorts the fields'],
    [
      'default flags, decoded to arrays',
      { hashed: { flags: [], assoc: true } },
      slashes,
      'turns an empty object into an empty array',
    ],
    ['bare characters, and slashes', { hashed: { flags: ['JSON_UNESCAPED_UNICODE'] } }, slashes, bare],
    [
      'bare characters, in lines',
      { hashed: { flags: ['JSON_UNESCAPED_UNICODE', 'JSON_UNESCAPED_SLASHES', 'JSON_PRETTY_PRINT'] } },
      bare,
      'pretty-prints data with 4 spaces',
    ],
    [
      'Z of ISO 8601, and bare',
      { hashed: { flags: ['JSON_UNESCAPED_UNICODE', 'JSON_UNESCAPED_SLASHES'], timeFormat: 'Y-m-d\\TH:i:s\\Z' } },
      bare,
      'a Z',
    ],
  ] satisfies [string, Partial<PeerCall>, string, string][])(
    'is told both of two mistakes: %s',
    async (_name, wrong, one, other) => {
      const data = '{"exitURL":"https://a.example/x","playerId":"Zoë-7","amount":1.5,"more":{}}';
      const [answer] = await runPeer([{ action: 'getLauncherURL', time: '20-11-2026 22:15:30', data, ...wrong }]);
      expect(answer?.body).toContain('"code":8');
      const { mistake, reason } = sandbox.verdicts.at(-1)?.verdict ?? {};
      expect(mistake).toContain(one);
      expect(mistake).toContain(other);
      expect(mistake).toMatch(/ first differs at byte \d+ after the key: .+ is right, .+ was hashed\.$/);
      expect(reason).toBe(mistake);
    },
  );
});
