import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, expect as expectPage, type Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHttpsServer, type TestServer } from '#testing/https-server.ts';
import { newEnvironment } from '#testing/cli-driver.ts';
import { describeWithTool } from '#testing/external-tools.ts';
import { launchOptions } from '../chromium.ts';
import { createEnvironmentsScreen } from '../pages/environments.ts';
import { createRequest } from '../pages/request.ts';
import { createResponse } from '../pages/response.ts';
import { createShell } from '../pages/shell.ts';
import { descendants, makeSurroundings, root, startCroupier, type Running, type Surroundings } from '../program.ts';
import { recordTraffic } from '../traffic.ts';
import { createSecretScan, watchProcesses, type SeenProcess } from './secret-scan.ts';

// Each encoding writes this key in another way: letters, signs that JSON, addresses and shells treat, a line break,
// characters of two, three and four bytes.
const part = 'K3y7Qv9Xw2LmCanary';
const secret = `+/= "'\\<&%20>${part}é\nключ€𝄞?#~`;
const scan = createSecretScan(secret, part);
const time = '20-11-2026 10:15:30';

describe('the scan that the leak test stands on', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'croupier-scan-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('finds a planted secret in every form, in files, file names and texts', async () => {
    await writeFile(path.join(folder, 'innocent'), 'nothing here');
    expect(scan.inFolder(folder)).toEqual({ found: [], files: 1, bytes: 12 });
    expect(scan.forms.size).toBeGreaterThan(40);
    for (const [name, bytes] of scan.forms) {
      await writeFile(path.join(folder, 'planted'), Buffer.concat([Buffer.from('x'), bytes, Buffer.from('y')]));
      expect(scan.inFolder(folder).found, name).toContain(`planted: ${name}`);
    }
    const { length } = Buffer.from(secret);
    const around = (before: number) => Buffer.concat([Buffer.alloc(before, 'a'), Buffer.from(secret), Buffer.alloc(2, 'z')]);
    for (const before of [0, 1, 2, 3]) {
      expect(scan.inBytes(around(before).toString('base64')), `base64 after ${before}`).not.toEqual([]);
      expect(scan.inBytes(around(before).toString('base64url')), `base64url after ${before}`).not.toEqual([]);
    }
    expect(length).toBeGreaterThan(secret.length);
    expect(scan.inBytes(JSON.stringify({ deep: JSON.stringify({ key: secret }) }))).not.toEqual([]);
    expect(scan.inBytes(encodeURIComponent(secret))).not.toEqual([]);
    await writeFile(path.join(folder, 'planted'), '');
    await writeFile(path.join(folder, part), '');
    expect(scan.inFolder(folder).found).toContain(`${part}: a part of the key, raw`);
  });

  it('finds an argument of a process', async () => {
    const watch = watchProcesses();
    const child = startCroupier(await surroundingsFor(folder), ['hash', '--key-env', part]);
    await child.finished;
    expect(watch.stop().flatMap(({ commandLine }) => scan.inBytes(commandLine))).not.toEqual([]);
  });
});

/** Surroundings in a given folder's place, removed with it. */
async function surroundingsFor(folder: string): Promise<Surroundings> {
  const env = { PATH: process.env['PATH'] ?? '', CROUPIER_HOME: folder };
  return { folder, home: folder, env, plant: null, remove: async () => undefined };
}

interface Session {
  /** All that any process of the session printed. */
  readonly printed: string[];
  /** Everything that the host sent to the page. */
  readonly told: string[];
  readonly processes: SeenProcess[];
  /** The hashes that the provider got, with what they should cover. */
  readonly hashes: { got: string; time: string; data: string }[];
  readonly surroundings: Surroundings;
}

