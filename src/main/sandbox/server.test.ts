import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect as connectPlainly } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EnvironmentDefaults } from '#shared/ipc/index.ts';
import { actionOf, operations, templateText } from '#shared/provider/index.ts';
import { games } from './catalogue.ts';
import { startSandbox } from './server.ts';
import { startTestSandbox, testHash, testKey, type TestSandbox } from '#testing/sandbox-client.ts';

const code9 = '{"code":9,"message":"platform not valid (partnerid or platform values are wrong","data":null}';
let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(() => sandbox.close());

describe('what is not a call of the spec', () => {
  test.each([
    ['GET', 405],
    ['PUT', 405],
    ['DELETE', 405],
  ])('%s to the endpoint is refused and judged', async (method, status) => {
    const answer = await sandbox.send('/serviceApi.php', '', { method });
    expect([answer.status, answer.text, answer.headers['allow']]).toEqual([status, code9, 'POST']);
    expect(sandbox.lastWhy()).toContain(`The method is ${method}`);
  });

  test('GET to a wallet method has the shape of a wallet answer', async () => {
    const answer = await sandbox.send('/bet', '', { method: 'GET' });
    expect([answer.status, answer.text]).toEqual([405, '{"code":404,"message":"Invalid Token"}']);
  });

  test('another content type is refused, a charset is not', async () => {
    expect((await sandbox.send('/serviceApi.php', '{}', { type: 'text/plain' })).status).toBe(415);
    expect((await sandbox.send('/serviceApi.php', '{}', { type: 'application/jsonp' })).status).toBe(415);
    const body = `{"action":"gameList","platform":7,"partnerId":12,"currency":"EUR","time":"t","hash":"${testHash('', 't')}"}`;
    expect((await sandbox.send('/serviceApi.php', body, { type: 'application/json; charset=utf-8' })).json['code']).toBe(0);
  });

  test('bytes that are not UTF-8 are refused', async () => {
    const answer = await sandbox.send('/serviceApi.php', Buffer.from([0x7b, 0xff, 0x7d]));
    expect([answer.status, answer.text]).toEqual([400, code9]);
    expect(sandbox.lastWhy()).toContain('not UTF-8');
  });

  test('a body over 4 MB is refused, one of 4 MB is read', async () => {
    expect((await sandbox.send('/serviceApi.php', ' '.repeat(4 * 1_024 * 1_024 + 1))).status).toBe(413);
    const padded = `{"action":"gameList","platform":7,"partnerId":12,"currency":"EUR","time":"t","hash":"${testHash('', 't')}"}`;
    expect((await sandbox.send('/serviceApi.php', padded.padEnd(4 * 1_024 * 1_024))).json['code']).toBe(0);
  });

  test.each([
    ['a length', (body: Buffer) => [`Content-Length: ${body.length}\r\n\r\n`, body]],
    [
      'chunks',
      (body: Buffer) => ['Transfer-Encoding: chunked\r\n\r\n', `${body.length.toString(16)}\r\n`, body, '\r\n0\r\n\r\n'],
    ],
  ])('a client that sends 20 MB with %s before it reads, reads why they are refused', async (_what, written) => {
    const socket = connect({
      port: Number(new URL(sandbox.baseUrl).port),
      host: '127.0.0.1',
      ca: sandbox.ca,
      servername: 'localhost',
    });
    const head = 'POST /serviceApi.php HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
    for (const part of [head, ...written(Buffer.alloc(20_000_000, ' '))]) {
      await new Promise<void>((resolve, reject) => socket.write(part, (error) => (error ? reject(error) : resolve())));
    }
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 413 [^]*\r\nconnection: close\r\n[^]*"code":9/);
    expect(sandbox.lastWhy()).toContain('more than 4,194,304 bytes');
  });

  test('an unknown path is not found', async () => {
    expect((await sandbox.send('/nothing', '{}')).status).toBe(404);
    expect((await sandbox.send('/constructor', '{}')).status).toBe(404);
    expect((await sandbox.send('/game/nothing', '', { method: 'GET' })).status).toBe(404);
  });

  test('another host name, as after DNS rebinding, is not answered', async () => {
    const socket = connect({
      port: Number(new URL(sandbox.baseUrl).port),
      host: '127.0.0.1',
      ca: sandbox.ca,
      servername: 'localhost',
    });
    socket.write(
      'POST /playerInfo HTTP/1.1\r\nHost: evil.example\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
    );
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(answer.toString('latin1')).toMatch(/^HTTP\/1\.1 421 /);
  });

  test('is at no other address of this machine', async () => {
    const others = Object.values(networkInterfaces()).flatMap((list = []) =>
      list.filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address),
    );
    // On Linux all of 127.0.0.0/8 is this machine: who listens everywhere is found there without a network, too.
    if (process.platform === 'linux') others.push('127.0.0.2');
    const port = Number(new URL(sandbox.baseUrl).port);
    for (const host of others) {
      const outcome = await new Promise<string>((resolve) => {
        const socket = connectPlainly({ host, port }, () => {
          socket.destroy();
          resolve('connected');
        });
        socket.on('error', () => resolve('refused'));
      });
      expect([host, outcome]).toEqual([host, 'refused']);
    }
  });

  // All of 127.0.0.0/8 is this machine on Linux alone.
  test.skipIf(process.platform !== 'linux')(
    'with a host name, it is there for others, in its certificate and its URLs',
    async () => {
      const service = await startTestSandbox({ host: 'croupier' });
      try {
        const port = Number(new URL(service.baseUrl).port);
        const get = async (servername: string, path: string) => {
          const socket = connect({ port, host: '127.0.0.2', ca: service.ca, servername });
          socket.write(`GET ${path} HTTP/1.1\r\nHost: ${servername}:${port}\r\nConnection: close\r\n\r\n`);
          return text(socket);
        };
        expect(await get('croupier', '/croupier/ca.pem')).toContain(`\r\n\r\n${service.ca}`);
        expect(await get('localhost', '/croupier/ca.pem')).toMatch(/^HTTP\/1\.1 200 /);
        const listed = await service.call('gameList', undefined, { currency: '"EUR"' });
        expect(listed.text).toContain(`"https://croupier:${port}/thumbs/`);
        // Without the name, the certificate that has it still serves.
        const again = await startTestSandbox({ directory: service.directory });
        expect(again.certificate).toBe(service.certificate);
        await again.close();
      } finally {
        await service.close();
      }
    },
  );

  test('a port that is taken is said to be taken', async () => {
    const port = Number(new URL(sandbox.baseUrl).port);
    const again = startSandbox({
      privateKey: testKey,
      platform: 1,
      partnerId: 1,
      directory: sandbox.directory,
      exclusively: (work) => work(),
      port,
      onVerdict() {},
    });
    await expect(again).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining(`Port ${port}`) as string });
  });

  test('close ends open connections', async () => {
    const other = await startTestSandbox();
    const socket = connect({
      port: Number(new URL(other.baseUrl).port),
      host: '127.0.0.1',
      ca: other.ca,
      servername: 'localhost',
    });
    await once(socket, 'secureConnect');
    const ended = once(socket, 'close');
    await other.close();
    await ended;
  });
});

