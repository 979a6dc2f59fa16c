import { createStore } from 'zustand/vanilla';
import { AppError } from '#shared/errors.ts';
import type { Client, GameMode, Launch, LaunchEntry, ViewBounds } from '#shared/ipc/index.ts';
import { refusalFrom } from '#renderer/calls/refusal.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import { createEvidence } from './evidence.ts';
import { formProblems, needsToken, usualPlayer, type FieldName } from './launch-form.ts';
import { activeTab, type LauncherState, type LauncherStore, type LaunchSlot, type LaunchTab } from './launcher-state.ts';
import { readLauncher, writeLauncher } from './launcher-text.ts';

export interface LauncherDeps {
  readonly now: () => number;
  /** A fresh id for tabs and tickets. */
  readonly newId: () => string;
  readonly later: (run: () => void, milliseconds: number) => () => void;
  readonly notify: Notify;
  /** Hands a text to the user as a file. */
  readonly saveText: (name: string, text: string) => void;
  readonly copy: (text: string) => Promise<void>;
}

const idle = { state: 'idle' } as const;
const closed = { state: 'closed' } as const;
const waiting = { state: 'waiting' } as const;

/** The launches of the workbench: their forms, what is being prepared, the games on the stage and their records. */
export function createLauncherStore(client: Client, deps: LauncherDeps): LauncherStore {
  const confirmed = new Set<string>();
  const again = new Map<string, () => void>();

  return createStore<LauncherState>()((set, get) => {
    let gamesRound = 0;
    let listing: (() => void) | null = null;
    let counting: (() => void) | null = null;
    /** What a view was told last: a frame of a resize that changes nothing says nothing. */
    const placed = new Map<string, string>();

    const stops = [
      client.on('launches.recorded', ({ id, entries, dropped }) => {
        updateSlot(id, (slot) => ({
          ...slot,
          entries: mergeEntries(slot.entries, entries),
          launch: { ...slot.launch, dropped },
        }));
      }),
      client.on('launches.changed', ({ id }) => void refreshSlot(id)),
      client.on('launches.listed', () => {
        if (get().earlier === null) return;
        listing ??= deps.later(() => {
          listing = null;
          void loadEarlier();
        }, 300);
      }),
      client.on('catalogue.changed', () => {
        const { games } = get();
        if (games !== null) void loadGames(games.environmentId);
      }),
      client.on('sandbox.judged', ({ path }) => {
        if (get().players.length === 0 || path === '/serviceApi.php') return;
        counting ??= deps.later(() => {
          counting = null;
          void loadPlayers();
        }, 300);
      }),
    ];

    function update(id: string, change: (tab: LaunchTab) => Partial<LaunchTab>): void {
      set((state) => ({ tabs: state.tabs.map((tab) => (tab.id === id ? { ...tab, ...change(tab) } : tab)) }));
    }

    function find(id: string | undefined): LaunchTab | undefined {
      return get().tabs.find((tab) => tab.id === (id ?? get().activeId));
    }

    function slotOf(launchId: string): LaunchSlot | undefined {
      return get()
        .tabs.flatMap((tab) => tab.slots)
        .find((slot) => slot.launch.id === launchId);
    }

    function updateSlot(launchId: string, change: (slot: LaunchSlot) => LaunchSlot): void {
      if (slotOf(launchId) === undefined) return;
      set((state) => ({
        tabs: state.tabs.map((tab) =>
          tab.slots.some((slot) => slot.launch.id === launchId)
            ? { ...tab, slots: tab.slots.map((slot) => (slot.launch.id === launchId ? change(slot) : slot)) }
            : tab,
        ),
      }));
    }

    function show(launchId: string, shown: LaunchSlot['shown']): void {
      updateSlot(launchId, (slot) => ({ ...slot, shown }));
    }

    function add(change: Partial<LaunchTab>): LaunchTab {
      const tab: LaunchTab = { ...emptyTab(deps.newId()), ...change };
      set((state) => ({ tabs: [...state.tabs, tab], activeId: tab.id }));
      return tab;
    }

    /** The shown tab where nothing was done in it yet, else a new one. */
    function fresh(change: Partial<LaunchTab>): string {
      const tab = activeTab(get());
      if (tab === null || tab.slots.length > 0 || tab.typed.gameId !== undefined || tab.preparing.state !== 'idle') {
        return add(change).id;
      }
      update(tab.id, () => change);
      return tab.id;
    }

    async function slotFor(launch: Launch): Promise<LaunchSlot> {
      const base = { redirects: 'origin', strayed: null } as const;
      try {
        const got = await client.call('launches.get', { id: launch.id });
        return { ...base, launch: got.launch, entries: got.entries, shown: closed };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return { ...base, launch, entries: [], shown: closed };
      }
    }

    async function refreshSlot(id: string): Promise<void> {
      if (slotOf(id) === undefined) return;
      const got = await quietly(() => client.call('launches.get', { id }));
      if (got === null) return;
      updateSlot(id, (slot) => ({ ...slot, launch: got.launch, entries: mergeEntries(got.entries, slot.entries) }));
    }

    /** What is not there any more needs no closing. */
    function endGame(launchId: string): Promise<unknown> {
      placed.delete(launchId);
      return quietly(() => client.call('launches.close', { id: launchId }));
    }

    function tell(launchId: string, send: () => Promise<unknown>): void {
      if (slotOf(launchId)?.shown.state === 'view') void quietly(send);
    }

    async function loadPlayers(): Promise<void> {
      const status = await quietly(() => client.call('sandbox.status', {}));
      if (status !== null) set({ players: status.players });
    }

    async function loadEarlier(): Promise<void> {
      const list = await quietly(() => client.call('launches.list', { limit: 50 }));
      if (list !== null) set({ earlier: list.launches });
    }

    async function loadGames(environmentId: string): Promise<void> {
      gamesRound += 1;
      const mine = gamesRound;
      const before = get().games;
      const none = { environmentId, fetchedAt: null, names: new Map<string, string>() };
      if (before?.environmentId !== environmentId) set({ games: { ...none, state: 'loading' } });
      try {
        const { snapshots } = await client.call('catalogue.snapshots', { environmentId });
        const [newest] = snapshots;
        const got = newest === undefined ? null : await client.call('catalogue.games', { snapshotId: newest.id });
        if (mine !== gamesRound) return;
        if (got === null) return set({ games: { ...none, state: 'none' } });
        const names = new Map(got.games.map((game) => [game.id, game.name]));
        set({ games: { environmentId, state: 'ready', fetchedAt: got.snapshot.fetchedAt, names } });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (mine === gamesRound) set({ games: { ...none, state: 'failed' } });
      }
    }

    function refuse(id: string, error: unknown, environmentId: string, what: 'launch' | 'renew', retry: () => void): void {
      const refusal = refusalFrom(error);
      if (refusal.state === 'unconfirmed') again.set(id, retry);
      update(id, () => ({ preparing: refusal.state === 'unconfirmed' ? { ...refusal, environmentId, what } : refusal }));
    }

    function nameOf(tab: LaunchTab): string {
      return tab.gameName !== '' ? tab.gameName : (get().games?.names.get(tab.typed.gameId ?? '') ?? '');
    }

    async function prepare(
      id: string,
      environmentId: string,
      gameMode: GameMode,
      fields: Readonly<Record<FieldName, string>>,
    ): Promise<LaunchSlot | null> {
      const tab = find(id);
      if (tab === undefined) return null;
      const ticket = deps.newId();
      update(id, () => ({ preparing: { state: 'sending', ticket, startedAt: deps.now(), what: 'launch' } }));
      const launch = await client.call('launches.prepare', {
        environmentId,
        gameMode,
        gameName: nameOf(tab).slice(0, 300),
        externalToken: gameMode === 'real' ? tab.token : '',
        ...fields,
        ticket,
        confirmed: confirmed.has(environmentId),
      });
      const slot = await slotFor(launch);
      return { ...slot, shown: launch.problem === null ? waiting : closed };
    }

    async function launch(id: string, environmentId: string, fields: Readonly<Record<FieldName, string>>): Promise<void> {
      const tab = find(id);
      if (tab === undefined || tab.preparing.state === 'sending') return;
      const problems = formProblems(tab.typed, tab.mode, tab.token);
      update(id, () => ({ problems }));
      if (Object.keys(problems).length > 0) return set({ settings: true });
      const before = tab.slots;
      update(id, () => ({ slots: [], slotId: null, renewal: null }));
      set({ settings: false });
      await Promise.all(before.filter(isOpen).map((slot) => endGame(slot.launch.id)));
      const slots: LaunchSlot[] = [];
      // All at once: a frame that gets a neighbour later would be drawn anew, and its game would begin again.
      const finish = () => update(id, () => ({ preparing: idle, slots, slotId: slots[0]?.launch.id ?? null }));
      try {
        const modes: readonly GameMode[] = tab.mode === 'both' ? ['real', 'fun'] : [tab.mode];
        for (const mode of modes) {
          const slot = await prepare(id, environmentId, mode, fields);
          if (slot !== null) slots.push(slot);
          if (slot === null || slot.launch.call.state === 'cancelled') break;
        }
        finish();
      } catch (error) {
        finish();
        refuse(id, error, environmentId, 'launch', () => void launch(id, environmentId, fields));
      }
      void loadPlayers();
    }

    async function renewToken(id: string, environmentId: string, usualGameId: string): Promise<void> {
      const tab = find(id);
      if (tab === undefined || tab.preparing.state === 'sending' || tab.token === '') return;
      const newGameId = tab.typed.gameId ?? usualGameId;
      if (newGameId === '') return update(id, () => ({ problems: formProblems(tab.typed, tab.mode, tab.token) }));
      const ticket = deps.newId();
      const token = tab.token;
      update(id, () => ({
        preparing: { state: 'sending', ticket, startedAt: deps.now(), what: 'renew' },
        renewal: null,
      }));
      try {
        const got = await client.call('launches.renewToken', {
          environmentId,
          token,
          newGameId,
          ticket,
          confirmed: confirmed.has(environmentId),
        });
        update(id, (now) => ({
          preparing: idle,
          ...(got.token !== null && now.token === token ? { token: got.token, problems: {} } : {}),
          renewal: got.token === null ? { message: got.message ?? 'The answer shows no token.', fields: got.fields } : null,
        }));
        if (got.token !== null) deps.notify({ tone: 'good', text: 'The token was renewed. The old one may be invalid now.' });
      } catch (error) {
        refuse(id, error, environmentId, 'renew', () => void renewToken(id, environmentId, usualGameId));
      }
      void loadPlayers();
    }

    async function restoreSlots(tabId: string, ids: readonly string[]): Promise<void> {
      const slots: LaunchSlot[] = [];
      for (const id of ids) {
        const got = await quietly(() => client.call('launches.get', { id }));
        if (got === null) continue;
        // Whatever showed it is gone with the page that this one replaces.
        if (got.launch.state === 'open') await endGame(id);
        const { launch } = (got.launch.state === 'open' ? await quietly(() => client.call('launches.get', { id })) : null) ?? got;
        slots.push({ launch, entries: got.entries, shown: closed, redirects: 'origin', strayed: null });
      }
      update(tabId, () => ({ slots, slotId: slots[0]?.launch.id ?? null }));
    }

    return {
      tabs: [],
      activeId: null,
      device: 'desktop',
      rotated: false,
      zoom: 'fit',
      group: 'all',
      filter: '',
      follow: true,
      settings: true,
      shares: { record: 66, both: 50 },
      players: [],
      games: null,
      earlier: null,
      screenshot: null,
      busy: null,
      certificateHelp: true,

      async load() {
        if (get().tabs.length === 0) add({});
        await Promise.all([loadPlayers(), loadEarlier()]);
        for (const tab of get().tabs) for (const slot of tab.slots) await refreshSlot(slot.launch.id);
      },
      loadGames,
      newTab() {
        add({ mode: activeTab(get())?.mode ?? 'fun' });
        set({ settings: true });
      },
      selectTab: (id) => set({ activeId: id }),
      selectTabAt(index) {
        const tab = get().tabs[index];
        if (tab !== undefined) set({ activeId: tab.id });
      },
      closeTab(id) {
        const tab = find(id);
        if (tab === undefined) return;
        const { tabs, activeId } = get();
        const at = tabs.indexOf(tab);
        const rest = tabs.toSpliced(at, 1);
        void get().cancel(tab.id);
        for (const slot of tab.slots) if (isOpen(slot)) void endGame(slot.launch.id);
        const next = rest[Math.min(at, rest.length - 1)];
        set({ tabs: rest, activeId: activeId === tab.id ? (next?.id ?? null) : activeId });
        if (rest.length === 0) add({});
      },
      setField(id, name, text) {
        update(id, (tab) => ({
          typed: { ...tab.typed, [name]: text },
          ...(name === 'gameId' ? { gameName: '', problems: without(tab.problems, 'gameId') } : {}),
          ...dropRefusal(tab),
        }));
      },
      setMode(id, mode) {
        update(id, (tab) => ({ mode, problems: needsToken(mode) ? tab.problems : {}, ...dropRefusal(tab) }));
      },
      setToken(id, token) {
        update(id, (tab) => ({
          token,
          tokenOf: null,
          renewal: null,
          problems: without(tab.problems, 'token'),
          ...dropRefusal(tab),
        }));
      },
      takeToken(id, player) {
        // A token belongs to its player: the rest of the session goes with it.
        update(id, (tab) => ({
          ...tokenOf(player),
          typed: { ...tab.typed, playerId: player.playerId, country: player.country },
          renewal: null,
          problems: without(tab.problems, 'token'),
          ...dropRefusal(tab),
        }));
      },
      renewToken,
      launch,
      confirm(environmentId) {
        confirmed.add(environmentId);
        for (const tab of get().tabs) {
          if (tab.preparing.state !== 'unconfirmed' || tab.preparing.environmentId !== environmentId) continue;
          update(tab.id, () => ({ preparing: idle }));
          again.get(tab.id)?.();
          again.delete(tab.id);
        }
      },
      async cancel(id) {
        const tab = find(id);
        if (tab?.preparing.state !== 'sending') return;
        const { ticket } = tab.preparing;
        await quietly(() => client.call('calls.cancel', { ticket }));
      },
      dismiss(id) {
        update(id, (tab) => (tab.preparing.state === 'sending' ? {} : { preparing: idle }));
      },
      async prepareGame({ gameId, gameName, mode }, sandbox) {
        const id = fresh({ typed: { gameId }, gameName, mode });
        if (mode === 'fun' || !sandbox) return id;
        await loadPlayers();
        const player = usualPlayer(get().players, '');
        if (player !== null && find(id)?.token === '') get().takeToken(id, player);
        return id;
      },
      async fromCall(callId, gameName = '') {
        try {
          const launch = await client.call('launches.fromCall', { callId, gameName });
          const slot = await slotFor(launch);
          const { gameId, gameMode, exitURL } = launch;
          add({
            typed: launch.source === 'replay' ? {} : { gameId, exitURL },
            gameName: launch.gameName,
            mode: gameMode ?? 'fun',
            slots: [{ ...slot, shown: launch.problem === null ? waiting : closed }],
            slotId: launch.id,
          });
          set({ settings: false });
          return true;
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          deps.notify({ tone: 'bad', text: `The launcher could not open this call. ${error.message}` });
          return false;
        }
      },
      async openEarlier(launch) {
        const open = get().tabs.find((tab) => tab.slots.some((slot) => slot.launch.id === launch.id));
        if (open !== undefined) return set({ activeId: open.id });
        const slot = await slotFor(launch);
        const { gameId, gameName, gameMode, exitURL } = launch;
        fresh({
          typed: gameId === '' ? {} : { gameId, exitURL },
          gameName,
          mode: gameMode ?? 'fun',
          slots: [slot],
          slotId: launch.id,
        });
        set({ settings: false });
      },

      async open(launchId, bounds) {
        const slot = slotOf(launchId);
        if (slot?.shown.state !== 'waiting') return;
        show(launchId, { state: 'opening' });
        placed.set(launchId, JSON.stringify(bounds));
        try {
          const opened = await client.call('launches.open', { id: launchId, bounds, redirects: slot.redirects });
          if (slotOf(launchId) === undefined) void endGame(launchId);
          else if (opened.kind === 'view') show(launchId, { state: 'view' });
          else if (opened.kind === 'frame') show(launchId, { state: 'frame', src: opened.src, unobserved: opened.unobserved });
          else show(launchId, { state: 'failed', message: opened.message });
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          show(launchId, { state: 'failed', message: error.message });
        }
      },
      place(launchId, bounds: ViewBounds) {
        const text = JSON.stringify(bounds);
        if (slotOf(launchId)?.shown.state !== 'view' || placed.get(launchId) === text) return;
        placed.set(launchId, text);
        tell(launchId, () => client.call('launches.setBounds', { id: launchId, bounds }));
      },
      setVisible(launchId, visible) {
        tell(launchId, () => client.call('launches.setVisible', { id: launchId, visible }));
      },
      setViewZoom(launchId, zoom) {
        tell(launchId, () => client.call('launches.setZoom', { id: launchId, zoom }));
      },
      reload(launchId) {
        const slot = slotOf(launchId);
        if (slot?.shown.state === 'frame') get().openAgain(launchId, slot.redirects);
        else tell(launchId, () => client.call('launches.reload', { id: launchId }));
      },
      back(launchId) {
        tell(launchId, () => client.call('launches.back', { id: launchId }));
      },
      openAgain(launchId, redirects = 'origin') {
        updateSlot(launchId, (slot) => ({
          ...slot,
          redirects,
          strayed: null,
          shown: waiting,
          launch: { ...slot.launch, exited: false },
        }));
      },
      async closeGame(launchId) {
        show(launchId, closed);
        await endGame(launchId);
      },
      noteLoaded(launchId) {
        void quietly(() => client.call('launches.note', { id: launchId, observation: { event: 'loaded' } }));
      },
      async noteLeft(launchId, origin) {
        const launch = await quietly(() =>
          client.call('launches.note', { id: launchId, observation: { event: 'left', origin } }),
        );
        if (launch === null) return;
        updateSlot(launchId, (slot) => ({ ...slot, launch, strayed: launch.exited ? null : origin }));
      },
      noteFailed(launchId, message) {
        void quietly(() => client.call('launches.note', { id: launchId, observation: { event: 'failed', message } }));
      },
      selectSlot: (tabId, launchId) => update(tabId, () => ({ slotId: launchId })),

      setDevice: (device) => set({ device, zoom: 'fit' }),
      rotate: () => set((state) => ({ rotated: !state.rotated })),
      setZoom: (zoom) => set({ zoom }),
      setGroup: (group) => set({ group }),
      setFilter: (filter) => set({ filter }),
      setFollow: (follow) => set({ follow }),
      setSettings: (settings) => set({ settings }),
      setShare: (split, share) => set((state) => ({ shares: { ...state.shares, [split]: share } })),

      closeCertificateHelp: () => set({ certificateHelp: false }),

      ...createEvidence(client, deps, { set, slotOf }),

      exportText: () => writeLauncher(get()),
      restoreText(text) {
        const saved = readLauncher(text);
        if (saved === null || saved.tabs.length === 0 || get().tabs.some(isUsed)) return;
        const { device, rotated, zoom, follow, shares } = saved;
        const tabs = saved.tabs.map(({ typed, gameName, mode }) => ({
          ...emptyTab(deps.newId()),
          typed,
          gameName,
          mode,
        }));
        set({ device, rotated, zoom, follow, shares, tabs, activeId: (tabs[saved.active] ?? tabs[0])?.id ?? null });
        for (const [at, { launches }] of saved.tabs.entries()) {
          const tab = tabs[at];
          if (tab !== undefined && launches.length > 0) void restoreSlots(tab.id, launches);
        }
      },
      close() {
        for (const stop of stops) stop();
        listing?.();
        counting?.();
      },
    };
  });
}

