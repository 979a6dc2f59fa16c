import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { pemOfFile } from '#shared/json/file-text.ts';
import type { Voucher } from '#shared/ipc/calls.ts';
import { Environment } from '#shared/model/environment.ts';
import { startConnectProxy } from '#testing/connect-proxy.ts';
import { makeCertificate, startHttpsServer, type TestCertificate, type TestServer } from '#testing/https-server.ts';
import { createReading } from '../app/reading-jobs.ts';
import { laterAwake } from '../app/runtime.ts';
import { createCancellation } from '../calls/cancellation.ts';
import { describeFailure } from '../calls/failures.ts';
import { transmit } from '../calls/transmit.ts';
import { validateEnvironment } from '../environments/validate-environment.ts';
import type { Reading } from '../untrusted/jobs.ts';
import { createAuthorities, UntrustedChain, type Authority } from './authorities.ts';
import { createConnections } from './connections.ts';
import { createProxies } from './proxies.ts';

let folder: string;
let reading: Reading;
let root: TestCertificate;
let middle: TestCertificate;
let leaf: TestCertificate;
/** Sends its whole chain up to the root, which is known by one of the ways alone. */
let server: TestServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'croupier-authorities-'));
  reading = createReading({ program: join(import.meta.dirname, '../app/reading-worker.ts'), later: laterAwake });
  root = await makeCertificate({ hosts: ['Corporate Root'], selfSigned: true, authority: true });
  middle = await makeCertificate({ hosts: ['Corporate Intermediate'], issuer: root, authority: true });
  leaf = await makeCertificate({ issuer: middle });
  server = await serve(`${leaf.cert}\n${middle.cert}`);
});
afterAll(async () => {
  await Promise.all([server.close(), reading.close()]);
  rmSync(folder, { recursive: true });
});

const set = new Map<string, string | undefined>();
afterEach(() => {
  for (const [name, value] of set) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  set.clear();
});

function setVariable(name: string, path: string): void {
  set.set(name, process.env[name]);
  process.env[name] = path;
}

/** Every other connection ends after its response. */
function serve(cert: string, key = leaf.key) {
  let served = 0;
  return startHttpsServer(
    (_, response) => void response.writeHead(200, (served += 1) % 2 === 0 ? {} : { connection: 'close' }).end('{"code":0}'),
    { certificate: { key, cert, ca: '' } },
  );
}

