import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { Environment, type CallSummary, type RoundLookup } from '#shared/ipc/index.ts';
import { createFakeClient } from '#testing/fake-client.ts';
import { createRoundsStore } from './rounds-store.ts';
import { askedAboutBet, unconfirmed } from '../../../testing/production-question.ts';

const environmentOf = (id: string, timeZone = 'UTC') =>
  Environment.parse({ id, name: id, baseUrl: 'https://a.example', platform: 1, partnerId: 42, timeZone });

function lookupOf(roundId: string): RoundLookup {
  const call = { id: 1, operation: 'getGameRound', state: 'answered', code: 0 } as CallSummary;
  return {
    roundId,
    logMonth: 0,
    timeZone: 'UTC',
    month: '2026-11',
    currentMonth: '2026-11',
    round: { call, records: [], problem: null },
    replay: null,
  };
}

function setUp() {
  const fake = createFakeClient();
  fake.answer('rounds.lookup', ({ roundId }) => lookupOf(roundId));
  let ids = 0;
  const store = createRoundsStore(fake.client, { now: () => Date.UTC(2026, 10, 30, 23, 30), newId: () => `t${(ids += 1)}` });
  return { ...fake, store };
}

describe('looking rounds up', () => {
  it('begins with today in the environment’s zone and keeps what was typed', () => {
    const { store } = setUp();
    store.getState().enter(environmentOf('e', 'Europe/Berlin'));
    expect(store.getState().date).toBe('01-12-2026');
    store.getState().ask({ date: '05-11-2026' });
    store.getState().enter(environmentOf('other'));
    expect(store.getState().date).toBe('05-11-2026');
  });

  it('sends the digits as they are, once, and shows what came', async () => {
    const { store, asked } = setUp();
    store.getState().enter(environmentOf('e'));
    store.getState().ask({ roundId: ' 9007199254740993 ' });
    await Promise.all([store.getState().lookUp(), store.getState().lookUp()]);
    expect(asked.filter(({ name }) => name === 'rounds.lookup')).toEqual([
      {
        name: 'rounds.lookup',
        input: { environmentId: 'e', roundId: '9007199254740993', date: '30-11-2026', ticket: 't1', confirmed: false },
      },
    ]);
    expect(store.getState()).toMatchObject({ openKey: 't1', asking: { state: 'idle' } });
    store.getState().ask({ roundId: '12' });
    store.getState().ask({ date: '01-11-2026' });
    await store.getState().lookUp();
    expect(store.getState().recent.map(({ lookup }) => lookup.roundId)).toEqual(['12', '9007199254740993']);
    store.getState().open('t1');
    expect(store.getState()).toMatchObject({ openKey: 't1', roundId: '9007199254740993', date: '30-11-2026' });
    store.getState().open('gone');
    expect(store.getState().openKey).toBe('t1');
  });

  it('asks before production, says what was refused, and forgets that when something is typed', async () => {
    const { store, answer } = setUp();
    store.getState().enter(environmentOf('e'));
    answer('rounds.lookup', ({ confirmed, roundId }) => {
      if (!confirmed) throw unconfirmed;
      return lookupOf(roundId);
    });
    await store.getState().lookUp();
    const { asking } = store.getState();
    expect(asking).toMatchObject({ state: 'unconfirmed', question: askedAboutBet });
    if (asking.state === 'unconfirmed') await asking.again(true);
    expect(store.getState().recent).toHaveLength(1);
    answer('rounds.lookup', () => {
      throw new AppError('invalid_input', 'The date lies ahead.');
    });
    await store.getState().lookUp();
    expect(store.getState().asking).toMatchObject({ state: 'refused', message: 'The date lies ahead.' });
    store.getState().ask({ date: '01-11-2026' });
    expect(store.getState().asking).toEqual({ state: 'idle' });
  });

  it('can be cancelled, and what comes late is kept without being put before another environment', async () => {
    const { store, answer, asked } = setUp();
    store.getState().enter(environmentOf('e'));
    const gate = Promise.withResolvers<void>();
    answer('rounds.lookup', async ({ roundId }) => {
      await gate.promise;
      return lookupOf(roundId);
    });
    answer('calls.cancel', () => ({ cancelled: true }));
    store.getState().ask({ roundId: '5' });
    const asking = store.getState().lookUp();
    await store.getState().cancel();
    expect(asked.at(-1)).toEqual({ name: 'calls.cancel', input: { ticket: 't1' } });
    store.getState().enter(environmentOf('other'));
    gate.resolve();
    await asking;
    expect(store.getState()).toMatchObject({ openKey: null, recent: [{ environmentId: 'e', key: 't1' }] });
  });
});
