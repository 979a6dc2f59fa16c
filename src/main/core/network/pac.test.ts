import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { readers } from '#shared/model/readers.ts';
import { makeCertificate, startHttpsServer } from '#testing/https-server.ts';
import { createThreads } from '../untrusted/threads.ts';
import type { Authority } from './authorities.ts';
import { createPac } from './pac.ts';
import { decidePac } from './pac-job.ts';
import { createProxies, type DecidePac } from './proxies.ts';

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

const far = new URL('https://api.example.com:8443/serviceApi.php?token=s3cret');
const names: Readonly<Record<string, readonly string[]>> = {
  'api.example.com': ['2001:db8::1', '192.0.2.7'],
  'in.corp.test': ['10.1.2.3'],
};

/** Decides by a script without a thread; only what no script may hold up needs one. */
function pacOf(script: string, asked: string[] = []) {
  return createPac({
    authorities: async () => [],
    reading: { run: async (_name: unknown, input: never) => decidePac(input) } as never,
    async resolve(host) {
      asked.push(host);
      return names[host] ?? Promise.reject(new Error('ENOTFOUND'));
    },
    load: async () => script,
  });
}

const script = (body: string) => `function FindProxyForURL(url, host) { ${body} }`;

describe('an automatic configuration', () => {
  it.each<[body: string, answer: string]>([
    ['return "DIRECT"', 'DIRECT'],
    // Neither path nor query, which may hold a token.
    ['return url + " " + host', 'https://api.example.com:8443/ api.example.com'],
    ['return isInNet(host, "192.0.2.0", "255.255.255.0") ? "PROXY a:1" : "DIRECT"', 'PROXY a:1'],
    ['return isInNet("in.corp.test", "10.0.0.0", "255.0.0.0") ? "PROXY a:1" : "DIRECT"', 'PROXY a:1'],
    ['return isResolvable("gone.test") ? "PROXY a:1" : "DIRECT"', 'DIRECT'],
    ['return dnsResolve("in.corp.test") + " " + dnsResolve(host)', '10.1.2.3 192.0.2.7'],
    ['try { dnsResolve(host) } catch (error) { return "PROXY wrong:1" } return "PROXY right:1"', 'PROXY right:1'],
    [
      'return dnsDomainIs(host, ".example.com") && shExpMatch(host, "*.com") && !isPlainHostName(host) ? "HTTPS a:1" : "DIRECT"',
      'HTTPS a:1',
    ],
    ['return weekdayRange("SUN", "SAT") ? "PROXY a:1; DIRECT" : "DIRECT"', 'PROXY a:1; DIRECT'],
    ['alert("hello"); return /^\\d+\\./.test(myIpAddress()) ? "PROXY a:1" : "DIRECT"', 'PROXY a:1'],
    // There is nothing else in its world.
    [
      'return [typeof process, typeof require, typeof fetch, typeof WebAssembly].join()',
      'undefined,undefined,undefined,undefined',
    ],
  ])('that says %s', async (body, answer) => {
    expect(await pacOf(script(body))('http://wpad.test/p.pac', far)).toEqual({ answer });
  });

  it.each<[what: string, text: string, problem: string]>([
    ['is no script', '<html>', 'failed'],
    ['has no function', 'var a = 1', 'failed'],
    ['throws', script('throw new Error("s3cret")'), 'failed'],
    ['returns no text', script('return 7'), 'returned no text'],
    ['never ends', script('for (;;);'), 'took longer than 2 s'],
    ['takes memory', script('var a = []; for (;;) a.push("x".repeat(100000) + a.length)'), 'needs too much memory'],
    ['goes deep', script('return FindProxyForURL(url, host) + 1'), 'failed'],
    ['looks up names without end', script('for (var i = 0; ; i++) dnsResolve("a" + i + ".test")'), 'looks up more than 20 names'],
  ])('that %s decides nothing, and says so', async (_what, text, problem) => {
    expect(await pacOf(text)('http://wpad.test/p.pac', far)).toEqual({
      problem: `The automatic configuration http://wpad.test/p.pac ${problem}.`,
    });
  });

  it('is asked once for each host, and looks each name up once', async () => {
    const asked: string[] = [];
    const decide = pacOf(script('dnsResolve(host); dnsResolve(host.toUpperCase()); return "PROXY a:1"'), asked);
    await Promise.all([decide('http://wpad.test', far), decide('http://wpad.test', new URL('/other', far))]);
    expect(asked).toEqual(['api.example.com']);
  });

  it('that holds its thread up is ended with it', async () => {
    const threads = createThreads({
      program: new URL('../app/reading-worker.ts', import.meta.url).pathname,
      table: { 'pac.decide': async () => decidePac },
      limits: { 'pac.decide': { ...readers['pac.decide'], ms: 500 } },
      later(work, ms) {
        const timer = setTimeout(work, ms).unref();
        return () => clearTimeout(timer);
      },
    });
    ended.push(() => threads.close());
    const decide = createPac({
      authorities: async () => [],
      reading: threads as never,
      resolve: async () => [],
      load: async () => script('for (;;);'),
    });
    expect(await decide('http://wpad.test', far)).toEqual({
      problem: 'The automatic configuration http://wpad.test took too long or too much memory.',
    });
  });
});

