import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ask,
  handshake,
  json,
  knownPicture,
  own,
  raw,
  sessionSecret,
  startRecorded,
  type Ask,
  type Recorded,
} from '#testing/loopback-driver.ts';

let run: Recorded;
beforeEach(async () => {
  run = await startRecorded();
});
afterEach(() => run.server.close());

/** A request that differs from one that is accepted in the way its name says. What gate.test.ts shows of a rule is here once, on the wire. */
interface Hostile {
  readonly name: string;
  readonly status: number | readonly number[];
  readonly ask: (context: { origin: string; port: string; session: string; token: string }) => Ask;
}

const call =
  (
    change: (accepted: { headers: Record<string, string | string[] | undefined>; body: string }, origin: string) => Partial<Ask>,
  ) =>
  ({ origin, session }: { origin: string; session: string }): Ask => {
    const accepted = {
      headers: { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', 'x-croupier-session': session },
      body: '{"name":"environments.remove","input":{"id":"sandbox"}}',
    };
    return { method: 'POST', path: '/call', ...accepted, ...change(accepted, origin) };
  };
const callWith = (headers: Record<string, string | string[] | undefined>) =>
  call((accepted) => ({ headers: { ...accepted.headers, ...headers } }));
const callBody = (body: string | Buffer) => call(() => ({ body }));
const sessionBody =
  (body: string, headers: Record<string, string> = {}) =>
  ({ origin }: { origin: string }): Ask => ({
    method: 'POST',
    path: '/session',
    headers: { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', ...headers },
    body,
  });
const read =
  (path: string, headers: Record<string, string | undefined> = {}) =>
  ({ session }: { session: string }): Ask => ({
    path,
    headers: { 'sec-fetch-site': 'same-origin', 'x-croupier-session': session, ...headers },
  });
const callWithPath = (path: string, headers: Record<string, string | undefined>) =>
  call((accepted) => ({ path, headers: { ...accepted.headers, ...headers } }));
const upgrade =
  (headers: Record<string, string | string[] | undefined>) =>
  ({ origin, session }: { origin: string; port?: string; session: string }): Ask => ({
    path: '/line',
    headers: { origin, ...handshake(session), ...headers },
  });
const picture = `/picture/${knownPicture}`;
const plainGet =
  (path: string, headers: Record<string, string> = {}) =>
  (): Ask => ({ path, headers });

const hostile: readonly Hostile[] = [
  // The name of another host: a rebound page.
  { name: 'a rebound name', status: 421, ask: callWith({ host: 'evil.test' }) },
  { name: 'a page through a rebound name', status: 421, ask: plainGet('/', { host: 'evil.test' }) },
  { name: 'a script through a rebound name', status: 421, ask: plainGet('/assets/main.js', { host: 'evil.test' }) },
  {
    name: 'an upgrade through a rebound name',
    status: 421,
    ask: ({ session }) => plainGet('/line', { host: 'evil.test', ...handshake(session) })(),
  },
  // Another origin.
  { name: 'another origin', status: 403, ask: callWith({ origin: 'https://evil.test' }) },
  { name: 'no origin at all', status: 403, ask: callWith({ origin: undefined }) },
  {
    name: 'a file of the page for another origin',
    status: 403,
    ask: plainGet('/assets/main.js', { origin: 'https://evil.test' }),
  },
  { name: 'a line for another origin', status: 403, ask: upgrade({ origin: 'https://evil.test' }) },
  {
    name: 'a line for two origins',
    status: 403,
    ask: (context) => upgrade({ origin: [context.origin, 'https://evil.test'] })(context),
  },
  { name: 'a line without an origin', status: 403, ask: upgrade({ origin: undefined }) },
  // Fetch metadata.
  { name: 'a call from another site', status: 403, ask: callWith({ 'sec-fetch-site': 'cross-site' }) },
  {
    name: 'a call with doubled fetch metadata',
    status: 403,
    ask: callWith({ 'sec-fetch-site': ['same-origin', 'same-origin'] }),
  },
  { name: 'a line from another site', status: 403, ask: upgrade({ 'sec-fetch-site': 'cross-site' }) },
  { name: 'a body as an image', status: 403, ask: read('/body/7', { 'sec-fetch-dest': 'image' }) },
  { name: 'a body from another site', status: 403, ask: read('/body/7', { 'sec-fetch-site': 'cross-site' }) },
  {
    name: 'the page in a frame of another site',
    status: 403,
    ask: plainGet('/', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }),
  },
  {
    name: 'a script of the page on another site',
    status: 403,
    ask: plainGet('/assets/main.js', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'script' }),
  },
  // Methods.
  { name: 'a preflight of a call', status: 403, ask: call(() => ({ method: 'OPTIONS', body: '' })) },
  { name: 'a call by GET', status: 405, ask: call(() => ({ method: 'GET', body: '' })) },
  { name: 'the page by POST', status: 405, ask: ({ origin }) => ({ method: 'POST', path: '/', headers: { origin } }) },
  { name: 'a line by POST', status: [403, 426], ask: call(() => ({ path: '/line' })) },
  { name: 'a line that is none', status: 426, ask: read('/line') },
  // Sessions.
  { name: 'a call without a session', status: 401, ask: callWith({ 'x-croupier-session': undefined }) },
  { name: 'a call with an empty session', status: 401, ask: callWith({ 'x-croupier-session': '' }) },
  { name: 'a call with a guessed session', status: 401, ask: callWith({ 'x-croupier-session': 'A'.repeat(43) }) },
  {
    name: 'a call with the token as session',
    status: 401,
    ask: (context) => callWith({ 'x-croupier-session': context.token })(context),
  },
  {
    name: 'a call with a truncated session',
    status: 401,
    ask: (context) => callWith({ 'x-croupier-session': context.session.slice(0, -1) })(context),
  },
  {
    name: 'a call with a longer session',
    status: 401,
    ask: (context) => callWith({ 'x-croupier-session': `${context.session}A` })(context),
  },
  {
    name: 'a call with a session in another case',
    status: 401,
    ask: (context) => callWith({ 'x-croupier-session': swapCase(context.session) })(context),
  },
  {
    name: 'a call with two sessions',
    status: 401,
    ask: (context) => callWith({ 'x-croupier-session': [context.session, context.session] })(context),
  },
  {
    name: 'a call with the session as a cookie',
    status: 401,
    ask: (context) =>
      callWith({ 'x-croupier-session': undefined, cookie: `session=${context.session}; x-croupier-session=${context.session}` })(
        context,
      ),
  },
  {
    name: 'a call with the session as authorization',
    status: 401,
    ask: (context) => callWith({ 'x-croupier-session': undefined, authorization: `Bearer ${context.session}` })(context),
  },
  {
    name: 'a call with the session in the address',
    status: 404,
    ask: (context) => ({ ...callWith({ 'x-croupier-session': undefined })(context), path: `/call?session=${context.session}` }),
  },
  { name: 'whether no session is known', status: 401, ask: read('/session', { 'x-croupier-session': undefined }) },
  {
    name: 'a token for another page without a session',
    status: 401,
    ask: callWithPath('/token', { 'x-croupier-session': undefined }),
  },
  { name: 'a line without a session', status: 401, ask: upgrade({ 'sec-websocket-protocol': 'croupier.line' }) },
  { name: 'a line without protocols', status: 401, ask: upgrade({ 'sec-websocket-protocol': undefined }) },
  { name: 'a line with a guessed session', status: 401, ask: upgrade(handshake('A'.repeat(43))) },
  { name: 'a line with the token as session', status: 401, ask: (context) => upgrade(handshake(context.token))(context) },
  {
    name: 'a line with a session in another case',
    status: 401,
    ask: (context) => upgrade(handshake(swapCase(context.session)))(context),
  },
  {
    name: 'a line with a truncated session',
    status: 401,
    ask: (context) => upgrade(handshake(context.session.slice(0, -1)))(context),
  },
  {
    name: 'a line with two sessions',
    status: 401,
    ask: (context) => {
      const offered = handshake(context.session)['sec-websocket-protocol'];
      return upgrade({ 'sec-websocket-protocol': [offered, offered] })(context);
    },
  },
  {
    name: 'a line with the session as a header',
    status: 401,
    ask: (context) => upgrade({ 'sec-websocket-protocol': undefined, 'x-croupier-session': context.session })(context),
  },
  {
    name: 'a line with the session in the address',
    status: 403,
    ask: (context) => ({
      ...upgrade({ 'sec-websocket-protocol': undefined })(context),
      path: `/line?session=${context.session}`,
    }),
  },
  { name: 'a body without a session', status: 401, ask: read('/body/7', { 'x-croupier-session': undefined }) },
  { name: 'bytes as they came without a session', status: 401, ask: read('/raw/7', { 'x-croupier-session': undefined }) },
  { name: 'a picture without a session', status: 401, ask: read(picture, { 'x-croupier-session': undefined }) },
  { name: 'a picture with a guessed session', status: 401, ask: read(picture, { 'x-croupier-session': 'A'.repeat(43) }) },
  {
    name: 'a picture with the token as session',
    status: 401,
    ask: (context) => read(picture, { 'x-croupier-session': context.token })(context),
  },
  // Tokens.
  { name: 'a guessed token', status: 401, ask: sessionBody(JSON.stringify({ token: 'A'.repeat(43) })) },
  { name: 'an empty token', status: 401, ask: sessionBody('{"token":""}') },
  {
    name: 'a truncated token',
    status: 401,
    ask: (context) => sessionBody(JSON.stringify({ token: context.token.slice(0, -1) }))(context),
  },
  {
    name: 'a token in another case',
    status: 401,
    ask: (context) => sessionBody(JSON.stringify({ token: swapCase(context.token) }))(context),
  },
  {
    name: 'a token with a space',
    status: 401,
    ask: (context) => sessionBody(JSON.stringify({ token: `${context.token} ` }))(context),
  },
  { name: 'a token that is a number', status: 400, ask: sessionBody('{"token":1}') },
  { name: 'a token in a list', status: 400, ask: (context) => sessionBody(JSON.stringify({ token: [context.token] }))(context) },
  { name: 'a list instead of an object', status: 400, ask: sessionBody('[]') },
  { name: 'no token', status: 400, ask: sessionBody('{}') },
  {
    name: 'a token in the address',
    status: 404,
    ask: (context) => ({ ...sessionBody('{}')(context), path: `/session?token=${context.token}` }),
  },
  {
    name: 'a token in too long a body',
    status: 400,
    ask: (context) => sessionBody(JSON.stringify({ token: context.token, pad: 'x'.repeat(5_000) }))(context),
  },
  {
    name: 'a token from another origin',
    status: 403,
    ask: (context) => ({
      ...sessionBody(JSON.stringify({ token: context.token }))(context),
      headers: { ...json, origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' },
    }),
  },
  // Content.
  { name: 'a call as a form body', status: 415, ask: callWith({ 'content-type': 'application/x-www-form-urlencoded' }) },
  { name: 'a compressed call', status: 415, ask: callWith({ 'content-encoding': 'gzip' }) },
  { name: 'a call that is not JSON', status: 400, ask: callBody('{"name":') },
  { name: 'an empty call', status: 400, ask: callBody('') },
  { name: 'a call that is not UTF-8', status: 400, ask: callBody(Buffer.from([0x22, 0xff, 0x22])) },
  { name: 'a call that is null', status: 400, ask: callBody('null') },
  { name: 'a call that is a list', status: 400, ask: callBody('["environments.remove"]') },
  { name: 'a call without a name', status: 400, ask: callBody('{"input":{}}') },
  { name: 'a call whose name is an object', status: 400, ask: callBody('{"name":{"toString":"x"}}') },
  { name: 'a call that says it is huge', status: 413, ask: callWith({ 'content-length': '99999999999' }) },
  // Paths.
  ...[
    '/../package.json',
    '/..%2f..%2fpackage.json',
    '/assets/../../package.json',
    '/assets//main.js',
    '//assets/main.js',
    '/assets/main.js?x',
    '/assets/main.js%00.html',
    '/assets/MAIN.js',
    '/.git/config',
    '/__proto__',
    '/constructor',
    '/?token=x',
    `/picture/../${'7'.repeat(64)}`,
    `/picture/${'7'.repeat(64)}/..`,
    `/picture/..%2f..%2f${'7'.repeat(58)}`,
    '/body/7/..',
    'http://evil.test/',
    '*',
  ].map((path) => ({ name: `the path ${path}`, status: [404, 400], ask: read(path) })),
  // Upgrades.
  { name: 'an upgrade of a call', status: 403, ask: (context) => ({ ...upgrade({})(context), path: '/call' }) },
  { name: 'an upgrade of the page', status: 403, ask: (context) => ({ ...upgrade({})(context), path: '/' }) },
  { name: 'a line of another version', status: 400, ask: upgrade({ 'sec-websocket-version': '12' }) },
  { name: 'a line without a key', status: 400, ask: upgrade({ 'sec-websocket-key': undefined }) },
  {
    name: 'an upgrade to HTTP/2',
    status: 403,
    ask: () => ({ headers: { connection: 'upgrade, http2-settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' } }),
  },
];

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));
}

