import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { Environment } from '#shared/ipc/index.ts';
import type { Failure } from '#shared/ipc/index.ts';
import { makeCertificate, startHttpsServer, startTcpServer, startTlsServer } from '#testing/https-server.ts';
import type { CertificateOptions, Received } from '#testing/https-server.ts';
import { createCancellation } from './cancellation.ts';
import type { Cancellation } from './cancellation.ts';
import { createConnections, type Connection, type ConnectionEvents, type Connections } from '../network/connections.ts';
import { transmit, type Cut } from './transmit.ts';
import type { HeaderList } from '../network/http-message.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const item of opened.splice(0).reverse()) await item.close();
});

function keep<T extends { close(): Promise<void> }>(item: T): T {
  opened.push(item);
  return item;
}

interface Send {
  baseUrl: string;
  ca?: string;
  timeouts?: Partial<Environment['timeouts']>;
  maxResponseBytes?: number;
  cancellation?: Cancellation;
  connections?: Connections;
  cut?: Cut;
}

function known<T>(value: T | null): T {
  if (value === null) throw new Error('not known');
  return value;
}

/** Connections whose events go through `watch` first. */
function watching(
  connections: Connections,
  watch: (connection: Connection, events: ConnectionEvents) => ConnectionEvents,
): Connections {
  return {
    ...connections,
    async take(environment, url) {
      const connection = await connections.take(environment, url);
      const { send: sendOn } = connection;
      connection.send = (request, events) => sendOn(request, watch(connection, events));
      return connection;
    },
  };
}

const body = Buffer.from('{"data":{"a":"ä"}}');

function send({ baseUrl, ca = '', timeouts = {}, maxResponseBytes, cancellation, connections, cut }: Send) {
  const environment = Environment.parse({
    id: 'test',
    name: 'test',
    baseUrl,
    platform: 1,
    partnerId: 42,
    ca,
    // A machine that is busy with others reaches none of them.
    timeouts: { connect: 60_000, headers: 60_000, idle: 60_000, total: 60_000, ...timeouts },
    ...(maxResponseBytes === undefined ? {} : { maxResponseBytes }),
  });
  const headers: HeaderList = [
    ['host', new URL(baseUrl).host],
    ['content-type', 'application/json'],
    ['accept-encoding', 'identity'],
    ['content-length', String(body.length)],
  ];
  const url = new URL(`${baseUrl}/serviceApi.php`);
  return transmit(
    connections ?? keep(createConnections()),
    { environment, url, headers, body, ...(cut === undefined ? {} : { cut }) },
    cancellation ?? createCancellation(),
  );
}

function ok(_: Received, response: ServerResponse): void {
  response.setHeader('content-type', 'application/json');
  response.end('{"code":0,"message":"ok","data":null}');
}

