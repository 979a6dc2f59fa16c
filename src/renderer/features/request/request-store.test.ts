import { describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { Environment } from '#shared/ipc/environments.ts';
import type { Call, RequestDraft } from '#shared/ipc/index.ts';
import { memberText } from '#shared/json/edit.ts';
import { createFakeClient, createPlainRequests, savedOf, someCall } from './fake-client.ts';
import type { RequestStoreDeps } from './request-store.ts';
import type { RequestTab } from './request-tab.ts';
import { askedAboutBet, unconfirmed } from '../../../testing/production-question.ts';

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
  /** Lets the answer to `calls.send` come when the test says so. */
  const heldSend = () => {
    const held = Promise.withResolvers<Call>();
    let draft: RequestDraft | null = null;
    fake.answer('calls.send', (input) => {
      draft = input.draft as RequestDraft;
      return held.promise;
    });
    return {
      reply: (change: Partial<Call> = {}) => held.resolve(someCall(7, draft as unknown as RequestDraft, change)),
      fail: held.reject,
    };
  };
  return { ...fake, store, actions: store.getState(), active, heldSend };
}

describe('opening', () => {
  it('starts a tab from the template with the environment’s defaults', () => {
    const { actions, active } = setUp();
    actions.openOperation('gameList');
    expect(memberText(active().text, 'currency')).toBe('"USD"');
    expect(active()).toMatchObject({ operation: 'gameList', dirty: false, call: null });
  });

  it('goes back to the tab of an operation instead of opening a second', () => {
    const { actions, active, store } = setUp();
    actions.openOperation('gameList');
    const first = active().id;
    actions.openOperation('bet');
    actions.openOperation('gameList');
    expect(active().id).toBe(first);
    expect(store.getState().tabs).toHaveLength(2);
    actions.newTab();
    expect(active().id).not.toBe(first);
    expect(active().operation).toBe('gameList');
  });

  it('opens a call of the history with its text byte for byte, once', async () => {
    const { actions, active, answer, store } = setUp();
    const draft: RequestDraft = {
      environmentId: 'staging',
      operation: 'getGameRound',
      form: 'main',
      text: '{ "roundId":9007199254740993 }',
      overrides: { hash: 'wrong' },
    };
    answer('calls.get', ({ id }) => someCall(id, draft));
    await actions.openCall(5);
    expect(active()).toMatchObject({ text: draft.text, overrides: draft.overrides, callId: 5, dirty: false });
    await actions.openCall(5);
    expect(store.getState().tabs).toHaveLength(1);
  });

  it('says why a call could not be opened', async () => {
    const { actions, answer, store } = setUp();
    answer('calls.get', () => {
      throw new AppError('not_found', 'Call 9 is not in the history.');
    });
    expect(await actions.openCall(9)).toBeNull();
    expect(store.getState().problem).toBe('The call could not be opened. Call 9 is not in the history.');
    expect(store.getState().tabs).toEqual([]);
  });

  it('fetches a call that was still pending again when its outcome is recorded', async () => {
    const { actions, active, answer, emit } = setUp();
    const draft: RequestDraft = { environmentId: 'staging', operation: 'gameList', form: 'main', text: '{}', overrides: {} };
    answer('calls.get', ({ id }) => someCall(id, draft, { state: 'pending', code: null }));
    await actions.openCall(5);
    answer('calls.get', ({ id }) => someCall(id, draft));
    emit('calls.changed', { id: 5 });
    await vi.waitFor(() => expect(active().call?.state).toBe('answered'));
  });
});

describe('editing', () => {
  it('is dirty exactly while it differs from where it began', () => {
    const { actions, active } = setUp();
    actions.openOperation('gameList');
    const { id, text } = active();
    actions.setText(id, `${text} `);
    expect(active().dirty).toBe(true);
    actions.setText(id, text);
    expect(active().dirty).toBe(false);
    actions.setOverride(id, 'hash', 'wrong');
    expect(active().dirty).toBe(true);
    actions.setOverride(id, 'hash', undefined);
    expect(active()).toMatchObject({ dirty: false, overrides: {} });
  });

  it('drops an empty list of left-out fields', () => {
    const { actions, active } = setUp();
    actions.openOperation('gameList');
    actions.setOverride(active().id, 'omit', ['hash']);
    actions.setOverride(active().id, 'omit', []);
    expect(active().overrides).toEqual({});
  });

  it('keeps the values of common fields when the form changes', () => {
    const { actions, active } = setUp();
    actions.openOperation('freeRounds');
    const { id } = active();
    actions.setText(id, '{"playerId":"Zo\\u00eb","numberOfFreeRounds":25,"own":1}');
    actions.setForm(id, 'multi');
    expect(memberText(active().text, 'numberOfFreeRounds')).toBe('25');
    expect(memberText(active().text, 'playerIds')).toBe('["Zo\\u00eb"]');
    expect(memberText(active().text, 'own')).toBeNull();
    actions.setForm(id, 'single');
    expect(memberText(active().text, 'playerId')).toBe('"Zo\\u00eb"');
  });
});

