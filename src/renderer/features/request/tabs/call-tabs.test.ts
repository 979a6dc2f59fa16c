import { describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import type { RequestDraft } from '#shared/ipc/index.ts';
import { createCallTabs } from './call-tabs.ts';
import { createFakeClient, callOfDraft } from '#testing/fake-client.ts';
import { createOpenTabs } from '#testing/open-tabs.ts';

const draft: RequestDraft = {
  environmentId: 'staging',
  operation: 'getGameRound',
  form: 'main',
  text: '{ "roundId":9007199254740993 }',
  overrides: { hash: 'wrong' },
};
const origin = { callId: 5, environmentId: 'staging', environmentName: 'staging' };

function setUp() {
  const tabs = createOpenTabs('a');
  const fake = createFakeClient();
  const calls = createCallTabs(fake.client, tabs.list, tabs.newId);
  fake.answer('calls.get', ({ id }) => callOfDraft(id, draft));
  return { ...tabs, ...fake, calls, ...calls.actions };
}

describe('calls in tabs', () => {
  it('opens a call with its text byte for byte, and goes back to its tab while that is unchanged', async () => {
    const { openCall, tab, ids, store } = setUp();
    expect(await openCall(5)).toMatchObject({ id: 5 });
    expect(tab()).toMatchObject({ text: draft.text, overrides: draft.overrides, callId: 5, origin, dirty: false });
    store.getState().selectTab('a');
    await openCall(5);
    expect(store.getState().activeId).toBe('new-1');
    expect(ids()).toEqual(['a', 'new-1']);
  });

  it('opens it beside a tab of it that was edited, and beside one that is of a file', async () => {
    const { openCall, list, ids } = setUp();
    await openCall(5);
    list.update('new-1', (tab) => ({ ...tab, dirty: true }));
    await openCall(5);
    const file = { collectionId: 'c', path: 'a.yaml', revision: '1', gone: false, theirs: null, problem: null };
    list.update('new-2', (tab) => ({ ...tab, file }));
    await openCall(5);
    expect(ids()).toHaveLength(4);
  });

  it('says why a call could not be opened, until one is', async () => {
    const { openCall, answer, store, ids } = setUp();
    answer('calls.get', () => {
      throw new AppError('not_found', 'Call 9 is not in the history.');
    });
    expect(await openCall(9)).toBeNull();
    expect(store.getState().problem).toBe('The call could not be opened. Call 9 is not in the history.');
    expect(ids()).toEqual(['a']);
    answer('calls.get', ({ id }) => callOfDraft(id, draft));
    await openCall(5);
    expect(store.getState().problem).toBeNull();
  });

  it('loads the call of a tab that has only its ID, and forgets the ID where the call is gone', async () => {
    const { calls, list, tab, asked, answer } = setUp();
    calls.loadMissing(tab('a'));
    expect(asked).toEqual([]);
    list.update('a', (one) => ({ ...one, callId: 4 }));
    calls.loadMissing(tab('a'));
    await vi.waitFor(() => expect(tab('a').call?.id).toBe(4));
    calls.loadMissing(tab('a'));
    expect(asked).toHaveLength(1);
    answer('calls.get', () => {
      throw new AppError('not_found', 'It is gone.');
    });
    list.update('a', (one) => ({ ...one, callId: 6, call: null }));
    calls.loadMissing(tab('a'));
    await vi.waitFor(() => expect(tab('a')).toMatchObject({ callId: null, text: 'a' }));
  });

  it('does not put a call into a tab that has another one by then', async () => {
    const { calls, list, tab, answer } = setUp();
    const held = Promise.withResolvers<unknown>();
    answer('calls.get', () => held.promise);
    list.update('a', (one) => ({ ...one, callId: 4 }));
    calls.loadMissing(tab('a'));
    list.update('a', (one) => ({ ...one, callId: 5 }));
    held.resolve(callOfDraft(4, draft));
    await held.promise;
    await Promise.resolve();
    expect(tab('a')).toMatchObject({ callId: 5, call: null });
  });

  it('fetches a call again whose outcome is recorded while it is pending, and no other', async () => {
    const { openCall, tab, answer, asked, emit } = setUp();
    answer('calls.get', ({ id }) => callOfDraft(id, draft, { state: 'pending', code: null }));
    await openCall(5);
    answer('calls.get', ({ id }) => callOfDraft(id, draft));
    emit('calls.changed', { id: 6 });
    expect(asked).toHaveLength(1);
    emit('calls.changed', { id: 5 });
    await vi.waitFor(() => expect(tab().call?.state).toBe('answered'));
    emit('calls.changed', { id: 5 });
    expect(asked).toHaveLength(2);
  });

  it('keeps a pending call on screen where it cannot be fetched again', async () => {
    const { openCall, tab, answer, asked, emit } = setUp();
    answer('calls.get', ({ id }) => callOfDraft(id, draft, { state: 'pending', code: null }));
    await openCall(5);
    answer('calls.get', () => {
      throw new AppError('storage', 'The disk is full.');
    });
    emit('calls.changed', { id: 5 });
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    await Promise.resolve();
    expect(tab()).toMatchObject({ callId: 5, call: { state: 'pending' } });
  });

  it('knows that a call left by the ticket of its tab alone', () => {
    const { tab, list, emit } = setUp();
    const sending = { state: 'sending', ticket: 't', startedAt: 0, left: false, cancelled: false } as const;
    list.update(tab().id, (one) => ({ ...one, sending }));
    emit('calls.changed', { id: 5 });
    emit('calls.changed', { id: 6, ticket: 'other' });
    expect(tab().sending).toEqual(sending);
    emit('calls.changed', { id: 7, ticket: 't' });
    expect(tab().sending).toEqual({ ...sending, left: true });
  });

  it('shows a repeat in the active tab if that has the repeated call and does not send', async () => {
    const { openCall, showRepeat, list, tab, store } = setUp();
    await openCall(5);
    expect(showRepeat(6, callOfDraft(7, draft))).toBe(false);
    expect(showRepeat(5, callOfDraft(7, draft))).toBe(true);
    expect(tab()).toMatchObject({ callId: 7, call: { id: 7 }, origin });
    const sending = { state: 'sending', ticket: 't', startedAt: 0, left: false, cancelled: false } as const;
    list.update('new-1', (one) => ({ ...one, sending }));
    expect(showRepeat(7, callOfDraft(8, draft))).toBe(false);
    store.getState().closeTab();
    store.getState().closeTab();
    expect(showRepeat(7, callOfDraft(8, draft))).toBe(false);
  });

  it('shows the call of a run in the tab of its file, until its values are forgotten', async () => {
    const { showOfRun, forgetRun, tab, list } = setUp();
    list.update('new-1', (one) => ({ ...one, text: 'typed' }));
    const { id } = tab();
    const run = { callId: 5, values: { round: '1' }, failed: new Map() };
    showOfRun(id, callOfDraft(5, draft), run);
    expect(tab()).toMatchObject({ callId: 5, call: { id: 5 }, origin, run, view: 'checks' });
    forgetRun(id);
    expect(tab()).toMatchObject({ callId: 5, run: null });
  });

  it('forgets where a tab came from once it is kept', async () => {
    const { openCall, adopt, tab } = setUp();
    await openCall(5);
    adopt('new-1');
    expect(tab()).toMatchObject({ origin: null, callId: 5 });
  });
});
