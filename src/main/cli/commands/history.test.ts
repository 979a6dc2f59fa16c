import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, draftOf } from '#testing/app.ts';
import { createCli, type Cli } from '#testing/cli-driver.ts';
import { recordBodies } from '#testing/record-calls.ts';

let cli: Cli;
/** Three calls: code 0 of gameList, code 8 of gameList with a note, and one without an answer in a removed environment. */
beforeAll(async () => {
  cli = await createCli();
  const app = await createTestApp({ home: cli.home, sandbox: true });
  const text = '{"currency":"EUR","id":9007199254740993}';
  await app.send(draftOf('sandbox', { operation: 'gameList', text }));
  const refused = await app.send(draftOf('sandbox', { operation: 'gameList', text, overrides: { hash: 'wrong' } }));
  const { id } = await app.environment({ baseUrl: 'https://localhost:1' }, { name: 'gone' });
  await app.send(draftOf(id, { operation: 'getGameRound', text: '{"roundId":9007199254740992,"logMonth":0}' }));
  await app.client.call('environments.remove', { id });
  await app.client.call('calls.pin', { id: refused.id, pinned: true });
  await app.client.call('calls.note', { id: refused.id, note: 'asked the provider' });
  await app.close();
  const database = new DatabaseSync(join(cli.home, 'history.sqlite'));
  database.exec(`UPDATE calls SET sent_at = ${new Date(2026, 5, 1, 12).getTime()} WHERE id = 1`);
  database.close();
});
afterAll(() => cli.close());

