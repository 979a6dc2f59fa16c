import { Agent, createServer, request } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { keepPlaces } from './connection-limits.ts';

const limits = {
  pollMs: 20,
  headersMs: 60_000,
  bodyMs: 60_000,
  strangerMs: 60_000,
  stillMs: 60_000,
  idleMs: 60_000,
  halfClosedMs: 60_000,
  strangers: 10,
  known: 10,
};
const patience = { timeout: 30_000 };

afterEach(() => vi.restoreAllMocks());

it('connections are looked at while one of them asks, and wake nobody while all rest', async () => {
  const begun = vi.spyOn(globalThis, 'setInterval');
  const ended = vi.spyOn(globalThis, 'clearInterval');
  const held = Promise.withResolvers<void>();
  const server = createServer((_, response) => void held.promise.then(() => response.end()));
  const places = keepPlaces(server, limits);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const agent = new Agent({ keepAlive: true });
  const answered = new Promise((resolve) => {
    const asked = request({ agent, port: (server.address() as AddressInfo).port }, (response) =>
      response.resume().once('end', resolve),
    );
    expect(begun).not.toHaveBeenCalled();
    asked.end();
  });
  await expect.poll(() => begun.mock.calls.length, patience).toBe(1);
  expect(ended).not.toHaveBeenCalled();
  held.resolve();
  await answered;
  await expect.poll(() => ended.mock.calls.length, patience).toBe(1);
  expect(places.size).toBe(1);
  expect(begun).toHaveBeenCalledTimes(1);
  agent.destroy();
  await new Promise((resolve) => server.close(resolve));
});

it('a connection that has shown its session and is half closed, with what it asked for unread, is dropped all the same', async () => {
  const ended = vi.spyOn(globalThis, 'clearInterval');
  const server = createServer((asked, response) => {
    places.prove(asked.socket);
    response.end(Buffer.alloc(24 * 1_048_576));
  });
  const places = keepPlaces(server, { ...limits, halfClosedMs: 50 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
  client.on('error', () => undefined).pause();
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  // By now nobody looks at it.
  await expect.poll(() => ended.mock.calls.length, patience).toBe(1);
  expect(places.size).toBe(1);
  client.end();
  await expect.poll(() => places.size, patience).toBe(0);
  client.destroy();
  await new Promise((resolve) => server.close(resolve));
});
