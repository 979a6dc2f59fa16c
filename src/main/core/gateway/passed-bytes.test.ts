import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect as connectTcp, type AddressInfo } from 'node:net';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#testing/app.ts';
import { makeCertificate, startTlsServer, type TestServer } from '#testing/https-server.ts';

/** One connection: parts as a client writes them and as the far side answers once they have all come. `@` stands for the host. */
interface Case {
  readonly sends: readonly string[];
  readonly answers: readonly string[];
  /** The side that closes first; absent if both stay. */
  readonly closes?: 'far' | 'near';
  /** The far side answers when so much has come: the rest follows its answer. */
  readonly answersAfter?: string;
  /** States and statuses of the calls in the history, oldest first. */
  readonly calls: readonly string[];
}

const body = '{"action":"x"}';
const post = (more: string, rest = body) => `POST /serviceApi.php HTTP/1.1\r\nHost: @\r\n${more}\r\n${rest}`;
const sized = `Content-Length: ${body.length}\r\n`;
const usual = post(sized);
const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{"code":0}';
const good = { answers: [ok], calls: ['answered 200'] } as const;
const asked = { sends: [usual], calls: ['answered 200'] } as const;
const chunked = '5\r\n{"cod\r\n5;x=1\r\ne":0}\r\n0\r\n';

const requests: Readonly<Record<string, Case>> = {
  'as curl sends it': { ...good, sends: [post(`User-Agent: curl/8\r\nAccept: */*\r\n${sized}`)] },
  'names in any case, and twice': { ...good, sends: [post(`x-A: 1\r\nX-a: 2\r\nX-A:3\r\nCONTENT-length: ${body.length}\r\n`)] },
  'spaces around values': { ...good, sends: [post(`X:   y  \r\nZ:\t\r\n${sized}`)] },
  'a host in lower case with spaces': {
    ...good,
    sends: [`POST / HTTP/1.1\r\nhost:   @  \r\n${sized}\r\n${body}`],
  },
  'without a host': { ...good, sends: [`POST / HTTP/1.1\r\n${sized}\r\n${body}`] },
  'byte by byte': { ...good, sends: Array.from(usual) },
  'its head and its body apart': { ...good, sends: [usual.slice(0, -body.length), body] },
  chunked: { ...good, sends: [post('Transfer-Encoding: chunked\r\n', '7\r\n{"actio\r\n7\r\nn":"x"}\r\n0\r\n\r\n')] },
  'chunked with extensions and trailers': {
    ...good,
    sends: [post('Transfer-Encoding: chunked\r\nTrailer: T\r\n', 'e;a="b"\r\n{"action":"x"}\r\n0;c\r\nT: 1\r\n\r\n')],
  },
  'chunked in parts': {
    ...good,
    sends: [post('Transfer-Encoding: chunked\r\n', '7\r\n{"act'), 'io\r\n7\r', '\nn":"x"}\r\n0\r\n', '\r\n'],
  },
  'with a length and chunks': {
    ...good,
    sends: [post('Content-Length: 3\r\nTransfer-Encoding: chunked\r\n', '1\r\n{\r\n0\r\n\r\n')],
  },
  'a GET': { ...good, sends: ['GET /a?b=c HTTP/1.1\r\nHost: @\r\n\r\n'] },
  'a HEAD': {
    sends: ['HEAD / HTTP/1.1\r\nHost: @\r\n\r\n'],
    answers: ['HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n'],
    calls: ['answered 200'],
  },
  'an OPTIONS of everything': { ...good, sends: ['OPTIONS * HTTP/1.1\r\nHost: @\r\n\r\n'] },
  'an unknown method': { ...good, sends: [`PURGE /x HTTP/1.1\r\nHost: @\r\n${sized}\r\n${body}`] },
  'HTTP/1.0': { ...good, sends: [`POST / HTTP/1.0\r\nHost: @\r\n${sized}\r\n${body}`], closes: 'far' },
  'lines that end in LF': { ...good, sends: [`POST / HTTP/1.1\nHost: @\nContent-Length: ${body.length}\n\n${body}`] },
  'a folded header': { ...good, sends: [post(`X: a\r\n  b\r\n${sized}`)] },
  'a line without a colon': { ...good, sends: [post(`nonsense\r\n${sized}`)] },
  'a space before a colon': { ...good, sends: [post(`X : y\r\n${sized}`)] },
  'bytes beyond ASCII in a header': { ...good, sends: [post(`X: \u00e9\u00ff\r\n${sized}`)] },
  'a body that is no UTF-8': { ...good, sends: [post('Content-Length: 4\r\n', '\u00ff\u00fe\u0000\u0080')] },
  'an empty body': { ...good, sends: [post('Content-Length: 0\r\n', '')] },
  'blank lines before it': { ...good, sends: [`\r\n\r\n${usual}`] },
  'blank lines after it': { ...good, sends: [usual, '\r\n'], closes: 'near' },
  'two lengths alike': { ...good, sends: [post(`${sized}${sized}`)] },
  'three at once': {
    sends: [usual + usual + usual],
    answers: [ok + ok, ok],
    calls: ['answered 200', 'answered 200', 'answered 200'],
  },
  'one after the other in one part and a half': {
    sends: [usual + usual.slice(0, 20), usual.slice(20)],
    answers: [ok, ok],
    calls: ['answered 200', 'answered 200'],
  },
  'that is no HTTP': { sends: ['\u0016\u0003\u0001 hello'], answers: ['what?'], closes: 'far', calls: ['failed -'] },
  'a broken chunk': { ...good, sends: [post('Transfer-Encoding: chunked\r\n', '5\r\nhello\r\nzz\r\nmore')], closes: 'far' },
  'an upload that breaks off': { sends: [post('Content-Length: 100\r\n')], answers: [], closes: 'near', calls: ['cancelled -'] },
  'that waits for 100 Continue': {
    sends: [post(`${sized}Expect: 100-continue\r\n`, ''), body],
    answersAfter: 'continue\r\n\r\n',
    answers: ['HTTP/1.1 100 Continue\r\n\r\n', ok],
    calls: ['answered 200'],
  },
  'that is refused before it has come': {
    sends: [post(`Content-Length: 100\r\n`, '{"a"')],
    answersAfter: '{"a"',
    answers: ['HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'],
    closes: 'far',
    calls: ['answered 413'],
  },
  'that is answered before it has come, and another after it': {
    sends: [post(sized, '{"act'), `ion":"x"}${usual}`],
    answersAfter: '{"act',
    answers: [ok, ok],
    calls: ['answered 200', 'answered 200'],
  },
};