/** The scripted session: the command line, the browser host, and a crash of each process, with core dumps switched on. */
async function play(keychain: 'unlocked' | 'none'): Promise<Session> {
  const surroundings = await makeSurroundings();
  const { folder, home } = surroundings;
  const session: Session = { printed: [], told: [], processes: [], hashes: [], surroundings };
  await mkdir(home);
  await mkdir(path.join(folder, 'keyring'));
  const provider = await startProvider(session);
  const ca = path.join(folder, 'ca.pem');
  await writeFile(ca, provider.ca);
  const wrapper = [
    // Core dumps of any size, into the home.
    '/bin/sh',
    '-c',
    'ulimit -c unlimited; cd "$CROUPIER_HOME"; exec "$@"',
    'sh',
    path.join(root, 'src/testing/with-keyring.sh'),
    keychain,
  ];
  // The last before Croupier, so that the key is in the environment of no program but those that are told to read it there.
  const keyFolder = await mkdtemp(path.join(tmpdir(), 'croupier-key-'));
  const keyFile = path.join(keyFolder, 'key');
  await writeFile(keyFile, secret);
  const withKey = [...wrapper, '/bin/sh', '-c', 'PROVIDER_KEY=$(cat "$0"); export PROVIDER_KEY; exec "$@"', keyFile];
  const options = (args: readonly string[]) => ({
    wrapper: args.includes('PROVIDER_KEY') ? withKey : wrapper,
    env: { KEYRING_HOME: path.join(folder, 'keyring') },
  });
  const start = (...args: string[]) => startCroupier(surroundings, args, options(args));
  const run = async (args: readonly string[], stdin = '') => {
    const finished = await startCroupier(surroundings, args, { ...options(args), stdin }).finished;
    session.printed.push(finished.stdout, finished.stderr);
    return finished;
  };
  const watch = watchProcesses();
  try {
    await commandLine(run, provider, ca, keychain);
    await builtInProvider(start, session);
    await browserHost(start, session, keychain);
    await run(['history', 'list', '--json', '--limit', '500']);
    await run(['history', 'show', '1', '--json']);
  } finally {
    session.processes.push(...watch.stop());
    await rm(keyFolder, { recursive: true });
    await provider.close();
  }
  return session;
}

type Run = (args: readonly string[], stdin?: string) => Promise<{ code: number | null; stdout: string; stderr: string }>;
type Start = (...args: string[]) => Running;

/** A provider that tells from the hash, by its own reading, whether the caller knows the key. */
function startProvider(session: Session): Promise<TestServer> {
  return startHttpsServer(({ body }, response) => {
    const text = body.toString('utf8');
    const sent = JSON.parse(text) as { time: string; hash: string };
    const data = /"data":(.*),"hash":/s.exec(text)?.[1] ?? '';
    session.hashes.push({ got: sent.hash, time: sent.time, data });
    const good = sent.hash === digest(sent.time, data);
    response.setHeader('content-type', 'application/json');
    response.end(good ? '{"code":0,"message":"ok","data":{"slots":[]}}' : '{"code":8,"message":"hash not valid","data":null}');
  });
}

function digest(...parts: string[]): string {
  return createHash('sha256')
    .update(secret + parts.join(''), 'utf8')
    .digest('hex');
}

