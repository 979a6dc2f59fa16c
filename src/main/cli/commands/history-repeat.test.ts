import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, draftOf, type TestApp } from '#testing/app.ts';
import { createCli, type Cli } from '#testing/cli-driver.ts';
import { startHttpsServer, type TestServer } from '#testing/https-server.ts';

let cli: Cli;
let server: TestServer;
const received: string[] = [];
let answer = '{"code":0,"message":"ok","data":null}';

/** Four calls: to an environment, to one marked production since, to one that is gone, and one to an address that does not answer. */
beforeAll(async () => {
  cli = await createCli();
  server = await startHttpsServer(({ body }, response) => {
    received.push(body.toString());
    response.end(answer);
  });
  const app: TestApp = await createTestApp({ home: cli.home });
  const text = '{"roundId":9007199254740993,"note":"Zoë"}';
  const send = (id: string) => app.send(draftOf(id, { operation: 'getGameRound', text }));
  const usual = await app.environment(server, { name: 'usual' });
  const live = await app.environment(server, { name: 'live' });
  const gone = await app.environment(server, { name: 'gone' });
  const dead = await app.environment({ baseUrl: 'https://localhost:1' }, { name: 'dead' });
  for (const { id } of [usual, live, gone, dead]) await send(id);
  await app.client.call('environments.save', { environment: { ...live, production: true } });
  await app.client.call('environments.remove', { id: gone.id });
  await app.close();
});
afterAll(async () => {
  await server.close();
  await cli.close();
});

describe('history repeat', () => {
  it('sends the recorded bytes without a key, prints the answer and says what it repeats', async () => {
    const { code, out } = await cli.run(['history', 'repeat', '1', '--json']);
    expect(code).toBe(0);
    const { callId, repeats, request, response } = JSON.parse(out) as {
      callId: number;
      repeats: number;
      request: { bodyText: string };
      response: { bodyText: string };
    };
    expect({ repeats, sent: request.bodyText, got: response.bodyText }).toEqual({ repeats: 1, sent: received[0], got: answer });
    expect(received.at(-1)).toBe(received[0]);
    expect((await cli.run(['history', 'repeat', '1'])).out).toBe(answer);
    const shown = await cli.run(['history', 'show', String(callId)]);
    expect(shown.out).toContain('sent exactly as call 1: its bytes, old time and old hash');
    const listed = JSON.parse((await cli.run(['history', 'list', '--json'])).out) as { calls: { repeats: number | null }[] };
    expect(listed.calls.map((call) => call.repeats)).toEqual([1, 1, null, null, null, null]);
  });

  it('ends as a call does: 3 for another code, 4 without a response', async () => {
    answer = '{"code":8,"message":"hash not valid","data":null}';
    const refused = await cli.run(['history', 'repeat', '1']);
    expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('Code 8') });
    answer = '{"code":0,"message":"ok","data":null}';
    expect(await cli.run(['history', 'repeat', '4'])).toMatchObject({ code: 4, err: expect.stringContaining('croupier: ') });
  });

  it('sends to production only where its environment was typed', async () => {
    const before = received.length;
    const unnamed = await cli.run(['history', 'repeat', '2']);
    expect(unnamed).toMatchObject({ code: 2, err: expect.stringContaining('--env live') });
    expect(received).toHaveLength(before);
    expect(await cli.run(['history', 'repeat', '2', '--env', 'live'])).toMatchObject({ code: 0 });
  });

  it.each([
    [['3'], 'gone, was removed'],
    [['1', '--env', 'live'], 'belongs to usual, not to live'],
    [['99'], 'There is no call 99'],
    [['zero'], 'ID must be a whole number'],
    [[], 'ID'],
  ])('refuses %j with 2', async (args, says) => {
    const before = received.length;
    const { code, out, err } = await cli.run(['history', 'repeat', ...args]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(says);
    expect(received).toHaveLength(before);
  });
});