describe('sending', () => {
  it('sends the text as typed and shows the recorded call', async () => {
    const { actions, active, asked, heldSend } = setUp();
    const { reply } = heldSend();
    actions.openOperation('gameList');
    actions.setText(active().id, '{ "currency" : "EUR" }');
    const sent = actions.send('staging');
    expect(active().sending).toMatchObject({ state: 'sending' });
    expect(asked.at(-1)).toMatchObject({
      name: 'calls.send',
      input: { draft: { text: '{ "currency" : "EUR" }', environmentId: 'staging' } },
    });
    reply();
    await sent;
    expect(active()).toMatchObject({ sending: { state: 'idle' }, callId: 7, dirty: false });
  });

  it('does not post a request that was cancelled while it waited for the files around it', async () => {
    const read = Promise.withResolvers<void>();
    let known = false;
    const { actions, active, asked } = setUp({
      substitute: () => (known ? null : { ok: false, errors: [] }),
      ready: () => read.promise,
    });
    actions.openOperation('gameList');
    const sending = actions.send('staging');
    expect(active().sending.state).toBe('sending');
    await actions.cancel();
    expect(active().sending.state).toBe('idle');
    known = true;
    read.resolve();
    await sending;
    expect(asked.filter(({ name }) => name.startsWith('calls.'))).toEqual([]);
  });

  it('waits for the files around the request where they are still being read, and sends it once', async () => {
    const read = Promise.withResolvers<void>();
    let known = false;
    const { actions, active, asked, heldSend } = setUp({
      substitute: ({ operation, form, overrides }) =>
        known
          ? { ok: true, draft: { operation, form, text: '{"currency":"SEK"}', overrides }, take: {}, expect: [], uses: [] }
          : { ok: false, errors: [] },
      ready: () => read.promise,
    });
    const { reply } = heldSend();
    actions.openOperation('gameList');
    const sends = [actions.send('staging'), actions.send('staging')];
    const sent = () => asked.filter(({ name }) => name === 'calls.send');
    expect(active().sending).toMatchObject({ state: 'sending' });
    expect(sent()).toEqual([]);
    known = true;
    read.resolve();
    await vi.waitFor(() => expect(sent()).toMatchObject([{ input: { draft: { text: '{"currency":"SEK"}' } } }]));
    reply();
    await Promise.all(sends);
    expect(sent()).toHaveLength(1);
    expect(active()).toMatchObject({ sending: { state: 'idle' }, callId: 7 });
  });

  it('says so where they cannot be known', async () => {
    const { actions, active, asked } = setUp({ substitute: () => ({ ok: false, errors: [] }) });
    actions.openOperation('gameList');
    await actions.send('staging');
    expect(asked.some(({ name }) => name === 'calls.send')).toBe(false);
    expect(active().sending).toMatchObject({ state: 'refused', message: expect.stringContaining('are being read') as string });
  });

  it('stays dirty where the text changed while the call was under way', async () => {
    const { actions, active, heldSend } = setUp();
    const { reply } = heldSend();
    actions.openOperation('gameList');
    const sent = actions.send('staging');
    actions.setText(active().id, '{"currency":"GBP"}');
    reply();
    await sent;
    expect(active()).toMatchObject({ callId: 7, dirty: true, text: '{"currency":"GBP"}' });
  });

  it('sends once however often the keys are pressed, and cancels by the ticket', async () => {
    const { actions, active, asked, answer, heldSend } = setUp();
    const { reply } = heldSend();
    answer('calls.cancel', () => ({ cancelled: true }));
    actions.openOperation('gameList');
    const sent = actions.send('staging');
    void actions.send('staging');
    expect(asked.filter(({ name }) => name === 'calls.send')).toHaveLength(1);
    const { sending } = active();
    expect(sending).toMatchObject({ cancelled: false });
    await actions.cancel();
    expect(asked.at(-1)).toEqual({
      name: 'calls.cancel',
      input: { ticket: sending.state === 'sending' ? sending.ticket : null },
    });
    // Said until core has replied, which may be long where it is suspended.
    expect(active().sending).toEqual({ ...sending, cancelled: true });
    reply();
    await sent;
    expect(active().sending.state).toBe('idle');
  });

  it('leaves a tab that was closed meanwhile alone', async () => {
    const { actions, heldSend, store } = setUp();
    const { reply } = heldSend();
    actions.openOperation('gameList');
    const sent = actions.send('staging');
    actions.closeTab();
    reply();
    await sent;
    expect(store.getState().tabs).toEqual([]);
  });

  it('shows a refusal until the next edit', async () => {
    const { actions, active, answer } = setUp();
    answer('calls.send', () => {
      throw new AppError('key_missing', 'No key is set for staging.');
    });
    actions.openOperation('gameList');
    await actions.send('staging');
    expect(active().sending).toMatchObject({ state: 'refused', code: 'key_missing', message: 'No key is set for staging.' });
    actions.setText(active().id, '{}');
    expect(active().sending.state).toBe('idle');
  });

  it('stays dirty where the history masks a key in it: only the tab has what was typed', async () => {
    const { actions, active, heldSend } = setUp();
    const { reply } = heldSend();
    actions.openOperation('gameList');
    actions.setText(active().id, '{"currency":"a key"}');
    const sent = actions.send('staging');
    reply({ maskedKeys: ['Staging'] });
    await sent;
    expect(active()).toMatchObject({ callId: 7, dirty: true, text: '{"currency":"a key"}' });
  });

  it('sends what core asked about once it is confirmed, and asks again the next time', async () => {
    const { actions, active, asked, answer } = setUp();
    answer('calls.send', ({ confirmed, draft }) => {
      if (confirmed !== true) throw unconfirmed;
      return someCall(3, draft as RequestDraft);
    });
    actions.openOperation('gameList');
    await actions.send('live');
    expect(active().sending).toEqual({ state: 'unconfirmed', question: askedAboutBet });
    const sends = () => asked.filter(({ name }) => name === 'calls.send').map(({ input }) => input as { draft: RequestDraft });
    // What the user said yes to is what was shown, whatever the tab holds by now.
    const before = active().text;
    actions.setText(active().id, '{"currency":"USD"}');
    await actions.confirmSend(active().id, true);
    expect(sends().map(({ draft }) => draft.text)).toEqual([before, before]);
    expect(active()).toMatchObject({ callId: 3, sending: { state: 'idle' } });
    await actions.send('live');
    expect(sends()).toHaveLength(3);
    expect(active().sending.state).toBe('unconfirmed');
    await actions.confirmSend(active().id, 'tenMinutes');
    expect(active().sending).toMatchObject({ state: 'unconfirmed' });
    actions.dismiss(active().id);
    await actions.confirmSend(active().id, true);
    expect(sends()).toHaveLength(4);
  });
});

