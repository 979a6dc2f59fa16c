import { expect, test } from '@playwright/test';
import { tryWays } from './ways-out/chromium.ts';
import { wayNames } from './ways-out/ways.ts';

/**
 * A page that tries every way out there is, in a real Chromium with the switches and the proxy of the product and nothing else of it: no
 * `webRequest`, no listeners. The table is in docs/security.md.
 */

/** Of these nothing tells: Chromium refuses them by itself, or has not tried. */
const silent = ['dns-prefetch', 'WebTransport', 'WebRTC, STUN', 'WebRTC, TURN over UDP'];

/** What this Chromium tries only with its developer tools open, or not at all. */
const untried = ['speculation rules, prefetch', 'speculation rules, prerender', 'source map'];

/** Without a route to it in the machine of a test. */
const unrouted = ['NAT64 address', '6to4 address'];

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
