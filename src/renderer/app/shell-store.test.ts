import { describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import type { Client } from '#shared/ipc/index.ts';
import { createShellStore } from './shell-store.ts';

function setUp(narrow = false) {
  const planned: (() => void)[] = [];
  const asked: unknown[] = [];
  const copied: string[] = [];
  const listeners = new Map<string, (payload?: unknown) => void>();
  const state: { calls: number; body: Uint8Array | AppError; info?: () => Promise<unknown>; page?: () => Promise<unknown> } = {
    calls: 3,
    body: new TextEncoder().encode('{"code":0,"message":"Zoë"}'),
  };
  const client = {
    async call(name: string, input: unknown) {
      asked.push([name, input]);
      if (name === 'app.info') return state.info?.() ?? { calls: state.calls };
      if (name === 'sandbox.status') throw new AppError('internal', 'Gone.');
      if (state.page !== undefined) return state.page();
      return { calls: [{ id: 1 }], total: 1, totalIsExact: true, searchedFrom: null, rest: null };
    },
    on(name: string, listener: (payload?: unknown) => void) {
      listeners.set(name, listener);
      return () => listeners.delete(name);
    },
    async body() {
      if (state.body instanceof AppError) throw state.body;
      return state.body;
    },
  } as unknown as Client;
  const store = createShellStore(client, {
    later(run) {
      planned.push(run);
      return () => planned.splice(planned.indexOf(run), 1);
    },
    copy: async (text) => void copied.push(text),
    narrow: () => narrow,
  });
  return { store, planned, asked, copied, listeners, state };
}

describe('shell store', () => {
  it('puts back how the page was left, but not over where the user went meanwhile', () => {
    const { store } = setUp();
    store.getState().restore({ area: 'history', sidebar: false, environmentId: null, grouping: 'day' });
    expect(store.getState()).toMatchObject({ area: 'history', sidebar: false });
    const quick = setUp().store;
    quick.getState().show('environments');
    quick.getState().restore({ area: 'history', sidebar: true, environmentId: null, grouping: 'day' });
    expect(quick.getState().area).toBe('environments');
  });

  it('asks again when a screen reader begins, and drops the reply that was on its way', async () => {
    const { store, listeners, state } = setUp();
    const replies: ((screenReader: boolean) => void)[] = [];
    state.info = () => new Promise((resolve) => replies.push((screenReader) => resolve({ calls: 3, screenReader })));
    const loading = store.getState().load();
    listeners.get('app.screenReaderChanged')?.();
    replies[1]?.(true);
    await vi.waitFor(() => expect(store.getState().info?.screenReader).toBe(true));
    replies[0]?.(false);
    await loading;
    expect(store.getState().info?.screenReader).toBe(true);
  });

  it('opens the sidebar over the page where there is no room beside it', () => {
    const narrow = setUp(true).store;
    narrow.getState().toggleSidebar();
    expect(narrow.getState()).toMatchObject({ drawer: true, sidebar: true });
    const wide = setUp().store;
    wide.getState().toggleSidebar();
    expect(wide.getState()).toMatchObject({ drawer: false, sidebar: false });
  });

  it('closes what lies over the page by the same keys that open it, and by going somewhere', () => {
    const { store } = setUp();
    store.getState().setOverlay('everything');
    store.getState().setOverlay('everything');
    expect(store.getState().overlay).toBe('none');
    store.getState().setOverlay('help');
    store.getState().show('history');
    expect(store.getState().overlay).toBe('none');
  });

  it('counts the calls again once after many changed, and shows nothing for what core does not say', async () => {
    const { store, planned, listeners, state } = setUp();
    await store.getState().load();
    expect(store.getState()).toMatchObject({ info: { calls: 3 }, sandbox: null });
    state.calls = 9;
    for (let at = 0; at < 5; at += 1) listeners.get('calls.changed')?.();
    listeners.get('history.changed')?.();
    expect(planned).toHaveLength(1);
    planned[0]?.();
    await vi.waitFor(() => expect(store.getState().info?.calls).toBe(9));
  });

  it('counts the calls again where the history is shown, which has those of other programs, too', async () => {
    const { store, planned, state } = setUp();
    await store.getState().load();
    state.calls = 5;
    store.getState().show('environments');
    expect(planned).toHaveLength(0);
    store.getState().show('history');
    planned[0]?.();
    await vi.waitFor(() => expect(store.getState().info?.calls).toBe(5));
  });

  it('keeps the newest count where an older one comes late', async () => {
    const { store, planned, listeners, state } = setUp();
    await store.getState().load();
    const replies: ((calls: number) => void)[] = [];
    state.info = () => new Promise((reply) => replies.push((calls) => reply({ calls })));
    for (const _ of [1, 2]) {
      listeners.get('history.changed')?.();
      planned.shift()?.();
    }
    replies[1]?.(9);
    await vi.waitFor(() => expect(store.getState().info).toEqual({ calls: 9 }));
    replies[0]?.(8);
    await Promise.resolve();
    await new Promise(setImmediate);
    expect(store.getState().info).toEqual({ calls: 9 });
  });

  it('knows whether the history was searched for the text that the palette has', async () => {
    const { store, planned, state } = setUp();
    const { setOverlay, findCalls } = store.getState();
    const searched = () => store.getState().searched;
    setOverlay('everything');
    expect(searched()).toBe('going');
    await vi.waitFor(() => expect(searched()).toBe('ended'));
    findCalls('bet');
    expect(searched()).toBe('going');
    planned.shift()?.();
    await vi.waitFor(() => expect(searched()).toBe('ended'));
    expect(store.getState().found).toHaveLength(1);
    state.page = () => Promise.reject(new AppError('storage', 'The history is damaged.'));
    findCalls('win');
    planned.shift()?.();
    await vi.waitFor(() => expect(store.getState()).toMatchObject({ searched: 'failed', found: [] }));
  });

  it('keeps those that last for as long as there are others to drop', () => {
    const { store } = setUp();
    const { notify } = store.getState();
    for (const text of ['fault', 'a', 'b']) notify({ tone: 'note', text, lasting: text === 'fault' });
    for (const text of ['c', 'd', 'e']) notify({ tone: 'note', text });
    expect(store.getState().notices.map(({ text }) => text)).toEqual(['fault', 'c', 'd', 'e']);
    for (const text of ['1', '2', '3', '4']) notify({ tone: 'note', text, lasting: true });
    expect(store.getState().notices.map(({ text }) => text)).toEqual(['1', '2', '3', '4']);
    notify({ tone: 'note', text: 'now' });
    expect(store.getState().notices.map(({ text }) => text)).toEqual(['2', '3', '4', 'now']);
  });

  it('keeps the newest notices and closes them by id', () => {
    const { store } = setUp();
    for (const text of ['a', 'b', 'c', 'd', 'e']) store.getState().notify({ tone: 'note', text });
    const { notices } = store.getState();
    expect(notices.map(({ text }) => text)).toEqual(['b', 'c', 'd', 'e']);
    expect(new Set(notices.map(({ id }) => id)).size).toBe(4);
    store.getState().closeNotice(notices[1]?.id ?? '');
    expect(store.getState().notices.map(({ text }) => text)).toEqual(['b', 'd', 'e']);
  });

  it('says where another program’s version of a saved file is, until that is closed', () => {
    const { store, listeners } = setUp();
    listeners.get('collections.kept')?.({ id: 'c', path: 'bet.yaml', copy: 'bet.yaml.other-version' });
    expect(store.getState().notices).toMatchObject([
      {
        tone: 'warn',
        lasting: true,
        text: "Another program changed bet.yaml while Croupier saved it. The other program's version is in bet.yaml.other-version. Copy what you need from it, then delete it.",
      },
    ]);
  });

  it('copies an answer as text and says why it could not', async () => {
    const { store, copied, state } = setUp();
    await store.getState().copyResponse(4);
    expect(copied).toEqual(['{"code":0,"message":"Zoë"}']);
    state.body = new AppError('not_found', 'The body is gone.');
    await store.getState().copyResponse(4);
    expect(store.getState().notices.at(-1)).toMatchObject({ tone: 'bad', text: 'The body was not copied. The body is gone.' });
  });

  it('keeps what can be taken back after its notice, the newest first, and no more than twenty', async () => {
    const { store } = setUp();
    const undone: number[] = [];
    for (let count = 1; count <= 22; count += 1) {
      const run = () => (undone.push(count), Promise.resolve(count !== 21));
      store.getState().notify({ tone: 'note', text: `Deleted ${count}.`, undo: { what: `deleted ${count}`, run } });
    }
    const kept = () => store.getState().undos.map(({ what }) => what);
    expect(kept()).toHaveLength(20);
    expect(kept().slice(0, 2)).toEqual(['deleted 22', 'deleted 21']);
    for (const { id } of store.getState().notices) store.getState().closeNotice(id);
    await store.getState().undo();
    await store.getState().undo(store.getState().undos.find(({ what }) => what === 'deleted 5')?.id);
    expect(undone).toEqual([22, 5]);
    // It cannot be done: it stays, behind those that may be.
    await store.getState().undo();
    expect(kept()).toHaveLength(18);
    expect([kept()[0], kept().at(-1)]).toEqual(['deleted 20', 'deleted 21']);
  });

  it('takes back by the notice what the notice is about, once', async () => {
    const { store } = setUp();
    let undone = 0;
    const run = () => ((undone += 1), Promise.resolve(true));
    store.getState().notify({ tone: 'note', text: 'Deleted.', undo: { what: 'deleted', run } });
    const { action } = store.getState().notices[0] ?? {};
    expect(action?.label).toBe('Undo');
    action?.run();
    action?.run();
    await vi.waitFor(() => expect(store.getState()).toMatchObject({ undos: [], notices: [] }));
    expect(undone).toBe(1);
  });
});
