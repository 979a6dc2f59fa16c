import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startHttpsServer, type TestServer } from '#testing/https-server.ts';
import { createGuardedGet } from '../network/guarded-get.ts';
import { createUpdateCheck, orderOf } from './update-check.ts';

let server: TestServer;
let answer: string | ((response: ServerResponse) => void);
const asked: Readonly<Record<string, unknown>>[] = [];
beforeAll(async () => {
  server = await startHttpsServer(({ request: { headers, url } }, response) => {
    asked.push({ url, ...headers });
    if (typeof answer === 'string') response.end(answer);
    else answer(response);
  });
});
afterAll(() => server.close());

const dayMs = 86_400_000;
let now: number;
let values: Record<string, string>;

function make(version = '1.0.0', timeoutMs = 5_000) {
  const get = createGuardedGet({
    authorities: async () => [{ pem: server.ca, from: 'system' }],
    resolve: async () => ['127.0.0.1'],
    kind: 'answer.version',
    redirects: 0,
    timeoutMs,
    accept: 'application/json',
  });
  const settings = {
    read: () => values,
    async write(name: string, value: string) {
      values = { ...values, [name]: value };
      return { masked: false };
    },
  };
  return createUpdateCheck({ get, settings, version, now: () => now });
}

beforeEach(() => {
  asked.length = 0;
  now = 100 * dayMs;
  values = { updateUrl: `${server.baseUrl}/croupier.json` };
  answer = '{"version": "1.2.0", "url": "https://tools.example/notes", "other": 1}';
});

describe('the check for a newer version', () => {
  it('asks nobody without a URL', async () => {
    values = { updateUrl: ' ' };
    expect(await make().check(true)).toEqual({ url: '', checkedAt: null, newer: null, problem: null });
    expect(asked).toEqual([]);
  });

  it('asks once a day, also after a restart, with nothing but what HTTP needs', async () => {
    const newer = { version: '1.2.0', notes: 'https://tools.example/notes', dismissed: false };
    const status = { url: values['updateUrl'], checkedAt: now, newer, problem: null };
    const first = make();
    expect(await Promise.all([first.check(false), first.check(false)])).toEqual([status, status]);
    expect(await make().check(false)).toEqual(status);
    expect(asked).toEqual([
      {
        url: '/croupier.json',
        host: `localhost:${server.port}`,
        accept: 'application/json',
        'accept-encoding': 'identity',
        connection: 'keep-alive',
      },
    ]);
    now += dayMs;
    await first.check(false);
    await first.check(true);
    values = { ...values, updateUrl: `${server.baseUrl}/other.json` };
    await first.check(false);
    expect(asked.map(({ url }) => url)).toEqual(['/croupier.json', '/croupier.json', '/croupier.json', '/other.json']);
  });

  it('says of a version that its notice was closed, and of the next one that it was not', async () => {
    values = { ...values, updateDismissed: '1.2.0' };
    expect(await make().check(false)).toMatchObject({ newer: { version: '1.2.0', dismissed: true } });
    answer = '{"version": "1.3.0"}';
    expect(await make().check(true)).toMatchObject({ newer: { version: '1.3.0', notes: null, dismissed: false } });
    expect(await make('1.3.0').check(false)).toMatchObject({ newer: null, problem: null });
  });

  const notJson = 'It is not JSON with a version such as "1.2.0" and, optionally, the https url of its notes.';
  it.each<[string, typeof answer, string]>([
    ['is huge', `{"version": "1.2.0", "more": "${'x'.repeat(20_000)}"}`, 'It has more than 10,000 bytes'],
    ['never ends', (response) => void response.write('{'), 'The server took longer than 0.3 s.'],
    ['is not JSON', '<html>1.2.0</html>', notJson],
    ['is too deep', '['.repeat(9_000), notJson],
    ['has no version', '{"url": "https://tools.example/"}', notJson],
    ['has another version', '{"version": "1.2"}', notJson],
    ['has markup as a version', '{"version": "1.2.0<b>"}', notJson],
    ['leads to a script', '{"version": "1.2.0", "url": "javascript:alert(1)"}', notJson],
    ['leads to a file', '{"version": "1.2.0", "url": "file:///etc/passwd"}', notJson],
    ['redirects', (response) => void response.writeHead(302, { location: '/croupier.json' }).end(), 'It redirects.'],
    ['is an error', (response) => void response.writeHead(500).end('{"version": "1.2.0"}'), 'The server answered HTTP 500.'],
  ])('tells of an answer that %s, and keeps nothing of it', async (_, given, problem) => {
    answer = given;
    const status = await make('1.0.0', 300).check(false);
    expect(status).toMatchObject({ newer: null, checkedAt: now, problem: expect.stringContaining(problem) as string });
    expect(values['updateFound']).not.toContain('1.2.0<');
  });

  it.each([
    ['http://tools.example/', 'It starts with http:, but Croupier loads only https.'],
    ['croupier.json', 'It is not a web URL.'],
    ['https://me:secret@tools.example/', 'It contains a user name or password.'],
  ])('refuses the URL %s', async (updateUrl, problem) => {
    values = { updateUrl };
    expect(await make().check(true)).toMatchObject({ newer: null, problem });
  });

  it('ends with the program', async () => {
    answer = () => undefined;
    const check = make();
    const waiting = check.check(true);
    await check.close();
    expect(await waiting).toMatchObject({ newer: null });
  });
});

it('versions have the order of semver.org', () => {
  const inOrder =
    '1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0 1.0.1 1.2.0 1.10.0 2.0.0';
  const versions = inOrder.split(' ');
  for (const [at, one] of versions.entries())
    for (const [place, other] of versions.entries())
      expect(Math.sign(orderOf(one, other)), `${one} ${other}`).toBe(Math.sign(at - place));
  expect(orderOf('1.0.0+a', '1.0.0+b')).toBe(0);
  expect(orderOf('1.2.0', 'unknown')).toBe(0);
});