describe('the script of an automatic configuration', () => {
  async function served(answer: RequestListener) {
    const server = createServer(answer);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ended.push(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const decide = createPac({
      authorities: async () => [],
      reading: { run: async (_name: unknown, input: never) => decidePac(input) } as never,
      resolve: async () => [],
    });
    return { decide, address: `http://localhost:${port}/proxy.pac` };
  }

  it('is loaded once, and again after it could not be', async () => {
    let asked = 0;
    const { decide, address } = await served((_request, response) => {
      asked += 1;
      response.statusCode = asked === 1 ? 503 : 200;
      response.end(script('return "PROXY a:1"'));
    });
    expect(await decide(address, far)).toEqual({
      problem: `The automatic configuration ${address} could not be loaded: the server answered HTTP 503.`,
    });
    for (const host of ['a.test', 'b.test'])
      expect(await decide(address, new URL(`https://${host}`))).toEqual({ answer: 'PROXY a:1' });
    expect(asked).toBe(2);
  });

  it.each<[what: string, answer: RequestListener, why: RegExp]>([
    [
      'redirects',
      (_request, response) => void response.writeHead(302, { location: 'http://elsewhere.test' }).end(),
      /HTTP 302\.$/,
    ],
    [
      'is too large',
      (_request, response) => void response.end('/'.repeat(1_100_000)),
      /could not be loaded: it has more than 1,000,000 bytes/,
    ],
    [
      'breaks off',
      (_request, response) => void response.writeHead(200, { 'content-length': 10 }).write('a', () => response.destroy()),
      /could not be loaded: /,
    ],
  ])('that %s is not used', async (_what, answer, why) => {
    const { decide, address } = await served(answer);
    expect(await decide(address, far)).toEqual({ problem: expect.stringMatching(why) });
  });

  it('comes from a server that this computer vouches for, and from no other', async () => {
    const server = await startHttpsServer((_, response) => void response.end(script('return "PROXY a:1"')));
    ended.push(server.close);
    const decideBy = (found: readonly Authority[]) =>
      createPac({
        authorities: async (chain) => (chain.length > 0 ? found : []),
        reading: { run: async (_name: unknown, input: never) => decidePac(input) } as never,
        resolve: async () => [],
      })(server.baseUrl, far);
    expect(await decideBy([{ pem: server.ca, from: 'system' }])).toEqual({ answer: 'PROXY a:1' });
    const { cert: pem } = await makeCertificate({ selfSigned: true, authority: true });
    for (const found of [[], [{ pem, from: 'system' }]] as const)
      expect(await decideBy(found)).toEqual({
        problem: `The automatic configuration ${server.baseUrl} could not be loaded: UNABLE_TO_VERIFY_LEAF_SIGNATURE.`,
      });
  });

  it('is not read from a file', async () => {
    const decide = createPac({
      authorities: async () => [],
      reading: { run: async () => ({ answer: 'DIRECT' }) } as never,
      resolve: async () => [],
    });
    expect(await decide('file:///etc/proxy.pac', far)).toEqual({
      problem:
        'The automatic configuration file:///etc/proxy.pac could not be loaded: its address is neither http:// nor https://.',
    });
  });
});

describe('what an automatic configuration returned', () => {
  const wayOf = (answer: string, decide: DecidePac = async () => ({ answer })) =>
    createProxies({ authorities: async () => [], env: {}, system: null, pac: decide, sign: async () => null }).wayTo(
      'pac+http://wpad.test/p.pac',
      far,
    );

  it.each<[answer: string, proxy: string | null, rest?: string]>([
    ['DIRECT', null],
    ['', null],
    ['PROXY p.test:3128', 'http://p.test:3128'],
    ['http p.test:3128 ; DIRECT', 'http://p.test:3128', 'directly'],
    ['PROXY p.test:3128; SOCKS s; HTTPS q.test:1; DIRECT', 'http://p.test:3128', 'https://q.test:1, directly'],
    ['HTTPS p.test:3128', 'https://p.test:3128'],
    ['SOCKS5 s.test:1080; PROXY p.test:3128', 'http://p.test:3128'],
    ['SOCKS s.test:1080; DIRECT', null],
  ])('%j', async (answer, proxy, rest) => {
    const way = await wayOf(answer);
    expect([way.proxy?.address ?? null, way.problem]).toEqual([proxy, undefined]);
    const others = rest === undefined ? '' : ` If the proxy can't be reached: ${rest}.`;
    expect(way.why).toBe(`The automatic configuration http://wpad.test/p.pac says so.${others}`);
  });

  it.each(['SOCKS5 s.test:1080', 'SOCKS a:1; SOCKS4 b:1', 'PROXY http://[', 'nonsense'])('%j is no way', async (answer) => {
    expect(await wayOf(answer)).toMatchObject({
      proxy: null,
      problem:
        'The automatic configuration http://wpad.test/p.pac returned no way that Croupier can use, such as PROXY or DIRECT.',
    });
  });

  it('is no way where it could not be asked', async () => {
    expect(await wayOf('', async () => ({ problem: 'It failed.' }))).toMatchObject({ proxy: null, problem: 'It failed.' });
  });
});