describe('a request that was opened from a call', () => {
  it('remembers the call and its environment, also after a reload, until it is kept for another one', async () => {
    const { actions, active, answer, store } = setUp();
    const draft = { environmentId: 'staging', operation: 'bet' as const, form: 'main', text: '{}', overrides: {} };
    const call = someCall(1187, draft, { environmentName: 'Staging' });
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

describe('tabs', () => {
  it('closes, goes to the neighbour, and reopens with the text', () => {
    const { actions, active, store } = setUp();
    actions.openOperation('gameList');
    actions.openOperation('bet');
    actions.openOperation('win');
    actions.selectTabAt(1);
    actions.setText(active().id, 'half typed');
    actions.closeTab();
    expect(active().operation).toBe('win');
    actions.reopenTab();
    expect(active()).toMatchObject({ operation: 'bet', text: 'half typed', dirty: true });
    expect(store.getState().closed).toEqual([]);
  });

  it('moves within its ends and duplicates beside the original', () => {
    const { actions, active, store } = setUp();
    const names = () => store.getState().tabs.map((tab) => tab.operation);
    actions.openOperation('gameList');
    actions.openOperation('bet');
    actions.moveTab(active().id, 0);
    actions.moveTab(active().id, -1);
    actions.moveTab(active().id, 2);
    expect(names()).toEqual(['bet', 'gameList']);
    actions.duplicateTab();
    expect(names()).toEqual(['bet', 'bet', 'gameList']);
    expect(new Set(store.getState().tabs.map((tab) => tab.id)).size).toBe(3);
  });

  it('stops listening when closed', () => {
    const { actions, listeners } = setUp();
    expect(listeners()).toBe(2);
    actions.close();
    expect(listeners()).toBe(0);
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
    answer('calls.get', ({ id }) => someCall(id, draft));
    await actions.openCall(4);
    actions.openOperation('bet');
    const saved = savedOf(store);

    const other = setUp();
    other.answer('calls.get', ({ id }) => someCall(id, draft));
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
