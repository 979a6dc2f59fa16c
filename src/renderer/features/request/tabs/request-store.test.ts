import { describe, expect, it, vi } from 'vitest';
import { Environment } from '#shared/model/environment.ts';
import type { RequestDraft } from '#shared/ipc/index.ts';
import { memberText } from '#shared/payload-text/edit.ts';
import { createFakeClient, createPlainRequests, savedOf, callOfDraft } from '#testing/fake-client.ts';
import type { RequestStoreDeps } from './request-store.ts';
import type { RequestTab } from './request-tab.ts';

const environment = Environment.parse({
  id: 'staging',
  name: 'staging',
  baseUrl: 'https://provider.example',
  platform: 1,
  partnerId: 42,
  defaults: { currency: 'USD' },
});

function setUp(change: Partial<RequestStoreDeps['variables']> = {}) {
  const fake = createFakeClient();
  let ids = 0;
  const store = createPlainRequests(fake.client, {
    environment: () => environment,
    now: () => Date.UTC(2026, 10, 20, 10, 15, 30),
    newId: () => `id-${++ids}`,
    variables: change,
  });
  const active = (): RequestTab => {
    const { tabs, activeId } = store.getState();
    const tab = tabs.find((one) => one.id === activeId);
    if (tab === undefined) throw new Error('No tab is active.');
    return tab;
  };
  return { ...fake, store, actions: store.getState(), active };
}

describe('the store', () => {
  it('joins its parts: a call that is sent from a new tab is edited, closed and reopened with it', async () => {
    const { actions, active, answer } = setUp();
    answer('calls.send', ({ draft }) => callOfDraft(7, draft as RequestDraft));
    actions.openOperation('gameList');
    expect(memberText(active().text, 'currency')).toBe('"USD"');
    await actions.send('staging');
    actions.setText(active().id, '{"currency":"GBP"}');
    actions.closeTab();
    actions.reopenTab();
    expect(active()).toMatchObject({ operation: 'gameList', text: '{"currency":"GBP"}', callId: 7, dirty: true });
  });

  it('leaves a tab alone that was closed while it sent', async () => {
    const { actions, answer, store } = setUp();
    const held = Promise.withResolvers<unknown>();
    answer('calls.send', () => held.promise);
    actions.openOperation('gameList');
    const { text } = store.getState().tabs[0] ?? { text: '' };
    const sent = actions.send('staging');
    actions.closeTab();
    held.resolve(callOfDraft(7, { environmentId: 'staging', operation: 'gameList', form: 'main', text, overrides: {} }));
    await sent;
    expect(store.getState().tabs).toEqual([]);
  });
});

describe('a request that was opened from a call', () => {
  it('remembers the call and its environment, also after a reload, until it is kept for another one', async () => {
    const { actions, active, answer, store } = setUp();
    const draft = { environmentId: 'staging', operation: 'bet' as const, form: 'main', text: '{}', overrides: {} };
    const call = callOfDraft(1187, draft, { environmentName: 'Staging' });
    const origin = { callId: 1187, environmentId: 'staging', environmentName: 'Staging' };
    answer('calls.get', () => call);
    await actions.openCall(1187);
    expect(active().origin).toEqual(origin);
    actions.setText(active().id, '{"amount":1}');
    expect(active().origin).toEqual(origin);
    const saved = savedOf(store);
    actions.adopt(active().id);
    expect(active().origin).toBeNull();
    actions.restoreWorkspace(saved);
    expect(store.getState().tabs.map((tab) => tab.origin)).toEqual([origin, null]);
    actions.openDraft(draft, call);
    expect(active()).toMatchObject({ origin, callId: null });
    actions.newTab();
    expect(active().origin).toBeNull();
  });
});

describe('the remembered workspace', () => {
  it('brings everything back that was typed', async () => {
    const first = setUp();
    first.actions.openOperation('gameList');
    first.actions.openOperation('bet');
    first.actions.setText(first.active().id, '{ "amount": 1.50, "x": "\u0000\ud83d\ude00" // half typed');
    first.actions.setOverride(first.active().id, 'hash', 'wrong');
    first.actions.setView(first.active().id, 'data');
    first.actions.toggleOrientation();
    first.actions.setShare('hash', 61.5);

    const second = setUp();
    second.actions.restoreWorkspace(savedOf(first.store));
    const kept = ({ operation, form, text, overrides, view, dirty }: RequestTab) => ({
      operation,
      form,
      text,
      overrides,
      view,
      dirty,
    });
    expect(second.store.getState().tabs.map(kept)).toEqual(first.store.getState().tabs.map(kept));
    expect(second.active().operation).toBe('bet');
    expect(second.store.getState()).toMatchObject({ orientation: 'stacked', shares: { panes: 50, hash: 61.5 } });
  });

  it('loads the remembered call of the tab on show', async () => {
    const { actions, active, answer, asked, store } = setUp();
    const draft: RequestDraft = { environmentId: 'staging', operation: 'gameList', form: 'main', text: '{}', overrides: {} };
    answer('calls.get', ({ id }) => callOfDraft(id, draft));
    await actions.openCall(4);
    actions.openOperation('bet');
    const saved = savedOf(store);

    const other = setUp();
    other.answer('calls.get', ({ id }) => callOfDraft(id, draft));
    other.actions.restoreWorkspace(saved);
    expect(other.asked).toEqual([]);
    other.actions.selectTabAt(0);
    await vi.waitFor(() => expect(other.active().call?.id).toBe(4));
    expect(asked).toHaveLength(1);
    expect(active().callId).toBeNull();
  });

  it('stands before what was opened meanwhile, and more of it behind', () => {
    const first = setUp();
    first.actions.openOperation('win');
    const saved = savedOf(first.store);
    const { actions, active, store } = setUp();
    actions.openOperation('gameList');
    const { id } = active();
    actions.restoreWorkspace({ ...saved, tabs: saved.tabs.map(({ tab }) => ({ id: 'kept', tab })) });
    expect(active().id).toBe(id);
    expect(store.getState().tabs.map((tab) => tab.id)).toEqual(['kept', id]);
    expect(actions.addSaved(saved.tabs.map(({ tab }) => tab))).toEqual([active().id]);
    expect(store.getState().tabs.map((tab) => tab.operation)).toEqual(['win', 'gameList', 'win']);
  });
});