function fileOf(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

/** Returns an element of DER. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const length = content.length;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

/** Returns a PKCS#7 file of certificates alone, as `openssl crl2pkcs7 -nocrl` writes it. */
function pkcs7(...certificates: readonly string[]): Buffer {
  const type = (last: number) => Buffer.from([6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, last]);
  const inner = der(0xa0, ...certificates.map((pem) => new X509Certificate(pem).raw));
  const signed = der(0x30, Buffer.from([2, 1, 1]), der(0x31), der(0x30, type(1)), inner, der(0x31));
  return der(0x30, type(2), der(0xa0, signed));
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const fromFile = (bytes: Uint8Array) => pemOfFile(bytes, 'ca', base64).text;

/** Calls the server as an environment with this extra authority does, and returns what came of it. */
async function call(to: TestServer, ca = '', authorities = createAuthorities(reading), proxy = 'none') {
  const noScript = async () => ({ problem: 'No script was expected.' });
  const proxies = createProxies({ authorities, env: {}, system: null, pac: noScript, sign: async () => null });
  const connections = createConnections({ authorities, wayTo: (_, url) => proxies.wayTo(proxy, url) });
  const environment = validateEnvironment(
    Environment.parse({ id: 'e', name: 'e', baseUrl: to.baseUrl, platform: 1, partnerId: 1, ca }),
  );
  const url = new URL(`${to.baseUrl}/serviceApi.php`);
  const head = [['host', url.host]] as [string, string][];
  const send = () => transmit(connections, { environment, url, headers: head, body: Buffer.alloc(0) }, createCancellation());
  try {
    // Two at once, neither of which has seen what the other needed, one later on a connection that waits, and one that resumes a session.
    const [first, beside] = await Promise.all([send(), send()]);
    const [later, resumed] = [await send(), await send()];
    expect([beside, later, resumed].map(({ failure }) => failure)).toEqual(Array.from({ length: 3 }, () => first.failure));
    const trusts = [first, beside, later, resumed].map(({ timings }) => timings?.trust);
    expect(new Set(trusts)).toHaveLength(1);
    return { status: first.response?.status ?? null, failure: first.failure, trust: trusts[0] };
  } finally {
    await connections.close();
  }
}

type Way = [way: string, ca: () => string, trust?: Voucher];
const ways: Way[] = [
  ['the environment, in PEM', () => root.cert],
  ['the environment, in DER', () => fromFile(new X509Certificate(root.cert).raw)],
  ['the environment, in PKCS#7', () => fromFile(pkcs7(middle.cert, root.cert))],
  [
    'the environment, in PKCS#7 as PEM',
    () => `-----BEGIN PKCS7-----\n${base64(pkcs7(root.cert)).replaceAll(/.{64}/g, '$&\n')}\n-----END PKCS7-----\n`,
  ],
  ['the environment, by the intermediate alone', () => middle.cert],
  ['NODE_EXTRA_CA_CERTS', () => (setVariable('NODE_EXTRA_CA_CERTS', fileOf('extra.pem', root.cert)), ''), 'NODE_EXTRA_CA_CERTS'],
  ['SSL_CERT_FILE', () => (setVariable('SSL_CERT_FILE', fileOf('all.pem', `text\n${leaf.ca}${root.cert}`)), ''), 'SSL_CERT_FILE'],
];

describe('an authority with an intermediate one', () => {
  it.each<Way>(ways)('is trusted by way of %s, which the call says', async (_, ca, trust = 'environment') => {
    expect(await call(server, ca())).toEqual({ status: 200, failure: null, trust });
  });

  it.each<Way>(ways)('vouches for a proxy that speaks TLS itself, too, by way of %s', async (_, ca) => {
    const certificate = { key: leaf.key, cert: `${leaf.cert}\n${middle.cert}`, ca: '' };
    const proxy = await startConnectProxy({ certificate });
    const given = ca();
    const through = () => call(server, given, createAuthorities(reading), proxy.address);
    expect(await through()).toMatchObject({ status: 200, failure: null });
    const tunnels = proxy.asked.length;
    const stranger = await startConnectProxy({ certificate: await makeCertificate({ selfSigned: true }) });
    expect((await call(server, given, createAuthorities(reading), stranger.address)).failure).toMatchObject({
      kind: 'proxy',
      message: `The TLS connection to the proxy ${stranger.address} failed (DEPTH_ZERO_SELF_SIGNED_CERT).`,
    });
    expect([tunnels > 0, stranger.asked]).toEqual([true, []]);
    await Promise.all([proxy.close(), stranger.close()]);
  });

  it('is trusted by way of the system’s store, which Node reads once for each process', async () => {
    setVariable('SSL_CERT_FILE', fileOf('system.pem', root.cert));
    const script = `
      import { X509Certificate } from 'node:crypto';
      import { findAuthorities } from ${JSON.stringify(join(import.meta.dirname, 'authorities.ts'))};
      const chain = process.argv.slice(1).map((pem) => new X509Certificate(pem).raw);
      console.log(JSON.stringify(await findAuthorities({ chain, files: [] })));`;
    const args = ['--input-type=module', '-e', script, '--', leaf.cert, middle.cert];
    const found = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Authority[];
    expect(found.map(({ pem, from }) => [new X509Certificate(pem).subject, from])).toEqual([['CN=Corporate Root', 'system']]);
    const systems = async () => found;
    expect(await call(server, '', systems)).toEqual({ status: 200, failure: null, trust: 'system' });
    const proxy = await startConnectProxy({ certificate: { key: leaf.key, cert: `${leaf.cert}\n${middle.cert}`, ca: '' } });
    expect(await call(server, '', systems, proxy.address)).toEqual({ status: 200, failure: null, trust: 'system' });
    await proxy.close();
  });

  it('vouches for no other: that of another chain, and that of a file that is none, change nothing', async () => {
    const other = await makeCertificate({ hosts: ['Other Root'], selfSigned: true, authority: true });
    setVariable('NODE_EXTRA_CA_CERTS', fileOf('other.pem', other.cert));
    setVariable('SSL_CERT_FILE', join(folder, 'missing'));
    expect(await call(server)).toMatchObject({ status: null, failure: { untrusted: true } });
  });

  it('changes neither dates nor names of a certificate', async () => {
    setVariable('SSL_CERT_FILE', fileOf('root.pem', root.cert));
    const late = await makeCertificate({ issuer: middle, until: new Date(Date.now() - 3_600_000) });
    const other = await makeCertificate({ issuer: middle, hosts: ['other.example'] });
    for (const [made, words] of [
      [late, "The server's certificate has expired."],
      [other, "The server's certificate is for another host name."],
    ] as const) {
      const wrong = await serve(`${made.cert}\n${middle.cert}`, made.key);
      expect((await call(wrong)).failure?.message).toBe(words);
      await wrong.close();
    }
  });
});

describe('a chain that nobody vouches for', () => {
  it.each([
    ['the root that it sends', () => `${leaf.cert}\n${middle.cert}\n${root.cert}`, 'Corporate Root', true],
    ['the root that it does not send', () => `${leaf.cert}\n${middle.cert}`, 'Corporate Root', false],
    ['the intermediate that it leaves out', () => leaf.cert, 'Corporate Intermediate', false],
  ])('names %s', async (_, sent, name, isSent) => {
    const incomplete = await serve(sent());
    const { failure } = await call(incomplete);
    await incomplete.close();
    expect(failure).toEqual({
      kind: 'tls',
      phase: 'tls',
      untrusted: true,
      message: isSent
        ? `The server's certificate comes from “${name}”, an authority that this machine doesn't know.`
        : `The server doesn't send the certificate of “${name}”, which its chain needs, and this machine doesn't have it.`,
      hint: isSent
        ? 'If you trust it, add its certificate to this environment as a CA certificate. Nothing was sent.'
        : 'If you trust it, add it to this environment as a CA certificate. An intermediate certificate should come from the server. Nothing was sent.',
    });
  });

  it('names where the chain says that the certificate is, if that is a URL', () => {
    const hintOf = (infoAccess: string) => {
      const last = { issuer: 'C=MT\nCN=Inter\u0007mediate', subject: 'CN=a', infoAccess } as X509Certificate;
      const error = Object.assign(new Error('x'), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
      return describeFailure(new UntrustedChain(error, last), { phase: 'tls', host: 'a' });
    };
    expect(hintOf('OCSP - URI:http://o.example\nCA Issuers - URI:http://a.example/inter.crt\n')).toMatchObject({
      message: expect.stringContaining('“Inter mediate”') as string,
      hint: expect.stringContaining(
        'The server’s chain says that it is at http://a.example/inter.crt.'.replace('’', "'"),
      ) as string,
    });
    for (const other of ['CA Issuers - URI:ldap://a', 'CA Issuers - URI:http://a\tb', '']) {
      expect(hintOf(other).hint).not.toContain('is at');
    }
  });
});
