import { describe, expect, it } from 'vitest';
import { linePath } from '#shared/page-socket.ts';
import { refusalOf, routeOf, upgradeRefusalOf, type Route } from './gate.ts';

const authority = '127.0.0.1:4711';
const origin = `http://${authority}`;

/** A request with these headers and the right Host, unless they say another. */
function requestOf(method: string, headers: Record<string, string>, hosts: readonly string[] = [authority]) {
  const [host] = hosts;
  const rawHeaders = hosts.flatMap((one) => ['Host', one]).concat(Object.entries(headers).flat());
  return { method, headers: { ...(host === undefined ? {} : { host }), ...headers }, rawHeaders };
}

/** `405 Method not allowed.`, or `pass`. */
const said = (refusal: { status: number; reason: string } | null) =>
  refusal === null ? 'pass' : `${refusal.status} ${refusal.reason}`;

const site = (name: string) => ({ 'sec-fetch-site': name });
const same = site('same-origin');
const page: Route = { name: 'page' };
const line: Route = { name: 'line' };

describe('a route', () => {
  const isFile = (path: string) => path === '/assets/a.js';
  const hash = '0123456789abcdef'.repeat(4);
  const ticket = `${'aZ09_-'.repeat(7)}x`;

  it.each<[string, Route]>([
    ['/', { name: 'page' }],
    ['/index.html', { name: 'page' }],
    ['/session', { name: 'session' }],
    ['/call', { name: 'call' }],
    ['/token', { name: 'token' }],
    [linePath, { name: 'line' }],
    ['/body/1', { name: 'body', callId: 1 }],
    ['/body/-1', { name: 'body', callId: -1 }],
    ['/raw/-1', { name: 'raw', callId: -1 }],
    ['/sentRaw/7', { name: 'sentRaw', callId: 7 }],
    ['/body/102030405060708', { name: 'body', callId: 102_030_405_060_708 }],
    [`/picture/${hash}`, { name: 'picture', id: hash }],
    [`/frame/${ticket}`, { name: 'frame', ticket }],
    ['/assets/a.js', { name: 'file', path: '/assets/a.js' }],
  ])('is %s', (target, route) => {
    expect(routeOf(target, isFile)).toEqual(route);
  });

  it.each([
    '',
    '//',
    '/?',
    '/index.html?',
    '/index.html/',
    '/Session',
    '/call/',
    '/body/',
    '/body/0',
    '/body/01',
    '/raw/01',
    '/raw',
    '/body/1x',
    '/body/-0',
    '/body/--1',
    '/body/x1',
    'x/body/1',
    '/body/1234567890123456',
    `/picture/${hash.slice(1)}`,
    `/picture/${hash}0`,
    `/picture/${hash.toUpperCase()}`,
    `x/picture/${hash}`,
    `/picture/${hash}x`,
    `/frame/${ticket.slice(1)}`,
    `/frame/${ticket}a`,
    `/frame/${ticket.slice(1)}.`,
    `x/frame/${ticket}`,
    '/assets/b.js',
    '/assets/a.js?',
    `${linePath}/`,
  ])('is none: %j', (target) => {
    expect(routeOf(target, isFile)).toEqual({ name: 'none' });
  });
});

