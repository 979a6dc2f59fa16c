import { createServer, type Server } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { startConnectProxy } from '#testing/connect-proxy.ts';
import { makeCertificate, startHttpsServer } from '#testing/https-server.ts';
import { createProxyLogin } from '../network/proxy-login.ts';
import { createProxy } from '../network/tunnel.ts';
import { askBare, reachOrigin } from './reach-origin.ts';

const ended: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

const none = async () => [];

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ended.push(() => new Promise((resolve) => server.close(resolve)));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

it('says that a certificate comes from an authority that nobody knows, and asks for nothing', async () => {
  const asked: string[] = [];
  const server = await startHttpsServer(({ request }) => void asked.push(request.url ?? ''));
  ended.push(() => server.close());
  expect(await reachOrigin(server.baseUrl, { ok: true, addresses: ['127.0.0.1'] }, none)).toEqual({
    outcome: 'untrusted',
    reason: "comes from an authority that this machine doesn't know",
  });
  // An authority of this computer, which a browser of this computer trusts, too.
  const known = await reachOrigin(server.baseUrl, { ok: true, addresses: ['127.0.0.1'] }, async () => [
    { pem: server.ca, from: 'system' },
  ]);
  expect(known).toEqual({ outcome: 'reached' });
  const { cert: pem } = await makeCertificate({ selfSigned: true, authority: true });
  const other = async () => [{ pem, from: 'system' }] as const;
  expect(await reachOrigin(server.baseUrl, { ok: true, addresses: ['127.0.0.1'] }, other)).toMatchObject({
    outcome: 'untrusted',
  });
  expect(asked).toEqual([]);
});

it('says that nobody listens, and that a server does not speak TLS', async () => {
  const port = await listen(createServer());
  await ended.pop()?.();
  expect(await reachOrigin(`https://localhost:${port}`, { ok: true, addresses: ['127.0.0.1'] }, none)).toEqual({
    outcome: 'unreached',
    reason: 'ECONNREFUSED',
  });
  const plain = await listen(createServer((socket) => socket.resume().end('HTTP/1.1 400 Bad Request\r\n\r\n')));
  expect(await reachOrigin(`https://localhost:${plain}`, { ok: true, addresses: ['127.0.0.1'] }, none)).toMatchObject({
    outcome: 'unreached',
  });
});

it('asks for the address of a page without its parameters, and for its headers alone', async () => {
  const asked: string[] = [];
  const server = await startHttpsServer(({ request }, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(request.method === 'HEAD' ? 405 : 200, { 'X-Frame-Options': 'DENY' }).end('a page');
  });
  ended.push(() => server.close());
  const answer = await askBare(
    `${server.baseUrl}/game/lucky?externalToken=secret#top`,
    { ok: true, addresses: ['127.0.0.1'] },
    server.ca,
  );
  expect(answer?.status).toBe(200);
  expect(answer?.headers).toContainEqual(['X-Frame-Options', 'DENY']);
  expect(asked).toEqual(['HEAD /game/lucky', 'GET /game/lucky']);
  // Nobody vouches for its certificate.
  expect(await askBare(server.baseUrl, { ok: true, addresses: ['127.0.0.1'] }, '')).toBeNull();
});

it('goes through the proxy of its verdict, whose failure is the reason', async () => {
  const server = await startHttpsServer((_, response) => void response.end('a page'));
  const proxy = await startConnectProxy({ login: 'jane:s3cret' });
  ended.push(server.close, proxy.close);
  const of = (login: string) =>
    createProxy(
      new URL(proxy.address),
      true,
      createProxyLogin(async () => login),
      none,
    );
  const through = (login: string) => ({ ok: true, addresses: ['127.0.0.1'], proxy: of(login) }) as const;
  const login = `Basic ${Buffer.from('jane:s3cret').toString('base64')}`;
  const known = async () => [{ pem: server.ca, from: 'system' }] as const;
  expect(await reachOrigin(server.baseUrl, through(login), known)).toEqual({ outcome: 'reached' });
  expect((await askBare(server.baseUrl, through(login), server.ca))?.status).toBe(200);
  expect(await reachOrigin(server.baseUrl, through('Basic x'), known)).toEqual({
    outcome: 'unreached',
    reason: `The proxy ${proxy.address} rejected the user name or password (HTTP 407)`,
  });
  expect(new Set(proxy.asked.map(({ target }) => target))).toEqual(new Set([`localhost:${server.port}`]));
});
