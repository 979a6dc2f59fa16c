import { describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import type { Launch, OpenedLaunch } from '#shared/ipc/index.ts';
import { bounds, createFakeClient, fields, player } from '#testing/fake-launches.ts';
import { someEntry, someLaunch } from '#testing/some-launch.ts';
import { activeSlot, activeTab } from './launch-tab.ts';
import { createLauncherStore } from './launcher-store.ts';
import { askedAboutBet, unconfirmed } from '../../../../testing/production-question.ts';

/** Creates a store over replies by the name of the call; a call without a reply of its own gets a usual or an empty one. */
function setUp(answers: Parameters<typeof createFakeClient>[0] = {}) {
  const { client, ...fake } = createFakeClient(answers);
  const notices: string[] = [];
  const saved: string[] = [];
  let ids = 0;
  const store = createLauncherStore(client, {
    now: () => 0,
    newId: () => `id-${(ids += 1)}`,
    later: () => () => undefined,
    notify: ({ text }) => void notices.push(typeof text === 'string' ? text : ''),
    saveText: (name) => void saved.push(name),
    copy: async () => undefined,
  });
  store.getState().newTab('e');
  const id = activeTab(store.getState())?.id ?? '';
  return {
    ...fake,
    store,
    id,
    notices,
    saved,
    tab: () => activeTab(store.getState()),
    slot: () => activeSlot(activeTab(store.getState())),
  };
}

describe('the launcher', () => {
  it('sends nothing before there is a game, and in real mode a token', async () => {
    const { store, id, tab, names } = setUp();
    await store.getState().launch(id, 'e', fields);
    expect(tab()?.problems).toHaveProperty('gameId');
    store.getState().setField(id, 'gameId', '1042');
    store.getState().setMode(id, 'real');
    await store.getState().launch(id, 'e', fields);
    expect(tab()?.problems).toHaveProperty('token');
    store.getState().takeToken(id, player);
    expect(tab()?.problems).toEqual({});
    expect(names()).not.toContain('launches.prepare');
  });

  it('prepares both modes and shows them together, the token in real mode alone', async () => {
    const { store, id, tab, inputs } = setUp();
    store.getState().setField(id, 'gameId', '1042');
    store.getState().setMode(id, 'both');
    store.getState().setToken(id, 'tok-1');
    const seen: number[] = [];
    store.subscribe(() => seen.push(tab()?.slots.length ?? 0));
    await store.getState().launch(id, 'e', fields);
    expect(inputs('launches.prepare').map(({ gameMode, externalToken }) => [gameMode, externalToken])).toEqual([
      ['real', 'tok-1'],
      ['fun', ''],
    ]);
    expect(tab()?.slots.map(({ shown }) => shown.state)).toEqual(['waiting', 'waiting']);
    expect(seen).not.toContain(1);
  });

  it('opens a launch once, tells its view of bounds that changed, and ends it with the tab', async () => {
    const { store, id, slot, inputs } = setUp();
    store.getState().setField(id, 'gameId', '1042');
    await store.getState().launch(id, 'e', fields);
    const launchId = slot()?.launch.id ?? '';
    await Promise.all([store.getState().open(launchId, bounds), store.getState().open(launchId, bounds)]);
    expect(slot()?.shown.state).toBe('view');
    const narrow = { ...bounds, width: 90 };
    for (const place of [bounds, bounds, narrow, narrow]) store.getState().place(launchId, place, 1);
    // The page was zoomed: the same pixels of it are other pixels of the window.
    store.getState().place(launchId, narrow, 1.25);
    expect(inputs('launches.open')).toHaveLength(1);
    expect(inputs('launches.setBounds').map((input) => input['bounds'])).toEqual([bounds, narrow, narrow]);
    store.getState().setMuted(launchId, true);
    expect(slot()?.shown).toEqual({ state: 'view', muted: true });
    expect(inputs('launches.setMuted')).toEqual([{ id: launchId, muted: true }]);
    // Another view has its sound.
    store.getState().openAgain(launchId);
    await store.getState().open(launchId, bounds);
    expect(slot()?.shown).toEqual({ state: 'view', muted: false });
    store.getState().closeTab(id);
    expect(inputs('launches.close')).toEqual([{ id: launchId }]);
    expect(store.getState().tabs).toHaveLength(1);
  });

  it('takes a game off the stage that closed its own page, and opens it again if asked to', async () => {
    let state: Launch['state'] = 'open';
    const { store, id, slot, emit } = setUp({
      'launches.get': ({ id: launchId }) => ({ launch: someLaunch(String(launchId), { state }), entries: [] }),
    });
    store.getState().setField(id, 'gameId', '1042');
    await store.getState().launch(id, 'e', fields);
    const launchId = slot()?.launch.id ?? '';
    await store.getState().open(launchId, bounds);
    emit('launches.changed', { id: launchId });
    await vi.waitFor(() => expect(slot()?.launch.state).toBe('open'));
    expect(slot()?.shown.state).toBe('view');
    state = 'closed';
    emit('launches.changed', { id: launchId });
    await vi.waitFor(() => expect(slot()?.shown.state).toBe('closed'));
    store.getState().openAgain(launchId);
    expect(slot()?.shown.state).toBe('waiting');
  });

  it('keeps the entries of a record in order and each once, whatever came first', async () => {
    const { store, id, slot, emit } = setUp();
    store.getState().setField(id, 'gameId', '1042');
    await store.getState().launch(id, 'e', fields);
    const launchId = slot()?.launch.id ?? '';
    emit('launches.recorded', { id: launchId, entries: [someEntry(3)], dropped: 0 });
    emit('launches.recorded', { id: launchId, entries: [someEntry(1), someEntry(2)], dropped: 4 });
    emit('launches.recorded', { id: 'another', entries: [someEntry(9)], dropped: 0 });
    expect(slot()?.entries.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(slot()?.launch.dropped).toBe(4);
  });

  it('asks once before it sends to production, and goes on after a yes', async () => {
    const confirmed: unknown[] = [];
    const { store, id, tab } = setUp({
      'launches.prepare': (input) => {
        confirmed.push(input['confirmed']);
        if (input['confirmed'] !== true) throw unconfirmed;
        return someLaunch('launch-1');
      },
    });
    store.getState().setField(id, 'gameId', '1042');
    await store.getState().launch(id, 'e', fields);
    expect(tab()?.preparing).toEqual({ state: 'unconfirmed', question: askedAboutBet });
    const done = new Promise<void>((resolve) => {
      store.subscribe(() => tab()?.slots.length === 1 && resolve());
    });
    store.getState().confirm(id, true);
    await done;
    expect(confirmed).toEqual([false, true]);
  });

  it('says why nothing was sent, and forgets it with the next edit', async () => {
    const { store, id, tab } = setUp({
      'launches.prepare': () => {
        throw new AppError('key_missing', 'No key is set.');
      },
    });
    store.getState().setField(id, 'gameId', '1042');
    await store.getState().launch(id, 'e', fields);
    expect(tab()?.preparing).toEqual({ state: 'refused', message: 'No key is set.' });
    store.getState().setField(id, 'lang', 'de');
    expect(tab()?.preparing).toEqual({ state: 'idle' });
  });

  it('takes a renewed token, and says what the response holds where it shows none', async () => {
    const answers = [
      { call: {}, token: 'tok-2', message: null, fields: [] },
      { call: {}, token: null, message: 'It is not shown.', fields: ['session'] },
    ];
    const { store, id, tab, inputs } = setUp({ 'launches.renewToken': () => answers.shift() });
    store.getState().setField(id, 'gameId', '1042');
    store.getState().setToken(id, 'tok-1');
    await store.getState().renewToken(id, 'e', '');
    expect(tab()).toMatchObject({ token: 'tok-2', renewal: null });
    await store.getState().renewToken(id, 'e', '');
    expect(tab()).toMatchObject({ token: 'tok-2', renewal: { message: 'It is not shown.', fields: ['session'] } });
    expect(inputs('launches.renewToken').map(({ token }) => token)).toEqual(['tok-1', 'tok-2']);
  });

  it('keeps a frame from its own exit apart from one that strayed', async () => {
    const exited = [false, true];
    const { store, id, slot } = setUp({
      'launches.open': (): OpenedLaunch => ({ kind: 'frame', src: '/frame/1', unobserved: [] }),
      'launches.note': ({ id: launchId }) => someLaunch(String(launchId), { exited: exited.shift() === true }),
    });
    store.getState().setField(id, 'gameId', '1042');
    await store.getState().launch(id, 'e', fields);
    const launchId = slot()?.launch.id ?? '';
    await store.getState().open(launchId, bounds);
    await store.getState().noteLeft(launchId, 'https://elsewhere.example');
    expect(slot()).toMatchObject({ strayed: 'https://elsewhere.example', launch: { exited: false } });
    store.getState().openAgain(launchId, 'https');
    expect(slot()).toMatchObject({ strayed: null, redirects: 'https', shown: { state: 'waiting' } });
    await store.getState().noteLeft(launchId, 'https://casino.example');
    expect(slot()).toMatchObject({ strayed: null, launch: { exited: true } });
  });

  it('launches a game of the catalogue with a session of the built-in provider', async () => {
    const { store, tab } = setUp();
    await store.getState().prepareGame({ environmentId: 'e', gameId: '7', gameName: 'Seven', mode: 'real' }, true);
    expect(tab()).toMatchObject({
      typed: { gameId: '7', playerId: 'player-1' },
      gameName: 'Seven',
      token: 'tok-1',
      mode: 'real',
    });
    expect(store.getState().tabs).toHaveLength(1);
    await store.getState().prepareGame({ environmentId: 'e', gameId: '8', gameName: 'Eight', mode: 'real' }, false);
    expect(tab()).toMatchObject({ typed: { gameId: '8' }, token: '' });
    expect(store.getState().tabs).toHaveLength(2);
  });

  it('remembers forms and the look of the stage, and no token', async () => {
    const { store, id } = setUp();
    store.getState().setField(id, 'gameId', '1042');
    store.getState().setMode(id, 'real');
    store.getState().setToken(id, 'tok-secret');
    store.getState().chooseUsual('phone');
    store.getState().rotateShown();
    await store.getState().launch(id, 'e', fields);
    const text = store.getState().exportText();
    expect(text).not.toContain('tok-secret');
    const { store: other, tab, slot } = setUp();
    const restored = new Promise<void>((resolve) => {
      other.subscribe(() => slot() !== null && resolve());
    });
    other.getState().restoreText(text);
    const screens = [{ device: { name: 'iPhone 14' }, rotated: true }];
    expect(tab()).toMatchObject({ typed: { gameId: '1042' }, mode: 'real', token: '', screens });
    await restored;
    expect(slot()?.shown.state).toBe('closed');
    other.getState().restoreText('{"version":9}');
    expect(tab()?.typed.gameId).toBe('1042');
  });

  it('hands over the evidence as a file, names the folder, and says what went wrong', async () => {
    const answers: (() => unknown)[] = [
      () => ({ as: 'file', name: 'launch.html', text: '<p>' }),
      () => ({ as: 'folder', folder: '/home/evidence', files: [], masked: { tokens: 2, secrets: 1 } }),
      () => {
        throw new AppError('refused', 'A token is in it.');
      },
    ];
    const { store, notices, saved } = setUp({ 'launches.export': () => answers.shift()?.() });
    for (const as of ['html', 'folder', 'folder'] as const) await store.getState().exportEvidence(['launch-1'], as);
    expect(saved).toEqual(['launch.html']);
    expect(notices[1]).toContain('/home/evidence. Tokens are masked in 2 places, other secrets in 1 place.');
    expect(notices[2]).toContain('A token is in it.');
    expect(store.getState().busy).toBeNull();
  });

  it('asks for evidence again only when what was typed the last time is kept', async () => {
    const kept: Record<string, string> = { tester: '', note: '' };
    const { store, id, slot } = setUp({
      'settings.read': () => ({ values: { tester: kept['tester'] } }),
      'settings.write': ({ value }) => void (kept['tester'] = String(value)),
      'launches.setNote': ({ note }) => void (kept['note'] = String(note)),
      'launches.get': ({ id: launchId }) => ({ launch: someLaunch(String(launchId), { note: kept['note'] ?? '' }), entries: [] }),
    });
    store.getState().setField(id, 'gameId', '1042');
    await store.getState().launch(id, 'e', fields);
    const launchId = slot()?.launch.id ?? '';
    await store.getState().showEvidence(launchId);
    const keeping = store.getState().keepEvidence(launchId, { tester: 'Ann', note: 'The reels overlap.' });
    store.getState().closeEvidence();
    await store.getState().showEvidence(launchId);
    expect([store.getState().evidence?.tester, slot()?.launch.note]).toEqual(['Ann', 'The reels overlap.']);
    await keeping;
  });

  it('puts a launch from a call into the tab in which nothing was done', async () => {
    const { store, tab, slot } = setUp({ 'launches.fromCall': () => someLaunch('replay', { source: 'replay', gameMode: null }) });
    expect(await store.getState().fromCall(1)).toBe(true);
    expect(store.getState().tabs).toHaveLength(1);
    expect(slot()?.launch.id).toBe('replay');
    await store.getState().fromCall(1);
    expect(store.getState().tabs).toHaveLength(2);
    expect(tab()?.slots).toHaveLength(1);
  });
});
