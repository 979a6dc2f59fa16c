import { describe, expect, it } from 'vitest';
import { createFakeClient } from '#testing/fake-client.ts';
import { createVariablesStore, variablesAround } from './variables-store.ts';

describe('the settings around a request', () => {
  it('are fetched once, and known to everybody who waited for them', async () => {
    const fake = createFakeClient();
    const held = Promise.withResolvers<void>();
    fake.answer('collections.readFolder', async ({ path }) => {
      await held.promise;
      return { settings: { variables: { at: path === '' ? 'collection' : path } }, revision: null } as never;
    });
    const store = createVariablesStore(fake.client);
    const around = () => variablesAround(store.getState(), 'c', 'wallet/bet.yaml');
    const seen: unknown[] = [];
    const waits = [1, 2].map(() =>
      store
        .getState()
        .want('c', 'wallet/bet.yaml')
        .then(() => seen.push(around())),
    );
    expect(around()).toBeNull();
    held.resolve();
    await Promise.all(waits);
    const known = { collection: { at: 'collection' }, folders: [{ at: 'wallet' }], problems: [] };
    expect(seen).toEqual([known, known]);
    expect(fake.asked).toHaveLength(2);
  });

  it('are those of the last change, also for whoever waited before it', async () => {
    const fake = createFakeClient();
    const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    let asked = 0;
    fake.answer('collections.readFolder', async () => {
      const of = await answers[asked++]?.promise;
      return { settings: { variables: { of } }, revision: null } as never;
    });
    const store = createVariablesStore(fake.client);
    const wanted = store.getState().want('c', 'bet.yaml');
    fake.emit('collections.changed', { id: 'c', paths: ['collection.yaml'] });
    answers[0]?.resolve('before');
    answers[1]?.resolve('now');
    await wanted;
    expect(variablesAround(store.getState(), 'c', 'bet.yaml')?.collection).toEqual({ of: 'now' });
  });
});
