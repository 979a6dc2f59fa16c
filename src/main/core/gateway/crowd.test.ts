import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { Agent, request } from 'node:https';
import type { Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, draftOf, type TestApp } from '#testing/app.ts';
import { startHttpsServer, type TestServer } from '#testing/https-server.ts';
import { addToRequest, beginExchange, forgetBytes, mostKept, type KeptRoom } from './exchange.ts';

const half = Buffer.alloc(10_485_760, 'half');
let test: TestApp;
let far: TestServer;
let environmentId: string;
let isLarge = false;
let url: URL;
let ca: Buffer;
/** A response of which half has left. */
const halfWay = Promise.withResolvers<ServerResponse>();
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

beforeAll(async () => {
  far = await startHttpsServer(({ request: { url: path }, body }, response) => {
    if (path === '/serviceApi.php' && isLarge) return void response.end(`{"code":0,"message":"${'x'.repeat(mostKept)}"}`);
    if (path !== '/down') return void response.end(`{"code":0,"came":${body.length}}`);
    response.writeHead(200, { 'content-length': 2 * half.length });
    response.write(half, () => halfWay.resolve(response));
  });
  test = await createTestApp();
  environmentId = (await test.environment(far)).id;
  const status = await test.client.call('gateway.start', { environmentId, anyPartner: true });
  url = new URL(status.baseUrl);
  ca = readFileSync(status.caFile);
});
afterAll(async () => {
  await test.close();
  await far.close();
});

/** Sends one request. Returns its body, or only how much came of a long one. */
function ask(agent: Agent, path: string, body = '{}'): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request(new URL(path, url), { method: 'POST', agent }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const came = Buffer.concat(parts);
        resolve(came.length > 1_000 ? `${came.length} ${came.equals(Buffer.concat([half, half]))}` : came.toString());
      });
    });
    asked.on('error', reject).end(body);
  });
}

/** Begins a request of its own connection by hand. Returns it with what comes for it. */
function begin(head: string): { readonly socket: TLSSocket; readonly response: Promise<string> } {
  const socket = connect({ host: 'localhost', port: Number(url.port), servername: 'localhost', ca });
  socket.write(head);
  const response = new Promise<string>((resolve, reject) => {
    let text = '';
    socket.on('data', (part: Buffer) => {
      text += part.toString();
      if (!text.endsWith('}')) return;
      socket.destroy();
      resolve(text.slice(text.indexOf('{')));
    });
    socket.on('error', reject);
  });
  return { socket, response };
}

const write = (socket: Socket, bytes: Buffer | string) => new Promise((resolve) => socket.write(bytes, resolve));

it('says of a response that was not kept to its end how much is missing, and does not judge it', async () => {
  const { request: own } = await test.send(draftOf(environmentId, { operation: 'gameList', text: '{"currency":"EUR"}' }));
  isLarge = true;
  const agent = new Agent({ ca });
  expect(await ask(agent, '/serviceApi.php', own.bodyText)).toBe(`${mostKept + 23} false`);
  await expect.poll(async () => (await test.client.call('gateway.log', {})).total).toBe(1);
  const { entries } = await test.client.call('gateway.log', {});
  const why = expect.stringMatching(/^The response is longer: \d+ more bytes passed and weren't kept\.$/) as string;
  expect(entries).toMatchObject([{ operation: 'gameList', hashIsRight: true, verdict: 'unclear', code: null, why }]);
  const { response, findings } = await test.client.call('calls.get', { id: entries[0]?.callId ?? 0 });
  expect(response).toMatchObject({ truncated: true });
  expect(findings.map(({ rule }) => rule)).toEqual(['gateway.host', 'gateway.cut']);
  await expect.poll(async () => (await test.client.call('gateway.status', {}))?.connections).toBe(0);
});

it('a hundred connections do not wait for three that are slow', async () => {
  const agents = Array.from({ length: 98 }, () => new Agent({ keepAlive: true, maxSockets: 1, ca }));
  const [downloading, ...others] = agents as [Agent, ...Agent[]];
  const download = ask(downloading, '/down');
  const up = begin(`POST /up HTTP/1.1\r\nHost: x\r\nContent-Length: ${2 * half.length}\r\n\r\n`);
  const slow = begin('POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\n{');
  const [response] = await Promise.all([halfWay.promise, write(up.socket, half)]);
  // Nobody goes on with the three before all others have everything.
  const bodies = await Promise.all(
    others.map(async (agent) => [await ask(agent, '/a'), await ask(agent, '/b', '{"a":1}'), await ask(agent, '/c')]),
  );
  expect(new Set(bodies.map(String))).toEqual(
    new Set([['{"code":0,"came":2}', '{"code":0,"came":7}', '{"code":0,"came":2}'].join()]),
  );
  expect(await test.client.call('gateway.status', {})).toMatchObject({ connections: 100 });
  response.end(half);
  up.socket.write(half);
  for (const byte of ' '.repeat(18)) {
    await write(slow.socket, byte);
    await turn();
  }
  slow.socket.write('}');
  expect(await download).toBe(`${2 * half.length} true`);
  expect(await up.response).toBe(`{"code":0,"came":${2 * half.length}}`);
  expect(await slow.response).toBe('{"code":0,"came":20}');
  for (const agent of agents) agent.destroy();
  await test.client.call('gateway.stop', {});
  expect(await test.client.call('gateway.log', {})).toMatchObject({ total: 97 * 3 + 3 + 1 });
  expect(test.faults).toEqual([]);
});

it('what many exchanges keep together has a limit, and each keeps its beginning', () => {
  const room: KeptRoom = { left: 20_000_000 };
  const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${2 * half.length}\r\n\r\n`;
  const upload = () => {
    const one = beginExchange('x', room);
    addToRequest(one, Buffer.from(head));
    for (let at = 0; at < 2 * half.length; at += 65_536) addToRequest(one, half.subarray(0, 65_536));
    return one;
  };
  const all = [upload(), upload(), upload()] as const;
  const size = head.length + 2 * half.length;
  expect(all.map(({ request: { came } }) => came.size)).toEqual([size, size, size]);
  expect(all.map(({ request: { came } }) => came.kept)).toEqual([20_000_000, 1_048_576, 1_048_576]);
  expect(all[1].request.came.parts.reduce((sum, { length }) => sum + length, 0)).toBe(1_048_576);
  expect(Buffer.concat(all[1].request.body)).toHaveLength(1_048_576 - head.length);
  expect(all[1].request.body).toHaveLength(16);
  for (const one of all) forgetBytes(one);
  expect(room.left).toBe(20_000_000);
  expect(all.map(({ request: { came } }) => came.parts)).toEqual([[], [], []]);
  expect(mostKept).toBeGreaterThan(size);
});
