import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startConnectProxy } from '../src/testing/connect-proxy.ts';
import { makeCertificate, startHttpsServer } from '../src/testing/https-server.ts';
import { fetchElectron } from './fetch-electron.mjs';

const whole = randomBytes(300_000);
const sum = createHash('sha256').update(whole).digest('hex');
const name = `electron-v45.4.1-${process.platform}-${process.arch}`;
let root: string;
let electron: string;
let answers: ((request: IncomingMessage, response: ServerResponse) => void)[];
let ranges: (string | undefined)[];
const server = createServer((request, response) => {
  ranges.push(request.headers.range);
  (answers.shift() ?? all)(request, response);
});

beforeEach(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'croupier-fetch-'));
  electron = path.join(root, 'node_modules', 'electron');
  mkdirSync(electron, { recursive: true });
  symlinkSync(path.resolve('node_modules/@electron'), path.join(root, 'node_modules', '@electron'), 'junction');
  writeFileSync(path.join(electron, 'package.json'), '{"version":"45.4.1"}');
  writeFileSync(path.join(electron, 'checksums.json'), JSON.stringify({ [`${name}.zip`]: sum }));
  answers = [];
  ranges = [];
  await once(server.listen(0, '127.0.0.1'), 'listening');
  vi.stubEnv('ELECTRON_MIRROR', `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  vi.stubEnv('electron_config_cache', path.join(root, 'cache'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  rmSync(root, { recursive: true });
});

/** Gives what is asked for, from its beginning to `end`; then the connection breaks, or is silent. */
const upTo =
  (end: number, then: 'breaks' | 'is silent' | 'ends') =>
  ({ headers }: IncomingMessage, response: ServerResponse): void => {
    const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': whole.length - from });
    response.write(whole.subarray(from, end), () => {
      if (then === 'ends') response.end();
      // Behind what was written.
      if (then === 'breaks') response.socket?.end();
    });
  };
const all = upTo(whole.length, 'ends');
const status =
  (code: number) =>
  (_: IncomingMessage, response: ServerResponse): void =>
    void response.writeHead(code).end('no');
const old = (_: IncomingMessage, response: ServerResponse) => void response.end(whole);

const shown: number[] = [];
const fetchIt = (stop = new AbortController().signal) =>
  fetchElectron(root, { onProgress: (here: number) => shown.push(here), stop, idle: 500 });
const parts = () => readdirSync(electron).filter((file) => file.endsWith('.part'));

it.each<[name: string, answers: typeof answers, later: boolean[]]>([
  ['comes at once', [all], [false]],
  ['breaks off twice', [upTo(100_000, 'breaks'), upTo(200_000, 'breaks'), all], [false, true, true]],
  ['falls silent', [upTo(100_000, 'is silent'), all], [false, true]],
  ['takes no ranges', [upTo(100_000, 'breaks'), old], [false, true]],
])('a binary that %s is whole, and goes on from where it was', async (_, given, later) => {
  answers = given;
  const file = await fetchIt();
  expect(readFileSync(file).equals(whole)).toBe(true);
  expect(ranges.map((range) => range !== undefined)).toEqual(later);
  expect(shown.at(-1)).toBe(whole.length);
  expect(parts()).toEqual([]);
});

it('goes on at the next start from what an earlier one left, and after the user stopped it', async () => {
  const stop = new AbortController();
  answers = [
    (request, response) => {
      upTo(150_000, 'is silent')(request, response);
      setImmediate(() => stop.abort());
    },
  ];
  await expect(fetchIt(stop.signal)).rejects.toThrow();
  writeFileSync(path.join(electron, `${name}.part`), whole.subarray(0, 200_000));
  ranges = [];
  expect(readFileSync(await fetchIt()).equals(whole)).toBe(true);
  expect(ranges).toEqual(['bytes=200000-']);
});

it.each<[name: string, answers: typeof answers, before: Buffer | null]>([
  ['gives nothing', [status(404)], null],
  ['breaks off at the same byte', Array.from({ length: 3 }, () => upTo(100_000, 'breaks')), null],
  ['is silent from the start', [() => undefined], null],
  ['gives other bytes', [old], Buffer.alloc(whole.length, 1)],
])('fails, and leaves nothing that would fail again, where the server %s', async (_, given, before) => {
  if (before !== null) writeFileSync(path.join(electron, `${name}.part`), before.subarray(0, 10));
  answers = before === null ? given : [all];
  await expect(fetchIt()).rejects.toThrow();
  answers = [all];
  expect(readFileSync(await fetchIt()).equals(whole)).toBe(true);
});

it('leaves through the proxy that calls leave through, and a failure names it', async () => {
  const certificate = await makeCertificate({ hosts: ['mirror.test'] });
  const mirror = await startHttpsServer(({ request }, response) => all(request, response), { certificate });
  const proxy = await startConnectProxy({ login: 'jane:s3cret', leadsTo: () => mirror.port });
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, certificate.ca]);
  try {
    vi.stubEnv('ELECTRON_MIRROR', 'https://mirror.test/');
    vi.stubEnv('HTTPS_PROXY', proxy.address);
    await expect(fetchIt()).rejects.toMatchObject({
      cause: { name: 'ProxyFailure', message: `The proxy ${proxy.address} requires a user name and password (HTTP 407).` },
    });
    vi.stubEnv('HTTPS_PROXY', proxy.address.replace('//', '//jane:s3cret@'));
    expect(readFileSync(await fetchIt()).equals(whole)).toBe(true);
    expect(new Set(proxy.asked.map(({ target }) => target))).toEqual(new Set(['mirror.test:443']));
  } finally {
    setDefaultCACertificates(before);
    await proxy.close();
    await mirror.close();
  }
});
