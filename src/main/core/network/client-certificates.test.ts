import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { Environment } from '#shared/model/environment.ts';
import { makeCertificate, startHttpsServer, startTcpServer, type TestCertificate } from '#testing/https-server.ts';
import { createCancellation } from '../calls/cancellation.ts';
import { transmit } from '../calls/transmit.ts';
import { createConnections, type ClientCertificates } from './connections.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const item of opened.splice(0).reverse()) await item.close();
});
function keep<T extends { close(): Promise<void> }>(item: T): T {
  opened.push(item);
  return item;
}

let authority: TestCertificate;
let own: TestCertificate;
let expired: TestCertificate;
beforeAll(async () => {
  authority = await makeCertificate({ hosts: ['Provider CA'], selfSigned: true, authority: true });
  own = await makeCertificate({ hosts: ['Operator 7'], issuer: authority });
  const until = new Date('2026-01-31T12:00:00Z');
  expired = await makeCertificate({ hosts: ['Operator 6'], issuer: authority, from: new Date('2026-01-01'), until });
});

const keyOf = ({ key }: TestCertificate) => createPrivateKey(key).export({ format: 'der', type: 'pkcs8' }).toString('base64');

function clientOf(certificate: TestCertificate | null, key = async () => keyOf(certificate ?? own)): ClientCertificates {
  return { of: () => (certificate === null ? null : { certificate: certificate.cert, version: certificate.cert }), key };
}

/** A provider that answers with the name of who called. */
async function provider(maxVersion: 'TLSv1.2' | 'TLSv1.3' = 'TLSv1.3') {
  return keep(
    await startHttpsServer(
      ({ request }, response) => {
        const { subject } = (request.socket as TLSSocket).getPeerCertificate();
        response.end(String(subject.CN));
      },
      { clientAuthority: authority.cert, maxVersion },
    ),
  );
}

/** Answers the first message of TLS with a fatal alert, as servers do that refuse a certificate (RFC 5246, section 7.2). */
const alerting = async (description: number) =>
  keep(
    await startTcpServer((socket) => void socket.once('data', () => socket.end(Buffer.from([21, 3, 3, 0, 2, 2, description])))),
  );

async function call(server: { baseUrl: string; ca: string }, clientCertificates: ClientCertificates, at = server.baseUrl) {
  const connections = keep(createConnections({ clientCertificates }));
  const environment = Environment.parse({ id: 'e', name: 'e', baseUrl: at, platform: 1, partnerId: 1, ca: server.ca });
  const url = new URL(`${server.baseUrl}/serviceApi.php`);
  const request = { environment, url, headers: [['host', url.host]] as [string, string][], body: Buffer.alloc(0) };
  const { response, failure } = await transmit(connections, request, createCancellation());
  return { text: response?.body.toString() ?? null, message: failure?.message ?? null, hint: failure?.hint ?? null };
}

describe('a server that asks for a client certificate', () => {
  it.each(['TLSv1.2', 'TLSv1.3'] as const)('gets that of the environment over %s', async (version) => {
    expect(await call(await provider(version), clientOf(own))).toEqual({ text: 'Operator 7', message: null, hint: null });
  });

  it('gets none at another origin than those of the environment', async () => {
    const server = await provider();
    expect((await call(server, clientOf(own), 'https://other.example')).text).toBeNull();
  });

  it('gets none: TLS 1.3 says so, TLS 1.2 does not', async () => {
    expect(await call(await provider(), clientOf(null))).toEqual({
      text: null,
      message: 'The server requires a client certificate, and this environment has none.',
      hint: 'Get one from the provider and choose it in the environment.',
    });
    expect(await call(await provider('TLSv1.2'), clientOf(null))).toEqual({
      text: null,
      message: 'The server refused the TLS handshake.',
      hint: 'It may require a client certificate, or TLS settings that Croupier lacks. Nothing was sent.',
    });
  });

  it.each([
    [48, "it doesn't know the authority that issued it"],
    [42, 'it finds it invalid'],
    [43, "it doesn't support its type"],
    [44, 'it was revoked'],
    [46, 'it gives no reason'],
    [49, 'access is denied to it'],
    [45, 'it has expired or is not valid yet'],
  ])('rejects a wrong one with alert %i', async (alert, words) => {
    expect(await call(await alerting(alert), clientOf(own))).toEqual({
      text: null,
      message: `The server rejected the client certificate “Operator 7”: ${words}.`,
      hint: 'Ask the provider which certificate they expect, and choose that one in the environment. Nothing was sent.',
    });
  });

  it('rejects an expired one, with an alert or by closing the connection alone', async () => {
    expect((await call(await alerting(45), clientOf(expired))).message).toBe(
      'The server rejected the client certificate “Operator 6”, which expired on 2026-01-31.',
    );
    const { message, hint } = await call(await provider(), clientOf(expired));
    expect(message).not.toContain('client certificate');
    expect(hint).toContain('The client certificate of this environment expired on 2026-01-31.');
  });

  it('is not reached while the key of the certificate is not available, and the next call asks again', async () => {
    const server = await provider();
    let locked = true;
    const client = clientOf(own, async () => {
      if (locked) throw new AppError('key_unavailable', 'The keychain is locked.');
      return keyOf(own);
    });
    const connections = keep(createConnections({ clientCertificates: client }));
    const environment = Environment.parse({
      id: 'e',
      name: 'e',
      platform: 1,
      partnerId: 1,
      baseUrl: server.baseUrl,
      ca: server.ca,
    });
    const url = new URL(server.baseUrl);
    const send = () =>
      transmit(connections, { environment, url, headers: [['host', url.host]], body: Buffer.alloc(0) }, createCancellation());
    expect(await send()).toMatchObject({
      response: null,
      failure: {
        kind: 'tls',
        phase: 'tls',
        message: 'The key of the client certificate is not available. The keychain is locked.',
      },
    });
    locked = false;
    expect((await send()).response?.body.toString()).toBe('Operator 7');
    expect(new X509Certificate(own.cert).subject).toBe('CN=Operator 7');
  });
});
