import { expect, it, vi } from 'vitest';
import { createPageWorkspace } from './page-workspace.ts';

it('is there for one page that comes after another, and for no copy of it', () => {
  const stored = new Map<string, string>();
  const place = createPageWorkspace(
    {
      getItem: (name) => stored.get(name) ?? null,
      setItem: (name, value) => void stored.set(name, value),
      removeItem: (name) => void stored.delete(name),
    },
    null,
  );
  expect(place.take()).toBeNull();
  const mine = { id: 'a'.repeat(24), page: 'page 1' };
  place.put(mine);
  expect(place.take()).toEqual(mine);
  // While the page exists, what a browser copies with the tab holds nothing.
  expect(stored.size).toBe(0);
  expect(place.take()).toBeNull();
  stored.set('croupier.workspace', 'something else');
  expect(place.take()).toBeNull();
});

it('shows the pages of the browser which workspace each of them has, until it has another', async () => {
  const held = new Map<string, number>();
  const count = (name: string, by: number) => held.set(name, (held.get(name) ?? 0) + by);
  const locks = {
    async query() {
      return { held: [...held].flatMap(([name, times]) => (times > 0 ? [{ name }] : [])) };
    },
    async request(name: string, _options: LockOptions, callback: LockGrantedCallback<Promise<unknown>>) {
      count(name, 1);
      return Promise.resolve(callback(null)).finally(() => count(name, -1));
    },
  };
  const [one, other] = [createPageWorkspace(null, locks as never), createPageWorkspace(null, locks as never)];
  const [a, b] = ['a'.repeat(24), 'b'.repeat(24)];
  count('of another program of this origin', 1);
  expect(await one.held()).toEqual([]);
  for (const id of [a, a]) one.hold(id);
  other.hold(b);
  expect(await one.held()).toEqual([a, b]);
  other.hold(a);
  await vi.waitFor(async () => expect(await other.held()).toEqual([a]));
  one.hold(b);
  await vi.waitFor(async () => expect(new Set(await one.held())).toEqual(new Set([a, b])));
});
