import type { LookupFunction } from 'node:net';
import type { Page } from '@playwright/test';
import type { LaunchEntry } from '#shared/ipc/index.ts';
import { makeCertificate, type TestServer } from '#testing/https-server.ts';
import { call, openLaunch, recorded } from '../desktop-call.ts';
import { expect, type Workbench } from '../fixtures.ts';
import { publicAddress } from './resolver.ts';
import { startSite } from './site.ts';

/** A game of the test's own, at a public name that only the test's resolver knows. */
interface Game {
  readonly id: string;
  readonly page: Page;
  entries(): Promise<readonly LaunchEntry[]>;
  close(): Promise<void>;
}

export interface Casino {
  readonly site: TestServer;
  /** Launches the game in an environment of its own name, and waits for its page. */
  open(environment?: string): Promise<Game>;
  close(): Promise<void>;
}

/** Addresses that the names of a test lead to, one after the other; the last one stays. `public` is the site's. */
export type Names = Readonly<Record<string, readonly ('public' | 'local')[]>>;

/** Starts the provider whose game is the page of `site.ts`, and gives the desktop the test's resolver and its way to the site. */
export async function startCasino(workbench: Workbench, names: Names): Promise<Casino> {
  const app = workbench.desktop?.app();
  if (app === undefined) throw new Error('This is for the desktop.');
  const certificate = await makeCertificate({ hosts: ['localhost', 'ways.example', ...Object.keys(names)] });
  const site = await startSite(certificate);
  const known: Names = { 'ways.example': ['public'], ...names };
  await app.evaluate(
    (_electron, { table, address }) => {
      const dns = process.getBuiltinModule('node:dns/promises');
      const net = process.getBuiltinModule('node:net');
      const { lookup } = dns;
      const asked = new Map<string, number>();
      Reflect.set(dns, 'lookup', (host: string, options: object) => {
        if (!host.endsWith('.example')) return lookup(host, options);
        const turn = asked.get(host) ?? 0;
        asked.set(host, turn + 1);
        const turns = table[host] ?? [];
        const found = turns[Math.min(turn, turns.length - 1)];
        if (found === undefined) return Promise.reject(new Error('ENOTFOUND'));
        return Promise.resolve([{ address: found === 'public' ? address : '127.0.0.1', family: 4 }]);
      });
      const { connect } = net;
      type Options = Parameters<typeof connect>[0] & { lookup?: LookupFunction };
      Reflect.set(net, 'connect', (options: Options) => {
        const judged = options.lookup;
        if (judged === undefined) return connect(options);
        const inTest: typeof judged = (host, wanted, done) =>
          judged(host, wanted, (error, found, family) => {
            const list = typeof found === 'string' ? [{ address: found, family: family ?? 4 }] : found;
            const led = list.map((one) => (one.address === address ? { address: '127.0.0.1', family: 4 } : one));
            if (wanted.all === true) done(error, led);
            else done(error, led[0]?.address ?? '', led[0]?.family);
          });
        return connect({ ...(options as object), lookup: inTest } as Options);
      });
      process.getBuiltinModule('node:module').syncBuiltinESMExports();
    },
    { table: known as Record<string, ('public' | 'local')[]>, address: publicAddress },
  );

  let launches = 0;
  const environments = new Map<string, string>();
  async function environmentOf(name: string): Promise<string> {
    const made = environments.get(name);
    if (made !== undefined) return made;
    const { id } = await call(workbench, 'environments.create', {
      environment: { name, baseUrl: site.baseUrl, ca: site.ca, platform: 1, partnerId: 1, production: false },
    });
    await call(workbench, 'keys.set', { environmentId: id, key: 'a-key-of-the-test' });
    environments.set(name, id);
    return id;
  }

  const gamePages = () => app.windows().filter((page) => page.url().startsWith('https://ways.example'));
  return {
    site,
    async open(environment = 'Casino') {
      const before = new Set(gamePages());
      const id = await openLaunch(workbench, {
        environmentId: await environmentOf(environment),
        gameId: '1001',
        exitURL: 'https://lobby.example/',
        ticket: `launch-${++launches}`,
      });
      await expect.poll(() => gamePages().some((page) => !before.has(page))).toBe(true);
      const page = gamePages().find((one) => !before.has(one));
      if (page === undefined) throw new Error('The game has no page.');
      await expect(page).toHaveTitle('Ways out');
      return {
        id,
        page,
        entries: () => recorded(workbench, id),
        close: async () => void (await call(workbench, 'launches.close', { id })),
      };
    },
    close: site.close,
  };
}
