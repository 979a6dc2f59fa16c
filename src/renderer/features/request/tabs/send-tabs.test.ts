import { describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { Environment } from '#shared/model/environment.ts';
import type { Call, RequestDraft } from '#shared/ipc/index.ts';
import { askedAboutBet, unconfirmed } from '../../../../testing/production-question.ts';
import { createFakeClient, callOfDraft } from '#testing/fake-client.ts';
import { createEditTabs } from './edit-tabs.ts';
import { createOpenTabs } from '#testing/open-tabs.ts';
import { createSendTabs, type SendDeps } from './send-tabs.ts';

const environment = Environment.parse({
  id: 'staging',
  name: 'staging',
  baseUrl: 'https://provider.example',
  platform: 1,
  partnerId: 42,
});

function setUp(
  variables: Partial<SendDeps['variables']> = {},
  onResponse: SendDeps['onResponse'] = () => undefined,
  readOnly: SendDeps['readOnly'] = () => null,
  frozenAt: number | null = null,
) {
  const tabs = createOpenTabs('{}');
  const fake = createFakeClient();
  const actions = {
    ...tabs.store.getState(),
    ...createEditTabs(
      tabs.list,
      (operation) => operation.name,
      () => undefined,
    ),
    ...createSendTabs(
      fake.client,
      {
        notify: () => undefined,
        environment: () => environment,
        now: () => 0,
        frozenAt: () => frozenAt,
        newId: tabs.newId,
        variables: {
          substitute: () => null,
          ready: () => Promise.resolve(),
          checks: () => ({ take: {}, expect: [], unresolved: [] }),
          renew: () => true,
          ...variables,
        },
        onResponse,
        readOnly,
      },
      tabs.list,
    ),
  };
  /** Holds the reply to `calls.send` until the test releases it. */
  const heldSend = () => {
    const held = Promise.withResolvers<Call>();
    let draft: RequestDraft | null = null;
    fake.answer('calls.send', (input) => {
      draft = input.draft as RequestDraft;
      return held.promise;
    });
    return {
      reply: (change: Partial<Call> = {}) => held.resolve(callOfDraft(7, draft as unknown as RequestDraft, change)),
      fail: held.reject,
    };
  };
  return { ...fake, ...tabs, actions, active: () => tabs.tab(), heldSend };
}

describe('sending', () => {
  it('sends the text as typed and shows the recorded call', async () => {
    const { actions, active, asked, heldSend } = setUp();
    const { reply } = heldSend();
    actions.setText(active().id, '{ "currency" : "EUR" }');
    const sent = actions.send('staging');
    expect(active().sending).toMatchObject({ state: 'sending', left: false, cancelled: false });
    expect(asked.at(-1)).toMatchObject({
      name: 'calls.send',
      input: { draft: { text: '{ "currency" : "EUR" }', environmentId: 'staging' } },
    });
    reply();
    await sent;
    expect(active()).toMatchObject({ sending: { state: 'idle' }, callId: 7, dirty: false });
  });

  it('sends the moment at which time stands, in the zone and the order of the environment', async () => {
    const substitute = () => ({
      ok: true as const,
      draft: { operation: 'gameList' as const, form: 'main', text: '', overrides: {} },
      take: {},
      expect: [],
      uses: [],
    });
    const { actions, asked, heldSend } = setUp({ substitute }, undefined, undefined, Date.UTC(2026, 10, 20, 10, 15, 30));
    const { reply } = heldSend();
    const sent = actions.send('staging');
    expect(asked.at(-1)).toMatchObject({ input: { draft: { overrides: { time: '20-11-2026 10:15:30' } } } });
    reply();
    await sent;
  });

  it('does not post a request that was cancelled while it waited for the files around it', async () => {
    const read = Promise.withResolvers<void>();
    let known = false;
    const { actions, active, asked } = setUp({
      substitute: () => (known ? null : { ok: false, errors: [] }),
      ready: () => read.promise,
    });
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
    await actions.send('staging');
    expect(asked.some(({ name }) => name === 'calls.send')).toBe(false);
    expect(active().sending).toMatchObject({ state: 'refused', message: expect.stringContaining('still reading') as string });
  });

  it('stays dirty where the text changed while the call was under way', async () => {
    const { actions, active, heldSend } = setUp();
    const { reply } = heldSend();
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
    // Shown until core has replied, which may take long if it is suspended.
    expect(active().sending).toEqual({ ...sending, cancelled: true });
    reply();
    await sent;
    expect(active().sending.state).toBe('idle');
  });

  it('shows a refusal until the next edit', async () => {
    const { actions, active, answer } = setUp();
    answer('calls.send', () => {
      throw new AppError('key_missing', 'No key is set for staging.');
    });
    await actions.send('staging');
    expect(active().sending).toMatchObject({ state: 'refused', code: 'key_missing', message: 'No key is set for staging.' });
    actions.setText(active().id, '{"currency":"GBP"}');
    expect(active().sending.state).toBe('idle');
  });

  it('stays dirty where the history masks a key in it: only the tab has what was typed', async () => {
    const { actions, active, heldSend } = setUp();
    const { reply } = heldSend();
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
      return callOfDraft(3, draft as RequestDraft);
    });
    await actions.send('live');
    expect(active().sending).toEqual({ state: 'unconfirmed', question: askedAboutBet });
    const sends = () => asked.filter(({ name }) => name === 'calls.send').map(({ input }) => input as { draft: RequestDraft });
    // The user confirmed what was shown, whatever the tab holds by now.
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

  it('names the field of the first variable without a value, and sends nothing', async () => {
    const at = { kind: 'missing', name: 'round', line: 2, column: 5, from: 0, to: 1, message: 'No value for "round".' };
    const errors = [
      { ...at, field: '/data' },
      { ...at, field: '/overrides/time' },
    ] as unknown as [];
    const { actions, active, asked } = setUp({ substitute: () => ({ ok: false, errors }) });
    await actions.send('staging');
    expect(asked).toEqual([]);
    const message = 'Not sent: data, line 2, column 5: No value for "round".';
    expect(active().sending).toMatchObject({ state: 'refused', code: 'invalid_input', message });
  });

  it('says where the payload is not JSON, and that nothing was sent', async () => {
    const { actions, active, answer } = setUp();
    answer('calls.send', () => {
      throw new AppError('invalid_input', 'One comma too many: remove it', { offset: 9, line: 2, column: 5 });
    });
    await actions.send('staging');
    const message = 'Not sent. One comma too many: remove it (line 2, column 5).';
    expect(active().sending).toMatchObject({ state: 'refused', message });
  });

  it('refuses a request of a collection that is not run with the reason, until that is no longer so', async () => {
    let reason: string | null = 'Its format is newer.';
    const { actions, active, answer, asked, list } = setUp({}, undefined, ({ collectionId }) =>
      collectionId === 'c' ? reason : null,
    );
    answer('calls.send', ({ draft }) => callOfDraft(3, draft as RequestDraft));
    const file = { collectionId: 'c', path: 'a.yaml', revision: '1', gone: false, theirs: null, problem: null };
    list.update('{}', (tab) => ({ ...tab, file }));
    await actions.send('staging');
    expect(asked).toEqual([]);
    expect(active().sending).toMatchObject({ state: 'refused', code: 'refused', message: 'Its format is newer.' });
    reason = null;
    await actions.send('staging');
    expect(asked).toHaveLength(1);
    reason = 'Its format is newer.';
    list.update('{}', (tab) => ({ ...tab, file: { ...file, collectionId: 'd' } }));
    await actions.send('staging');
    expect(asked).toHaveLength(2);
  });

  it('sends the text itself to an environment that is not the selected one', async () => {
    const substitute = vi.fn(() => null);
    const { actions, asked, heldSend } = setUp({ substitute });
    const { reply } = heldSend();
    const sent = actions.send('live');
    reply();
    await sent;
    expect(substitute).not.toHaveBeenCalled();
    expect(asked).toMatchObject([{ input: { draft: { environmentId: 'live', text: '{}' } } }]);
  });

  it('stays dirty where values were put in: the history has those', async () => {
    const { actions, active, heldSend } = setUp({
      substitute: ({ operation, form, overrides }) => ({
        ok: true,
        draft: { operation, form, text: '{"currency":"SEK"}', overrides },
        take: {},
        expect: [],
        uses: [],
      }),
    });
    const { reply } = heldSend();
    actions.setText('{}', '{"currency":"{{currency}}"}');
    const sent = actions.send('staging');
    reply();
    await sent;
    expect(active()).toMatchObject({ callId: 7, dirty: true });
  });

  it('renews the generated values after each call that was made, and not after a refusal', async () => {
    const renew = vi.fn(() => true);
    const { actions, answer } = setUp({ renew });
    answer('calls.send', () => {
      throw new AppError('key_missing', 'No key is set.');
    });
    await actions.send('staging');
    expect(renew).not.toHaveBeenCalled();
    answer('calls.send', ({ draft }) => callOfDraft(3, draft as RequestDraft));
    await actions.send('staging');
    expect(renew.mock.calls).toEqual([['{}']]);
  });

  it('hands on the response to a request of a file with its checks, and that of no other', async () => {
    const checks = { take: {}, expect: [{ code: '0' }], unresolved: [] };
    const told: unknown[] = [];
    const { actions, active, answer, list } = setUp({ checks: () => checks }, (...what) => void told.push(what));
    const call = callOfDraft(3, { environmentId: 'staging', operation: 'bet', form: 'main', text: '{}', overrides: {} });
    answer('calls.send', () => call);
    await actions.send('staging');
    const file = { collectionId: 'c', path: 'a.yaml', revision: '1', gone: false, theirs: null, problem: null };
    list.update('{}', (tab) => ({ ...tab, file: { ...file, gone: true } }));
    await actions.send('staging');
    expect(told).toEqual([]);
    list.update('{}', (tab) => ({ ...tab, file, dirty: true }));
    await actions.send('staging');
    expect(told).toEqual([[file, call, checks]]);
    // The file does not have the typed text.
    expect(active().dirty).toBe(true);
    answer('calls.send', () => ({ ...call, response: null }));
    await actions.send('staging');
    await actions.send('live');
    expect(told).toHaveLength(1);
  });

  it('sends a request with a private key in it after a yes to that alone', async () => {
    const question = {
      environment: 'Staging',
      url: 'https://provider.example',
      operation: 'bet',
      keys: ['Live'],
      where: ['data'],
    } as const;
    const { actions, active, answer, asked } = setUp();
    answer('calls.send', ({ keyConfirmed, draft }) => {
      if (keyConfirmed !== true) throw new AppError('refused', 'It holds a key.', { reason: 'key_unconfirmed', question });
      return callOfDraft(3, draft as RequestDraft);
    });
    await actions.send('staging');
    expect(active().sending).toEqual({ state: 'keyAsked', question });
    await actions.confirmSend('{}', true);
    expect(asked).toHaveLength(1);
    await actions.confirmKey('{}');
    expect(asked.at(-1)).toMatchObject({ input: { confirmed: false, keyConfirmed: true } });
    expect(active()).toMatchObject({ callId: 3, sending: { state: 'idle' } });
    await actions.confirmKey('{}');
    expect(asked).toHaveLength(2);
  });

  it('closes a question or a refusal, and nothing that is under way', async () => {
    const { actions, active, heldSend, list } = setUp();
    list.update('{}', (tab) => ({ ...tab, sending: { state: 'unconfirmed', question: askedAboutBet } }));
    actions.dismiss('{}');
    expect(active().sending).toEqual({ state: 'idle' });
    const { reply } = heldSend();
    const sent = actions.send('staging');
    actions.dismiss('{}');
    expect(active().sending.state).toBe('sending');
    reply();
    await sent;
    await actions.cancel();
    actions.closeTab();
    await actions.send('staging');
    await actions.cancel();
    expect(list.all()).toEqual([]);
  });
});