async function commandLine(run: Run, provider: TestServer, ca: string, keychain: string): Promise<void> {
  expect((await run(newEnvironment('leak', provider.baseUrl, '--ca', ca))).code).toBe(0);
  const stored = await run(['key', 'set', 'leak'], `${secret}\n`);
  expect(stored.code, stored.stderr).toBe(keychain === 'none' ? 5 : 0);
  await run(['key', 'status', 'leak', '--json']);
  const call = ['call', 'getLauncherURL', '--env', 'leak', '--time', time, '--set', 'exitURL=https://example.com/ü'];
  if (keychain === 'unlocked')
    expect(JSON.parse((await run([...call, '--json'])).stdout)).toMatchObject({ response: { code: 0 } });
  else expect((await run([...call, '--json'])).code).toBe(5);
  const named = [...call, '--key-env', 'PROVIDER_KEY'];
  expect((await run(named)).code).toBe(0);
  expect((await run([...named, '--json'])).code).toBe(0);
  expect((await run([...named, '--dry-run'])).stdout).toContain('"hash":"');
  // Errors of every kind, after the key was read.
  expect((await run([...named, '--data', '{"a":'])).code).toBe(2);
  expect((await run([...named, '--set', 'nonsense=1'])).code).toBe(2);
  expect((await run(['call', 'gameList', '--env', 'nowhere', '--key-env', 'PROVIDER_KEY'])).code).toBe(2);
  await run(newEnvironment('dead', 'https://localhost:1'));
  expect((await run(['call', 'gameList', '--env', 'dead', '--key-env', 'PROVIDER_KEY'])).code).toBe(4);
  await run(newEnvironment('distrusted', provider.baseUrl));
  expect((await run(['call', 'gameList', '--env', 'distrusted', '--key-env', 'PROVIDER_KEY'])).code).toBe(4);
  expect((await run(['key', 'set', 'nowhere'], secret)).code).toBe(2);
  expect((await run(['key', 'set'], secret)).code).toBe(2);
  expect((await run(['key', 'set', 'leak', '--nonsense'], secret)).code).toBe(2);
  // The same key with what a careless copy adds to it: told in words that do not quote it.
  await run(['key', 'set', 'leak'], `\ufeff  "${secret}"  \n\n`);
  if (keychain === 'unlocked') expect((await run(['key', 'set', 'leak', '--trim'], `  ${secret}\n`)).code).toBe(0);
  const hash = ['hash', '--key-env', 'PROVIDER_KEY', '--time', time];
  expect((await run([...hash, '--data', '{}'])).stdout).toBe(`${digest(time, '{}')}\n`);
  expect(JSON.parse((await run([...hash, '--json'])).stdout)).toMatchObject({ hash: digest(time) });
  expect((await run([...hash, '--data', '{"a":1e999}'])).code).toBe(2);
  const batch = `${JSON.stringify({ id: 1, time })}\n{"id":2,"dataTextBase64":"e30"\n`;
  await run(['hash', '--key-env', 'PROVIDER_KEY', '--batch'], batch);
  await run(['env', 'show', 'leak', '--json']);
  await run(['history', 'search', 'gameList']);
  await failingRun(run, path.dirname(ca));
}

/** A run that fails, with everything that it can write about its calls; `folder` is scanned at the end. */
async function failingRun(run: Run, folder: string): Promise<void> {
  const collection = path.join(folder, 'collection');
  await mkdir(collection);
  await writeFile(
    path.join(collection, 'A.yaml'),
    'operation: getLauncherURL\ndata: |\n  {"exitURL": "https://example.com/ü"}\nexpect:\n  - code: 5\n',
  );
  const written = ['junit.xml', 'report.json', 'report.html'].map((name) => path.join(folder, name));
  const [junit = '', json = '', html = ''] = written;
  const outputs = ['--junit', junit, '--report-json', json, '--html', html, '--support-pack', path.join(folder, 'pack')];
  const failed = await run(['run', collection, '--env', 'leak', '--key-env', 'PROVIDER_KEY', '--json', ...outputs]);
  expect(failed.code, failed.stderr).toBe(1);
  for (const file of written) expect(readFileSync(file, 'utf8'), file).toMatch(/PRIVATE_KEY(?:>|&gt;)/);
  expect(readdirSync(path.join(folder, 'pack'))).toHaveLength(2);
}

/** The built-in provider with the key, called once, then crashed. */
async function builtInProvider(start: Start, session: Session): Promise<void> {
  const provider = start('sandbox', '--port', '0', '--key-env', 'PROVIDER_KEY', '--json');
  await provider.saw(/"baseUrl":.*\n/);
  const caller = start('call', 'gameList', '--env', 'sandbox', '--key-env', 'PROVIDER_KEY', '--json');
  caller.write('');
  session.printed.push((await caller.finished).stdout);
  await crash(provider, 'cli.cjs', session);
}

/** Ends the process below a wrapper whose arguments contain `name` as a segmentation fault would. */
async function crash(running: Running, name: string, session: Session): Promise<void> {
  kill(running, name, 'SIGSEGV');
  const { stdout, stderr } = await running.finished;
  session.printed.push(stdout, stderr);
}

