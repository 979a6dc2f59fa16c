import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, expect } from '@playwright/test';
import { startGameProxy, type GameProxy } from '#core/network/game-proxy.ts';
import { createAddressPolicy } from '#core/network/address-policy.ts';
import { makeCertificate } from '#testing/https-server.ts';
import { waysRoundProxy } from '../../src/main/electron/proxy-switches.ts';
import { launchOptions } from '../chromium.ts';
import { publicAddress } from './resolver.ts';
import { startSite } from './site.ts';
import { startTargets } from './targets.ts';
import { wayNames } from './ways.ts';

/** Creates a resolver of a test's names. One of them leads to the site at first, and to this machine from then on. */
function createResolver(): (name: string) => Promise<readonly string[]> {
  const asked = new Set<string>();
  return (name) => {
    const first = !asked.has(name);
    asked.add(name);
    if (name === 'ways.example') return Promise.resolve([publicAddress]);
    if (name === 'private.example' || name === 'inner.ways.example') return Promise.resolve(['127.0.0.1']);
    if (name === 'mixed.example') return Promise.resolve([publicAddress, '127.0.0.1']);
    if (name.startsWith('rebound')) return Promise.resolve([first ? publicAddress : '127.0.0.1']);
    return Promise.reject(new Error('ENOTFOUND'));
  };
}

/** Results of trying all ways. */
export interface Shown {
  /** The ways by which something reached a listener. */
  readonly reached: readonly string[];
  /** The ways that the proxy reported, with its words. */
  readonly told: Readonly<Record<string, readonly string[]>>;
  /**
   * The targets that Chromium opened a connection or sent a packet to, by its own log, and the names that it looked up. `proxy` is
   * that of Croupier.
   */
  readonly connected: readonly string[];
  readonly lookedUp: readonly string[];
}

interface Run {
  /** `open`: without proxy and switches. `dead`: the proxy is gone when the page tries. */
  readonly proxy: 'open' | 'guarded' | 'dead';
  /** Waits until everything that is expected was reached and reported. */
  readonly until: (seen: Pick<Shown, 'reached' | 'told'>) => void;
}

/** Opens the page in a real Chromium, which has nothing of Croupier but the switches and the proxy. */
export async function tryWays({ proxy: how, until }: Run): Promise<Shown> {
  const folder = await mkdtemp(path.join(tmpdir(), 'croupier-ways-'));
  const netLog = path.join(folder, 'net.json');
  const targets = await startTargets(wayNames);
  const site = await startSite(await makeCertificate({ hosts: ['ways.example', 'rebound1.example'] }));
  const told: Record<string, string[]> = {};
  const policy = createAddressPolicy({
    resolve: createResolver(),
    ownOrigins: () => [],
    ownNetworks: () => [],
    schemes: ['https:', 'wss:'],
  });
  const proxy = await startGameProxy({
    async judge(url) {
      const verdict = await policy(url);
      return verdict.ok ? { ...verdict, addresses: verdict.addresses.map(inTest) } : verdict;
    },
    onEvent(event) {
      const { port } = new URL(event.url);
      const [name] = wayNames.filter((one) => String(targets.ports[one]) === port);
      if (name !== undefined) (told[name] ??= []).push(event.type === 'tunnel' ? 'let through' : event.message);
    },
  });
  const seen = () => ({ reached: targets.reached(), told });
  const { args = [], ...options } = launchOptions();
  const browser = await chromium.launchPersistentContext(path.join(folder, 'profile'), {
    ...options,
    args: [
      ...args.filter((one) => one !== '--no-pings'),
      ...(how === 'open' ? unguarded : guarded),
      '--ignore-certificate-errors',
      // Reports of policies leave at once, not with the next minute.
      '--short-reporting-delay',
      `--log-net-log=${netLog}`,
    ],
    ...(how === 'open' ? {} : { proxy: settingsOf(proxy) }),
  });
  try {
    const page = await browser.newPage();
    await page.goto(`https://ways.example:${site.port}/`);
    if (how === 'dead') await proxy.close();
    await page.evaluate((ports) => (Reflect.get(globalThis, 'tryAll') as (given: object) => void)(ports), targets.ports);
    await expect(() => until(seen())).toPass();
    // Ways that nothing reports: the page knows when they have failed.
    await page.evaluate(() => Reflect.get(globalThis, 'tried') as Promise<unknown>);
    await browser.close();
    const log = readNetLog(await readFile(netLog, 'utf8'));
    const ours = (address: string) => (address === `127.0.0.1:${proxy.port}` ? 'proxy' : address);
    return { ...seen(), ...log, connected: log.connected.map(ours) };
  } finally {
    await browser.close();
    await proxy.close();
    await site.close();
    targets.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The switches of the product, and no other. */
const guarded = waysRoundProxy.map(([name, value]) => (value === '' ? `--${name}` : `--${name}=${value}`));

/** Names lead where they lead in the other tries, and Chromium's own rule about local networks holds nothing back. */
const unguarded = ['--host-resolver-rules=MAP *.example 127.0.0.1', '--disable-features=LocalNetworkAccessChecks'];

function settingsOf({ port, username, password }: GameProxy) {
  return { server: `http://127.0.0.1:${port}`, bypass: '<-loopback>', username, password };
}

function inTest(address: string): string {
  return address === publicAddress ? '127.0.0.1' : address;
}

/** Reads Chromium's own log of its network: one event a line, with the names of the events before them. */
function readNetLog(log: string): Pick<Shown, 'connected' | 'lookedUp'> {
  const [connected, lookedUp] = [new Set<string>(), new Set<string>()];
  const lines = log.split('\n');
  const types = new Map<string, number>();
  // A UDP socket states its target before it sends.
  const sockets = new Map<number, string>();
  for (const line of lines) {
    if (!line.startsWith('{')) continue;
    if (line.startsWith('{"constants"')) {
      const [, list = '{}'] = /"logEventTypes":(\{[^}]*\})/.exec(line) ?? [];
      for (const [name, number] of Object.entries(JSON.parse(list) as Record<string, number>)) types.set(name, number);
      continue;
    }
    const event = JSON.parse(line.replace(/\}[\],]*$/, '}')) as NetEvent;
    const is = (name: string) => event.type === types.get(name);
    const { address, host } = event.params ?? {};
    if (is('TCP_CONNECT_ATTEMPT') && address !== undefined) connected.add(address);
    if (is('UDP_CONNECT') && address !== undefined) sockets.set(event.source.id, address);
    if (is('UDP_BYTES_SENT')) connected.add(address ?? sockets.get(event.source.id) ?? 'unknown');
    if (is('HOST_RESOLVER_MANAGER_REQUEST') && host !== undefined) lookedUp.add(URL.parse(host)?.hostname ?? host);
  }
  return { connected: [...connected], lookedUp: [...lookedUp] };
}

interface NetEvent {
  readonly type: number;
  readonly source: { readonly id: number };
  readonly params?: { readonly address?: string; readonly host?: string };
}
