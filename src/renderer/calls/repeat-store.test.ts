import { describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import type { Call, Client } from '#shared/ipc/index.ts';
import { createRepeatStore } from './repeat-store.ts';
import { askedAboutBet, unconfirmed } from '../../testing/production-question.ts';

/** Creates a client that replies to a repeat with the next of `answers`. */
function setUp(answers: (Partial<Call> | AppError | Promise<Partial<Call>>)[]) {
  const asked: unknown[] = [];
  const repeated: unknown[] = [];
  let ids = 0;
  let changed: (payload: { id: number; ticket?: string }) => void = () => undefined;
  const client = {
    on: (_name: string, listener: typeof changed) => void (changed = listener),
    async call(name: string, input: { id: number }) {
      asked.push([name, input]);
      if (name === 'calls.get') {
        if (input.id === 404) throw new AppError('not_found', 'There is no call 404 in the history.');
        return { id: input.id };
      }
      if (name !== 'calls.repeat') return {};
      const answer = await answers.shift();
      if (answer instanceof AppError) throw answer;
      return answer;
    },
  } as unknown as Client;
  const store = createRepeatStore(client, {
    now: () => 7,
    newId: () => `ticket-${++ids}`,
    onRepeated: (id, call) => repeated.push([id, call.id]),
  });
  const names = () => asked.map((one) => (one as [string])[0]);
  return { store, asked, repeated, names, job: () => store.getState().job, tell: (ticket: string) => changed({ id: 9, ticket }) };
}

describe('an exact repeat in the page', () => {
  it('says first what it means, and sends once the user agrees', async () => {
    const { store, asked, repeated, job } = setUp([{ id: 9 }]);
    await store.getState().repeat(5);
    expect(job()).toEqual({ state: 'asking', call: { id: 5 } });
    expect(asked).toEqual([['calls.get', { id: 5 }]]);
    await store.getState().agree();
    expect(asked.at(-1)).toEqual(['calls.repeat', { id: 5, ticket: 'ticket-1', confirmed: false }]);
    expect(repeated).toEqual([[5, 9]]);
    expect(job()).toEqual({ state: 'idle' });
  });

  it('asks once for the same bytes: neither for the call again nor for what came of it', async () => {
    const { store, names, job } = setUp([{ id: 9 }, { id: 10 }, { id: 11 }]);
    await store.getState().repeat(5);
    await store.getState().agree();
    await store.getState().repeat(5);
    await store.getState().repeat(9);
    expect(names()).toEqual(['calls.get', 'calls.repeat', 'calls.repeat', 'calls.repeat']);
    await store.getState().repeat(6);
    expect(job().state).toBe('asking');
    store.getState().dismiss();
    await store.getState().agree();
    expect(names()).toHaveLength(5);
  });

  it('asks for production as a send does', async () => {
    const { store, asked, repeated, job } = setUp([unconfirmed, { id: 9 }]);
    await store.getState().repeat(5);
    await store.getState().agree();
    expect(job()).toEqual({ state: 'unconfirmed', id: 5, question: askedAboutBet });
    await store.getState().confirm(true);
    expect(asked.at(-1)).toEqual(['calls.repeat', { id: 5, ticket: 'ticket-2', confirmed: true }]);
    expect(repeated).toEqual([[5, 9]]);
  });

  it('says a refusal as it is worded, also where the call is gone', async () => {
    const { store, job } = setUp([new AppError('refused', 'The address changed.')]);
    await store.getState().repeat(5);
    await store.getState().agree();
    expect(job()).toEqual({ state: 'refused', id: 5, message: 'The address changed.' });
    store.getState().dismiss();
    await store.getState().repeat(404);
    expect(job()).toEqual({ state: 'refused', id: 404, message: 'There is no call 404 in the history.' });
  });

  it('is one at a time, and can be cancelled by its ticket', async () => {
    const answer = Promise.withResolvers<Partial<Call>>();
    const { store, asked, job, repeated, tell } = setUp([answer.promise]);
    await store.getState().repeat(5);
    const sending = store.getState().agree();
    expect(job()).toEqual({ state: 'sending', id: 5, ticket: 'ticket-1', startedAt: 7, left: false, cancelled: false });
    tell('other');
    expect(job()).toMatchObject({ left: false });
    tell('ticket-1');
    expect(job()).toMatchObject({ left: true });
    await store.getState().repeat(6);
    store.getState().dismiss();
    expect(job().state).toBe('sending');
    await store.getState().cancel();
    expect(job()).toMatchObject({ state: 'sending', cancelled: true });
    expect(asked.at(-1)).toEqual(['calls.cancel', { ticket: 'ticket-1' }]);
    answer.resolve({ id: 9, state: 'cancelled' });
    await sending;
    await vi.waitFor(() => expect(repeated).toEqual([[5, 9]]));
  });

  it('asks nothing of a user who cancelled it before it left', async () => {
    const { store, job, repeated } = setUp([new AppError('cancelled', 'The call was cancelled before anything was sent.')]);
    await store.getState().repeat(5);
    await store.getState().agree();
    expect(job()).toEqual({ state: 'idle' });
    expect(repeated).toEqual([]);
  });
});
