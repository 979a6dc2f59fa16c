import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Environment } from '#shared/ipc/index.ts';
import { startCuttingRelay } from '#testing/cutting-relay.ts';
import { makeCertificate, startTlsServer, type TestCertificate } from '#testing/https-server.ts';
import { fc } from '#testing/fast-check.ts';
import { operationByName } from '#shared/provider/operations.ts';
import { createCancellation } from './cancellation.ts';
import { createConnections } from '../network/connections.ts';
import { toOutcome } from './outcome.ts';
import { transmit } from './transmit.ts';

const whole = '{"code":0,"message":"ok","data":{"slots":[]}}';
const opened: { close(): Promise<void> }[] = [];
let certificate: TestCertificate;
// One for all: what makes one trust the public authorities, too, takes longer than a test.
const connections = createConnections();
beforeAll(async () => {
  certificate = await makeCertificate();
});
afterAll(() => connections.close());
afterEach(async () => {
  for (const item of opened.splice(0).reverse()) await item.close();
});
function keep<T extends { close(): Promise<void> }>(item: T): T {
  opened.push(item);
  return item;
}

/** Responses to a POST, each by how it says where its body ends. */
const framings = {
  none: `HTTP/1.1 200 OK\r\n\r\n${whole}`,
  'none, in HTTP/1.0': `HTTP/1.0 200 OK\r\n\r\n${whole}`,
  'none, and says that it closes': `HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${whole}`,
  length: `HTTP/1.1 200 OK\r\nContent-Length: ${whole.length}\r\n\r\n${whole}`,
  'length, and says that it closes': `HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${whole.length}\r\n\r\n${whole}`,
  chunks: `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${whole.length.toString(16)}\r\n${whole}\r\n0\r\n\r\n`,
  'chunks, and says that it closes': `HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${whole.length.toString(16)}\r\n${whole}\r\n0\r\n\r\n`,
} as const;
const shorter = {
  length: `HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n${whole}`,
  'length, and says that it closes': `HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 100\r\n\r\n${whole}`,
  'length, in HTTP/1.0': `HTTP/1.0 200 OK\r\nContent-Length: 100\r\n\r\n${whole}`,
  chunks: `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${whole.length.toString(16)}\r\n${whole}\r\n`,
  'chunks, and says that it closes': `HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${whole.length.toString(16)}\r\n${whole}\r\n`,
  'chunks that stop in one': `HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n${whole}`,
} as const;

type End = 'notify' | 'fin' | 'reset' | 'open';

/** A server that writes `text` for each request, each of its parts as a record of its own, and then ends TLS as it should, or the connection alone, or nothing. */
async function answering(
  text: string | readonly string[],
  end: End,
  maxVersion: 'TLSv1.2' | 'TLSv1.3' = 'TLSv1.3',
): Promise<{ port: number }> {
  const server = await startTlsServer(
    (socket, raw) => {
      // What waits for a write before it goes into one record with it.
      const write = ([record, ...rest]: readonly string[]): void => {
        if (record !== undefined) socket.write(record, () => write(rest));
        else if (end === 'notify') socket.end();
        else if (end !== 'open') raw.end();
      };
      socket.on('data', () => write([text].flat()));
    },
    { certificate, maxVersion },
  );
  keep(server);
  return end === 'reset' ? keep(await startCuttingRelay(server.port, { how: 'reset', after: Infinity })) : server;
}

async function outcomeOf({ port }: { port: number }) {
  const baseUrl = `https://localhost:${port}`;
  const environment = Environment.parse({
    id: 'test',
    name: 'test',
    baseUrl,
    platform: 1,
    partnerId: 42,
    ca: certificate.ca,
    timeouts: { connect: 5_000, headers: 5_000, idle: 5_000, total: 10_000 },
  });
  const body = Buffer.from('{}');
  const transmitted = await transmit(
    connections,
    { environment, url: new URL(`${baseUrl}/serviceApi.php`), headers: [['content-length', '2']], body },
    createCancellation(),
  );
  return { transmitted, outcome: toOutcome(transmitted, null, operationByName('gameList')) };
}

