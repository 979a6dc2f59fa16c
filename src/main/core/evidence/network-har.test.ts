import { describe, expect, it } from 'vitest';
import type { NetworkRequest } from '../launches/network-log.ts';
import { networkHar, type HarSource } from './network-har.ts';

const token = 'k7Jq2Zx9-session';
const startedAt = Date.parse('2026-11-20T10:15:30.000Z');
const request: NetworkRequest = {
  startedAt,
  method: 'GET',
  url: `https://g.example/game?gameId=1042&externalToken=${token}`,
  resourceType: 'mainFrame',
  sent: [
    ['Accept', '*/*'],
    ['Cookie', 'sid=4711'],
    ['Referer', `https://casino.example/${token}`],
    ['x-trace', 'Bearer abcdefghijkl.mnop'],
  ],
  response: {
    at: startedAt + 40,
    status: 302,
    statusLine: 'HTTP/1.1 302 Found Here',
    headers: [
      ['Content-Type', 'text/html'],
      ['Set-Cookie', 'sid=4712; Secure'],
    ],
  },
  end: {
    at: startedAt + 41.5,
    error: null,
    fromCache: false,
    redirectURL: `https://g.example/next?opened=1&sessionToken=${token}`,
  },
};
const failed: NetworkRequest = {
  ...request,
  url: 'https://127.0.0.1/',
  sent: null,
  response: null,
  end: { at: startedAt + 5, error: 'net::ERR_BLOCKED_BY_CLIENT', fromCache: false, redirectURL: null },
};
const options: Omit<HarSource, 'requests' | 'left'> = {
  creator: { name: 'Croupier', version: '1.0.0' },
  engine: 'Chromium 140.0.7339.41, Electron 38.1.0',
  secrets: [token],
  answers: {},
};
const read = (requests: readonly NetworkRequest[], left = 0, more: Partial<typeof options> = {}) =>
  JSON.parse(networkHar({ requests, left, ...options, ...more })) as {
    log: Record<string, unknown> & { entries: unknown[] };
  };

describe('a network log as HAR 1.2', () => {
  it('has what was seen of a request, and -1 or nothing for the rest', () => {
    const { log } = read([request]);
    expect(log).toMatchObject({
      version: '1.2',
      creator: options.creator,
      browser: { name: 'Chromium', version: '140.0.7339.41' },
    });
    expect(log.entries).toEqual([
      {
        startedDateTime: '2026-11-20T10:15:30.000Z',
        time: 41.5,
        request: {
          method: 'GET',
          url: 'https://g.example/game?gameId=1042&externalToken=[token]',
          httpVersion: 'unknown',
          cookies: [],
          headers: [
            { name: 'Accept', value: '*/*' },
            { name: 'Cookie', value: '[secret]' },
            { name: 'Referer', value: 'https://casino.example/[token]' },
            { name: 'x-trace', value: '[secret]' },
          ],
          queryString: [
            { name: 'gameId', value: '1042' },
            { name: 'externalToken', value: '[token]' },
          ],
          headersSize: -1,
          bodySize: -1,
        },
        response: {
          status: 302,
          statusText: 'Found Here',
          httpVersion: 'unknown',
          cookies: [],
          headers: [
            { name: 'Content-Type', value: 'text/html' },
            { name: 'Set-Cookie', value: '[secret]' },
          ],
          content: { size: -1, mimeType: 'text/html' },
          redirectURL: 'https://g.example/next?opened=1&sessionToken=[token]',
          headersSize: -1,
          bodySize: -1,
        },
        cache: {},
        timings: { blocked: -1, dns: -1, connect: -1, send: 0, wait: 40, receive: 1.5, ssl: -1 },
        _resourceType: 'mainFrame',
      },
    ]);
  });

  it('says of a request what kept it from its end', () => {
    const { log } = read([failed, { ...failed, end: null }]);
    expect(log.entries).toMatchObject([
      {
        time: 5,
        response: { status: 0, _error: 'net::ERR_BLOCKED_BY_CLIENT' },
        comment: 'Its headers were not seen. Croupier blocked it.',
      },
      { time: 0, response: { status: 0 }, comment: 'Its headers were not seen. Still under way when the log was saved.' },
    ]);
  });

  it('says what is not in it, and how much was left out', () => {
    expect(read([request], 0, { engine: null }).log).not.toHaveProperty('browser');
    expect(read([request]).log['comment']).toMatch(
      /^Not recorded: bodies .+ response\. Tokens are masked in 4 places, other secrets in 3 places\. Values of Cookie, Set-Cookie are masked whole\.$/,
    );
    const bare = { ...failed, url: 'https://127.0.0.1/' };
    expect(read([bare]).log['comment']).toMatch(/ Nothing is masked\.$/);
    expect(read([request], 1_200).log['comment']).toMatch(/ 1,200 later requests were left out because the log was full\.$/);
  });

  it('has every request of a long log once, in order', () => {
    const requests = Array.from({ length: 250 }, (_, at) => ({ ...request, url: `https://g.example/${at}` }));
    const { log } = read(requests);
    expect(log.entries.map((entry) => (entry as { request: { url: string } }).request.url)).toEqual(
      requests.map(({ url }) => url),
    );
  });

  it.each([
    ['a header x-…-session', { sent: [['X-Player-Session', 'planted-4711']] }],
    ['a query sid', { url: 'https://g.example/?sid=planted-4711' }],
    ['a query gameSession', { url: 'https://g.example/?gameSession=planted-4711' }],
    ['a query userAuth', { url: 'https://g.example/#userAuth=planted-4711' }],
    ['a JWT in a path', { url: 'https://g.example/p_eyJhbGciOiJIUzI1NiJ9.eyJwbGFudGVkLTQ3MTEifQ.planted-4711/x' }],
    ['a JWT in a header', { sent: [['x-note', 'see eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.planted-4711']] }],
    ['the token in other case', { url: `https://g.example/p/${token.toUpperCase()}/planted-4711` }],
  ] as const)('masks %s', (_, more) => {
    const { log } = read([{ ...request, ...more }]);
    const text = JSON.stringify(log.entries);
    expect(text).not.toContain(token.toUpperCase());
    if (!_.includes('case')) expect(text).not.toContain('planted-4711');
  });

  it('masks a token that no URL names, in every form', () => {
    const url = `https://g.example/p/${token}/${Buffer.from(token).toString('base64')}`;
    const text = networkHar({ requests: [{ ...request, url }], left: 0, ...options });
    expect(text).not.toContain(token);
    expect(text).not.toContain(Buffer.from(token).toString('base64'));
  });
});
