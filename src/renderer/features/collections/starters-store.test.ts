import { describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import type { CallName, Client, Collection } from '#shared/ipc/index.ts';
import { createStartersStore } from './starters-store.ts';

const starter = { id: 'first-call', title: 'First call', summary: 'Says hello.', requests: 2, directory: '/home/you/first-call' };
const collection: Collection = { id: 'c', directory: '/home/you/mine', name: 'mine', problem: null };

function setUp() {
  const asked: { name: string; input: unknown }[] = [];
  const answers: Partial<Record<CallName, () => unknown>> = {
    'collections.starters': () => ({ starters: [starter] }),
    'collections.createFromStarter': () => collection,
  };
  const client = {
    async call(name: CallName, input: unknown) {
      asked.push({ name, input });
      await Promise.resolve();
      return answers[name]?.();
    },
  } as unknown as Client;
  const onCopied = vi.fn<(made: Collection, requests: number) => Promise<void>>(() => Promise.resolve());
  const store = createStartersStore(client, { onCopied });
  return { store, actions: store.getState(), answers, asked, onCopied };
}

describe('the starter collections', () => {
  it('are read again each time they are offered', async () => {
    const { actions, asked, store } = setUp();
    await actions.load();
    actions.ask('first-call');
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    expect(store.getState()).toMatchObject({
      list: { state: 'ready', starters: [starter] },
      asking: { id: 'first-call', problem: null, busy: false },
    });
    actions.dismiss();
    expect(store.getState().asking).toBeNull();
  });

  it('say why they cannot be read', async () => {
    const { actions, answers, store } = setUp();
    answers['collections.starters'] = () => {
      throw new AppError('storage', 'The folder is gone.');
    };
    await actions.load();
    expect(store.getState().list).toEqual({ state: 'failed', message: 'The folder is gone.' });
  });

  it('are copied once, however often it is asked', async () => {
    const { actions, asked, onCopied, store } = setUp();
    await actions.load();
    actions.ask('first-call');
    await Promise.all([actions.copy('first-call', '/home/you/mine'), actions.copy('first-call', '/home/you/mine')]);
    expect(asked.filter(({ name }) => name === 'collections.createFromStarter')).toEqual([
      { name: 'collections.createFromStarter', input: { starter: 'first-call', directory: '/home/you/mine' } },
    ]);
    expect(onCopied.mock.calls).toEqual([[collection, 2]]);
    expect(store.getState().asking).toBeNull();
  });

  it('keep the question open with the reason where they were not copied', async () => {
    const { actions, answers, onCopied, store } = setUp();
    answers['collections.createFromStarter'] = () => {
      throw new AppError('conflict', 'Something is there.');
    };
    actions.ask(null);
    await actions.copy('first-call', '/home/you/mine');
    expect(store.getState().asking).toEqual({ id: 'first-call', problem: 'Something is there.', busy: false });
    expect(onCopied).not.toHaveBeenCalled();
  });
});
