import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client, OpenedLaunch } from '#shared/ipc/index.ts';
import { someLaunch, someEntry } from './some-launch.ts';
import { ownBrowser } from '#renderer/features/launcher/device.ts';
import type { LaunchSlot, LaunchTab } from '#renderer/features/launcher/tabs/launch-tab.ts';
import { createTabList, createTabListState, type TabList, type TabListState } from '#renderer/features/launcher/tabs/tab-list.ts';

export const fields = { gameId: '1042', lang: 'en', country: 'DE', playerId: 'player-1', ip: '203.0.113.9', exitURL: '' };
export const bounds = { x: 0, y: 0, width: 100, height: 100 };
export const player = { playerId: 'player-1', externalToken: 'tok-1', currency: 'EUR', country: 'DE', balance: 1_000 };

type Answer = (input: Record<string, unknown>) => unknown;

/** A client for tests of the launcher: replies by functions under the call's name, and keeps what was asked. */
export interface FakeClient {
  readonly client: Client;
  readonly names: () => string[];
  readonly inputs: (name: string) => Record<string, unknown>[];
  readonly emit: (name: string, payload: unknown) => void;
  readonly listening: () => number;
}

/** Creates a fake client; a call without a reply of its own gets a usual or an empty one. */
export function createFakeClient(answers: Record<string, Answer> = {}): FakeClient {
  const asked: { name: string; input: Record<string, unknown> }[] = [];
  const listeners = new Set<{ name: string; listener: (payload: never) => void }>();
  let made = 0;
  const usual: Record<string, Answer> = {
    'launches.prepare': ({ gameMode }) => {
      made += 1;
      return someLaunch(`launch-${made}`, { gameMode: gameMode as 'fun' | 'real' });
    },
    'launches.get': ({ id }) => ({ launch: someLaunch(String(id)), entries: [someEntry(1)] }),
    'launches.open': (): OpenedLaunch => ({ kind: 'view' }),
    'launches.close': ({ id }) => someLaunch(String(id), { state: 'closed' }),
    'launches.list': () => ({ launches: [], total: 0 }),
    'launches.keeping': () => ({ most: 500, kept: 0, removed: null }),
    'sandbox.status': () => ({ players: [player] }),
  };
  const client = {
    async call(name: string, input: Record<string, unknown>) {
      asked.push({ name, input });
      return (answers[name] ?? usual[name])?.(input) ?? { done: true };
    },
    on(name: string, listener: (payload: never) => void) {
      const one = { name, listener };
      listeners.add(one);
      return () => listeners.delete(one);
    },
  } as unknown as Client;
  return {
    client,
    names: () => asked.map(({ name }) => name),
    inputs: (name) => asked.filter((one) => one.name === name).map(({ input }) => input),
    emit(name, payload) {
      for (const one of listeners) if (one.name === name) one.listener(payload as never);
    },
    listening: () => listeners.size,
  };
}

/** Tabs without the rest of the store, for tests of its parts. */
export interface OpenTabs {
  readonly store: StoreApi<TabListState>;
  readonly list: TabList;
  readonly newId: () => string;
  /** Tabs that are being closed, by their IDs. */
  readonly closing: string[];
  /** The first tab. */
  readonly tab: () => LaunchTab;
  /** The first launch of the first tab. */
  readonly slot: () => LaunchSlot;
}

/** Opens a tab for each change of an empty one; their IDs are `id-1`, `id-2` and so on, and the last one is shown. */
export function createOpenTabs(...changes: readonly Partial<LaunchTab>[]): OpenTabs {
  let ids = 0;
  const newId = () => `id-${(ids += 1)}`;
  const closing: string[] = [];
  const store = createStore<TabListState>()((_set, _get, part) =>
    createTabListState(part, createTabList(part, newId), ({ id }) => closing.push(id)),
  );
  const list = createTabList(store, newId);
  for (const change of changes) list.add(change);
  const tab = () => {
    const [first] = list.all();
    if (first === undefined) throw new Error('No tab is open.');
    return first;
  };
  return {
    store,
    list,
    newId,
    closing,
    tab,
    slot() {
      const [first] = tab().slots;
      if (first === undefined) throw new Error('Nothing was launched.');
      return first;
    },
  };
}

/** Returns a launch of a tab in the state `shown`. */
export function someSlot(id: string, shown: LaunchSlot['shown'], change: Partial<LaunchSlot> = {}): LaunchSlot {
  return {
    launch: someLaunch(id),
    entries: [],
    token: '',
    shown,
    redirects: 'origin',
    strayed: null,
    screenAt: 0,
    browser: ownBrowser,
    ...change,
  };
}
