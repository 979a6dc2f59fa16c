import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { Environment } from '#shared/ipc/index.ts';
import { startConnectProxy, type ConnectProxyOptions } from '#testing/connect-proxy.ts';
import { makeCertificate, startHttpsServer, startTcpServer, startTlsServer } from '#testing/https-server.ts';
import { createLocalSecrets } from '../keys/local-secrets.ts';
import { createConnections } from '../network/connections.ts';
import { createProxies } from '../network/proxies.ts';
import { createCancellation } from './cancellation.ts';
import { transmit } from './transmit.ts';

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const item of opened.splice(0).reverse()) await item.close();
});

function keep<T extends { close(): Promise<unknown> }>(item: T): T {
  opened.push(item);
  return item;
}

const host = 'api.provider.test';

/** Sends calls to a name that only a proxy can look up. */
async function through(
  options: ConnectProxyOptions & { url?: (address: string) => string; ca?: string; timeouts?: object } = {},
) {
  const certificate = await makeCertificate({ hosts: [host] });
  const received: { headers: string[]; body: string }[] = [];
  const server = keep(
    await startHttpsServer(
      ({ request, body }, response) => {
        received.push({ headers: request.rawHeaders, body: body.toString() });
        response.end('{"code":0}');
      },
      { certificate },
    ),
  );
  const proxy = keep(await startConnectProxy({ leadsTo: () => server.port, ...options }));
  const address = options.url?.(proxy.address) ?? proxy.address;
  const secrets = createLocalSecrets();
  const proxies = createProxies({
    authorities: async () => [],
    pac: async () => ({ problem: 'No script was expected.' }),
    system: null,
    env: { HTTPS_PROXY: address },
    async sign(_proxy, question, given) {
      if (given === null) return null;
      await secrets.lend('proxy', given);
      return secrets.answer('proxy', '', question);
    },
  });
  const connections = keep(createConnections({ wayTo: (_environment, url) => proxies.wayTo('system', url) }));
  const environment = Environment.parse({
    id: 'test',
    name: 'test',
    baseUrl: `https://${host}`,
    platform: 1,
    partnerId: 42,
    ca: options.ca ?? certificate.ca,
    timeouts: { connect: 60_000, headers: 60_000, idle: 60_000, total: 60_000, ...options.timeouts },
  });
  const send = () =>
    transmit(
      connections,
      {
        environment,
        url: new URL(`https://${host}/serviceApi.php`),
        headers: [
          ['Host', host],
          ['X-Two', 'b'],
          ['content-length', '4'],
          ['x-one', 'a'],
        ],
        body: Buffer.from('"ä"'),
      },
      createCancellation(),
    );
  return { send, proxy, server, received, environment, address };
}

