import { once } from 'node:events';
import { request } from 'node:https';
import type { Socket } from 'node:net';
import { connect } from 'node:tls';
import { afterEach, expect, it } from 'vitest';
import { besiege, hostileKinds } from '#testing/hostile-sockets.ts';
import { makeCertificate } from '#testing/https-server.ts';
import { byConnection, byRequest, listen, type Listening } from './listener.ts';

const limits = {
  pollMs: 50,
  headersMs: 1_000,
  bodyMs: 1_000,
  strangerMs: 1_000,
  stillMs: 1_000,
  idleMs: 1_000,
  halfClosedMs: 100,
};
const patience = { timeout: 30_000 };

let listening: Listening;
const lifts: (() => void)[] = [];
afterEach(async () => {
  for (const lift of lifts.splice(0)) lift();
  await listening.close();
});

async function start(more: { strangers?: number; headersMs?: number; bodyMs?: number }): Promise<string> {
  const certificate = { ...(await makeCertificate()), name: 'test' };
  listening = await listen(
    0,
    certificate,
    byRequest((asked, response) => asked.resume().once('end', () => response.end('ok'))),
    {
      ...limits,
      ...more,
    },
  );
  return certificate.ca;
}

function statusOf(ca: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request({ port: listening.port, host: 'localhost', method: 'POST', ca, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.on('error', reject);
    asked.end('{}');
  });
}

it('connections of every kind that hold on to the built-in provider keep nobody out and are all dropped', async () => {
  const ca = await start({});
  for (const tls of [false, true]) {
    const kinds = hostileKinds.filter(({ read }) => read === undefined).slice(0, tls ? undefined : 1);
    const target = { port: listening.port, path: '/', dripMs: 50, tls };
    await Promise.all(kinds.map(async (kind) => lifts.push(await besiege(target, kind, tls ? 20 : 100))));
  }
  expect(await statusOf(ca)).toBe(200);
  await expect.poll(() => listening.connections, patience).toBe(0);
});

it('a newcomer is served by the built-in provider, however many are there already', async () => {
  const ca = await start({ strangers: 20, headersMs: 600_000, bodyMs: 600_000 });
  const [silent] = hostileKinds;
  if (silent === undefined) throw new Error('No kind');
  for (const tls of [false, true]) {
    lifts.push(await besiege({ port: listening.port, path: '/', dripMs: 50, tls }, silent, 60));
    expect(await statusOf(ca)).toBe(200);
    expect(listening.connections).toBeLessThanOrEqual(21);
  }
});

it('a connection that is held keeps its request without a response, and no other does', async () => {
  const certificate = { ...(await makeCertificate()), name: 'test' };
  const asked: Socket[] = [];
  listening = await listen(
    0,
    certificate,
    byRequest(({ socket }) => void asked.push(socket)),
    { ...limits, strangerMs: 200 },
  );
  const [held, other] = await Promise.all([openAndAsk(certificate.ca), openAndAsk(certificate.ca)]);
  await expect.poll(() => asked.length).toBe(2);
  const kept = asked.find(({ remotePort }) => remotePort === held.localPort);
  if (kept === undefined) throw new Error('It did not arrive.');
  listening.hold(kept);
  await once(other, 'close');
  // Longer than the other one was kept.
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect([held.closed, listening.connections]).toEqual([false, 1]);
  held.destroy();
  await expect.poll(() => listening.connections).toBe(0);
});

async function openAndAsk(ca: string): Promise<Socket> {
  const socket = connect({ port: listening.port, host: 'localhost', ca });
  lifts.push(() => socket.destroy());
  await once(socket, 'secureConnect');
  socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
  return socket;
}

/** Suspends the process as its timers see it: time has passed, and nothing was read. */
function standStill(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

it('a process that was suspended drops nobody who waits for a response, and reads what came on a quiet connection', async () => {
  const certificate = { ...(await makeCertificate()), name: 'test' };
  let suspensions = 1;
  listening = await listen(
    0,
    certificate,
    byRequest((asked, response) => {
      asked.resume().once('end', () => {
        if (suspensions-- <= 0) return void response.end('ok');
        standStill(600);
        // Its timers have their turn before the response leaves.
        setTimeout(() => response.end('ok'), 2 * limits.pollMs);
      });
    }),
    { ...limits, strangerMs: 500, idleMs: 100, stillMs: 500 },
  );
  const socket = connect({ port: listening.port, host: 'localhost', ca: certificate.ca });
  lifts.push(() => socket.destroy());
  await once(socket, 'secureConnect');
  const ask = async () => {
    socket.write('POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\n{}');
    // It is on its way when the process stands still for longer than Node keeps a quiet connection, which is a second more than it is told.
    if (suspensions === 0) standStill(1_300);
    const [response] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [Buffer | false];
    return String(response).split('\r\n')[0];
  };
  expect(await ask()).toBe('HTTP/1.1 200 OK');
  // Until the server, in this same process, has done with the first one.
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(await ask()).toBe('HTTP/1.1 200 OK');
});

it('whoever connects has the certificate looked at, who names no host too', async () => {
  const certificate = { ...(await makeCertificate()), name: 'test' };
  let asked = 0;
  const renew = () => ((asked += 1), null);
  listening = await listen(
    0,
    { ...certificate, renew },
    byRequest((_, response) => response.end('ok')),
    limits,
  );
  const socket = connect({ port: listening.port, host: '127.0.0.1', rejectUnauthorized: false });
  lifts.push(() => socket.destroy());
  await once(socket, 'secureConnect');
  expect(asked).toBeGreaterThan(0);
});

it('gives a connection away with its bytes as they come', async () => {
  const certificate = { ...(await makeCertificate()), name: 'test' };
  const serve = byConnection((socket) => void socket.on('data', (bytes: Buffer) => socket.end(bytes)));
  listening = await listen(0, certificate, serve, limits, { address: '127.0.0.1' });
  const socket = connect({ port: listening.port, host: '127.0.0.1', servername: 'localhost', ca: certificate.ca });
  lifts.push(() => socket.destroy());
  socket.write('not HTTP \u0000\n');
  const [came] = (await once(socket, 'data')) as [Buffer];
  expect(came.toString()).toBe('not HTTP \u0000\n');
});