describe('every template of the description', () => {
  const defaults = EnvironmentDefaults.parse({});
  let templateTime = Date.now();
  const forms = operations.flatMap((operation) => operation.forms.map((form) => [operation.name, form.id, operation] as const));

  test.each(forms.filter(([, , operation]) => operation.endpoint === 'service' && actionOf(operation, {}) !== null))(
    '%s (%s) is code 0 as it stands',
    async (_name, formId, operation) => {
      const text = templateText(operation, formId, defaults, { now: (templateTime += 1) });
      const data = operation.payload === 'data' ? JSON.stringify(reparse(text)) : undefined;
      const envelope = operation.payload === 'envelope' ? Object.fromEntries(envelopeMembers(text)) : {};
      // The template's round is one that no bet has made: still code 0.
      const answer = await sandbox.call(operation.action ?? '', data, envelope);
      expect(answer.json).toMatchObject({ code: 0, message: 'ok' });
    },
  );

  function reparse(text: string): unknown {
    return JSON.parse(text);
  }

  function envelopeMembers(text: string): [string, string][] {
    return Object.entries(reparse(text) as Record<string, unknown>).map(([name, value]) => [name, JSON.stringify(value)]);
  }
});

describe('the files of the pages', () => {
  test.each(games.map((game) => [game.slug, game.name]))('%s has a page and a picture', async (slug, name) => {
    const page = await sandbox.send(`/game/${slug}?lang=de`, '', { method: 'GET' });
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    expect(page.headers['content-security-policy']).not.toContain('frame-ancestors');
    expect(page.headers['x-frame-options']).toBeUndefined();
    expect(page.text).not.toMatch(/<script(?![^>]* src=)|<[^>]+ style=|<[^>]+ on[a-z]+=/);
    expect(page.text).toContain(`<title>${name.replace('&', '&#38;')}</title>`);
    const picture = await sandbox.send(`/thumbs/${slug}.svg`, '', { method: 'GET' });
    expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/svg+xml']);
  });
});

test('the judge shares no code with the signer it judges', () => {
  const folder = new URL('.', import.meta.url);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts') || name.includes('.test.')) continue;
    expect(readFileSync(new URL(name, folder), 'utf8'), name).not.toMatch(/#shared\/(?:json|signing)\//);
  }
});
