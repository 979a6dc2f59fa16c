import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { openLine, sessionSecret, startRecorded, type Recorded, type TestLine } from '#testing/loopback-driver.ts';

let run: Recorded;
afterEach(() => run.server.close());

async function open(...given: Parameters<typeof startRecorded>): Promise<TestLine> {
  run = await startRecorded(...given);
  return openLine(run.server, await sessionSecret(run));
}

const around = (input: string) => `{"name":"calls.get","input":${input}}`;

describe('A line', () => {
  it('carries calls, each with its reply by its number, however many take long', async () => {
    const held = Promise.withResolvers<void>();
    const line = await open(undefined, (name) => (name === 'calls.send' ? held.promise : Promise.resolve()));
    const hanging = Array.from({ length: 20 }, (_, ticket) => line.call('calls.send', { ticket }));
    expect(await line.call('calls.cancel', { ticket: 3 })).toEqual({
      ok: true,
      value: { name: 'calls.cancel', input: { ticket: 3 } },
    });
    expect(run.reached.map(({ name }) => name).lastIndexOf('calls.send')).toBe(19);
    held.resolve();
    expect((await Promise.all(hanging)).map((reply) => reply.ok)).toEqual(Array.from({ length: 20 }, () => true));
  });

  it('passes calls on in the order in which they came, also behind one that takes long to read', async () => {
    const line = await open();
    const text = 'x'.repeat(8_000_000);
    await Promise.all([line.call('calls.send', { text }), line.call('calls.cancel', {})]);
    expect(run.reached.map(({ name }) => name)).toEqual(['calls.send', 'calls.cancel']);
  });

  it.each([
    ['nested too deep', around('['.repeat(1_000_000)), 'nested deeper than 33 levels'],
    ['that is not JSON', '{"name":', 'not JSON in UTF-8'],
    ['without a name', '{"input":{}}', 'A call needs a name'],
  ])('refuses a call %s before it is parsed, and goes on', async (_, call, words) => {
    const line = await open();
    line.socket.send(`7 ${call}`);
    await expect.poll(() => line.heard).toHaveLength(1);
    expect(line.heard[0]).toMatch(/^7 \{"ok":false,"error":\{"code":"invalid_input"/);
    expect(line.heard[0]).toContain(words);
    expect(run.reached).toEqual([]);
    expect(await line.call('app.info', {})).toMatchObject({ ok: true });
  });

  it.each([
    ['is larger than any call', `7 ${'x'.repeat(16_000_100)}`, 1009],
    ['has no number', around('{}'), 1008],
    ['has a number without end', `${'7'.repeat(40)} ${around('{}')}`, 1008],
    ['is not a text', Buffer.from(`7 ${around('{}')}`), 1003],
    ['is nothing', '', 1008],
  ])('ends at a message that %s', async (_, message, code) => {
    const { socket } = await open();
    const ended = once(socket, 'close');
    socket.send(message);
    expect((await ended)[0]).toBe(code);
    expect(run.reached).toEqual([]);
    await expect.poll(() => run.listeners.size).toBe(0);
  });

  it('takes no more calls at the same time than it is for', async () => {
    const held = Promise.withResolvers<void>();
    const line = await open({ calls: 3 }, () => held.promise);
    const first = [1, 2, 3].map(() => line.call('calls.list', {}));
    expect(await line.call('calls.list', {})).toMatchObject({ ok: false, error: { code: 'conflict' } });
    held.resolve();
    await Promise.all(first);
    expect(await line.call('calls.list', {})).toMatchObject({ ok: true });
  });

  it('gives each beat back, and ends where nothing comes any more, not even a pong', async () => {
    const line = await open({ heartbeatMs: 100 });
    let pings = 0;
    line.socket.on('ping', () => (pings += 1));
    await expect.poll(() => pings, { timeout: 30_000 }).toBeGreaterThan(3);
    line.socket.send('beat');
    await expect.poll(() => line.heard).toEqual(['beat']);
    expect(run.listeners.size).toBe(1);
    // It neither reads nor writes from here on.
    line.socket.pause();
    await expect.poll(() => run.listeners.size, { timeout: 30_000 }).toBe(0);
    line.socket.terminate();
  });
});