function kill(running: Running, name: string, signal: NodeJS.Signals): void {
  const named = [running.pid, ...descendants(running.pid)].filter((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      .split('\0')
      .some((argument) => argument.endsWith(`/${name}`)),
  );
  expect(named.length, name).toBeGreaterThan(0);
  for (const pid of named) process.kill(pid, signal);
}

async function browserHost(start: Start, session: Session, keychain: string): Promise<void> {
  const browser = await chromium.launch(launchOptions('shell'));
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const open = async (): Promise<{ host: Running; page: Page }> => {
      const host = start('serve', '--no-open', '--port', '0', '--log');
      const [, address = ''] = await host.saw(/ready: (http:\S+)\n/);
      const page = await context.newPage();
      const traffic = await recordTraffic(page);
      page.on('close', () => undefined);
      page.on('console', (message) => session.told.push(message.text()));
      told.push(async () => {
        expect(traffic.answers()).toBeGreaterThan(5);
        session.told.push(await traffic.text());
      });
      await page.goto(address);
      await expectPage(createShell(page).status).toContainText(/No key|fingerprint|session only/);
      return { host, page };
    };
    const told: (() => Promise<void>)[] = [];
    const remember = async () => {
      for (const tell of told.splice(0)) await tell();
    };

    // The key enters through its field, is used, and its agent crashes while it holds the key.
    const first = await open();
    await enterKey(first.page);
    await sendSigned(first.page);
    await provoke(first.page);
    kill(first.host, 'key-agent.cjs', 'SIGSEGV');
    const shell = createShell(first.page);
    await shell.openOperation('gameList');
    await createRequest(first.page).send.click();
    if (keychain === 'unlocked') await expectPage(createResponse(first.page).code).toHaveText('0 ok');
    else await expectPage(createRequest(first.page).refusal).toContainText(/key/i);
    await remember();
    await crash(first.host, 'cli.cjs', session);
    await first.page.close();

    // The page crashes with a key typed and not sent; then main is killed while it is being stored.
    const second = await open();
    await typeKey(second.page);
    await remember();
    const crashed = second.page.waitForEvent('crash');
    void second.page.goto('chrome://crash').catch(() => undefined);
    await crashed;
    await crash(second.host, 'cli.cjs', session);

    const third = await open();
    await typeKey(third.page);
    await createEnvironmentsScreen(third.page).key.submit();
    await remember();
    kill(third.host, 'cli.cjs', 'SIGKILL');
    const { stdout, stderr } = await third.host.finished;
    session.printed.push(stdout, stderr);
  } finally {
    await browser.close();
  }
}

async function typeKey(page: Page): Promise<void> {
  const environments = createEnvironmentsScreen(page);
  await createShell(page).goTo('Environments');
  await environments.open('leak');
  await expectPage(environments.key.slot).not.toContainText('Checking the key');
  if ((await environments.key.field.count()) === 0) await environments.key.replace();
  // Typed, a line break would be lost in the field; pasted, it is kept.
  await page.evaluate((text) => navigator.clipboard.writeText(text), secret);
  await environments.key.field.focus();
  await page.keyboard.press('ControlOrMeta+V');
  await expectPage(environments.key.slot).toContainText('The key contains a line break');
  await page.evaluate(() => navigator.clipboard.writeText(''));
}

async function enterKey(page: Page): Promise<void> {
  const { key } = createEnvironmentsScreen(page);
  await typeKey(page);
  await key.submit();
  await expectPage(key.slot).toContainText(`${Buffer.byteLength(secret)} bytes`);
  expect(await page.content()).not.toContain(part);
}

async function sendSigned(page: Page): Promise<void> {
  const shell = createShell(page);
  const request = createRequest(page);
  await shell.useEnvironment('leak');
  await shell.openOperation('getLauncherURL');
  await request.overrides.open();
  await request.overrides.set('time', time);
  await request.overrides.close();
  await expectPage(request.hashInput.text.frame).toContainText(time);
  const input = (await request.hashInput.text.text()).replace('<PRIVATE_KEY>', '');
  await expectPage.poll(() => request.hashInput.digest()).toBe(digest(input));
  await request.send.click();
  await expectPage(createResponse(page).code).toHaveText('0 ok');
}

