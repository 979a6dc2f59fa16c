import { afterEach, describe, expect, it } from 'vitest';
import { besiege, hostileKinds } from '#testing/hostile-sockets.ts';
import { ask, json, openLine, own, sessionSecret, startRecorded, handshake, type Recorded } from '#testing/loopback-driver.ts';

// Real sockets; each limit a fraction of the usual one, and long enough for a machine that is busy.
const limits = {
  pollMs: 50,
  headersMs: 1_000,
  bodyMs: 2_000,
  strangerMs: 1_000,
  stillMs: 1_000,
  idleMs: 500,
  halfClosedMs: 100,
  heartbeatMs: 500,
};
const patience = { timeout: 30_000 };
const large = '/assets/large.js';

let run: Recorded;
const lifts: (() => void)[] = [];
afterEach(async () => {
  for (const lift of lifts.splice(0)) lift();
  await run.server.close();
});

const portOf = ({ server }: Recorded) => Number(new URL(server.origin).port);
const besieged = async (kind: (typeof hostileKinds)[number], count: number) =>
  void lifts.push(await besiege({ port: portOf(run), path: large, dripMs: 50 }, kind, count));

async function callOf(session: string): Promise<number> {
  const headers = { ...own(run.server), ...json, 'x-croupier-session': session };
  return (await ask(run.server, { method: 'POST', path: '/call', headers, body: '{"name":"app.info","input":{}}' })).status;
}

/** The session's line: what it brought so far. */
async function listen(session: string) {
  const { socket, heard } = await openLine(run.server, session);
  lifts.push(() => socket.terminate());
  return () => heard.join('\n');
}

function tell(payload: unknown): void {
  for (const listener of run.listeners) listener('calls.changed', payload);
}

describe('connections that hold on', () => {
  it('of every kind, 100 of each at once, keep nobody out and are all dropped', async () => {
    run = await startRecorded(limits);
    const session = await sessionSecret(run);
    const heard = await listen(session);
    // What is not read fills the system's buffers, megabytes for each: of these there are fewer.
    await Promise.all(hostileKinds.map((kind) => besieged(kind, kind.read === undefined ? 100 : 20)));
    expect(await callOf(session)).toBe(200);
    // The session's line is all that stays.
    await expect.poll(() => run.server.connections, patience).toBe(1);
    expect(await callOf(session)).toBe(200);
    tell({ id: 5 });
    await expect.poll(heard, patience).toContain('{"id":5}');
  });

  it('are never more than there is room for: the newcomer is served, and who proved its session stays', async () => {
    run = await startRecorded({ ...limits, headersMs: 600_000, bodyMs: 600_000, strangers: 50 });
    const session = await sessionSecret(run);
    const heard = await listen(session);
    const [silent] = hostileKinds;
    for (let round = 0; round < 2; round += 1) {
      if (silent !== undefined) await besieged(silent, 100);
      expect(await callOf(session)).toBe(200);
      expect(run.server.connections).toBeLessThanOrEqual(52);
    }
    tell({ id: 6 });
    await expect.poll(heard, patience).toContain('{"id":6}');
  });

  it('a page that reads no events is released, and holds no more than its queue', async () => {
    run = await startRecorded(limits);
    const session = await sessionSecret(run);
    const kind = {
      name: 'events that are not read',
      parts: (authority: string) =>
        [
          `GET /line HTTP/1.1\r\nHost: ${authority}\r\nOrigin: http://${authority}\r\n${Object.entries(handshake(session))
            .map(([name, value]) => `${name}: ${value}\r\n`)
            .join('')}\r\n`,
        ] as [string],
      read: 'never' as const,
    };
    await besieged(kind, 1);
    await expect.poll(() => run.listeners.size, patience).toBe(1);
    const payload = 'x'.repeat(1_048_576);
    let told = 0;
    // What the system's buffers take, and eight more for the queue.
    while (run.listeners.size > 0 && told < 100) {
      tell(payload);
      told += 1;
    }
    await expect.poll(() => run.listeners.size, patience).toBe(0);
    expect(told).toBeLessThan(30);
    // One that reads nothing and is told little is released by the time.
    await besieged(kind, 1);
    await expect.poll(() => run.listeners.size, patience).toBe(1);
    for (let index = 0; index < 7; index += 1) tell(payload);
    await expect.poll(() => run.listeners.size, patience).toBe(0);
  });

  it('a call that takes long is not one of them', async () => {
    const answer = Promise.withResolvers<void>();
    run = await startRecorded(limits, () => answer.promise);
    const session = await sessionSecret(run);
    const called = callOf(session);
    await expect.poll(() => run.reached.length, patience).toBe(1);
    const [silent] = hostileKinds;
    // By then it has taken longer than every limit of those who have no session.
    for (let round = 0; round < 2; round += 1) {
      if (silent !== undefined) await besieged(silent, 20);
      await expect.poll(() => run.server.connections, patience).toBe(1);
    }
    answer.resolve();
    expect(await called).toBe(200);
  });
});
