import { describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { createFakeClient } from '#testing/fake-client.ts';
import { createGameLists } from './game-lists.ts';

/** A store over snapshots that the test adds to, newest first. */
function setUp() {
  const fake = createFakeClient();
  const kept: { id: number; environmentId: string; currency: string; name: string }[] = [];
  fake.answer('catalogue.snapshots', ({ environmentId }) => ({
    snapshots: kept.filter((one) => one.environmentId === environmentId) as never,
  }));
  fake.answer('catalogue.games', ({ snapshotId }) => {
    const found = kept.find(({ id }) => id === snapshotId);
    if (found === undefined) throw new AppError('not_found', 'There is no such list.');
    return { snapshot: found as never, games: [{ id: '1', name: found.name, bets: ['1'], thumbnail: '', status: null }] };
  });
  const store = createGameLists(fake.client);
  const name = (environmentId: string) => store.getState().lists.get(environmentId)?.byId.get('1')?.name;
  return { ...fake, kept, store, name };
}

describe('the newest game lists', () => {
  it('are those of the environment that is asked for, and of no other', async () => {
    const { kept, store, name } = setUp();
    kept.push(
      { id: 1, environmentId: 'a', currency: 'EUR', name: 'One' },
      { id: 2, environmentId: 'b', currency: 'USD', name: 'Two' },
    );
    store.getState().want('a');
    await vi.waitFor(() => expect(name('a')).toBe('One'));
    expect(store.getState().lists.has('b')).toBe(false);
    store.getState().want('b');
    await vi.waitFor(() => expect(name('b')).toBe('Two'));
    expect(store.getState().lists.get('b')?.currency).toBe('USD');
    expect(name('a')).toBe('One');
  });

  it('follow what core tells, and read games only where there are new ones', async () => {
    const { kept, store, name, emit, asked } = setUp();
    store.getState().want('a');
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    kept.unshift({ id: 1, environmentId: 'a', currency: 'EUR', name: 'One' });
    emit('catalogue.changed', {});
    await vi.waitFor(() => expect(name('a')).toBe('One'));
    const before = asked.length;
    emit('catalogue.changed', {});
    await vi.waitFor(() => expect(asked).toHaveLength(before + 1));
    kept.unshift({ id: 2, environmentId: 'a', currency: 'EUR', name: 'Renamed' });
    emit('catalogue.changed', {});
    await vi.waitFor(() => expect(name('a')).toBe('Renamed'));
    expect(asked.filter((one) => one.name === 'catalogue.games')).toHaveLength(2);
    kept.splice(0);
    emit('catalogue.changed', {});
    await vi.waitFor(() => expect(name('a')).toBeUndefined());
  });
});