const responses: Readonly<Record<string, Case>> = {
  usual: { ...asked, answers: [ok] },
  'byte by byte': { ...asked, answers: Array.from(ok) },
  'in any case and order': {
    ...asked,
    answers: ['HTTP/1.1 200 Fine Then\r\nb: 1\r\nA:2\r\ncontent-LENGTH:10\r\nA: 3\r\n\r\n{"code":0}'],
  },
  chunked: { ...asked, answers: [`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}\r\n`] },
  'chunked with trailers': { ...asked, answers: [`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}T: 1\r\n\r\n`] },
  'until its end': { ...asked, answers: ['HTTP/1.1 200 OK\r\n\r\n{"code":0}'], closes: 'far' },
  'HTTP/1.0 until its end': {
    ...asked,
    answers: ['HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n{"code":0}'],
    closes: 'far',
  },
  'after news': { ...asked, answers: ['HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n', ok] },
  'after 100 Continue that nobody asked for': { ...asked, answers: ['HTTP/1.1 100 Continue\r\n\r\n', ok] },
  'without a body': { ...asked, answers: ['HTTP/1.1 204 No Content\r\n\r\n'], calls: ['answered 204'] },
  'not modified with a length': {
    ...asked,
    answers: ['HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n'],
    calls: ['answered 304'],
  },
  'a redirect, which nobody follows': {
    ...asked,
    answers: ['HTTP/1.1 307 Temporary Redirect\r\nLocation: https://elsewhere.example/\r\nContent-Length: 0\r\n\r\n'],
    calls: ['answered 307'],
  },
  'an error page': {
    ...asked,
    answers: ['HTTP/1.1 502 Bad Gateway\r\nContent-Length: 6\r\n\r\n<html>'],
    calls: ['answered 502'],
  },
  'with lines that end in LF': { ...asked, answers: ['HTTP/1.1 200 OK\nContent-Length: 10\n\n{"code":0}'] },
  'with a folded header': { ...asked, answers: ['HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 10\r\n\r\n{"code":0}'] },
  'with two lengths that differ': {
    ...asked,
    answers: ['HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 10\r\n\r\n{"code":0}'],
  },
  'with a length and chunks': {
    ...asked,
    answers: [`HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}\r\n`],
  },
  'that says chunks and has none': {
    ...asked,
    answers: ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{"code":0}'],
    closes: 'far',
  },
  'longer than it says': { ...asked, answers: [`${ok}more`], closes: 'far' },
  'shorter than it says': {
    ...asked,
    answers: ['HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"code":0}'],
    closes: 'far',
    calls: ['failed 200'],
  },
  'cut in its head': { ...asked, answers: ['HTTP/1.1 200 OK\r\nConte'], closes: 'far', calls: ['failed 200'] },
  'cut in a chunk': {
    ...asked,
    answers: ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhe'],
    closes: 'far',
    calls: ['failed 200'],
  },
  'none but the end': { ...asked, answers: [], closes: 'far', calls: ['failed -'] },
  'no HTTP': { ...asked, answers: ['{"code":0}'], closes: 'far', calls: ['failed -'] },
  'a status that is none': { ...asked, answers: ['HTTP/1.1 abc\r\n\r\nx'], closes: 'far', calls: ['failed -'] },
  'with NUL in a header': { ...asked, answers: ['HTTP/1.1 200 OK\r\nX: a\u0000b\r\nContent-Length: 10\r\n\r\n{"code":0}'] },
  'compressed in name only': {
    ...asked,
    answers: ['HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 10\r\n\r\n{"code":0}'],
    calls: ['answered 200'],
  },
  'a client that leaves before it': { ...asked, answers: [], closes: 'near', calls: ['cancelled -'] },
};

