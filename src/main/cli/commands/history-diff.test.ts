import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, draftOf } from '#testing/app.ts';
import { createCli, newEnvironment, type Cli } from '#testing/cli-driver.ts';

let cli: Cli;
/** Four calls: two accepted ones, one with another time and data (code 8), and one without an answer. */
beforeAll(async () => {
  cli = await createCli();
  const app = await createTestApp({ home: cli.home, sandbox: true });
  await app.send(draftOf('sandbox', { operation: 'gameList', text: '{"currency":"EUR"}' }));
  await app.send(draftOf('sandbox', { operation: 'gameList', text: '{"currency":"USD"}' }));
  const text = '{"roundId":9007199254740993,"logMonth":0}';
  await app.send(draftOf('sandbox', { operation: 'getGameRound', text, overrides: { hash: 'wrong', time: 'noon' } }));
  const { id } = await app.environment({ baseUrl: 'https://localhost:1' }, { name: 'gone' });
  await app.send(draftOf(id, { operation: 'getGameRound', text: '{"roundId":9007199254740992,"logMonth":0}' }));
  await app.close();
});
afterAll(() => cli.close());

describe('history diff', () => {
  it('says first what differs first, and ends with 0', async () => {
    const { code, out, err } = await cli.run(['history', 'diff', '1', '2']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(
      /^Calls 1 and 2 differ, apart from the sending time, first in the envelope, in currency: "EUR" against "USD"\.\n/,
    );
    // By one hash where both were sent within a second.
    expect(out).toMatch(/^ {2}key {3}Same key[:,] /m);
    expect(out).toContain('  data  none\n');
    expect(out).toContain('  - currency: "EUR"\n  + currency: "USD"\n');
  });

  it('says where two unlike calls part, and that one was not answered', async () => {
    const { code, out } = await cli.run(['history', 'diff', '3', '4']);
    expect(code).toBe(0);
    expect(out).toMatch(/^Calls 3 and 4 differ first in the key/);
    expect(out).toContain('- "noon", not in the documented format');
    expect(out).toContain('at byte 26: 3 (0x33) against 2 (0x32); the value of /roundId was changed');
    expect(out).toContain('response: only one of the calls got one');
  });

  it('knows one key of two sessions by equal bytes, and compares no fingerprints of two', async () => {
    await cli.run(newEnvironment('own', 'https://localhost:1'));
    const send = async (key: string, time: string) => {
      const args = [
        'call',
        'getGameRound',
        '--env',
        'own',
        '--key-env',
        'KEY',
        '--data',
        '{"roundId":1}',
        '--time',
        time,
        '--json',
      ];
      return String((JSON.parse((await cli.run(args, { env: { KEY: key } })).out) as { callId: number }).callId);
    };
    const ids = [await send('one', 'noon'), await send('one', 'noon'), await send('two', 'noon'), await send('one', 'midnight')];
    const diff = async (one = '', other = '') => (await cli.run(['history', 'diff', one, other])).out;
    const same = await diff(ids[0], ids[1]);
    expect(same).toContain('  key   Same key: the same time and data gave the same hash\n');
    expect(same).not.toContain('differ first');
    const other = await diff(ids[0], ids[2]);
    expect(other).toContain('differ first in the key: the same time and data gave another hash.');
    const later = await diff(ids[0], ids[3]);
    expect(later).toContain("  key   Can't compare: the fingerprints come from different");
    expect(later).toContain('differ first in time');
  });

  it('speaks of the bodies of wallet calls, which have no envelope', async () => {
    const send = async (data: string) => {
      const { out } = await cli.run(['call', 'playerInfo', '--env', 'sandbox', '--data', data, '--json']);
      return String((JSON.parse(out) as { callId: number }).callId);
    };
    const ids = [
      await send('{"playerId":"a"}'),
      await send('{"playerId": "a"}'),
      await send('[1]'),
      await send('{"playerId":"b"}'),
    ];
    const diff = async (one: number, other: number) => (await cli.run(['history', 'diff', ids[one] ?? '', ids[other] ?? ''])).out;
    expect(await diff(0, 1)).toContain('body: the same fields, only the white space between them differs\n');
    expect(await diff(0, 2)).toContain('body: different, and at least one is not a JSON object\n');
    const fields = await diff(0, 3);
    expect(fields).toContain('differ first in the body, in playerId: "a" against "b".');
    expect(fields).toContain('body:\n  - playerId: "a"\n  + playerId: "b"\n');
  });

  it('prints everything as one document', async () => {
    const { code, out, err } = await cli.run(['history', 'diff', '1', '3', '--json']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toMatchObject({
      left: 1,
      right: 3,
      first: { part: 'time' },
      hashInput: {
        verdict: 'signed',
        key: { verdict: 'same', proof: 'fingerprint' },
        time: { verdict: 'form' },
        data: { verdict: 'right only' },
      },
      answers: { equal: false, json: { differences: expect.arrayContaining([expect.objectContaining({ pointer: '/code' })]) } },
    });
  });

  it.each([
    [['1'], 'B'],
    [['1', 'x'], 'must be call IDs'],
    [['0', '1'], 'must be call IDs'],
    [['1', '99'], 'There is no call 99'],
  ])('refuses %j with 2', async (args, says) => {
    const { code, out, err } = await cli.run(['history', 'diff', ...args]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(says);
  });
});