function expectFailure(failure: Failure | null, expected: Partial<Failure>): void {
  expect(failure).toMatchObject(expected);
  expect(failure?.message).toMatch(/^[A-Z"].*\.$|^[a-z0-9.:-]+ .*\.$/);
  expect(failure?.hint).toMatch(/\.$|^$/);
}

describe('an answer', () => {
  it('arrives whole, with headers as the server wrote them and a time for each phase', async () => {
    const server = keep(
      await startHttpsServer(({ body: received }, response) => {
        response.writeHead(
          200,
          [
            ['X-Twice', 'one'],
            ['x-twice', 'two'],
          ].flat(),
        );
        response.end(received);
      }),
    );
    const connections = keep(createConnections());
    const first = await send({ ...server, connections });
    expect(first.failure).toBeNull();
    expect(first.response?.status).toBe(200);
    expect(first.response?.body).toEqual(body);
    expect(first.response?.headers.filter(([name]) => /x-twice/i.test(name))).toEqual([
      ['X-Twice', 'one'],
      ['x-twice', 'two'],
    ]);
    const { dns, connect, tls, firstByte, download, total, reused } = known(first.timings);
    expect(reused).toBe(false);
    for (const phase of [dns, connect, tls, firstByte, download]) expect(phase).toBeGreaterThanOrEqual(0);
    expect((dns ?? 0) + (connect ?? 0) + (tls ?? 0) + (firstByte ?? 0) + (download ?? 0)).toBeLessThanOrEqual(total + 0.01);

    // A connection is free again one turn of the event loop after its answer.
    await setImmediate();
    const second = await send({ ...server, connections });
    expect(second.timings).toMatchObject({ dns: null, connect: null, tls: null, reused: true });
  });

  it('is waited for from a moment on at which the connection is known to be there: no time counts in two phases', async () => {
    const connections = keep(createConnections());
    const secured: boolean[] = [];
    const watched = watching(connections, (connection, events) => ({
      ...events,
      onReady() {
        secured.push(connection.times.securedAt !== null);
        events.onReady();
      },
    }));
    expect((await send({ ...keep(await startHttpsServer(ok)), connections: watched })).failure).toBeNull();
    expect(secured).toEqual([true]);
  });

  it('is the first one whatever redirect it is, and the target receives nothing', async () => {
    let reached = 0;
    const target = keep(
      await startHttpsServer((_, response) => {
        reached++;
        response.end();
      }),
    );
    for (const status of [300, 301, 302, 303, 305, 307, 308]) {
      const redirecting = keep(
        await startHttpsServer((_, response) => {
          response.writeHead(status, { location: `${target.baseUrl}/serviceApi.php` });
          response.end('moved');
        }),
      );
      const { response, failure } = await send(redirecting);
      expect(failure).toBeNull();
      expect(response?.status).toBe(status);
      expect(response?.body.toString()).toBe('moved');
    }
    expect(reached).toBe(0);
  });

  it('is asked for uncompressed', async () => {
    let asked: unknown;
    const server = keep(
      await startHttpsServer(({ request }, response) => {
        asked = request.headers['accept-encoding'];
        response.end();
      }),
    );
    await send(server);
    expect(asked).toBe('identity');
  });
});

describe('a connection that cannot come about', () => {
  it('for a host name that does not exist', async () => {
    const { failure, response, timings } = await send({ baseUrl: 'https://no-such-host.invalid' });
    // Without any network the name server is what fails.
    expectFailure(failure, { kind: 'dns', phase: 'dns' });
    expect(failure?.message).toContain('no-such-host.invalid');
    expect(response).toBeNull();
    expect(timings?.total).toBeGreaterThan(0);
  });

  it('because nothing listens', async () => {
    const server = await startTcpServer(() => undefined);
    await server.close();
    const { failure } = await send({ baseUrl: server.baseUrl });
    expectFailure(failure, { kind: 'connect', phase: 'connect' });
    expect(failure?.message).toContain('refused');
  });

  it('because the server takes the connection and says nothing', async () => {
    const server = keep(await startTcpServer(() => undefined));
    const { failure, timings } = await send({ baseUrl: server.baseUrl, timeouts: { connect: 150 } });
    expectFailure(failure, { kind: 'timeout', phase: 'tls' });
    expect(failure?.hint).toContain('Nothing was sent');
    expect(timings?.firstByte).toBeNull();
  });

  it('because the server closes during the handshake', async () => {
    const server = keep(await startTcpServer((socket) => socket.destroy()));
    const { failure } = await send({ baseUrl: server.baseUrl });
    expectFailure(failure, { kind: 'tls', phase: 'tls' });
  });

  it('because the port speaks plain http', async () => {
    const server = keep(await startTcpServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')));
    const { failure } = await send({ baseUrl: server.baseUrl });
    expectFailure(failure, { kind: 'tls', phase: 'tls' });
    expect(failure?.message).toContain('did not answer with TLS');
  });
});

describe('a certificate that is refused', () => {
  const day = 86_400_000;
  const cases: [name: string, options: CertificateOptions, trusted: boolean, words: string][] = [
    ['expired', { from: new Date(Date.now() - 30 * day), until: new Date(Date.now() - day) }, true, 'has expired'],
    ['not valid yet', { from: new Date(Date.now() + day), until: new Date(Date.now() + 30 * day) }, true, 'not valid yet'],
    ['for another host', { hosts: ['other.example'] }, true, 'another host name'],
    ['self-signed', { selfSigned: true }, false, 'self-signed'],
    ['of an unknown authority', {}, false, 'certificate of “Test authority”'],
  ];
  it.each(cases)('%s', async (_, options, trusted, words) => {
    let requests = 0;
    const certificate = await makeCertificate(options);
    const server = keep(
      await startHttpsServer(
        (received, response) => {
          requests++;
          ok(received, response);
        },
        { certificate },
      ),
    );
    const { failure, response } = await send({ baseUrl: server.baseUrl, ca: trusted ? certificate.ca : '' });
    expectFailure(failure, { kind: 'tls', phase: 'tls' });
    expect(failure?.message).toContain(words);
    expect(response).toBeNull();
    expect(requests).toBe(0);
  });

  it('stays refused when the process environment switches verification off', async () => {
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    const certificate = await makeCertificate({ selfSigned: true });
    const server = keep(await startHttpsServer(ok, { certificate }));
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    const warnings: Error[] = [];
    const warned = (warning: Error) => warnings.push(warning);
    process.on('warning', warned);
    try {
      const { failure } = await send({ baseUrl: server.baseUrl });
      expectFailure(failure, { kind: 'tls' });
      // Node's own would be false: "makes TLS connections insecure". Whoever else reads the variable still finds it.
      expect(warnings).toEqual([]);
      expect(process.env['NODE_TLS_REJECT_UNAUTHORIZED']).toBe('0');
    } finally {
      process.off('warning', warned);
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    }
  });

  it('is accepted once it is pinned, as an authority, self-signed or as the leaf alone', async () => {
    const signed = await makeCertificate();
    const selfSigned = await makeCertificate({ selfSigned: true });
    for (const [certificate, ca] of [
      [signed, signed.ca],
      [signed, signed.cert],
      [selfSigned, selfSigned.cert],
    ] as const) {
      const server = keep(await startHttpsServer(ok, { certificate }));
      expect((await send({ baseUrl: server.baseUrl, ca })).failure).toBeNull();
    }
  });

  it('TLS 1.1 is refused', async () => {
    const server = keep(await startHttpsServer(ok, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' }));
    const { failure } = await send(server);
    expectFailure(failure, { kind: 'tls', phase: 'tls' });
    expect(failure?.message).toContain('older than 1.2');
  });
});

describe('limits', () => {
  it('an answer that never starts', async () => {
    const server = keep(await startHttpsServer(() => undefined));
    const { failure, response } = await send({ ...server, timeouts: { headers: 150 } });
    expectFailure(failure, { kind: 'timeout', phase: 'headers' });
    expect(response).toBeNull();
  });

  it('an answer that stops half way keeps what arrived', async () => {
    const server = keep(await startHttpsServer((_, response) => void response.write('{"code":')));
    const { failure, response } = await send({ ...server, timeouts: { idle: 150 } });
    expectFailure(failure, { kind: 'timeout', phase: 'body' });
    expect(response?.body.toString()).toBe('{"code":');
  });

  it('an answer that drips forever is ended by the total', async () => {
    let asked = 0;
    const server = keep(
      await startHttpsServer((_, response) => {
        asked += 1;
        if (asked === 1) return void response.end();
        response.write(' ');
        const drip = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(drip));
      }),
    );
    // Over a connection that is there already, so that none of the time goes into making one.
    const connections = keep(createConnections());
    await send({ ...server, connections });
    await setImmediate();
    const { failure, response } = await send({ ...server, connections, timeouts: { idle: 1_000, total: 300 } });
    expectFailure(failure, { kind: 'timeout', phase: 'body' });
    expect(failure?.message).toContain('call did not finish');
    expect(response?.body.length).toBeGreaterThan(0);
  });

  it('an answer over the limit is cut, kept and not read on', async () => {
    const server = keep(
      await startHttpsServer((_, response) => {
        const more = () => {
          while (response.write('x'.repeat(65_536)));
        };
        response.on('drain', more);
        more();
      }),
    );
    const { failure, response } = await send({ ...server, maxResponseBytes: 100_000 });
    expectFailure(failure, { kind: 'too_large', phase: 'body' });
    expect(response).toMatchObject({ status: 200, truncated: true });
    expect(response?.body.length).toBe(100_000);
  });

  it('an answer of exactly the limit is whole', async () => {
    const server = keep(await startHttpsServer((_, response) => void response.end('x'.repeat(2_048))));
    const { failure, response } = await send({ ...server, maxResponseBytes: 2_048 });
    expect(failure).toBeNull();
    expect(response).toMatchObject({ truncated: false });
  });

  it('a packed bomb is cut at the decoded size', async () => {
    const bomb = gzipSync(Buffer.alloc(30_000_000, ' '));
    const server = keep(
      await startHttpsServer((_, response) => {
        response.setHeader('content-encoding', 'gzip');
        response.end(bomb);
      }),
    );
    const { failure, response } = await send({ ...server, maxResponseBytes: 1_500_000 });
    expectFailure(failure, { kind: 'too_large' });
    expect(response?.body.length).toBe(1_500_000);
    expect(response?.truncated).toBe(true);
  });
});

describe('an answer that is not right as HTTP', () => {
  it('a broken chunk', async () => {
    const text = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nzz\r\n';
    const server = keep(await startTlsServer((socket) => void socket.once('data', () => socket.write(text))));
    const { failure, response } = await send(server);
    expectFailure(failure, { kind: 'protocol', phase: 'body' });
    expect(failure?.message).toBe("The headers say that the body is chunked, but its chunks can't be read.");
    expect(response?.body.toString()).toBe('{}');
  });

  it('a kept connection that the server closes on the next request is not used again by itself', async () => {
    let requests = 0;
    const server = keep(
      await startTlsServer((socket) => {
        socket.on('data', () => {
          requests++;
          if (requests === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
          else socket.destroy();
        });
      }),
    );
    const connections = keep(createConnections());
    expect((await send({ ...server, connections })).failure).toBeNull();
    await setImmediate();
    const { failure } = await send({ ...server, connections });
    expectFailure(failure, { kind: 'protocol', phase: 'headers' });
    expect(failure?.hint).toContain('never repeats');
    expect(requests).toBe(2);
  });
});

describe('stopping', () => {
  it('while it waits for the answer ends the call and its connection', async () => {
    const arrived = Promise.withResolvers<Received>();
    const server = keep(await startHttpsServer((received) => arrived.resolve(received)));
    const cancellation = createCancellation();
    const sending = send({ ...server, cancellation });
    const { request } = await arrived.promise;
    const closed = once(request.socket, 'close');
    cancellation.request();
    const { failure, response } = await sending;
    expectFailure(failure, { kind: 'cancelled', phase: 'headers' });
    expect(response).toBeNull();
    await closed;
  });

  it('in the middle of the answer keeps what arrived', async () => {
    const server = keep(await startHttpsServer((_, response) => void response.write('{"half":')));
    const cancellation = createCancellation();
    const connections = keep(createConnections());
    const arrived = Promise.withResolvers<void>();
    const watched = watching(connections, (_, events) => ({
      ...events,
      onBytes(bytes) {
        events.onBytes(bytes);
        if (bytes.includes('half')) arrived.resolve();
      },
    }));
    const sending = send({ ...server, cancellation, connections: watched });
    await arrived.promise;
    cancellation.request();
    const { failure, response } = await sending;
    expectFailure(failure, { kind: 'cancelled', phase: 'body' });
    expect(response?.body.toString()).toBe('{"half":');
  });

  it('during the handshake, and before anything at all', async () => {
    const connected = Promise.withResolvers<void>();
    const server = keep(await startTcpServer(() => connected.resolve()));
    const cancellation = createCancellation();
    const sending = send({ baseUrl: server.baseUrl, cancellation });
    await connected.promise;
    cancellation.request();
    const { failure } = await sending;
    expectFailure(failure, { kind: 'cancelled' });
    expect(failure?.message).toContain('before anything was sent');

    const early = createCancellation();
    early.request();
    expectFailure((await send({ baseUrl: server.baseUrl, cancellation: early })).failure, { kind: 'cancelled' });
  });
});

describe('a connection that is cut on purpose', () => {
  it('has no response, also if one came before the request was known to have left', async () => {
    const server = keep(await startHttpsServer(ok));
    const connections = keep(createConnections());
    const late = watching(connections, (_, events) => ({ ...events, onWritten: () => undefined }));
    for (const used of [connections, late]) {
      const { failure, response } = await send({ ...server, connections: used, cut: 'response' });
      expectFailure(failure, { kind: 'cancelled', message: 'This case ended the connection and read no response.' });
      expect(response).toBeNull();
    }
  });
});
