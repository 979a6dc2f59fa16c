import { expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { AppError } from '#shared/errors.ts';
import { createAsking, type AskingState } from './refusal.ts';

function setUp() {
  const store = createStore<AskingState>()((_set, _get, api) => createAsking(api).state);
  return { store, ...createAsking(store) };
}

it('does one thing at a time, which typing does not end and whose refusal is shown', async () => {
  const { store, attempt } = setUp();
  const sent = Promise.withResolvers<void>();
  const first = attempt(() => sent.promise);
  store.getState().dismiss();
  expect(store.getState().asking.state).toBe('busy');
  await attempt(() => Promise.reject(new AppError('internal', 'A second one.')));
  sent.reject(new AppError('refused', 'No.'));
  await first;
  expect(store.getState().asking).toMatchObject({ state: 'refused', message: 'No.' });
  store.getState().dismiss();
  expect(store.getState().asking).toEqual({ state: 'idle' });
});

it('says nothing of one that nobody waits for any more', async () => {
  const { store, state, attempt } = setUp();
  const [before, now] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const left = attempt(() => before.promise);
  store.setState({ asking: state.asking });
  const next = attempt(() => now.promise);
  before.reject(new AppError('refused', 'Late.'));
  await left;
  expect(store.getState().asking).toEqual({ state: 'busy' });
  now.resolve();
  await next;
  expect(store.getState().asking).toEqual({ state: 'idle' });
});
