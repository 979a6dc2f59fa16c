import { createPrivateKey } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Duplex } from 'node:stream';
import type { SecureVersion, TLSSocket } from 'node:tls';
import * as x509 from '@peculiar/x509';

/** A certificate with its key, and the authority that signed it. All PEM. */
export interface TestCertificate {
  readonly key: string;
  readonly cert: string;
  readonly ca: string;
}

export interface CertificateOptions {
  /** Its host names; `localhost` and 127.0.0.1 by default. */
  readonly hosts?: readonly string[];
  readonly from?: Date;
  readonly until?: Date;
  /** True for a certificate signed by itself instead of by an authority. */
  readonly selfSigned?: boolean;
  /** Signs it in place of the authority of the tests. */
  readonly issuer?: TestCertificate;
  readonly authority?: boolean;
}

const dayMs = 86_400_000;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
let authority: Promise<TestCertificate> | null = null;

/** Returns the authority that signs every test certificate of this process. */
function testAuthority(): Promise<TestCertificate> {
  const [from, until] = [new Date(Date.now() - 400 * dayMs), new Date(Date.now() + 400 * dayMs)];
  return (authority ??= makeCertificate({ hosts: ['Test authority'], from, until, selfSigned: true, authority: true }));
}

/** Creates a server certificate, valid but for the options. */
export async function makeCertificate(options: CertificateOptions = {}): Promise<TestCertificate> {
  const {
    hosts = ['localhost', '127.0.0.1'],
    from = new Date(Date.now() - dayMs),
    until = new Date(Date.now() + 30 * dayMs),
    authority: isAuthority = false,
  } = options;
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey));
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }).export({ type: 'pkcs8', format: 'pem' }).toString();
  const extensions: x509.Extension[] = [
    new x509.BasicConstraintsExtension(isAuthority, undefined, isAuthority),
    new x509.SubjectAlternativeNameExtension(
      hosts.map((value) => ({ type: /^[0-9.]+$/.test(value) ? ('ip' as const) : ('dns' as const), value })),
    ),
    await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
  ];
  const { keyCertSign, cRLSign } = x509.KeyUsageFlags;
  if (isAuthority) extensions.push(new x509.KeyUsagesExtension(keyCertSign | cRLSign, true));
  const usual = { notBefore: from, notAfter: until, signingAlgorithm: algorithm, extensions };
  const name = `CN=${hosts[0] ?? 'localhost'}`;
  if (options.selfSigned === true) {
    const own = (await x509.X509CertificateGenerator.createSelfSigned({ ...usual, name, keys })).toString('pem');
    return { key, cert: own, ca: own };
  }
  const signer = options.issuer ?? (await testAuthority());
  const issuer = new x509.X509Certificate(signer.cert);
  extensions.push(await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey));
  const made = await x509.X509CertificateGenerator.create({
    ...usual,
    subject: name,
    issuer: issuer.subject,
    publicKey: keys.publicKey,
    signingKey: await crypto.subtle.importKey(
      'pkcs8',
      Uint8Array.from(createPrivateKey(signer.key).export({ type: 'pkcs8', format: 'der' })),
      algorithm,
      true,
      ['sign'],
    ),
  });
  return { key, cert: made.toString('pem'), ca: signer.cert };
}

/** A server on a free port of 127.0.0.1, reached as `localhost`. */
export interface TestServer {
  readonly port: number;
  readonly baseUrl: string;
  readonly ca: string;
  /** Ends the server and every connection. */
  close(): Promise<void>;
}

export interface Received {
  readonly request: IncomingMessage;
  readonly body: Buffer;
}

/** Starts an https server that hands each complete request to `answer`. */
export async function startHttpsServer(
  answer: (received: Received, response: ServerResponse) => void | Promise<void>,
  options: {
    certificate?: TestCertificate;
    maxVersion?: SecureVersion;
    minVersion?: SecureVersion;
    /** PEM of the authority whose certificate each client has to show. */
    clientAuthority?: string;
    /** Gets requests for another protocol; without it they end. */
    upgraded?: (request: IncomingMessage, socket: Duplex) => void;
  } = {},
): Promise<TestServer> {
  const certificate = options.certificate ?? (await makeCertificate());
  const { maxVersion, minVersion, clientAuthority } = options;
  const server = createServer(
    {
      key: certificate.key,
      cert: certificate.cert,
      ...(clientAuthority === undefined ? {} : { ca: clientAuthority, requestCert: true, rejectUnauthorized: true }),
      ...(maxVersion === undefined ? {} : { maxVersion }),
      ...(minVersion === undefined ? {} : { minVersion, ciphers: 'DEFAULT@SECLEVEL=0' }),
    },
    (request, response) => {
      const chunks: Buffer[] = [];
      request.on('error', () => undefined);
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        Promise.resolve(answer({ request, body: Buffer.concat(chunks) }, response)).catch((error: unknown) =>
          response.destroy(error as Error),
        );
      });
    },
  );
  server.on('tlsClientError', () => undefined);
  if (options.upgraded !== undefined) server.on('upgrade', options.upgraded);
  return listen(server, certificate.ca, 'connection');
}

/**
 * Starts a TLS server without http, for replies that no http library would send. `raw.end()` ends a connection without a TLS alert.
 */
export async function startTlsServer(
  connected: (socket: TLSSocket, raw: Socket) => void,
  { certificate, maxVersion }: { certificate?: TestCertificate; maxVersion?: SecureVersion } = {},
): Promise<TestServer> {
  const used = certificate ?? (await makeCertificate());
  const raws = new Map<number | undefined, Socket>();
  const tls = createTlsServer(
    { key: used.key, cert: used.cert, ...(maxVersion === undefined ? {} : { maxVersion }) },
    (socket) => {
      socket.on('error', () => undefined);
      const raw = raws.get(socket.remotePort);
      if (raw !== undefined) connected(socket, raw);
    },
  );
  tls.on('tlsClientError', () => undefined);
  const server = createTcpServer((raw) => {
    raws.set(raw.remotePort, raw);
    raw.on('error', () => undefined);
    tls.emit('connection', raw);
  });
  return listen(server, used.ca, 'connection');
}

/** Starts a server that speaks no TLS. */
export async function startTcpServer(connected: (socket: Socket) => void): Promise<TestServer> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    connected(socket);
  });
  return listen(server, '', 'connection');
}

async function listen(server: Server, ca: string, event: string): Promise<TestServer> {
  const sockets = new Set<Socket>();
  server.on(event, (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    baseUrl: `https://localhost:${port}`,
    ca,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      if (server.listening) await once(server, 'close');
    },
  };
}
