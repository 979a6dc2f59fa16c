import { once } from 'node:events';
import { access, chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from '@playwright/test';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withLock } from '#core/files/locks.ts';
import { ownFolder } from '#core/host/own-folder.ts';
import { createCli, linesFrom } from '#testing/cli-driver.ts';
import { openLine } from '#testing/loopback-driver.ts';
import { describeWithTool } from '#testing/external-tools.ts';
import { hasDisplay, opener, openInBrowser, writeRedirectFile } from './redirect-file.ts';
import { serve } from './serve.ts';

const page = '<!doctype html><meta charset="utf-8"><title>Croupier</title><p>The page</p>';
const addressIn = (line: string) => /http:\/\/127\.0\.0\.1:\d+\/#[A-Za-z0-9_-]{43}$/.exec(line)?.[0] ?? '';

/** The browser host in this process, with a page of one file and a home of its own. */
async function startServe(options: { page?: boolean; port?: number | null; again?: string } = {}) {
  const folder = options.again ?? (await mkdtemp(join(tmpdir(), 'croupier-serve-')));
  await mkdir(join(folder, 'page'), { recursive: true });
  if (options.page !== false) await writeFile(join(folder, 'page', 'index.html'), page);
  const stop = new AbortController();
  const stdin = new PassThrough();
  const lines: string[] = [];
  const notes: string[] = [];
  const ready = Promise.withResolvers<void>();
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const ended = serve({
    port: options.port === undefined ? 0 : options.port,
    open: false,
    log: true,
    terminal: {
      env: { CROUPIER_HOME: join(folder, 'home') },
      stdin,
      async result(line) {
        lines.push(line);
        if (line.includes('Provider')) ready.resolve();
      },
      note: (line) => void notes.push(line),
    },
    programs: {
      keyAgent: join(root, 'src/main/core/keys/agent.ts'),
      searchWorker: join(root, 'src/main/core/history/search-worker.ts'),
      readingWorker: join(root, 'src/main/core/app/reading-worker.ts'),
      exportWorker: join(root, 'src/main/core/formats/exports/export-worker.ts'),
      page: ownFolder(join(folder, 'page')),
      starters: ownFolder(join(root, 'starter-collections')),
      licences: () => ownFolder(root).read('LICENSE'),
      version: () => '1.2.3',
    },
    stop: stop.signal,
    takeUncaught: () => undefined,
    kill: () => undefined,
  });
  return {
    ended,
    /** Everything about the start is printed, or it failed. */
    ready: () => Promise.race([ready.promise, ended]),
    lines,
    notes,
    stdin,
    folder,
    home: join(folder, 'home'),
    stop: () => stop.abort(),
    async close() {
      stop.abort();
      await ended.catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Serving = Awaited<ReturnType<typeof startServe>>;

async function openSession(address: string): Promise<{ status: number; session: string }> {
  const { origin, hash } = new URL(address);
  const response = await fetch(`${origin}/session`, {
    method: 'POST',
    headers: { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
    body: JSON.stringify({ token: hash.slice(1) }),
  });
  const answer = (await response.json()) as { session?: string };
  return { status: response.status, session: answer.session ?? '' };
}

async function call(address: string, session: string, name: string, input: unknown): Promise<unknown> {
  const { origin } = new URL(address);
  const response = await fetch(`${origin}/call`, {
    method: 'POST',
    headers: { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', 'x-croupier-session': session },
    body: JSON.stringify({ name, input }),
  });
  return response.json();
}

describe('serve', () => {
  let serving: Serving;
  let address: string;
  beforeEach(async () => {
    serving = await startServe();
    await serving.ready();
    address = addressIn(serving.lines[0] ?? '');
  });
  afterEach(() => serving.close());

  it('says where it is, where its home is, what becomes of keys and where the provider is', () => {
    expect(serving.lines[0]).toBe(`Croupier is ready: ${address}`);
    const said = serving.lines.slice(1).join('\n');
    expect(said).toContain('60 seconds');
    expect(said).toContain(`Home      ${serving.home}`);
    expect(said).toMatch(/Keys {6}\S/);
    expect(said).toMatch(/Provider {2}https:\/\/localhost:\d+ \(environment sandbox\)/);
  });

  it('leads from the printed address to code 0 of the built-in provider', async () => {
    const { session } = await openSession(address);
    expect(await call(address, session, 'app.info', {})).toMatchObject({
      ok: true,
      value: { host: 'Browser', version: '1.2.3' },
    });
    const draft = { environmentId: 'sandbox', operation: 'gameList', form: 'main', text: '{"currency":"EUR"}' };
    const reply = await call(address, session, 'calls.send', { draft, ticket: 't' });
    expect(reply).toMatchObject({ ok: true, value: { state: 'answered', code: 0, message: 'ok' } });
    const policy = (await fetch(new URL(address).origin)).headers.get('content-security-policy');
    expect(policy).toContain("frame-src 'self';");
    expect(serving.notes.filter((line) => /^(GET|POST) /.test(line))).toContain('POST call 200');
    expect(serving.notes.join('\n')).not.toContain(session);
  });

  it('prints a new address for Enter, which opens another session beside the first', async () => {
    const first = await openSession(address);
    expect((await openSession(address)).status).toBe(401);
    serving.stdin.write('\n');
    await expect.poll(() => serving.lines.at(-1)).toContain('New URL: ');
    const second = await openSession(addressIn(serving.lines.at(-1) ?? ''));
    expect(second.session).not.toBe(first.session);
    for (const { session } of [first, second]) {
      expect(await call(address, session, 'app.info', {})).toMatchObject({ ok: true });
    }
  });

  it('goes on when every page has left, and ends when it is told to', async () => {
    const { session } = await openSession(address);
    const { origin } = new URL(address);
    const { socket } = await openLine({ origin }, session);
    socket.terminate();
    await expect.poll(() => serving.notes.includes('GET line 101')).toBe(true);
    expect(await call(address, session, 'app.info', {})).toMatchObject({ ok: true });
    serving.stop();
    await serving.ended;
    await expect(fetch(origin)).rejects.toThrow();
  });
});

it('comes back where it was, and elsewhere where that is taken or another port is asked for', async () => {
  const originOf = ({ lines }: Serving) => new URL(addressIn(lines[0] ?? '')).origin;
  const first = await startServe({ port: null });
  await first.ready();
  const again = { port: null, again: first.folder };
  const second = await startServe(again);
  await second.ready();
  expect(originOf(second)).not.toBe(originOf(first));
  first.stop();
  await first.ended;
  // The place of the newest is taken; its own is free again.
  const third = await startServe(again);
  await third.ready();
  expect(originOf(third)).toBe(originOf(first));
  second.stop();
  await second.ended;
  await third.close();
});

it('fails with what to do where the page is not built', async () => {
  const serving = await startServe({ page: false });
  await expect(serving.ended).rejects.toMatchObject({ code: 'not_found', message: expect.stringContaining('npm run build') });
  await serving.close();
});

describe('the redirect file', () => {
  it('is for this user alone and leads to the address', async () => {
    const address = 'http://127.0.0.1:1234/#token';
    const redirect = await writeRedirectFile(address);
    expect((await stat(redirect.path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(redirect.path, '..'))).mode & 0o777).toBe(0o700);
    expect(await readFile(redirect.path, 'utf8')).toContain(`content="0; url=${address}"`);
    await redirect.remove();
    await expect(stat(redirect.path)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.each([
    [{ DISPLAY: ':0' }, 'linux', true],
    [{ WAYLAND_DISPLAY: 'wayland-0' }, 'linux', true],
    [{}, 'linux', false],
    [{ DISPLAY: '' }, 'linux', false],
    [{ DISPLAY: ':0', CI: 'true' }, 'linux', false],
    [{}, 'darwin', true],
    [{}, 'win32', true],
  ] as const)('is opened with %j on %s: %s', (env, platform, expected) => {
    expect(hasDisplay(env, platform)).toBe(expected);
  });

  it.each([
    [{}, 'linux', ['xdg-open']],
    [{}, 'darwin', ['/usr/bin/open']],
    [{ SystemRoot: 'D:\\Win' }, 'win32', ['D:\\Win\\System32\\rundll32.exe', 'url.dll,FileProtocolHandler']],
    [{}, 'win32', ['C:\\Windows\\System32\\rundll32.exe', 'url.dll,FileProtocolHandler']],
  ] as const)('is opened with %j on %s by the program %j', (env, platform, program) => {
    expect(opener(env, platform)).toEqual(program);
  });

  it('is not opened where nothing can open it', async () => {
    const path = process.env['PATH'];
    process.env['PATH'] = '';
    expect(await openInBrowser('/nowhere', 'linux').finally(() => (process.env['PATH'] = path))).toBe(false);
  });
});

describe.skipIf(process.platform === 'win32')('a program that waits for another copy', () => {
  it.each([
    ['serve', '--no-open'],
    ['env', 'set', 'mine', '--base-url', 'https://localhost:1', '--platform', '1', '--partner-id', '1'],
  ])('%s ends on SIGTERM', async (...args) => {
    const cli = await createCli();
    try {
      const child = cli.start(args);
      const closed = once(child, 'close');
      await withLock(join(cli.home, 'environments'), async () => {
        // This is made before the environments are; the handlers of signals are there by then.
        const there = () =>
          access(join(cli.home, 'environments')).then(
            () => true,
            () => false,
          );
        await expect.poll(there, { timeout: 20_000 }).toBe(true);
        child.kill('SIGTERM');
        await closed;
      });
    } finally {
      await cli.close();
    }
  });
});

describe.skipIf(process.platform !== 'linux')('croupier serve', () => {
  it('opens the browser without the token in a command line, and ends on SIGTERM', async () => {
    const cli = await createCli();
    const folder = await mkdtemp(join(tmpdir(), 'croupier-open-'));
    try {
      const opened = join(folder, 'opened');
      await writeFile(
        join(folder, 'xdg-open'),
        `#!/bin/sh\nprintf '%s' "$1" > "${opened}.part" && mv "${opened}.part" "${opened}"\n`,
      );
      await chmod(join(folder, 'xdg-open'), 0o755);
      const child = cli.start(['serve'], {
        env: { PATH: `${folder}:${process.env['PATH'] ?? ''}`, DISPLAY: ':0', CI: undefined as never },
      });
      const { next } = linesFrom(child);
      const address = addressIn(await next((line) => line.includes('ready')));
      await expect.poll(() => readFile(opened, 'utf8').catch(() => ''), { timeout: 20_000 }).toMatch(/^file:\/\//);
      const url = await readFile(opened, 'utf8');
      expect(url).not.toContain(new URL(address).hash.slice(1));
      const file = fileURLToPath(url);
      expect(await readFile(file, 'utf8')).toContain(address);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      child.kill('SIGTERM');
      expect(await once(child, 'close')).toEqual([0, null]);
    } finally {
      await cli.close();
      await rm(folder, { recursive: true });
    }
  });
});

describeWithTool('chromium', 'a page of another name in a browser', (executablePath) => {
  let browser: Browser;
  let serving: Serving;
  let origin: string;
  beforeAll(async () => {
    serving = await startServe();
    await serving.ready();
    ({ origin } = new URL(addressIn(serving.lines[0] ?? '')));
    browser = await chromium.launch({
      executablePath,
      args: ['--no-sandbox', '--host-resolver-rules=MAP rebound.test 127.0.0.1'],
    });
  });
  afterAll(async () => {
    await browser.close();
    await serving.close();
  });

  it('gets nothing through a name that was bound to this machine', async () => {
    const tab = await browser.newPage();
    const response = await tab.goto(`http://rebound.test:${new URL(origin).port}/`);
    expect(response?.status()).toBe(421);
    expect(await tab.content()).not.toContain('The page');
    const statuses = await tab.evaluate(async () => {
      const asked = ['/', '/session', '/body/1'].map((path) => fetch(path).then((answer) => answer.status));
      const posted = ['/session', '/call'].map((path) =>
        fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }).then(
          (answer) => answer.status,
        ),
      );
      return Promise.all([...asked, ...posted]);
    });
    expect(statuses).toEqual([421, 421, 421, 421, 421]);
    await tab.close();
  });

  it('cannot read, embed or call it from another site', async () => {
    const tab = await browser.newPage();
    await tab.route('http://elsewhere.test/', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><p>Elsewhere</p>' }),
    );
    await tab.goto('http://elsewhere.test/');
    const outcomes = await tab.evaluate(async (target) => {
      const attempt = (init: RequestInit) =>
        fetch(`${target}/call`, init).then(
          (answer) => answer.type,
          () => 'refused',
        );
      const frame = document.createElement('iframe');
      frame.src = `${target}/`;
      document.body.append(frame);
      await new Promise((loaded) => frame.addEventListener('load', loaded));
      return {
        plain: await attempt({ method: 'POST', body: '{"name":"app.info","input":{}}' }),
        json: await attempt({ method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }),
        frame: frame.contentDocument === null ? 'another site' : 'readable',
      };
    }, origin);
    expect(outcomes).toEqual({ plain: 'refused', json: 'refused', frame: 'another site' });
    expect(tab.frames().map((frame) => frame.url())).not.toContain(`${origin}/`);
    expect(serving.notes.filter((line) => line.startsWith('POST call'))).not.toContain('POST call 200');
    await tab.close();
  });

  it('is opened by the redirect file', async () => {
    serving.stdin.write('\n');
    await expect.poll(() => serving.lines.at(-1)).toContain('New URL: ');
    const redirect = await writeRedirectFile(addressIn(serving.lines.at(-1) ?? ''));
    const tab = await browser.newPage();
    await tab.goto(`file://${redirect.path}`);
    await tab.waitForURL(`${origin}/**`);
    expect(await tab.textContent('p')).toBe('The page');
    await tab.close();
    await redirect.remove();
  });
});
