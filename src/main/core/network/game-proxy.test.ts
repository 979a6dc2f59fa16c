import { once } from 'node:events';
import { request } from 'node:http';
import { connect as connectTls } from 'node:tls';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { makeCertificate, startHttpsServer, startTcpServer } from '../../../testing/https-server.ts';
import type { AddressVerdict } from '../host/host.ts';
import { startGameProxy, type GameProxy, type GameProxyEvent, mostConnections } from './game-proxy.ts';

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

const admitted: AddressVerdict = { ok: true, addresses: ['127.0.0.1'] };

async function open(judge: (url: string) => Promise<AddressVerdict> = () => Promise.resolve(admitted), timeoutMs = 5_000) {
  const events: GameProxyEvent[] = [];
  const judged: string[] = [];
  const proxy = await startGameProxy({
    judge(url) {
      judged.push(url);
      return judge(url);
    },
    onEvent: (event) => events.push(event),
    timeoutMs,
  });
  ended.push(proxy.close);
  return { proxy, events, judged };
}

const authorization = ({ username, password }: GameProxy) => `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

/** Asks for a tunnel, and gives the status with the open connection. */
function ask(proxy: GameProxy, target: string, credential: string | null = authorization(proxy)) {
  return new Promise<{ status: number; socket: Socket }>((resolve, reject) => {
    const headers = credential === null ? {} : { 'proxy-authorization': credential };
    request({ host: '127.0.0.1', port: proxy.port, method: 'CONNECT', path: target, headers })
      .once('connect', ({ statusCode }, socket) => resolve({ status: statusCode ?? 0, socket }))
      .once('error', reject)
      .end();
  });
}

function get(socket: Socket, servername: string, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const tls = connectTls({ socket, servername, ca }, () =>
      tls.write(`GET / HTTP/1.1\r\nhost: ${servername}\r\nconnection: close\r\n\r\n`),
    );
    let text = '';
    tls.on('data', (chunk: Buffer) => (text += chunk.toString()));
    tls.once('end', () => resolve(text)).once('error', reject);
  });
}

const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()).resume());

describe('the proxy of a game', () => {
  it('connects to the address that was judged, whatever the name says then, and judges once', async () => {
    const certificate = await makeCertificate({ hosts: ['game.example'] });
    const server = await startHttpsServer((_seen, response) => void response.end('the game'), { certificate });
    ended.push(server.close);
    const { port } = new URL(server.baseUrl);
    const { proxy, events, judged } = await open();
    const { status, socket } = await ask(proxy, `game.example:${port}`);
    expect(status).toBe(200);
    expect(await get(socket, 'game.example', server.ca)).toContain('the game');
    expect(judged).toEqual([`https://game.example:${port}/`]);
    expect(events).toEqual([
      {
        type: 'tunnel',
        url: `https://game.example:${port}/`,
        address: '127.0.0.1',
        judgeMs: expect.any(Number),
        connectMs: expect.any(Number),
      },
    ]);
  });

  it('answers nobody without its own credentials, and tells nothing of them', async () => {
    const { proxy, events, judged } = await open();
    const other = await open();
    for (const credential of [null, 'Basic AAAA', 'Bearer x', authorization(other.proxy)]) {
      const { status, socket } = await ask(proxy, 'game.example:443', credential);
      expect(status).toBe(407);
      await closed(socket);
    }
    const plain = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port: proxy.port, path: 'http://game.example/' }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      sent.once('error', reject).end();
    });
    expect(plain).toBe(407);
    expect({ events, judged }).toEqual({ events: [], judged: [] });
  });

  it('refuses what the policy refuses, in its words', async () => {
    const { proxy, events } = await open(() =>
      Promise.resolve({ ok: false, local: true, message: 'It is an address of this computer.' }),
    );
    const { status, socket } = await ask(proxy, '[::ffff:127.0.0.1]:8443');
    expect(status).toBe(403);
    await closed(socket);
    expect(events).toEqual([
      { type: 'refused', url: 'https://[::ffff:7f00:1]:8443/', local: true, message: 'It is an address of this computer.' },
    ]);
  });

  it.each([
    '',
    '/',
    '\\',
    'game.example',
    'game.example:443/path',
    'game.example:443?q',
    'game.example:443#h',
    'game.example:443\\@127.0.0.1',
    'user@game.example:443',
    ':secret@game.example:443',
    'game.example:0',
    'game.example:99999',
    'game%2eexample:443',
    '[fe80::1%25eth0]:443',
    '[::1:443',
  ])('judges no target that is not a host with a port: %j', async (target) => {
    const { proxy, judged } = await open();
    const socket = connect(proxy.port, '127.0.0.1');
    const said = new Promise<string>((resolve) => socket.once('data', (chunk: Buffer) => resolve(chunk.toString())));
    socket.write(`CONNECT ${target} HTTP/1.1\r\nhost: x\r\nproxy-authorization: ${authorization(proxy)}\r\n\r\n`);
    expect(await said).toMatch(/^HTTP\/1\.1 400 /);
    await closed(socket);
    expect(judged).toEqual([]);
  });

  it('lets nothing through that is not TLS, and nothing of it reaches the server', async () => {
    const received: Buffer[] = [];
    const server = createServer(
      (socket) => void socket.on('data', (chunk: Buffer) => received.push(chunk)).on('error', () => undefined),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ended.push(() => server.close());
    const { proxy, events } = await open();
    const { status, socket } = await ask(proxy, `game.example:${(server.address() as AddressInfo).port}`);
    expect(status).toBe(200);
    socket.write('GET / HTTP/1.1\r\n\r\n');
    await closed(socket);
    expect(received).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: 'refused', message: 'It is not encrypted.' });
  });

  it('gives up a name server and a server that never answer, and tells which', async () => {
    const silent = await open(() => new Promise(() => undefined), 20);
    expect((await ask(silent.proxy, 'game.example:443')).status).toBe(504);
    expect(silent.events).toMatchObject([{ type: 'failed', message: expect.stringContaining('lookup took longer') }]);
    const away = await open();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    expect((await ask(away.proxy, `game.example:${port}`)).status).toBe(502);
    expect(away.events).toMatchObject([{ type: 'failed', message: expect.stringContaining('ECONNREFUSED') }]);
  });

  it('tells of a judgement that failed, and connects to nothing', async () => {
    const { proxy, events } = await open(() => Promise.reject(new Error('no such environment')));
    expect((await ask(proxy, 'game.example:443')).status).toBe(502);
    expect(events).toMatchObject([
      { type: 'failed', url: 'https://game.example/', message: expect.stringContaining('could not be checked') },
    ]);
  });

  it('closes on whoever has no credentials, also where that one keeps its side open', async () => {
    const { proxy } = await open(undefined, 50);
    const socket = connect({ port: proxy.port, host: '127.0.0.1', allowHalfOpen: true });
    const gone = closed(socket);
    socket.on('error', () => undefined);
    socket.write('CONNECT game.example:443 HTTP/1.1\r\nhost: game.example\r\n\r\n');
    await expect.poll(() => proxy.connections).toBe(1);
    await expect.poll(() => proxy.connections).toBe(0);
    socket.destroy();
    await gone;
  });

  it('closes on whoever never asks, or never ends asking', async () => {
    const { proxy } = await open(undefined, 50);
    for (const beginning of ['', 'CONNECT game.example:443 HTTP/1.1\r\nhost: g']) {
      const socket = connect(proxy.port, '127.0.0.1');
      socket.write(beginning);
      await closed(socket);
    }
    expect(proxy.connections).toBe(0);
  });

  it('ends a tunnel through which nothing is said, and its connection to the server', async () => {
    const ends: Promise<void>[] = [];
    const server = await startTcpServer((socket) => void ends.push(closed(socket)));
    ended.push(server.close);
    const { proxy } = await open(undefined, 200);
    const { status, socket } = await ask(proxy, `game.example:${server.port}`);
    expect(status).toBe(200);
    await closed(socket);
    await Promise.all(ends);
    expect(ends).toHaveLength(1);
  });

  it('ends a tunnel whose server went before anything was said', async () => {
    const server = await startTcpServer((socket) => void socket.end());
    ended.push(server.close);
    const { proxy } = await open();
    const { socket } = await ask(proxy, `game.example:${server.port}`);
    await closed(socket);
  });

  /** One after the other: of more than the system's queue holds, it drops some silently. */
  async function idle({ port }: GameProxy, count: number): Promise<Socket[]> {
    const sockets: Socket[] = [];
    while (sockets.length < count) {
      const socket = connect(port, '127.0.0.1')
        .on('error', () => undefined)
        .resume();
      sockets.push(socket);
      await once(socket, 'connect');
    }
    ended.push(() => sockets.forEach((socket) => socket.destroy()));
    return sockets;
  }

  it('holds no more than so many connections at once, and lets the oldest go', async () => {
    const { proxy } = await open(undefined, 60_000);
    const sockets = await idle(proxy, mostConnections + 1);
    await Promise.race(sockets.map(closed));
    expect(sockets.map(({ destroyed }) => destroyed).lastIndexOf(true)).toBe(0);
  });

  it('has a place for its game whoever else holds on, and keeps it', async () => {
    const server = await startTcpServer(() => undefined);
    ended.push(server.close);
    const { proxy } = await open(undefined, 60_000);
    const before = await ask(proxy, `game.example:${server.port}`);
    const sockets = await idle(proxy, mostConnections);
    sockets[5]?.write('CONNECT game.example:443 HTTP/1.1\r\nhost: g');
    const during = await ask(proxy, `game.example:${server.port}`);
    await idle(proxy, 10);
    const after = await ask(proxy, `game.example:${server.port}`);
    expect([before, during, after].map(({ status, socket }) => [status, socket.destroyed])).toEqual(Array(3).fill([200, false]));
    // Of those without credentials the first ones went, also one that had begun to ask.
    for (const socket of sockets.slice(0, 11)) if (!socket.destroyed) await closed(socket);
    expect(sockets.slice(11).filter(({ destroyed }) => destroyed)).toEqual([]);
  });

  it('refuses its game, too, what is more than any game needs', async () => {
    const { proxy, judged } = await open(() => new Promise(() => undefined), 60_000);
    for (let count = 0; count < mostConnections; count++) {
      const socket = connect(proxy.port, '127.0.0.1').on('error', () => undefined);
      ended.push(() => socket.destroy());
      await once(socket, 'connect');
      socket.write(`CONNECT game.example:443 HTTP/1.1\r\nhost: x\r\nproxy-authorization: ${authorization(proxy)}\r\n\r\n`);
    }
    await expect.poll(() => judged.length, { timeout: 30_000 }).toBe(mostConnections);
    expect((await ask(proxy, 'game.example:443')).status).toBe(503);
  });

  it('ends every connection when it closes, the open tunnels too', async () => {
    const server = await startHttpsServer((_seen, response) => void response.writeHead(200).write('forever'));
    ended.push(server.close);
    const { proxy } = await open();
    const { socket } = await ask(proxy, new URL(server.baseUrl).host);
    const gone = closed(socket);
    await proxy.close();
    await gone;
    await expect(ask(proxy, 'game.example:443')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