describe('every request', () => {
  const routes: Route[] = [
    page,
    line,
    { name: 'file', path: '/a.js' },
    { name: 'session' },
    { name: 'call' },
    { name: 'token' },
    { name: 'body', callId: 1 },
    { name: 'picture', id: '' },
    { name: 'frame', ticket: '' },
    { name: 'none' },
  ];
  const misdirected = '421 Open the URL that Croupier printed.';

  it.each(routes)('names the one host, once: $name', (route) => {
    for (const hosts of [
      [],
      ...['localhost', '127.1', '127.0.0.1.', 'x@127.0.0.1', '[::1]', 'evil.example'].map((name) => [`${name}:4711`]),
      ...['127.0.0.1', '127.0.0.1:1', '127.0.0.1:04711', 'evil.example'].map((host) => [host]),
      [authority, authority],
      [authority, 'evil.example'],
      ['evil.example', authority],
    ]) {
      expect(said(refusalOf(requestOf('GET', same, hosts), route, authority))).toBe(misdirected);
      expect(said(upgradeRefusalOf(requestOf('GET', { ...same, origin, upgrade: 'websocket' }, hosts), route, authority))).toBe(
        misdirected,
      );
    }
  });

  it('names its host however the header is written, and a value that says host is none', () => {
    const request = {
      method: 'GET',
      headers: { host: authority },
      rawHeaders: ['hOsT', authority, 'x-a', 'host', 'x-b', 'Host'],
    };
    expect(said(refusalOf(request, page, authority))).toBe('pass');
  });

  it.each(routes)('names no other origin: $name', (route) => {
    const near = [`https://${authority}`, `ws://${authority}`, `${origin}/`, `${origin}.evil.example`, 'http://localhost:4711'];
    for (const other of ['', 'null', 'http://evil.example', 'http://127.0.0.1', 'http://127.0.0.1:1', ...near]) {
      const refused = upgradeRefusalOf(requestOf('GET', { ...same, origin: other, upgrade: 'websocket' }), route, authority);
      expect(said(refused)).toMatch(/^403 /);
      expect(said(refusalOf(requestOf('GET', { ...same, origin: other }), route, authority))).toBe('403 Origin not allowed.');
    }
  });

  it.each(routes)('asks by GET or POST: $name', (route) => {
    expect(said(refusalOf(requestOf('OPTIONS', { ...same, origin }), route, authority))).toBe('403 Origin not allowed.');
    for (const method of ['HEAD', 'PUT', 'DELETE', 'TRACE', 'get'])
      expect(said(refusalOf(requestOf(method, { ...same, origin }), route, authority))).toBe('405 Method not allowed.');
  });

  it('has a route', () => {
    for (const method of ['GET', 'POST'])
      expect(said(refusalOf(requestOf(method, { ...same, origin }), { name: 'none' }, authority))).toBe('404 Not found.');
    expect(said(refusalOf(requestOf('GET', { ...same, origin }), line, authority))).toBe('426 Connect with a WebSocket.');
  });
});

