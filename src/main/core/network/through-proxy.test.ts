import { request } from 'node:http';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, expect, it } from 'vitest';
import { Environment } from '#shared/ipc/index.ts';
import { startConnectProxy } from '#testing/connect-proxy.ts';
import { makeCertificate, startHttpsServer } from '#testing/https-server.ts';
import { createAddressPolicy } from './address-policy.ts';
import { startGameProxy, type GameProxyEvent } from './game-proxy.ts';
import { createGuardedGet } from './guarded-get.ts';
import { createProxies } from './proxies.ts';

const ended: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of ended.splice(0).reverse()) await one.close();
});

function keep<T extends { close(): Promise<unknown> }>(one: T): T {
  ended.push(one);
  return one;
}

const names: Readonly<Record<string, readonly string[]>> = {
  'public.test': ['93.184.216.34'],
  'rebound.test': ['93.184.216.34', '10.0.0.7'],
};
const resolve = async (host: string) => names[host] ?? Promise.reject(new Error('ENOTFOUND'));

/** A server of several names behind a proxy. */
async function behindProxy(refuses?: string) {
  const certificate = await makeCertificate({ hosts: ['public.test', 'unknown.test', 'rebound.test', '93.184.216.34'] });
  const server = keep(await startHttpsServer((_seen, response) => void response.end('the game'), { certificate }));
  const proxy = keep(await startConnectProxy({ leadsTo: () => server.port, ...(refuses === undefined ? {} : { refuses }) }));
  const proxies = createProxies({
    authorities: async () => [],
    pac: async () => ({ problem: 'No script was expected.' }),
    system: null,
    env: { HTTPS_PROXY: proxy.address },
    sign: async () => null,
  });
  return { ca: certificate.ca, proxy, wayTo: (url: URL) => proxies.wayTo('system', url) };
}

it('a game goes through the proxy, by what is known here of its addresses', async () => {
  const { ca, proxy, wayTo } = await behindProxy();
  const events: GameProxyEvent[] = [];
  const judge = createAddressPolicy({ resolve, ownOrigins: () => [], schemes: ['https:', 'wss:'], wayTo });
  const own = keep(await startGameProxy({ judge, onEvent: (event) => events.push(event) }));
  const authorization = `Basic ${Buffer.from(`${own.username}:${own.password}`).toString('base64')}`;
  const open = (path: string) =>
    new Promise<{ status: number; socket: Socket }>((opened, failed) => {
      request({ host: '127.0.0.1', port: own.port, method: 'CONNECT', path, headers: { 'proxy-authorization': authorization } })
        .once('connect', ({ statusCode = 0 }, socket) => opened({ status: statusCode, socket }))
        .once('error', failed)
        .end();
    });
  const get = async (host: string) => {
    const { socket } = await open(`${host}:443`);
    return new Promise<string>((read, failed) => {
      let text = '';
      const tls = connectTls({ socket, servername: host, ca }, () =>
        tls.write(`GET / HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`),
      );
      tls.on('data', (chunk: Buffer) => (text += chunk.toString())).once('error', failed);
      tls.once('end', () => read(text));
    });
  };
  expect(await get('public.test')).toContain('the game');
  // Only the proxy can look it up.
  expect(await get('unknown.test')).toContain('the game');
  for (const [target, message] of [
    ['rebound.test:443', 'rebound.test resolves to 10.0.0.7, an address on a private network.'],
    ['10.0.0.8:443', '10.0.0.8 is an address on a private network.'],
    ['intranet:443', 'intranet is a name on the local network.'],
  ] as const) {
    const { status, socket } = await open(target);
    socket.destroy();
    expect(status).toBe(403);
    expect(events.at(-1)).toMatchObject({ type: 'refused', local: true, message: expect.stringContaining(message) });
  }
  expect(proxy.asked.map(({ target }) => target)).toEqual(['public.test:443', 'unknown.test:443']);
});

it('a game whose proxy refuses says so', async () => {
  const { proxy, wayTo } = await behindProxy('403 Forbidden');
  const events: GameProxyEvent[] = [];
  const judge = createAddressPolicy({ resolve, ownOrigins: () => [], schemes: ['https:'], wayTo });
  const own = keep(await startGameProxy({ judge, onEvent: (event) => events.push(event) }));
  const headers = { 'proxy-authorization': `Basic ${Buffer.from(`${own.username}:${own.password}`).toString('base64')}` };
  const status = await new Promise((opened) => {
    request({ host: '127.0.0.1', port: own.port, method: 'CONNECT', path: 'public.test:443', headers })
      .once('connect', ({ statusCode }, socket) => {
        socket.destroy();
        opened(statusCode);
      })
      .end();
  });
  expect(status).toBe(502);
  expect(events).toMatchObject([
    { type: 'failed', message: `The proxy ${proxy.address} refuses to connect to public.test:443 (HTTP 403).` },
  ]);
});

it('a picture whose list of ways ends without a proxy comes only from judged addresses', async () => {
  const proxies = createProxies({
    authorities: async () => [],
    pac: async () => ({ answer: 'PROXY localhost:1; DIRECT' }),
    system: null,
    env: {},
    sign: async () => null,
  });
  const get = keep(
    createGuardedGet({
      authorities: async () => [],
      resolve,
      kind: 'answer.picture',
      redirects: 0,
      timeoutMs: 5_000,
      accept: '*/*',
      wayTo: (_environment, url) => proxies.wayTo('pac+http://wpad.test/', url),
    }),
  );
  const environment = Environment.parse({ id: 'e', name: 'e', baseUrl: 'https://api.test', platform: 1, partnerId: 1 });
  expect(await get.get(environment, 'https://unknown.test/a.png', new AbortController().signal)).toEqual({
    ok: false,
    message: 'It could not be loaded: The name unknown.test does not resolve.',
  });
});

it('a picture goes through the proxy, by what is known here of its addresses', async () => {
  const { ca, proxy, wayTo } = await behindProxy();
  const get = keep(
    createGuardedGet({
      authorities: async () => [],
      resolve,
      kind: 'answer.picture',
      redirects: 3,
      timeoutMs: 5_000,
      accept: '*/*',
      wayTo: (_environment, url) => wayTo(url),
    }),
  );
  const environment = Environment.parse({ id: 'e', name: 'e', baseUrl: 'https://api.test', ca, platform: 1, partnerId: 1 });
  const load = (url: string) => get.get(environment, url, new AbortController().signal);
  for (const host of ['public.test', 'unknown.test'])
    expect(await load(`https://${host}/a.png`), host).toMatchObject({ ok: true });
  expect(await load('https://rebound.test/a.png')).toEqual({
    ok: false,
    message: expect.stringContaining('The name rebound.test resolves to an address on a private network.'),
  });
  expect(proxy.asked.map(({ target }) => target)).toEqual(['public.test:443', 'unknown.test:443']);
});
