import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mostPages } from '#shared/page-socket.ts';
import { pagePolicy } from '#shared/page-policy.ts';
import {
  ask,
  json,
  knownPicture,
  openLine,
  openSession,
  own,
  page,
  script,
  sessionSecret,
  startQuiet,
  startRecorded,
  type Recorded,
} from '#testing/loopback-driver.ts';

let run: Recorded;
beforeEach(async () => {
  run = await startRecorded();
});
afterEach(() => run.server.close());

describe('the browser host', () => {
  it('gives the page and its files with every header that guards them', async () => {
    for (const path of ['/', '/index.html', '/assets/main.js']) {
      const { status, headers, text } = await ask(run.server, { path });
      expect(status).toBe(200);
      expect(text).toBe(String(await (path.endsWith('.js') ? script : page).read()));
      expect(headers['content-security-policy']).toBe(pagePolicy({ frame: null, line: run.server.origin.replace('http', 'ws') }));
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['x-frame-options']).toBe('DENY');
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['cross-origin-opener-policy']).toBe('same-origin');
      expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    }
  });

  it('opens a session with a token and passes calls on, with core’s reply as it is', async () => {
    const session = await sessionSecret(run);
    const answer = await ask(run.server, {
      method: 'POST',
      path: '/call',
      headers: { ...own(run.server), ...json, 'x-croupier-session': session },
      body: '{"name":"calls.get","input":{"id":9}}',
    });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual({ ok: true, value: { name: 'calls.get', input: { id: 9 } } });
    expect(run.reached).toEqual([{ name: 'calls.get', input: { id: 9 } }]);
  });

  it('keeps the session for a page that is loaded again', async () => {
    const session = await sessionSecret(run);
    run.pass(3_600_000);
    const headers = { ...own(run.server), ...json, 'x-croupier-session': session };
    const body = '{"name":"app.info","input":{}}';
    expect((await ask(run.server, { path: '/' })).status).toBe(200);
    expect((await ask(run.server, { method: 'POST', path: '/call', headers, body })).status).toBe(200);
  });

  it('gives the bytes of a body as they are, and 404 for one that is not there', async () => {
    const session = await sessionSecret(run);
    const headers = { 'sec-fetch-site': 'same-origin', 'x-croupier-session': session };
    const found = await fetch(`${run.server.origin}/body/7`, { headers });
    expect([...new Uint8Array(await found.arrayBuffer())]).toEqual([0, 255, 10, 13, 0]);
    expect(found.headers.get('content-type')).toBe('application/octet-stream');
    expect((await ask(run.server, { path: '/body/8', headers })).status).toBe(404);
  });

  it('gives the bytes of a picture as bytes, never as a document or an image, and 404 for one that is not there', async () => {
    const session = await sessionSecret(run);
    const headers = { 'sec-fetch-site': 'same-origin', 'x-croupier-session': session };
    const found = await ask(run.server, { path: `/picture/${knownPicture}`, headers });
    expect(found.status).toBe(200);
    expect(found.text).toContain('<svg');
    expect(found.headers['content-type']).toBe('application/octet-stream');
    expect(found.headers['x-content-type-options']).toBe('nosniff');
    expect(found.headers['cache-control']).toBe('no-store');
    expect((await ask(run.server, { path: `/picture/${'8'.repeat(64)}`, headers })).status).toBe(404);
  });

  it('tells every page what happened over its line, and forgets a page that left', async () => {
    const { socket, heard } = await openLine(run.server, await sessionSecret(run));
    expect(socket.protocol).toBe('croupier.line');
    expect(run.listeners.size).toBe(1);
    for (const listener of run.listeners) listener('calls.changed', { id: 5 });
    await expect.poll(() => heard).toEqual(['{"name":"calls.changed","payload":{"id":5}}']);
    socket.close();
    await expect.poll(() => run.listeners.size).toBe(0);
  });

  it('knows a session by GET, and gives one that is known a token for another page', async () => {
    const session = await sessionSecret(run);
    const known = (secret: string) =>
      ask(run.server, { path: '/session', headers: { ...own(run.server), 'x-croupier-session': secret } });
    expect((await known(session)).status).toBe(200);
    expect((await known('A'.repeat(43))).status).toBe(401);
    const headers = { ...own(run.server), ...json, 'x-croupier-session': session };
    const given = await ask(run.server, { method: 'POST', path: '/token', headers, body: '{}' });
    const { token } = JSON.parse(given.text) as { token: string };
    const redeem = () =>
      ask(run.server, {
        method: 'POST',
        path: '/session',
        headers: { ...own(run.server), ...json },
        body: JSON.stringify({ token }),
      });
    const other = JSON.parse((await redeem()).text) as { session: string };
    expect(other.session).not.toBe(session);
    expect((await known(other.session)).status).toBe(200);
    expect((await redeem()).status).toBe(401);
  });

  it('opens no session where as many pages are open as may be, and says what to do; the token is still good', async () => {
    const lines = [];
    for (let page = 0; page < mostPages; page += 1) lines.push(await openLine(run.server, await sessionSecret(run)));
    run.pass(10_000);
    const body = JSON.stringify({ token: run.access.issue() });
    const redeem = () => ask(run.server, { method: 'POST', path: '/session', headers: { ...own(run.server), ...json }, body });
    const refused = await redeem();
    expect(refused.status).toBe(503);
    expect(refused.text).toContain('Close one, then try again.');
    expect(lines.every(({ socket }) => socket.readyState === socket.OPEN)).toBe(true);
    lines[4]?.socket.terminate();
    await expect.poll(async () => (await redeem()).status).toBe(200);
  });

  it('answers 401 to ten guesses, after which the printed token is void and a new one works', async () => {
    const token = run.access.issue();
    const send = (guess: string) =>
      ask(run.server, {
        method: 'POST',
        path: '/session',
        headers: { ...own(run.server), ...json },
        body: JSON.stringify({ token: guess }),
      });
    for (let attempt = 0; attempt < 10; attempt += 1) expect((await send(`guess-${attempt}`)).status).toBe(401);
    expect((await send(token)).status).toBe(401);
    expect((await openSession(run)).status).toBe(200);
  });

  it('logs method, route and status and nothing else', async () => {
    const session = await sessionSecret(run);
    await ask(run.server, { path: '/body/7', headers: { 'sec-fetch-site': 'same-origin', 'x-croupier-session': session } });
    await ask(run.server, { path: '/no/such?secret=1' });
    const { socket } = await openLine(run.server, session);
    socket.terminate();
    await expect(openLine(run.server, 'A'.repeat(43))).rejects.toThrow('401');
    const lines = ['POST session 200', 'GET body 200', 'GET none 404', 'GET line 101', 'GET line 401'];
    await expect.poll(() => run.log).toEqual(lines);
  });

  it('refuses a port that is taken with a conflict', async () => {
    const port = Number(new URL(run.server.origin).port);
    const second = startQuiet({ port, access: run.access });
    await expect(second).rejects.toMatchObject({ code: 'conflict' });
  });
});