describe('the page', () => {
  it.each<[string, Record<string, string>, string]>([
    ['asked for by a program', {}, 'pass'],
    ['typed in', site('none'), 'pass'],
    ['loaded by itself', same, 'pass'],
    ['in a frame of its own', { ...same, 'sec-fetch-dest': 'iframe' }, '403 Frames are not allowed.'],
    ['in a frame that was typed in', { ...site('none'), 'sec-fetch-dest': 'iframe' }, '403 Frames are not allowed.'],
    ['in a frame of something old', { 'sec-fetch-dest': 'iframe' }, '403 Frames are not allowed.'],
    ['opened by a link', { ...site('cross-site'), 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, 'pass'],
    [
      'opened by a link of the same site',
      { ...site('same-site'), 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
      'pass',
    ],
    [
      'in a frame of another site',
      { ...site('cross-site'), 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
      '403 Site not allowed.',
    ],
    [
      'fetched by another site',
      { ...site('cross-site'), 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'document' },
      '403 Site not allowed.',
    ],
    ['of another site that says nothing else', site('cross-site'), '403 Site not allowed.'],
  ])('%s', (_, headers, expected) => {
    expect(said(refusalOf(requestOf('GET', headers), page, authority))).toBe(expected);
  });

  it.each<[string, Record<string, string>, string]>([
    ['a file for a program', {}, 'pass'],
    ['a file that was typed in', site('none'), 'pass'],
    ['a file for the page', same, 'pass'],
    ['a file for another site', site('cross-site'), '403 Site not allowed.'],
    ['a file for the same site', site('same-site'), '403 Site not allowed.'],
  ])('%s', (_, headers, expected) => {
    expect(said(refusalOf(requestOf('GET', headers), { name: 'file', path: '/a.js' }, authority))).toBe(expected);
  });

  it.each<[Route['name'], Route]>([
    ['page', page],
    ['file', { name: 'file', path: '/a.js' }],
    ['body', { name: 'body', callId: 1 }],
    ['raw', { name: 'raw', callId: 1 }],
    ['picture', { name: 'picture', id: '' }],
    ['frame', { name: 'frame', ticket: '' }],
  ])('is not sent anything: %s', (_, route) => {
    const headers = { ...same, origin, 'content-type': 'application/json' };
    expect(said(refusalOf(requestOf('POST', headers), route, authority))).toBe('405 Method not allowed.');
  });
});

describe('a frame of a game', () => {
  const frame: Route = { name: 'frame', ticket: '' };
  const framed = { ...same, 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' };

  it.each<[Record<string, string>, string]>([
    [framed, 'pass'],
    [{ ...framed, 'sec-fetch-site': 'cross-site' }, '403 Only a frame of the workbench can use this.'],
    [{ ...framed, 'sec-fetch-dest': 'document' }, '403 Only a frame of the workbench can use this.'],
    [{ ...framed, 'sec-fetch-mode': 'cors' }, '403 Only a frame of the workbench can use this.'],
    [{}, '403 Only a frame of the workbench can use this.'],
  ])('%j: %s', (headers, expected) => {
    expect(said(refusalOf(requestOf('GET', headers), frame, authority))).toBe(expected);
  });
});

describe('what only the page itself may ask', () => {
  const json = { ...same, origin, 'content-type': 'application/json' };
  const refusal = '403 Only the workbench can use this.';

  it.each<[Route['name'], 'GET' | 'POST', Route]>([
    ['body', 'GET', { name: 'body', callId: 1 }],
    ['raw', 'GET', { name: 'raw', callId: 1 }],
    ['sentRaw', 'GET', { name: 'sentRaw', callId: 1 }],
    ['picture', 'GET', { name: 'picture', id: '' }],
    ['session', 'GET', { name: 'session' }],
    ['session', 'POST', { name: 'session' }],
    ['call', 'POST', { name: 'call' }],
    ['token', 'POST', { name: 'token' }],
  ])('%s by %s', (_, method, route) => {
    const ask = (headers: Record<string, string>) => said(refusalOf(requestOf(method, headers), route, authority));
    expect(ask(json)).toBe('pass');
    expect(ask({ ...json, 'sec-fetch-dest': 'empty' })).toBe('pass');
    for (const dest of ['document', 'image', 'iframe']) expect(ask({ ...json, 'sec-fetch-dest': dest })).toBe(refusal);
    expect(ask({ ...json, 'sec-fetch-site': 'cross-site' })).toMatch(/^403 /);
    expect(ask({ ...json, 'sec-fetch-site': 'none' })).toBe(refusal);
    expect(ask({ ...json, 'sec-fetch-site': 'same-site' })).toBe(refusal);
    expect(ask({ origin, 'content-type': 'application/json' })).toBe(refusal);
    expect(ask({ ...same, 'content-type': 'application/json' })).toBe(
      method === 'POST' ? '403 The Origin header is missing.' : 'pass',
    );
  });

  it.each<[string, string]>([
    ['application/json', 'pass'],
    ['Application/JSON; charset=UTF-8', 'pass'],
    ['application/json;charset=utf-8', 'pass'],
    ['application/json; charset=latin1', '415 Send application/json.'],
    ['text/plain', '415 Send application/json.'],
    ['', '415 Send application/json.'],
  ])('as JSON: %s', (type, expected) => {
    for (const name of ['session', 'call', 'token'] as const)
      expect(said(refusalOf(requestOf('POST', { ...json, 'content-type': type }), { name }, authority))).toBe(expected);
  });

  it('as JSON that is as it is', () => {
    for (const name of ['session', 'call', 'token'] as const) {
      expect(said(refusalOf(requestOf('POST', { ...same, origin }), { name }, authority))).toBe('415 Send application/json.');
      const coded = requestOf('POST', { ...json, 'content-encoding': 'gzip' });
      expect(said(refusalOf(coded, { name }, authority))).toBe('415 Send no Content-Encoding.');
    }
  });

  it.each(['call', 'token'] as const)('by POST alone: %s', (name) => {
    expect(said(refusalOf(requestOf('GET', json), { name }, authority))).toBe('405 Method not allowed.');
  });
});

describe('a line', () => {
  const upgrade = { origin, upgrade: 'websocket' };

  it.each<[string, string, Record<string, string>, Route, string]>([
    ['of the page', 'GET', { ...upgrade, ...same }, line, 'pass'],
    ['of a page whose browser sends no fetch metadata', 'GET', upgrade, line, 'pass'],
    ['in capitals', 'GET', { ...upgrade, upgrade: 'WebSocket' }, line, 'pass'],
    ['of another site', 'GET', { ...upgrade, ...site('cross-site') }, line, '403 Site not allowed.'],
    ['of another origin', 'GET', { ...upgrade, ...same, origin: 'http://evil.example' }, line, '403 Origin not allowed.'],
    ['without an origin', 'GET', { ...same, upgrade: 'websocket' }, line, '403 Origin not allowed.'],
    ['by POST', 'POST', { ...upgrade, ...same }, line, '403 Connect with a WebSocket.'],
    ['to something else', 'GET', { ...upgrade, ...same }, page, '403 Connect with a WebSocket.'],
    ['of another protocol', 'GET', { ...upgrade, ...same, upgrade: 'h2c' }, line, '403 Connect with a WebSocket.'],
    ['of no protocol', 'GET', { ...same, origin }, line, '403 Connect with a WebSocket.'],
  ])('%s', (_, method, headers, route, expected) => {
    expect(said(upgradeRefusalOf(requestOf(method, headers), route, authority))).toBe(expected);
  });
});