let test: TestApp;
let far: TestServer;
let script: { readonly expected: string; readonly one: Case; received: string } = {
  expected: '',
  one: requests['as curl sends it']!,
  received: '',
};
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

async function writeAll(socket: TLSSocket, parts: readonly string[]): Promise<void> {
  for (const part of parts) {
    if (socket.writable) socket.write(Buffer.from(part, 'latin1'));
    await turn();
  }
}

beforeAll(async () => {
  test = await createTestApp();
  far = await startTlsServer((socket) => {
    socket.on('data', (bytes: Buffer) => {
      const mine = script;
      const before = mine.received;
      mine.received += bytes.toString('latin1');
      const mark = mine.one.answersAfter;
      const isDone = (text: string, until: string) => text.includes(until);
      if (mark !== undefined && !isDone(before, mark) && isDone(mine.received, mark))
        void writeAll(socket, mine.one.answers.slice(0, 1));
      if (before.length < mine.expected.length && mine.received.length >= mine.expected.length) {
        void writeAll(socket, mine.one.answers.slice(mark === undefined ? 0 : 1)).then(
          () => mine.one.closes === 'far' && socket.end(),
        );
      }
    });
  });
  const environment = await test.environment(far);
  await test.client.call('gateway.start', { environmentId: environment.id, anyPartner: true });
});
let near: TLSSocket | null = null;
afterEach(() => near?.destroy());
afterAll(async () => {
  await test.close();
  await far.close();
});

async function pass(one: Case): Promise<{ readonly toFar: string; readonly toNear: string; readonly calls: string[] }> {
  const status = await test.client.call('gateway.status', {});
  if (status === null) throw new Error('no gateway');
  const { port } = new URL(status.baseUrl);
  const written = one.sends.map((part) => part.replaceAll('@', `localhost:${port}`));
  script = { expected: one.sends.join('').replaceAll('@', `localhost:${far.port}`), one, received: '' };
  const mine = script;
  const before = (await test.client.call('calls.list', {})).calls[0]?.id ?? 0;
  const socket = connect({ port: Number(port), host: 'localhost', servername: 'localhost', ca: readFileSync(status.caFile) });
  near = socket;
  let toNear = '';
  const answer = one.answers.join('');
  await new Promise<void>((resolve, reject) => {
    const look = () => {
      const isAnswered = toNear.length >= answer.length && mine.received.length >= mine.expected.length;
      if (one.closes === undefined && isAnswered) resolve();
      if (one.closes === 'near' && isAnswered) socket.end();
    };
    socket.on('data', (bytes: Buffer) => {
      toNear += bytes.toString('latin1');
      if (one.answersAfter !== undefined && written.length > 1 && toNear === one.answers[0])
        void writeAll(socket, written.slice(1));
      look();
    });
    const poll = setInterval(look, 5);
    socket.on('close', () => {
      clearInterval(poll);
      resolve();
    });
    socket.on('error', reject);
    socket.once('secureConnect', () => void writeAll(socket, one.answersAfter === undefined ? written : written.slice(0, 1)));
  });
  socket.destroy();
  for (;;) {
    const { connections } = (await test.client.call('gateway.status', {})) ?? { connections: 0 };
    if (connections === 0) break;
    await turn();
  }
  const { calls } = await test.client.call('calls.list', {});
  const fresh = calls.filter(({ id }) => id > before).reverse();
  return { toFar: mine.received, toNear, calls: fresh.map(({ state, status: code }) => `${state} ${code ?? '-'}`) };
}