async function found(args: readonly string[]): Promise<{ ids: number[]; total: number }> {
  const { code, out, err } = await cli.run([...args, '--json']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const document = JSON.parse(out) as { calls: { id: number }[]; total: number };
  return { ids: document.calls.map(({ id }) => id), total: document.total };
}

describe('history list and search', () => {
  const cases: [string[], number[]][] = [
    [['list'], [3, 2, 1]],
    [
      ['list', '--operation', 'gameList'],
      [2, 1],
    ],
    [
      ['list', '--operation', 'gameList', '--operation', 'getGameRound', '--env', 'sandbox'],
      [2, 1],
    ],
    [['list', '--code', '8'], [2]],
    [['list', '--state', 'failed'], [3]],
    [
      ['list', '--state', 'accepted', '--state', 'refused'],
      [2, 1],
    ],
    [['list', '--pinned'], [2]],
    [['list', '--since', '2026-06-01', '--until', '2026-06-01'], [1]],
    [['list', '--until', '2026-06-01T12:00'], []],
    [
      ['list', '--since', '10m'],
      [3, 2],
    ],
    [
      ['search', '9007199254740993'],
      [2, 1],
    ],
    [['search', '9007199254740992', '--words'], [3]],
    [
      ['search', '90071992', '--words'],
      [3, 2, 1],
    ],
    [['search', '"90071992"', '--words'], []],
    [['search', 'asked the'], [2]],
    [['search', 'EUR', '--code', '0'], [1]],
  ];
  it.each(cases)('%j', async (args, ids) => {
    expect(await found(['history', ...args])).toEqual({ ids, total: ids.length });
  });

  it('ends a line with what tells the call from others', async () => {
    expect((await cli.run(['history', 'list', '--operation', 'getGameRound'])).out).toMatch(
      /  round 9007199254740992 · logMonth 0$/m,
    );
  });

  it('marks what is pinned, and shows notes', async () => {
    expect((await cli.run(['history', 'list', '--pinned'])).out).toMatch(/^ {5}2\* /);
    expect((await cli.run(['history', 'show', '2'])).out).toContain('pinned\nnote: asked the provider\n');
    const older = await cli.run(['history', 'list', '--before', '2', '--json']);
    expect((JSON.parse(older.out) as { calls: { id: number }[] }).calls.map(({ id }) => id)).toEqual([1]);
    const { err } = await cli.run(['history', 'list', '--limit', '1']);
    expect(err).toBe('croupier: showing 1 of 3 calls. To show more, use --limit.\n');
  });

  it.each([
    [['--operation', 'gamelist'], 'Did you mean gameList?'],
    [['--state', 'refusd'], 'Did you mean refused?'],
    [['--state', 'failed', '--state', 'refused'], 'not both'],
    [['--code', 'eight'], 'a whole number'],
    [['--since', 'yesterday'], '--since must be a day or time'],
    [['--until', '2026-13-01'], '--until must be a day or time'],
  ])('refuses %j with 2', async (args, says) => {
    const { code, out, err } = await cli.run(['history', 'list', ...args]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(says);
  });
});

describe('the bytes as they came', () => {
  const raw = Buffer.concat([Buffer.from('SSH-2.0-OpenSSH_9.6\r\n'), Buffer.from([0xff, 0x00])]);
  const picture = Buffer.from('GET /logo.png HTTP/1.1\r\nhost : p.example\n\n');
  let id = '';
  let passed = '';
  let other = '';
  beforeAll(async () => {
    [id = '', passed = '', other = ''] = (
      await recordBodies(cli.home, 'playerInfo', [
        { request: '{}', response: null, raw },
        { request: '{}', response: Buffer.from('{"code":0}'), passed: { origin: 'provider', isOperation: true, raw: null } },
        { request: '', response: null, passed: { origin: 'backend', isOperation: false, raw: picture } },
      ])
    ).map(String);
  });

  it('of a request that the gateway passed are printed with --raw-request, and it claims no method or operation', async () => {
    const { out } = await cli.run(['history', 'show', other]);
    expect(out).toMatch(/Other request {5}sandbox \(from my backend\).*\n\nhttps:\/\/p\.example\/playerInfo\n/s);
    expect(out).toContain(`The request has ${picture.length} bytes as received. To print them, add --raw-request.`);
    expect(await cli.run(['history', 'show', other, '--raw-request'])).toMatchObject({ code: 0, stdout: picture, err: '' });
    const document: unknown = JSON.parse((await cli.run(['history', 'show', other, '--json'])).out);
    expect(document).toMatchObject({
      operation: null,
      origin: 'backend',
      request: { rawBytes: picture.length, rawBase64: picture.toString('base64') },
    });
  });

  it('and calls are listed by who sent them', async () => {
    const listed = async (...options: string[]) => {
      const { out } = await cli.run(['history', 'list', '--json', ...options.flatMap((who) => ['--origin', who])]);
      return (JSON.parse(out) as { calls: { id: number }[] }).calls.map((call) => String(call.id));
    };
    expect(await listed('backend')).toEqual([other]);
    expect(await listed('provider', 'backend')).toEqual([other, passed]);
    expect(await listed('croupier')).not.toEqual(expect.arrayContaining([passed]));
    expect((await cli.run(['history', 'list', '--origin', 'provder'])).err).toContain('Did you mean provider?');
  });

  it('make no request, program or repeat of one that fits no operation', async () => {
    for (const [args, says] of [
      [['repeat', other], `Call ${other} fits no operation, so it can't be repeated.`],
      [['save', other, '--into', join(cli.home, 'mine')], `Not saved: call ${other} fits no operation`],
      [['export', other, '--as', 'curl'], `Call ${other} fits no operation, so no program can send it.`],
    ] as const)
      expect((await cli.run(['history', ...args])).err).toContain(says);
    const { out } = await cli.run(['history', 'export', other, '--as', 'har']);
    const [entry] = (JSON.parse(out) as { log: { entries: { request: object; comment: string }[] } }).log.entries;
    expect(entry?.request).toMatchObject({ method: 'GET', _raw: { text: picture.toString() } });
    expect(entry?.comment).toContain('Other request to sandbox, no readable code. It came from my backend.');
  });

  it('are said, and printed unchanged with --raw', async () => {
    expect((await cli.run(['history', 'show', id])).out).toContain(
      'The response has 23 bytes as received. To print them, add --raw.\n',
    );
    expect(await cli.run(['history', 'show', id, '--raw'])).toMatchObject({ code: 0, stdout: raw, err: '' });
  });

  it('are in the document in base64', async () => {
    const document = JSON.parse((await cli.run(['history', 'show', id, '--json'])).out) as object;
    expect(document).toMatchObject({ rawBytes: 23, rawBase64: raw.toString('base64'), response: null });
  });

  it('are in no call that has none', async () => {
    expect((await cli.run(['history', 'show', '1'])).out).not.toContain('As received');
    expect(JSON.parse((await cli.run(['history', 'show', '1', '--json'])).out)).not.toHaveProperty('rawBase64');
    const { code, out, err } = await cli.run(['history', 'show', '1', '--raw']);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('Call 1 has no such bytes.');
  });
});
