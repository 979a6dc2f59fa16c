import { describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { Environment, type CallSummary, type CatalogueGame, type CatalogueSnapshot } from '#shared/ipc/index.ts';
import { createFakeClient } from '#testing/fake-client.ts';
import { createGamesStore } from './games-store.ts';
import { askedAboutBet, unconfirmed } from '../../../testing/production-question.ts';

const environmentOf = (id: string, currency = 'EUR') =>
  Environment.parse({ id, name: id, baseUrl: 'https://a.example', platform: 1, partnerId: 42, defaults: { currency } });

function snapshot(id: number, change: Partial<CatalogueSnapshot> = {}): CatalogueSnapshot {
  return {
    id,
    environmentId: 'e',
    environmentName: 'e',
    currency: 'EUR',
    callId: id,
    fetchedAt: id,
    games: 2,
    problems: [],
    ...change,
  };
}

const game = (id: string, name: string, status = '1'): CatalogueGame => ({ id, name, bets: ['1'], thumbnail: '', status });
const call = (code: number) =>
  ({ id: 9, operation: 'gameList', state: 'answered', code, message: 'hash not valid' }) as CallSummary;

/** A store over snapshots that the test adds to. */
function setUp(kept: CatalogueSnapshot[] = []) {
  const fake = createFakeClient();
  const lists = new Map<number, CatalogueGame[]>();
  fake.answer('catalogue.snapshots', ({ environmentId }) => ({
    snapshots: kept.filter((one) => one.environmentId === environmentId).toReversed(),
  }));
  fake.answer('catalogue.games', ({ snapshotId }) => {
    const found = kept.find(({ id }) => id === snapshotId);
    if (found === undefined) throw new AppError('not_found', 'There is no such list.');
    return { snapshot: found, games: lists.get(snapshotId) ?? [game('1', 'One'), game('2', 'Two')] };
  });
  let ids = 0;
  const moved: string[] = [];
  const store = createGamesStore(fake.client, {
    newId: () => `t${(ids += 1)}`,
    moveFocus: (selector) => void moved.push(selector),
  });
  const ready = (id: number) => vi.waitFor(() => expect(store.getState().shown).toMatchObject({ state: 'ready', id }));
  return { ...fake, kept, lists, store, moved, ready };
}

describe('the games of an environment', () => {
  it('begin with its newest list and its own currency', async () => {
    const { store, ready, asked } = setUp([snapshot(1), snapshot(2), snapshot(3, { environmentId: 'other' })]);
    store.getState().enter(environmentOf('e', 'USD'));
    expect(store.getState().currency).toBe('USD');
    await ready(2);
    store.getState().enter(environmentOf('e'));
    expect(asked.filter(({ name }) => name === 'catalogue.games')).toHaveLength(1);
    store.getState().enter(environmentOf('other'));
    expect(store.getState().shown).toEqual({ state: 'none' });
    await ready(3);
  });

  it('are fetched in the currency that is typed, and shown', async () => {
    const { store, kept, answer, asked, ready } = setUp();
    store.getState().enter(environmentOf('e'));
    await vi.waitFor(() => expect(store.getState().snapshots.state).toBe('ready'));
    expect(store.getState().shown).toEqual({ state: 'none' });
    answer('catalogue.fetch', ({ currency }) => {
      kept.push(snapshot(7, { currency }));
      return { call: call(0), snapshot: snapshot(7, { currency }) };
    });
    store.getState().setCurrency('usd');
    await Promise.all([store.getState().fetch(), store.getState().fetch()]);
    await ready(7);
    expect(asked.filter(({ name }) => name === 'catalogue.fetch')).toEqual([
      { name: 'catalogue.fetch', input: { environmentId: 'e', currency: 'usd', ticket: 't1', confirmed: false } },
    ]);
    expect(store.getState().asking).toEqual({ state: 'idle' });
  });

  it('stay when a fetch brings none, which is said until the next one', async () => {
    const { store, answer, ready } = setUp([snapshot(1)]);
    store.getState().enter(environmentOf('e'));
    await ready(1);
    answer('catalogue.fetch', () => ({ call: call(8), snapshot: null }));
    await store.getState().fetch();
    expect(store.getState().problem).toMatchObject({ id: 9, code: 8 });
    expect(store.getState().shown).toMatchObject({ state: 'ready', id: 1 });
    answer('catalogue.fetch', () => {
      throw new AppError('key_missing', 'There is no key for e. Set it first.');
    });
    await store.getState().fetch();
    expect(store.getState()).toMatchObject({
      problem: null,
      asking: { state: 'refused', message: 'There is no key for e. Set it first.' },
    });
    store.getState().dismiss();
    expect(store.getState().asking).toEqual({ state: 'idle' });
  });

  it('are asked for only after a yes where the environment is production', async () => {
    const { store, answer, kept, ready } = setUp();
    store.getState().enter(environmentOf('e'));
    answer('catalogue.fetch', ({ confirmed }) => {
      if (!confirmed) throw unconfirmed;
      kept.push(snapshot(1));
      return { call: call(0), snapshot: snapshot(1) };
    });
    await store.getState().fetch();
    const { asking } = store.getState();
    expect(asking).toMatchObject({ state: 'unconfirmed', question: askedAboutBet });
    if (asking.state === 'unconfirmed') await asking.again(true);
    await ready(1);
  });

  it('can be cancelled while they are on their way, and not be put into another environment', async () => {
    const { store, answer, asked, kept, ready } = setUp([snapshot(3, { environmentId: 'other' })]);
    store.getState().enter(environmentOf('e'));
    const gate = Promise.withResolvers<void>();
    answer('catalogue.fetch', async () => {
      await gate.promise;
      kept.push(snapshot(1));
      return { call: call(0), snapshot: snapshot(1) };
    });
    answer('calls.cancel', () => ({ cancelled: true }));
    const fetched = store.getState().fetch();
    await store.getState().cancel();
    expect(asked.at(-1)).toEqual({ name: 'calls.cancel', input: { ticket: 't1' } });
    store.getState().enter(environmentOf('other'));
    gate.resolve();
    await fetched;
    await ready(3);
    expect(store.getState().snapshots).toMatchObject({ snapshots: [{ id: 3 }] });
  });

  it('keep the chosen game and the status over another list as far as it has them', async () => {
    const { store, lists, ready } = setUp([snapshot(1), snapshot(2)]);
    lists.set(2, [game('1', 'One', '1'), game('2', 'Two', '2')]);
    lists.set(1, [game('0', 'Nought', '1'), game('2', 'Two, renamed', '1')]);
    store.getState().enter(environmentOf('e'));
    await ready(2);
    const { shown } = store.getState();
    store.getState().choose(shown.state === 'ready' ? (shown.games[1] ?? null) : null);
    store.getState().setBetLevel(3);
    store.getState().setStatus({ only: '2' });
    await store.getState().showSnapshot(1);
    expect(store.getState()).toMatchObject({ status: 'any', chosen: { at: 1, game: { name: 'Two, renamed' } }, betLevel: 3 });
    const other = store.getState().shown;
    store.getState().choose(other.state === 'ready' ? (other.games[0] ?? null) : null);
    expect(store.getState().betLevel).toBe(0);
    await store.getState().showSnapshot(2);
    expect(store.getState().chosen).toBeNull();
  });

  it('follow what is fetched elsewhere, and say what could not be read', async () => {
    const { store, kept, emit, ready } = setUp();
    store.getState().enter(environmentOf('e'));
    await vi.waitFor(() => expect(store.getState().snapshots.state).toBe('ready'));
    kept.push(snapshot(1));
    emit('catalogue.changed', {});
    await ready(1);
    kept.push(snapshot(2));
    emit('catalogue.changed', {});
    await ready(2);
    // The same list again: no other is shown, and it is only newer.
    kept[1] = snapshot(2, { callId: 9, fetchedAt: 9 });
    emit('catalogue.changed', {});
    await vi.waitFor(() => expect(store.getState().shown).toMatchObject({ id: 2, snapshot: { callId: 9, fetchedAt: 9 } }));
    // A user who chose an older list stays with it.
    await store.getState().showSnapshot(1);
    kept.push(snapshot(3));
    emit('catalogue.changed', {});
    await vi.waitFor(() => expect(store.getState().snapshots).toMatchObject({ snapshots: [{ id: 3 }, { id: 2 }, { id: 1 }] }));
    expect(store.getState().shown).toMatchObject({ id: 1 });
    await store.getState().showSnapshot(99);
    expect(store.getState().shown).toEqual({ state: 'failed', id: 99, message: 'There is no such list.' });
  });
});

describe('a comparison', () => {
  it('takes the last pair that was asked for, and ends when a list is shown', async () => {
    const { store, answer, ready, moved } = setUp([snapshot(1), snapshot(2)]);
    store.getState().enter(environmentOf('e'));
    await ready(2);
    const gate = Promise.withResolvers<void>();
    answer('catalogue.compare', async ({ from, to }) => {
      if (from === 1) await gate.promise;
      return { from: snapshot(from), to: snapshot(to), added: [], removed: [], changed: [], same: 2, betsCompared: true };
    });
    const first = store.getState().compare(1, 2);
    store.getState().setComparison({ kind: 'bets', text: 'x' });
    await store.getState().compare(2, 1);
    gate.resolve();
    await first;
    expect(moved).toEqual(['[data-comparison-of-lists]']);
    expect(store.getState().comparing).toMatchObject({
      from: 2,
      to: 1,
      kind: 'bets',
      text: 'x',
      result: { state: 'ready', comparison: { from: { id: 2 } } },
    });
    await store.getState().showSnapshot(2);
    expect(store.getState().comparing).toBeNull();
    answer('catalogue.compare', () => {
      throw new AppError('not_found', 'There is no such list.');
    });
    await store.getState().compare(1, 2);
    expect(store.getState().comparing?.result).toEqual({ state: 'failed', message: 'There is no such list.' });
  });
});