describe('a response whose connection ends without a close_notify', () => {
  it.each(['none', 'none, in HTTP/1.0', 'none, and says that it closes'] as const)(
    'is not answered where its length is: %s',
    async (framing) => {
      for (const [end, maxVersion] of [
        ['fin', 'TLSv1.3'],
        ['fin', 'TLSv1.2'],
        ['reset', 'TLSv1.3'],
      ] as const) {
        const { outcome } = await outcomeOf(await answering(framings[framing], end, maxVersion));
        expect(outcome).toMatchObject({ state: 'failed' });
        expect(outcome.failure).toMatchObject({ kind: 'protocol', phase: 'body' });
        expect(outcome.failure?.message).toBe(
          'The connection ended without a TLS close_notify, and the response has no length. It may be truncated.',
        );
        expect(outcome.failure?.hint).toContain('Croupier keeps the bytes it received.');
        // The system decides what a reset leaves unread.
        if (end === 'fin') expect(outcome.response?.body.toString()).toBe(whole);
      }
    },
  );

  it.each(['length', 'length, and says that it closes', 'chunks', 'chunks, and says that it closes'] as const)(
    'is answered where it is whole by its %s',
    async (framing) => {
      const { outcome } = await outcomeOf(await answering(framings[framing], 'fin'));
      expect(outcome).toMatchObject({ state: 'answered', failure: null });
    },
  );

  it.each(Object.entries(shorter))('broke off where less came than said: %s', async (_, text) => {
    for (const end of ['fin', 'notify'] as const) {
      const { outcome } = await outcomeOf(await answering(text, end));
      expect(outcome).toMatchObject({ state: 'failed' });
      expect(outcome.failure?.message).toMatch(/^The connection was lost in the middle of the response/);
      expect(outcome.response?.body.toString()).toBe(whole);
    }
  });

  it('is answered where it has no body by its status', async () => {
    const { transmitted } = await outcomeOf(await answering('HTTP/1.1 204 No Content\r\n\r\n', 'fin'));
    expect(transmitted).toMatchObject({ failure: null, response: { status: 204 } });
  });
});

describe('a response whose connection ends with a close_notify', () => {
  it.each(Object.entries(framings))('is answered; its length: %s', async (_, text) => {
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      expect((await outcomeOf(await answering(text, 'notify', maxVersion))).outcome).toMatchObject({
        state: 'answered',

        failure: null,
      });
    }
  });

  it('is answered at any size, with everything in as few packets as the system makes', async () => {
    for (const size of [0, 1, 16_383, 16_384, 16_385, 65_536, 1_000_000, 5_000_000]) {
      const server = await answering(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(size)}`, 'notify');
      const { transmitted } = await outcomeOf(server);
      expect(transmitted.failure).toBeNull();
      expect(transmitted.response?.body.length).toBe(size);
    }
  });
});

it('is answered only if all of it came, wherever on the way it is cut', async () => {
  const seen = { answered: 0, failed: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.values(framings)),
      fc.constantFrom('fin' as const, 'reset' as const),
      fc.integer({ min: 0, max: 400 }),
      async (text, how, fromEnd) => {
        const server = await answering(text.match(/[^]{1,9}/g) ?? [], 'notify');
        const through = keep(await startCuttingRelay(server.port, { how: 'fin', after: Infinity }));
        // The first handshake is longer than those that follow, which take its session up again.
        await outcomeOf(through);
        const first = through.passed();
        await outcomeOf(through);
        const relay = keep(await startCuttingRelay(server.port, { how, after: through.passed() - first - fromEnd }));
        const { outcome, transmitted } = await outcomeOf(relay);
        if (outcome.state !== 'failed') expect(transmitted.response?.body.toString()).toBe(whole);
        seen[outcome.state === 'failed' ? 'failed' : 'answered'] += 1;
        await Promise.all(opened.splice(0).map((item) => item.close()));
      },
    ),
    { numRuns: 60 },
  );
  expect(Math.min(seen.answered, seen.failed)).toBeGreaterThan(5);
});

it('a connection that was cut while nothing was asked of it is not used again', async () => {
  const server = await answering(framings.length, 'open');
  const relay = keep(await startCuttingRelay(server.port, { how: 'fin', after: Infinity }));
  expect((await outcomeOf(relay)).outcome.state).toBe('answered');
  await setImmediate();
  await relay.cut();
  const second = await outcomeOf(relay);
  expect(second.outcome.state).toBe('answered');
  expect(second.transmitted.timings?.reused).toBe(false);
});
