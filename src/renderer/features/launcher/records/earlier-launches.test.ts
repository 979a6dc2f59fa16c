import { describe, expect, it, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { AppError } from '#shared/errors.ts';
import { createEarlierLaunches, type EarlierLaunches, type EarlierLaunchState } from './earlier-launches.ts';
import { createFakeClient } from '#testing/fake-launches.ts';
import { someLaunch } from '#testing/some-launch.ts';

const keeping = { most: 500, kept: 30, removed: null };

function setUp(answers: Parameters<typeof createFakeClient>[0] = {}) {
  const list = ({ offset, limit }: Record<string, unknown>) => {
    const first = Number(offset);
    const count = Math.min(Number(limit), 30 - first);
    return { launches: Array.from({ length: count }, (_, at) => someLaunch(`l${first + at}`)), total: 30 };
  };
  const fake = createFakeClient({ 'launches.list': list, 'launches.keeping': () => keeping, ...answers });
  const later: (() => void)[] = [];
  let calledOff = 0;
  const parts: EarlierLaunches[] = [];
  const store = createStore<EarlierLaunchState>()((_set, _get, part) => {
    const made = createEarlierLaunches(
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
  const [earlier] = parts as [EarlierLaunches];
  return { ...fake, earlier, get: store.getState, later, calledOff: () => calledOff };
}

describe('the list of earlier launches', () => {
  it('is fetched once after a burst of events, if it was asked for', async () => {
    const { earlier, get, emit, later, inputs } = setUp();
    emit('launches.listed', {});
    expect(later).toHaveLength(0);
    await earlier.load();
    expect(get()).toMatchObject({ earlier: { total: 30, launches: { length: 20 } }, keeping });
    emit('launches.listed', {});
    emit('launches.changed', { id: 'l3' });
    expect(later).toHaveLength(1);
    later[0]?.();
    emit('launches.listed', {});
    expect(later).toHaveLength(2);
    await vi.waitFor(() => expect(inputs('launches.list')).toHaveLength(2));
  });

  it('has the present verdict of a game that goes on', async () => {
    const { earlier, get, emit } = setUp();
    const verdict = { state: 'passed', results: [] } as const;
    emit('launches.recorded', { id: 'l3', entries: [], dropped: 0, verdict });
    expect(get().earlier).toBeNull();
    await earlier.load();
    emit('launches.recorded', { id: 'l3', entries: [], dropped: 0, verdict });
    emit('launches.recorded', { id: 'gone', entries: [], dropped: 0, verdict });
    const passed = get().earlier?.launches.filter((launch) => launch.verdict.state === 'passed');
    expect(passed?.map(({ id }) => id)).toEqual(['l3']);
  });

  it('grows by the next ones, and stays as long when it is fetched again', async () => {
    const { earlier, get, inputs } = setUp();
    await earlier.load();
    await get().moreEarlier();
    expect(get().earlier?.launches.map(({ id }) => id)).toEqual(Array.from({ length: 30 }, (_, at) => `l${at}`));
    await earlier.load();
    expect(inputs('launches.list').map(({ offset, limit }) => [offset, limit])).toEqual([
      [0, 20],
      [20, 20],
      [0, 30],
    ]);
  });

  it('is searched after a pause in typing, and at once by a verdict; a late reply to an earlier search changes nothing', async () => {
    const held: ((list: unknown) => void)[] = [];
    const { get, later, inputs } = setUp({ 'launches.list': () => new Promise((resolve) => held.push(resolve)) });
    get().searchEarlier('luc');
    get().searchEarlier('lucky');
    expect([later.length, inputs('launches.list').length]).toEqual([1, 0]);
    later[0]?.();
    get().filterEarlier('failed');
    await vi.waitFor(() => expect(held).toHaveLength(2));
    expect(inputs('launches.list')).toMatchObject([
      { text: 'lucky', state: null },
      { text: 'lucky', state: 'failed' },
    ]);
    held[1]?.({ launches: [someLaunch('newer')], total: 1 });
    held[0]?.({ launches: [someLaunch('older')], total: 1 });
    await vi.waitFor(() => expect(get().earlier?.launches.map(({ id }) => id)).toEqual(['newer']));
  });

  it('sets how many are kept, and says why it did not', async () => {
    let fails = false;
    const { get, inputs } = setUp({
      'launches.keep': () => {
        if (fails) throw new AppError('conflict', 'Nothing was changed.');
        return { ...keeping, most: 100 };
      },
    });
    expect(await get().keepLaunches(100, 0)).toBeNull();
    expect(get().keeping?.most).toBe(100);
    fails = true;
    expect(await get().keepLaunches(200, 7)).toBe('Nothing was changed.');
    expect(inputs('launches.keep')).toEqual([
      { most: 100, removes: 0 },
      { most: 200, removes: 7 },
    ]);
  });
});
