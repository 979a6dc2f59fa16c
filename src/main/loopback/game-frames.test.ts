import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHash } from 'node:crypto';
import { ask, raw, startQuiet } from '#testing/loopback-driver.ts';
import { createAccess } from './access.ts';
import { createFrames, type Frames } from './game-frames.ts';
import type { LoopbackServer } from './server.ts';

const url = 'https://games.example:8443/play?externalToken=a%22b&x=<script>"\'&y=1';
let clock = 0;
let frames: Frames;
let server: LoopbackServer;
beforeEach(async () => {
  clock = 0;
  frames = createFrames(() => clock);
  server = await startQuiet({ access: createAccess({ now: () => clock }), frame: (ticket) => frames.take(ticket) });
});
afterEach(() => server.close());

const framed = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' };
const open = (path: string, headers: Record<string, string> = framed) => ask(server, { path, headers });

describe('the page that frames a game', () => {
  it('is there once, with a policy of its own that names the game’s origin alone', async () => {
    const path = frames.offer({ url, redirects: 'origin' });
    expect(path).toMatch(/^\/frame\/[A-Za-z0-9_-]{43}$/);
    const { status, headers, text } = await open(path);
    expect(status).toBe(200);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain('frame-src https://games.example:8443;');
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).not.toContain('unsafe-inline');
    const script = /<script>([\s\S]*?)<\/script>/.exec(text)?.[1] ?? '';
    expect(policy).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`);
    expect(headers['x-frame-options']).toBe('SAMEORIGIN');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(text).toContain('sandbox="allow-scripts allow-same-origin allow-forms allow-pointer-lock"');
    expect(text.match(/<script/g)).toHaveLength(1);
    expect(text).toContain('data-src="https://games.example:8443/play?externalToken=a%22b&amp;x=&lt;script&gt;&quot;');
    expect((await open(path)).status).toBe(404);
  });

  it('lets a launch that asked for it go to any https address', async () => {
    const { headers } = await open(frames.offer({ url, redirects: 'https' }));
    expect(headers['content-security-policy']).toContain('frame-src https:;');
  });

  it('is gone after a minute, and after many others', async () => {
    const late = frames.offer({ url, redirects: 'origin' });
    clock = 60_000;
    expect((await open(late)).status).toBe(404);
    const first = frames.offer({ url, redirects: 'origin' });
    for (let index = 0; index < 32; index += 1) frames.offer({ url, redirects: 'origin' });
    expect((await open(first)).status).toBe(404);
  });

  it.each<[string, Record<string, string>]>([
    ['an address bar', { 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' }],
    ['another site’s frame', { ...framed, 'sec-fetch-site': 'cross-site' }],
    ['the game’s own frame', { ...framed, 'sec-fetch-site': 'same-site' }],
    ['a fetch of the page', { ...framed, 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' }],
    ['another origin', { ...framed, origin: 'https://games.example:8443' }],
    ['a program', {}],
  ])('is not for %s, and stays for its frame', async (_, headers) => {
    const path = frames.offer({ url, redirects: 'origin' });
    expect((await open(path, headers)).status).toBe(403);
    expect((await open(path)).status).toBe(200);
  });

  it.each([
    '/frame/',
    '/frame/x',
    `/frame/${'A'.repeat(43)}`,
    `/frame/${'A'.repeat(43)}/`,
    `/frame/${'A'.repeat(43)}?x`,
    '/frame/../frame/x',
  ])('is not at %s', async (path) => {
    expect((await open(path)).status).toBe(404);
  });

  it('is for GET alone', async () => {
    const path = frames.offer({ url, redirects: 'origin' });
    const authority = server.origin.slice('http://'.length);
    expect(
      await raw(server, `POST ${path} HTTP/1.1\r\nHost: ${authority}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`),
    ).toMatch(/^HTTP\/1\.1 405/);
    expect((await open(path)).status).toBe(200);
  });
});
