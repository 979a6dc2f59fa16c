import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/errors.ts';
import type { TakenValue } from '#shared/ipc/index.ts';
import { createResultsStore, takenFor, takenVariables } from './results-store.ts';
import { createFakeClient, callOfDraft } from '#testing/fake-client.ts';

const call = callOfDraft(7, { environmentId: 'e', operation: 'bet', form: '', text: '', overrides: {} });
const wanted = { take: { token: '/token' }, expect: [], unresolved: [] };
const file = { collectionId: 'c', path: 'bet.yaml' };

function setUp() {
  const fake = createFakeClient();
  const kept: TakenValue[] = [];
  fake.answer('answers.taken', () => ({ values: [...kept] }));
  fake.answer('answers.check', () => {
    kept.push({ name: 'token', value: 'tok', path: 'bet.yaml', callId: 7 });
    return { checks: [], taken: ['token'] };
  });
  fake.answer('answers.forget', () => {
    kept.length = 0;
    return {};
  });
  const store = createResultsStore(fake.client);
  const values = () => takenVariables(takenFor(store.getState(), 'c', 'e'));
  return { ...fake, store, kept, values, actions: store.getState() };
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

describe('answers of single requests', () => {
  it('are shown by their call, and their values are there with them', async () => {
    const { actions, store, values, asked } = setUp();
    const checking = actions.check(file, call, wanted);
    expect(store.getState().checked.get(7)).toEqual({ state: 'evaluating' });
    await checking;
    expect(store.getState().checked.get(7)).toEqual({ state: 'ready', checks: [], taken: ['token'] });
    expect(values()).toEqual({ token: 'tok' });
    expect(asked[0]).toEqual({ name: 'answers.check', input: { ...file, callId: 7, ...wanted } });
  });

  it('say why they could not be checked', async () => {
    const { actions, store, answer } = setUp();
    answer('answers.check', () => {
      throw new AppError('not_found', 'There is no such call.');
    });
    await actions.check(file, call, wanted);
    expect(store.getState().checked.get(7)).toEqual({ state: 'failed', message: 'There is no such call.' });
  });

  it('give values that are fetched once, followed, and forgotten', async () => {
    const { actions, values, kept, emit, asked } = setUp();
    emit('answers.changed', { collectionId: 'c', environmentId: 'e' });
    expect(asked).toEqual([]);
    await actions.want('c', 'e');
    await actions.want('c', 'e');
    expect(asked).toHaveLength(1);
    kept.push({ name: 'a', value: '1', path: 'x.yaml', callId: 1 });
    emit('answers.changed', { collectionId: 'c', environmentId: 'e' });
    emit('answers.changed', { collectionId: 'c', environmentId: 'other' });
    await settled();
    expect(asked).toHaveLength(2);
    expect(values()).toEqual({ a: '1' });
    expect(await actions.forget('c', 'e', null)).toBeNull();
    expect(values()).toEqual({});
  });
});