/** Requests that the host must refuse, each with the key where it does not belong. */
async function provoke(page: Page): Promise<void> {
  const answers = await page.evaluate(async (key) => {
    const session = sessionStorage.getItem('croupier.session') ?? '';
    const headers = { 'content-type': 'application/json', 'x-croupier-session': session };
    const bodies = [
      JSON.stringify({ name: 'keys.set', input: { environmentId: 'leak', key: [key] } }),
      JSON.stringify({ name: 'keys.set', input: { environmentId: 'nowhere', key } }),
      JSON.stringify({ name: 'keys.set', input: { environmentId: 'leak', key: key.repeat(200) } }),
      JSON.stringify({ name: 'keys.set', input: { environmentId: 'leak', key, extra: key } }),
      `{"name":"keys.set","input":{"key":${JSON.stringify(key)}`,
      JSON.stringify({ name: 'keys.get', input: { environmentId: 'leak' } }),
      JSON.stringify({ name: 'keys.status', input: { environmentId: 'leak', key } }),
    ];
    const texts: string[] = [];
    for (const body of bodies) texts.push(await (await fetch('/call', { method: 'POST', headers, body })).text());
    return texts;
  }, secret);
  for (const text of answers) expect(text).toMatch(/^\{"ok":false,"error":\{"code":"/);
}

function check(keychain: 'unlocked' | 'none'): void {
  let session: Session;
  beforeAll(async () => {
    session = await play(keychain);
  }, 300_000);
  afterAll(() => session?.surroundings.remove());

  it('used the key in every part of the session', () => {
    const right = session.hashes.filter(({ got, time: at, data }) => got === digest(at, data));
    expect(right.length).toBe(session.hashes.length);
    expect(right.length).toBeGreaterThanOrEqual(3);
    expect(session.printed.join('\n')).toContain('"code":0');
    expect(session.told.join('\n')).toContain('keychain');
  });

  it('left it in no file: settings, history and its log, caches, temporary files, core dumps', () => {
    const { folder, home } = session.surroundings;
    const seen = scan.inFolder(folder);
    expect(seen.found).toEqual([]);
    expect(readdirSync(home)).toEqual(expect.arrayContaining(['environments', 'history.sqlite', 'settings.json']));
    expect(seen.bytes).toBeGreaterThan(10_000);
    // Where this system writes core dumps as plain files, the crashes did leave some in the home.
    const pattern = readFileSync('/proc/sys/kernel/core_pattern', 'utf8');
    if (/^core\b/.test(pattern)) expect(readdirSync(home).filter((name) => name.startsWith('core'))).not.toEqual([]);
  });

  it('told it to no page', () => {
    expect(session.told.flatMap((text) => scan.inBytes(text))).toEqual([]);
  });

  it('printed it nowhere', () => {
    expect(session.printed.length).toBeGreaterThan(40);
    expect(session.printed.flatMap((text) => scan.inBytes(text))).toEqual([]);
  });

  it('put it into no process’s arguments', () => {
    const lines = session.processes.map(({ commandLine }) => commandLine).join('\n');
    for (const seen of ['cli.cjs key set leak', 'cli.cjs serve', 'key-agent.cjs', 'cli.cjs sandbox'])
      expect(lines).toContain(seen);
    expect(scan.inBytes(lines)).toEqual([]);
  });

  it('put it into no process’s environment: it is in those alone that were told to read it there', () => {
    const having = session.processes.filter(({ environment }) => scan.inBytes(environment).length > 0);
    expect(having.length).toBeGreaterThan(5);
    expect(having.filter(({ commandLine }) => !/ --key-env PROVIDER_KEY /.test(commandLine))).toEqual([]);
    const agents = session.processes.filter(({ commandLine }) => commandLine.includes('key-agent.cjs'));
    expect(agents.filter(({ environment }) => environment.length > 0)).not.toEqual([]);
  });
}

describe('after a session with a recognisable key and no keychain', () => check('none'));

describeWithTool('gnome-keyring-daemon', 'after a session with a recognisable key in a keychain', () => check('unlocked'));
