import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Duplex } from 'node:stream';
import type { SecureVersion, TLSSocket } from 'node:tls';
import { generate } from 'selfsigned';

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
let authority: Promise<{ key: string; cert: string }> | null = null;

/** Returns the authority that signs every test certificate of this process. */
function testAuthority(): Promise<{ key: string; cert: string }> {
  authority ??= generate([{ name: 'commonName', value: 'Test authority' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() - 400 * dayMs),
    notAfterDate: new Date(Date.now() + 400 * dayMs),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  }).then(({ private: key, cert }) => ({ key, cert }));
  return authority;
}

/** Creates a server certificate, valid but for the options. */
export async function makeCertificate(options: CertificateOptions = {}): Promise<TestCertificate> {
  const {
    hosts = ['localhost', '127.0.0.1'],
    from = new Date(Date.now() - dayMs),
    until = new Date(Date.now() + 30 * dayMs),
  } = options;
  const signer = options.selfSigned === true ? undefined : (options.issuer ?? (await testAuthority()));
  const made = await generate([{ name: 'commonName', value: hosts[0] ?? 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: from,
    notAfterDate: until,
    extensions: [
      { name: 'basicConstraints', cA: options.authority ?? false },
      {
        name: 'subjectAltName',
        altNames: hosts.map((host) => (/^[0-9.]+$/.test(host) ? { type: 7, ip: host } : { type: 2, value: host })),
      },
    ],
    ...(signer === undefined ? {} : { ca: signer }),
  });
  return { key: made.private, cert: made.cert, ca: signer?.cert ?? made.cert };
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