describe.each([
  ['a request', requests],
  ['a response', responses],
])('%s passes byte for byte', (_, cases) => {
  it.each(Object.entries(cases))('%s', { timeout: 8_000 }, async (_name, one) => {
    const { toFar, toNear, calls } = await pass(one);
    expect(toFar).toBe(script.expected);
    expect(toNear).toBe(one.answers.join(''));
    expect(calls).toEqual(one.calls);
    expect(test.faults).toEqual([]);
  });
});

/** Passes a request whose client closes its side at once to a far side that does something when it hears of that. */
async function passHalfClosed(answers: (far: TLSSocket) => void) {
  const { key, cert, ca } = await makeCertificate();
  const heard: string[] = [];
  const server = createServer({ key, cert, allowHalfOpen: true }, (socket) => {
    let text = '';
    socket.on('data', (bytes: Buffer) => (text += bytes.toString('latin1'))).on('error', () => undefined);
    socket.on('end', () => {
      heard.push(text.replace(/localhost:\d+/, '@'));
      answers(socket);
    });
  }).listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const own = await createTestApp();
  try {
    const environment = await own.environment({ baseUrl: `https://localhost:${port}`, ca });
    const { baseUrl, caFile } = await own.client.call('gateway.start', { environmentId: environment.id, anyPartner: true });
    const raw = connectTcp({ port: Number(new URL(baseUrl).port), host: 'localhost', allowHalfOpen: true });
    const near = connect({ socket: raw, servername: 'localhost', ca: readFileSync(caFile) });
    let came = '';
    near.on('data', (bytes: Buffer) => (came += bytes.toString('latin1'))).on('error', () => undefined);
    // What a client does that writes its request and says at once that it has no other.
    near.end(usual);
    await once(near, 'close');
    await own.client.call('gateway.stop', {});
    const { entries } = await own.client.call('gateway.log', {});
    const { findings } = await own.client.call('calls.get', { id: 1 });
    expect(own.faults).toEqual([]);
    return {
      heard,
      came,
      entries: entries.map(({ verdict, why }) => `${verdict} ${why}`.trim()),
      rules: findings.map(({ rule }) => rule),
    };
  } finally {
    await own.close();
    server.close();
  }
}

describe('a client that closes its side after its request', () => {
  it('gets the response, and the far side hears of it once the whole request has left', async () => {
    expect(await passHalfClosed((socket) => void socket.end(ok))).toEqual({
      heard: [usual],
      came: ok,
      entries: ['other'],
      rules: ['gateway.host', 'gateway.halfClosed'],
    });
  });

  it('is the reason where the far side ends without a response', async () => {
    const { came, entries } = await passHalfClosed((socket) => void socket.end());
    expect([came, entries]).toEqual([
      '',
      [expect.stringMatching(/^failed The client closed its connection before the response/)],
    ]);
  });
});

it('a client that writes all of a long upload before it reads gets the response that refused it', async () => {
  const refusal = 'HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n';
  const refused = Promise.withResolvers<TLSSocket>();
  const server = await startTlsServer((socket) => void socket.once('data', () => refused.resolve(socket.pause())));
  const own = await createTestApp();
  try {
    const environment = await own.environment(server);
    const { baseUrl, caFile } = await own.client.call('gateway.start', { environmentId: environment.id, anyPartner: true });
    const { port } = new URL(baseUrl);
    const client = connect({ port: Number(port), host: 'localhost', servername: 'localhost', ca: readFileSync(caFile) });
    near = client;
    await once(client, 'secureConnect');
    const written = new Promise((resolve) => client.write(post('Content-Length: 30000000\r\n', 'x'.repeat(30_000_000)), resolve));
    const socket = await refused.promise;
    // Nothing moves any more: the far side does not read.
    for (let before = -1; before !== client.bytesWritten; await pause(50)) before = client.bytesWritten;
    socket.end(refusal, () => socket.destroy());
    await written;
    let came = '';
    client.on('data', (bytes: Buffer) => (came += bytes.toString('latin1')));
    await once(client, 'end');
    expect(came).toBe(refusal);
    expect(own.faults).toEqual([]);
  } finally {
    await own.close();
    await server.close();
  }
});
