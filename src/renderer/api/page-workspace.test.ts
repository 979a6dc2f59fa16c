import { expect, it } from 'vitest';
import { createPageWorkspace } from './page-workspace.ts';

it('is there for one page that comes after another, and for no copy of it', () => {
  const stored = new Map<string, string>();
  const place = createPageWorkspace({
    getItem: (name) => stored.get(name) ?? null,
    setItem: (name, value) => void stored.set(name, value),
    removeItem: (name) => void stored.delete(name),
  });
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