describe('a call through a proxy', () => {
  it('leaves byte for byte, looks up no name, and its times say where they went', async () => {
    const { send, proxy, received } = await through();
    const first = await send();
    expect(first.failure).toBeNull();
    expect(first.response?.body.toString()).toBe('{"code":0}');
    expect(received[0]).toEqual({ headers: ['Host', host, 'X-Two', 'b', 'content-length', '4', 'x-one', 'a'], body: '"ä"' });
    expect(first.timings).toMatchObject({
      dns: null,
      connect: expect.any(Number),
      tls: expect.any(Number),
      proxy: { address: proxy.address, ms: expect.any(Number) },
    });
    const { connect, tls, firstByte, download, total, proxy: reached } = first.timings ?? { total: 0 };
    const sum = [reached?.ms, connect, tls, firstByte, download].reduce<number>((all, one) => all + (one ?? 0), 0);
    expect(sum).toBeLessThanOrEqual(total + 0.01);

    // The tunnel carries the next one, too.
    const second = await send();
    expect(second.timings).toMatchObject({ reused: true, connect: null, proxy: { address: proxy.address, ms: null } });
    expect(proxy.asked).toEqual([{ target: `${host}:443`, authorization: null }]);
  });

  it('goes through a proxy that speaks TLS itself, and knows a truncated response there', async () => {
    const certificate = await makeCertificate();
    const { send } = await through({ certificate });
    expect((await send()).response?.status).toBe(200);

    const ends = await makeCertificate({ hosts: [host] });
    for (const [marked, message] of [
      [true, undefined],
      [false, /without a TLS close_notify/],
    ] as const) {
      const server = keep(
        await startTlsServer(
          (socket, raw) =>
            socket.once('data', () =>
              socket.write('HTTP/1.1 200 OK\r\n\r\n{"code":0}', () => (marked ? socket.end() : raw.end())),
            ),
          { certificate: ends },
        ),
      );
      for (const options of [{ certificate }, {}]) {
        const { send: again } = await through({ ...options, leadsTo: () => server.port });
        const { failure } = await again();
        if (message === undefined) expect(failure).toBeNull();
        else expect(failure?.message).toMatch(message);
      }
    }
  });

  it.each<[what: string, asks: string[], sent: RegExp]>([
    ['Basic', ['Basic realm="office"'], /^Basic /],
    ['Digest of old', ['Digest realm="a, \\"b\\"", nonce="n"'], /^Digest username="jane", realm="a, \\"b\\""/],
    [
      'Digest',
      ['Digest realm="office", qop="auth,auth-int", nonce="n", opaque="o=="'],
      /opaque="o==".*algorithm=MD5.*nc=00000001/,
    ],
    [
      'the best of several',
      ['Basic realm="x", Digest realm="x", qop="auth", nonce="n", algorithm=SHA-256', 'NTLM'],
      /^Digest .*algorithm=SHA-256/,
    ],
    ['a session', ['Digest realm="x", qop="auth", nonce="n", algorithm=MD5-sess'], /algorithm=MD5-sess/],
  ])('logs in by %s, and at once on the next connection', async (_what, asks, sent) => {
    // The judge of the test reads no quoted quotes.
    const realm = asks[0]?.includes('\\"') === true ? [asks[0].replaceAll('\\"', '')] : asks;
    const { send, proxy } = await through({
      login: 'jane:pa%3Ass',
      asks: realm,
      url: (address) => address.replace('//', '//jane:pa%253Ass@'),
    });
    const { failure, response } = await send();
    expect(failure).toBeNull();
    expect(response?.status).toBe(200);
    expect(proxy.asked.map(({ authorization }) => authorization)).toEqual([null, expect.stringMatching(/^(Basic|Digest) /)]);
    // A second connection beside the first is not asked.
    await Promise.all([send(), send()]);
    expect(proxy.asked.map(({ authorization }) => authorization === null)).toEqual([true, false, false]);
    if (realm === asks) expect(proxy.asked[1]?.authorization).toMatch(sent);
  });

  it.each<[what: string, options: Parameters<typeof through>[0], message: string, hint: string]>([
    [
      'wants a login that nobody has',
      { login: 'jane:s3cret' },
      'The proxy PROXY requires a user name and password (HTTP 407).',
      'Set its login. Nothing was sent to the provider.',
    ],
    [
      'rejects the login',
      { login: 'jane:s3cret', url: (address) => address.replace('//', '//jane:wr0ng@') },
      'The proxy PROXY rejected the user name or password (HTTP 407).',
      'Set its login again. Nothing was sent to the provider.',
    ],
    [
      'wants NTLM',
      { login: 'jane:s3cret', asks: ['NTLM', 'Negotiate'], url: (address) => address.replace('//', '//jane:s3cret@') },
      'The proxy PROXY requires a login by NTLM and Negotiate (HTTP 407).',
      'Croupier logs in by Basic and Digest only. Run a local helper such as cntlm or px, and name its address as the proxy. Nothing was sent to the provider.',
    ],
    [
      'refuses the host',
      { refuses: '403 Forbidden' },
      `The proxy PROXY refuses to connect to ${host}:443 (HTTP 403).`,
      'Ask whoever runs the proxy to allow this host and port. Nothing was sent to the provider.',
    ],
    [
      'cannot look up the name',
      { refuses: '502 Bad Gateway' },
      `The proxy PROXY could not reach ${host}:443 (HTTP 502).`,
      'Check the base URL. The proxy looks up the name itself. Nothing was sent to the provider.',
    ],
    [
      'answers something',
      { refuses: '418 teapot' },
      'The proxy PROXY opened no tunnel (HTTP 418).',
      'Ask whoever runs the proxy. Nothing was sent to the provider.',
    ],
    [
      'says nothing in time',
      { refuses: null, timeouts: { connect: 200 } },
      `The proxy PROXY did not connect to ${host} within 200 ms.`,
      'Nothing was sent. The limit is set in the environment.',
    ],
  ])('that %s fails with words about it', async (_what, options, message, hint) => {
    const { send, proxy, received } = await through(options);
    const { failure, timings } = await send();
    expect(failure?.message).toBe(message.replace('PROXY', proxy.address));
    expect(failure?.hint).toBe(hint);
    expect(failure).toMatchObject({ phase: 'proxy', proxy: proxy.address });
    expect(timings?.proxy?.address).toBe(proxy.address);
    expect(received).toEqual([]);
    expect(JSON.stringify(failure)).not.toMatch(/s3cret|wr0ng/);
  });

  it('that is not there, not known, or no proxy fails with words about it', async () => {
    const gone = createServer();
    gone.listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address() as { port: number };
    gone.close();
    const fault = async (url: string) => (await (await through({ url: () => url })).send()).failure;
    expect(await fault(`http://127.0.0.1:${port}`)).toMatchObject({
      message: `The proxy http://127.0.0.1:${port} refused the connection (ECONNREFUSED).`,
      hint: "Check the VPN and the proxy's address. Nothing was sent to the provider.",
    });
    expect((await fault('http://proxy.invalid:8080'))?.message).toMatch(
      /^The proxy http:\/\/proxy\.invalid:8080 could not be looked up \(E/,
    );
    expect(await fault('socks5://127.0.0.1')).toMatchObject({
      kind: 'proxy',
      message: expect.stringContaining('socks5:// proxy'),
    });
    const closes = keep(await startTcpServer((socket) => socket.end()));
    expect((await fault(`http://localhost:${closes.port}`))?.message).toMatch(/closed the connection \(ECONNRESET\)\.$/);
    const other = keep(await startTcpServer((socket) => socket.write('SSH-2.0-OpenSSH_9.9\r\n')));
    expect((await fault(`http://localhost:${other.port}`))?.message).toMatch(/did not answer as an HTTP proxy does\.$/);
    const secure = keep(await startHttpsServer(() => undefined));
    expect((await fault(secure.baseUrl))?.message).toMatch(/opened no tunnel|closed the connection/);
    const self = await makeCertificate({ selfSigned: true });
    const strange = keep(await startConnectProxy({ certificate: self }));
    expect((await fault(strange.address))?.message).toMatch(
      /^The TLS connection to the proxy https:\S+ failed \(DEPTH_ZERO_SELF_SIGNED_CERT\)\.$/,
    );
  });

  it('that inspects TLS with its own authority is refused, and named', async () => {
    const authority = await makeCertificate({ selfSigned: true, hosts: ['Office inspection'], authority: true });
    const inspected = await makeCertificate({ hosts: [host], issuer: authority });
    const inspector = keep(
      await startHttpsServer((_seen, response) => void response.end('{"code":0}'), { certificate: inspected }),
    );
    const { send, proxy, received } = await through({ leadsTo: () => inspector.port, ca: '' });
    const { failure } = await send();
    expect(failure).toMatchObject({ kind: 'tls', untrusted: true, proxy: proxy.address });
    expect(failure?.hint).toMatch(
      new RegExp(
        `^The call went through the proxy ${proxy.address}\\. Check whether your company inspects TLS\\. If you trust it, .*Nothing was sent\\.$`,
      ),
    );
    expect(received).toEqual([]);
    // With that authority in the environment, it is let through.
    const trusted = await through({ leadsTo: () => inspector.port, ca: authority.cert });
    expect((await trusted.send()).response?.status).toBe(200);
  });

  describe('by a list of a script', () => {
    const dead = async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      await new Promise((closed) => server.close(closed));
      return `PROXY localhost:${port}`;
    };
    async function byList(...ways: readonly string[]) {
      const server = keep(await startHttpsServer((_seen, response) => void response.end('{"code":0}')));
      const proxies = createProxies({
        authorities: async () => [],
        pac: async () => ({ answer: ways.join('; ') }),
        system: null,
        env: {},
        sign: async () => null,
      });
      const connections = keep(createConnections({ wayTo: (_environment, url) => proxies.wayTo('pac+http://wpad.test/', url) }));
      const { baseUrl, ca } = server;
      const environment = Environment.parse({ id: 'test', name: 'test', baseUrl, platform: 1, partnerId: 42, ca });
      const url = new URL(baseUrl);
      const headers: [string, string][] = [
        ['host', url.host],
        ['connection', 'close'],
      ];
      return () => transmit(connections, { environment, url, headers, body: Buffer.alloc(0) }, createCancellation());
    }

    it('goes through the next one if one cannot be reached, and says through which', async () => {
      const proxy = keep(await startConnectProxy());
      const send = await byList(await dead(), 'SOCKS localhost:1', proxy.address.replace('http://', 'PROXY '), 'DIRECT');
      for (const times of [1, 2]) {
        expect(await send()).toMatchObject({ failure: null, timings: { proxy: { address: proxy.address } } });
        expect(proxy.asked).toHaveLength(times);
      }
    });

    it('goes without a proxy if the list ends so', async () => {
      const sent = await (await byList(await dead(), 'DIRECT'))();
      expect(sent).toMatchObject({ failure: null, response: { status: 200 } });
      expect(sent.timings).not.toHaveProperty('proxy');
    });

    it('does not ask another one for what one refused', async () => {
      const refuses = keep(await startConnectProxy({ refuses: '403 Forbidden' }));
      const other = keep(await startConnectProxy());
      const send = await byList(...[refuses, other].map(({ address }) => address.replace('http://', 'PROXY ')));
      expect((await send()).failure).toMatchObject({
        proxy: refuses.address,
        message: expect.stringContaining(`The proxy ${refuses.address} refuses to connect`) as string,
      });
      expect(other.asked).toEqual([]);
    });

    it('names the last one if none can be reached, and tries all of them again', async () => {
      const [first, last] = [await dead(), await dead()];
      const send = await byList(first, last);
      for (const one of [last, last]) {
        const proxy = one.replace('PROXY ', 'http://');
        expect((await send()).failure).toMatchObject({
          proxy,
          message: `The proxy ${proxy} refused the connection (ECONNREFUSED).`,
        });
      }
    });
  });

  it('ends with its connection if the user stops it while the proxy is silent', async () => {
    const { environment, proxy } = await through({ refuses: null });
    const proxies = createProxies({
      authorities: async () => [],
      pac: async () => ({ problem: 'No script was expected.' }),
      system: null,
      env: { HTTPS_PROXY: proxy.address },
      sign: async () => null,
    });
    const connections = keep(createConnections({ wayTo: (_environment, url) => proxies.wayTo('system', url) }));
    const cancellation = createCancellation();
    const url = new URL(`https://${host}/serviceApi.php`);
    const sent = transmit(connections, { environment, url, headers: [], body: Buffer.alloc(0) }, cancellation);
    cancellation.request();
    expect((await sent).failure).toMatchObject({
      kind: 'cancelled',
      phase: 'proxy',
      hint: 'The provider never received this call.',
    });
  });
});
