import { describe, expect, it, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { AppError } from '#shared/errors.ts';
import { createFakeClient, player } from '#testing/fake-launches.ts';
import { createLaunchChoices, type LaunchChoices, type LaunchChoiceState } from './launch-choices.ts';

const gameList = {
  'catalogue.snapshots': () => ({ snapshots: [{ id: 3 }, { id: 2 }] }),
  'catalogue.games': ({ snapshotId }: Record<string, unknown>) => ({
    snapshot: { fetchedAt: Number(snapshotId) },
    games: [{ id: '7', name: 'Seven' }],
  }),
};

function setUp(answers: Parameters<typeof createFakeClient>[0] = {}) {
  const fake = createFakeClient(answers);
  const later: (() => void)[] = [];
  let calledOff = 0;
  const parts: LaunchChoices[] = [];
  const store = createStore<LaunchChoiceState>()((_set, _get, part) => {
    const made = createLaunchChoices(
      fake.client,
      (run) => {
        later.push(run);
        return () => (calledOff += 1);
      },
      part,
    );
    parts.push(made);
    return made.state;
  });
  const [choices] = parts as [LaunchChoices];
  return { ...fake, store, choices, get: store.getState, later, calledOff: () => calledOff };
}

describe('what a launch can be made of', () => {
  it('has the names of the newest game list', async () => {
    const { get, inputs } = setUp(gameList);
    const loading = get().loadGames('e');
    expect(get().games).toMatchObject({ environmentId: 'e', state: 'loading' });
    await loading;
    expect(get().games).toMatchObject({ state: 'ready', fetchedAt: 3 });
    expect(get().games?.names.get('7')).toBe('Seven');
    expect(inputs('catalogue.games')).toEqual([{ snapshotId: 3 }]);
  });

  it('says where there is no game list, and where it cannot be read', async () => {
    const none = setUp({ 'catalogue.snapshots': () => ({ snapshots: [] }) });
    await none.get().loadGames('e');
    expect(none.get().games).toMatchObject({ state: 'none', fetchedAt: null });
    const failed = setUp({
      'catalogue.snapshots': () => {
        throw new AppError('storage', 'The disk is full.');
      },
    });
    await failed.get().loadGames('e');
    expect(failed.get().games).toMatchObject({ environmentId: 'e', state: 'failed' });
  });

  it('keeps the names on screen while they are fetched again, and takes those of the last environment', async () => {
    const { get } = setUp({
      ...gameList,
      'catalogue.snapshots': ({ environmentId }) => ({ snapshots: environmentId === 'e' ? [{ id: 3 }] : [] }),
    });
    await get().loadGames('e');
    const again = get().loadGames('e');
    expect(get().games?.state).toBe('ready');
    await Promise.all([again, get().loadGames('other')]);
    expect(get().games).toMatchObject({ environmentId: 'other', state: 'none' });
  });

  it('fetches the games again when a list comes, once one was asked for', async () => {
    const { get, emit, names } = setUp(gameList);
    emit('catalogue.changed', {});
    expect(names()).toEqual([]);
    await get().loadGames('e');
    emit('catalogue.changed', {});
    await vi.waitFor(() => expect(names().filter((name) => name === 'catalogue.games')).toHaveLength(2));
  });

  it('fetches the players once after wallet calls, if there are some; other calls change no balance', async () => {
    const { choices, get, emit, later, inputs } = setUp();
    emit('sandbox.judged', { path: '/bet' });
    expect(later).toHaveLength(0);
    await choices.loadPlayers();
    expect(get().players).toEqual([player]);
    emit('sandbox.judged', { path: '/serviceApi.php' });
    expect(later).toHaveLength(0);
    emit('sandbox.judged', { path: '/bet' });
    emit('sandbox.judged', { path: '/bet' });
    expect(later).toHaveLength(1);
    later[0]?.();
    await vi.waitFor(() => expect(inputs('sandbox.status')).toHaveLength(2));
  });

  it('keeps what it has where a list cannot be read', async () => {
    let fails = false;
    const { choices, get } = setUp({
      'sandbox.status': () => {
        if (fails) throw new AppError('storage', 'The disk is full.');
        return { players: [player] };
      },
    });
    await choices.loadPlayers();
    fails = true;
    await choices.loadPlayers();
    expect(get().players).toEqual([player]);
  });
});