function emptyTab(id: string): LaunchTab {
  return {
    id,
    typed: {},
    gameName: '',
    mode: 'fun',
    token: '',
    tokenOf: null,
    problems: {},
    renewal: null,
    preparing: idle,
    slots: [],
    slotId: null,
  };
}

function tokenOf(player: { readonly externalToken: string; readonly playerId: string }): Pick<LaunchTab, 'token' | 'tokenOf'> {
  return { token: player.externalToken, tokenOf: player.playerId };
}

/** Whether something was typed or launched in a tab. */
function isUsed({ typed, slots, preparing }: LaunchTab): boolean {
  return Object.keys(typed).length > 0 || slots.length > 0 || preparing.state !== 'idle';
}

function isOpen({ shown }: LaunchSlot): boolean {
  return shown.state !== 'closed' && shown.state !== 'waiting';
}

function without(problems: LaunchTab['problems'], name: 'gameId' | 'token'): LaunchTab['problems'] {
  const { [name]: _gone, ...rest } = problems;
  return rest;
}

/** A refusal was about the form before this edit. */
function dropRefusal(tab: LaunchTab): Partial<LaunchTab> {
  return tab.preparing.state === 'refused' ? { preparing: idle } : {};
}

/** Both in order of their numbers, each once. */
function mergeEntries(known: readonly LaunchEntry[], more: readonly LaunchEntry[]): readonly LaunchEntry[] {
  const last = known.at(-1)?.seq ?? 0;
  const first = more[0]?.seq ?? 0;
  if (first > last) return [...known, ...more];
  const bySeq = new Map([...known, ...more].map((entry) => [entry.seq, entry]));
  return [...bySeq.values()].toSorted((a, b) => a.seq - b.seq);
}

/** What fails here leaves things as they are. */
async function quietly<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
