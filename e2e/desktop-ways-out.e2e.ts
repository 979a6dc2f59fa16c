import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from './fixtures.ts';
import { root } from './program.ts';
import { tryWays } from './ways-out/chromium.ts';
import { startCasino, type Names } from './ways-out/game.ts';
import { startTargets } from './ways-out/targets.ts';
import { wayNames } from './ways-out/ways.ts';

// The shell lacks background fetch, payments and reports of policies.
test.use({ doubleChromium: 'whole' });

/**
 * A page that tries every way out: in a real Chromium with the switches and the proxy of the product and nothing else of it, and as
 * a game of the desktop, with its record. The table is docs/ways-out.md.
 */

/** Ways that nothing reports: Chromium refuses them by itself, or does not try. */
const silent = ['dns-prefetch', 'WebTransport', 'WebRTC, STUN', 'WebRTC, TURN over UDP'];

/** Ways that this Chromium tries only with its developer tools open, or not at all. */
const untried = ['speculation rules, prefetch', 'speculation rules, prerender', 'source map'];

/** Addresses without a route in the machine of a test. */
const unrouted = ['NAT64 address', '6to4 address'];

/** Exists only between two that look a name up. */
const between = 'name that changes between Electron and the proxy';

test('every way is in the table of the documentation, and every row of it is tried', async () => {
  const text = await readFile(path.join(root, 'docs', 'ways-out.md'), 'utf8');
  const cells = Array.from(text.matchAll(/^\| ([^|]+?) +\|/gm), ([, cell = '']) => cell).slice(1);
  const rows = cells.filter((cell) => !cell.startsWith('--'));
  // Names hold commas, too: each row is taken apart by the known names.
  let rest = rows.join(', ');
  const known = [...wayNames, between, 'a proxy that is gone'].toSorted((one, other) => other.length - one.length);
  for (const name of known) {
    expect(rest, name).toContain(name);
    rest = rest.replace(name, '');
  }
  expect(rest.replace(/[, ]/g, '')).toBe('');
});

const without = (...lists: readonly (readonly string[])[]) => wayNames.filter((name) => !lists.flat().includes(name));

test('without the proxy, a page reaches this machine by nearly every way there is', async () => {
  const reachable = without(['dns-prefetch'], untried, unrouted);
  const { reached, lookedUp } = await tryWays({
    proxy: 'open',
    until: (seen) => expect(seen.reached).toEqual(reachable),
  });
  expect(reached).toEqual(reachable);
  expect(lookedUp).toContain('prefetched.localhost');
});

test('behind the proxy, a page reaches nothing of this machine, and the proxy tells of each attempt that comes to it', async () => {
  const heard = without(silent, untried);
  const shown = await tryWays({
    proxy: 'guarded',
    until: ({ told }) => expect(wayNames.filter((name) => name in told)).toEqual(heard),
  });
  expect(shown.reached).toEqual([]);
  expect(wayNames.filter((name) => name in shown.told)).toEqual(heard);
  expect(Object.values(shown.told).flat()).not.toContain('let through');
  expect(shown.connected).toEqual(['proxy']);
  expect(shown.lookedUp.filter((name) => name !== '127.0.0.1')).toEqual([]);
});

test('a proxy that is gone is a wall, too', async () => {
  const shown = await tryWays({ proxy: 'dead', until: () => undefined });
  expect(shown).toMatchObject({ reached: [], told: {}, connected: ['proxy'] });
  expect(shown.lookedUp.filter((name) => name !== '127.0.0.1')).toEqual([]);
});

/** Names that lead nowhere public, some only when they are looked up again: first Electron looks them up, then the proxy. */
const names: Names = {
  'private.example': ['local'],
  'mixed.example': ['local'],
  'inner.ways.example': ['local'],
  'rebound1.example': ['public', 'public', 'local'],
  'rebound2.example': ['public', 'public', 'local'],
  'rebound3.example': ['public', 'public', 'local'],
  'between.example': ['public', 'local'],
};
/** Ways that the double's Chromium does not try. */
const unasked = ['manifest'];

/** Ways that Chromium tries more than once. */
const repeated = ['EventSource', 'FedCM'];

test("what a game tries is in its launch's record, once for each attempt that page, Electron or proxy reports", async ({
  workbench,
}) => {
  const all = [...wayNames, between];
  const targets = await startTargets(all);
  const casino = await startCasino(workbench, names);
  try {
    const game = await casino.open();
    await game.page.evaluate((ports) => (Reflect.get(globalThis, 'tryAll') as (given: object) => void)(ports), targets.ports);
    await game.page.evaluate(
      (port) => fetch(`https://between.example:${port}/`, { mode: 'no-cors' }).catch(() => undefined),
      targets.ports[between],
    );
    const entriesOf = async (name: string) => {
      const port = new RegExp(`:${targets.ports[name]}\\b`);
      return (await game.entries()).filter(({ title, detail }) => port.test(`${title} ${detail}`));
    };
    const silentHere = [...silent.filter((name) => name !== 'WebTransport'), ...untried, ...unasked];
    const counted = async () => {
      const pairs = await Promise.all(all.map(async (name) => [name, (await entriesOf(name)).length] as const));
      return pairs.filter(([, count]) => count === 0).map(([name]) => name);
    };
    await expect.poll(counted).toEqual(all.filter((name) => silentHere.includes(name)));
    await game.page.evaluate(() => Reflect.get(globalThis, 'tried') as Promise<unknown>);
    for (const name of all) {
      const told = (await entriesOf(name)).filter(({ kind }) => kind !== 'console');
      if (!repeated.includes(name)) expect(told.length, name).toBeLessThanOrEqual(1);
      expect(
        told.map(({ group }) => group).filter((group) => group !== 'blocked'),
        name,
      ).toEqual([]);
    }
    expect((await entriesOf(between))[0]).toMatchObject({
      title: `Blocked: request to between.example:${targets.ports[between]}`,
      detail: 'between.example resolves to 127.0.0.1, an address of this computer.',
    });
    expect((await entriesOf('WebTransport'))[0]).toMatchObject({ kind: 'console' });
    await game.close();
    expect(targets.reached()).toEqual([]);
  } finally {
    targets.close();
    await casino.close();
  }
});