const notForOthers = [
  'access-control-allow-origin',
  'access-control-allow-private-network',
  'access-control-allow-headers',
  'set-cookie',
];

describe('hostile requests', () => {
  it.each(hostile)('refuses $name', async ({ status, ask: hostileAsk }) => {
    const session = await sessionSecret(run);
    const token = run.access.issue();
    const context = { origin: run.server.origin, port: new URL(run.server.origin).port, session, token };
    const answer = await ask(run.server, hostileAsk(context));
    expect([status].flat()).toContain(answer.status);
    expect(run.reached).toEqual([]);
    expect(run.listeners.size).toBe(0);
    for (const name of notForOthers) expect(answer.headers[name]).toBeUndefined();
    expect(answer.text).not.toContain(session);
    // Whatever it was, it used up nothing: the token still opens a session.
    const after = await ask(run.server, {
      method: 'POST',
      path: '/session',
      headers: { ...own(run.server), ...json },
      body: JSON.stringify({ token }),
    });
    expect(after.status).toBe(200);
  });

  it.each([
    ['no Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', '421'],
    ['no Host in HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n', '421'],
    ['two Hosts', 'GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nHost: evil.test\r\nConnection: close\r\n\r\n', '4\\d\\d'],
    ['a tunnel', 'CONNECT evil.test:443 HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n', null],
    ['two lengths', 'POST /call HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx', '400'],
    [
      'a length and chunks',
      'POST /call HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      '400',
    ],
    ['a header without end', `GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nX-Pad: ${'x'.repeat(20_000)}\r\n\r\n`, '4\\d\\d'],
    ['no HTTP at all', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001', '400'],
  ])('refuses %s on the wire', async (_name, text, status) => {
    const received = await raw(run.server, text);
    if (status === null) expect(received).not.toContain(' 200 ');
    else expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(received.toLowerCase()).not.toContain('access-control');
    expect(run.reached).toEqual([]);
  });

  it('refuses a token for the second time and after its minute', async () => {
    const send = (token: string) =>
      ask(run.server, {
        method: 'POST',
        path: '/session',
        headers: { ...own(run.server), ...json },
        body: JSON.stringify({ token }),
      });
    const token = run.access.issue();
    expect((await send(token)).status).toBe(200);
    expect((await send(token)).status).toBe(401);
    const late = run.access.issue();
    run.pass(60_000);
    expect((await send(late)).status).toBe(401);
  });

  it('listens on 127.0.0.1 alone', async () => {
    const { port } = new URL(run.server.origin);
    const outcome = await new Promise<string>((resolve) => {
      const socket = connect({ port: Number(port), host: '::1' }, () => resolve('connected'));
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
    });
    expect(outcome).not.toBe('connected');
  });
});
