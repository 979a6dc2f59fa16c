import { createStore } from 'zustand/vanilla';
import type { Client } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { createAsking } from './asking.ts';
import { createEvidence } from './evidence.ts';
import { createKnownThings } from './known-things.ts';
import { createFormEdits } from './form-edits.ts';
import { createTabs, emptyTab, isOpen, isUsed } from './tabs.ts';
import { activeTab, type LauncherDeps, type LauncherState, type LauncherStore } from './launcher-state.ts';
import { readLauncher, writeLauncher } from './launcher-text.ts';
import { createOnStage } from './on-stage.ts';

/** The launches of the workbench: their forms, what is being prepared, the games on the stage and their records. */
export function createLauncherStore(client: Client, deps: LauncherDeps): LauncherStore {
  return createStore<LauncherState>()((set, get, store) => {
    const tabs = createTabs(store, deps.newId);
    const stage = createOnStage(client, tabs);
    const known = createKnownThings(client, deps.later, store);
    const { find, update, add } = tabs;

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
        await Promise.all([known.loadPlayers(), known.loadEarlier()]);
        for (const tab of get().tabs) for (const slot of tab.slots) await stage.refresh(slot.launch.id);
      },
      loadGames: known.loadGames,
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
        const { tabs: before, activeId } = get();
        const at = before.indexOf(tab);
        const rest = before.toSpliced(at, 1);
        startWork(get().cancel(tab.id));
        for (const slot of tab.slots) if (isOpen(slot)) startWork(stage.endGame(slot.launch.id));
        const next = rest[Math.min(at, rest.length - 1)];
        set({ tabs: rest, activeId: activeId === tab.id ? (next?.id ?? null) : activeId });
        if (rest.length === 0) add({});
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

      ...createFormEdits(tabs),
      ...stage.actions,
      ...createAsking(client, deps, { store, tabs, stage, known }),
      ...createEvidence(client, deps, { set, slotOf: tabs.slotOf }),

      exportText: () => writeLauncher(get()),
      restoreText(text) {
        const saved = readLauncher(text);
        if (saved === null || saved.tabs.length === 0 || get().tabs.some(isUsed)) return;
        const { device, rotated, zoom, follow, shares } = saved;
        const restored = saved.tabs.map(({ typed, gameName, mode }) => ({
          ...emptyTab(deps.newId()),
          typed,
          gameName,
          mode,
        }));
        set({
          device,
          rotated,
          zoom,
          follow,
          shares,
          tabs: restored,
          activeId: (restored[saved.active] ?? restored[0])?.id ?? null,
        });
        for (const [at, { launches }] of saved.tabs.entries()) {
          const tab = restored[at];
          if (tab !== undefined && launches.length > 0) startWork(stage.restore(tab.id, launches));
        }
      },
      close() {
        stage.stop();
        known.stop();
      },
    };
  });
}
