import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { createEarlierLaunches, type EarlierLaunchState } from '../records/earlier-launches.ts';
import { createFormEdits, type FormEditActions } from './form-edits.ts';
import { createGameViews, createViewPlaces, type GameViewActions } from '../screens/game-views.ts';
import { createLastLaunches } from './last-launches.ts';
import { createLaunchChoices, type LaunchChoiceState } from './launch-choices.ts';
import { createLaunchEvidence, type EvidenceDeps, type EvidenceState } from '../records/launch-evidence.ts';
import { createLaunchQuestions, type LaunchQuestionActions } from './launch-questions.ts';
import { createLaunchRecords, type LaunchRecords } from './launch-records.ts';
import { type LaunchTab, emptyTab, isUsed } from './launch-tab.ts';
import { createLauncherLayout, type LauncherLayoutState } from '../launcher-layout.ts';
import { createNewLaunches, type NewLaunchActions } from './new-launches.ts';
import { createPrepareLaunches, type PrepareActions } from './prepare-launches.ts';
import { createRecordChoice, type RecordChoiceState } from '../records/record-choice.ts';
import { createRenewTokens, type RenewActions } from './renew-tokens.ts';
import { createScreenEdits, type ScreenState } from './screen-edits.ts';
import { createTokenPool, nextToken, type TokenPoolState } from '../settings/token-pool.ts';
import { createTabList, createTabListState, type TabListState } from './tab-list.ts';
import type { StorePart } from '#renderer/ui/store-part.ts';
import { readLauncher, writeLauncher, type Remembered } from './launcher-text.ts';

/** Parts of its surroundings that the launcher needs. */
export interface LauncherDeps extends EvidenceDeps {
  readonly now: () => number;
  /** Returns a fresh ID for tabs and tickets. */
  readonly newId: () => string;
  readonly later: (run: () => void, milliseconds: number) => () => void;
}

/** The launches of the workbench: the sum of the parts, each in a file of its own. */
interface LauncherState
  extends
    TabListState,
    FormEditActions,
    NewLaunchActions,
    PrepareActions,
    RenewActions,
    LaunchQuestionActions,
    GameViewActions,
    LaunchChoiceState,
    EarlierLaunchState,
    LauncherLayoutState,
    ScreenState,
    RecordChoiceState,
    EvidenceState,
    TokenPoolState,
    SavedLaunchActions {
  /** Fetches the lists that the page begins with; again after the line was down. */
  readonly load: () => Promise<void>;
}

export type LauncherStore = StoreApi<LauncherState>;

/** Creates the store of the launches: their forms, those being prepared, the games on the stage and their records. */
export function createLauncherStore(client: Client, deps: LauncherDeps): LauncherStore {
  return createStore<LauncherState>()((_set, get, store) => {
    const list = createTabList(store, deps.newId);
    const layout = createLauncherLayout(store);
    const places = createViewPlaces();
    const records = createLaunchRecords(client, list, places.forget);
    const screens = createScreenEdits(client, list, records, store);
    const choices = createLaunchChoices(client, deps.later, store);
    const questions = createLaunchQuestions(client, list);
    const edits = createFormEdits(list);
    const last = createLastLaunches(list);
    const pool = createTokenPool(client, deps.newId, store, list, questions.refuse);
    const earlier = createEarlierLaunches(client, deps.later, store);
    const { loadPlayers } = choices;
    const { setSettings } = layout;
    const { endGame, slotFor, restore, refresh } = records;

    function end(tab: LaunchTab): void {
      startWork(questions.actions.cancel(tab.id));
      for (const slot of tab.slots) if (slot.shown.state !== 'closed') startWork(endGame(slot.launch.id));
    }
    async function players() {
      await loadPlayers();
      return get().players;
    }

    const tabs = createTabListState(store, list, end);
    const poolHasNone = (environmentId: string) =>
      get().pool?.environmentId === environmentId && nextToken(get().pool) === undefined;
    const gameName = (gameId: string) => get().games?.names.get(gameId) ?? '';
    return {
      ...tabs,
      ...edits,
      ...createNewLaunches(
        client,
        { ...deps, setSettings, players, slotFor, takeToken: edits.takeToken, last },
        { ...list, select: tabs.selectTab },
      ),
      ...createPrepareLaunches(
        client,
        { ...deps, gameName, setSettings, poolHasNone, loadPlayers },
        list,
        { ...records, ...questions },
        last,
      ),
      ...createRenewTokens(client, { ...deps, loadPlayers }, list, questions.refuse, last),
      ...questions.actions,
      ...pool,
      ...createGameViews(client, list, { places, endGame }),
      ...choices.state,
      ...earlier.state,
      ...layout,
      ...screens,
      ...createRecordChoice(store),
      ...createLaunchEvidence(client, deps, store, list.slotOf, refresh),
      ...createSavedLaunches(store, { newId: deps.newId, restore }),
      async load() {
        if (list.all().length === 0) list.add({});
        const { pool: shown, loadPool } = get();
        await Promise.all([
          loadPlayers(),
          earlier.load(),
          screens.loadDevices(),
          shown === null ? null : loadPool(shown.environmentId),
        ]);
        for (const tab of list.all()) for (const slot of tab.slots) await refresh(slot.launch.id);
      },
    };
  });
}

/** Writes and reads the launcher's memory. */
type SavedLaunchActions = ReturnType<typeof createSavedLaunches>;

/** Creates the actions that remember and restore the launcher. */
function createSavedLaunches(
  { getState: get, setState: set }: StorePart<Remembered>,
  { newId, restore }: Pick<LaunchRecords, 'restore'> & { readonly newId: () => string },
) {
  return {
    /** Returns JSON text for later sessions: no token and no URL. */
    exportText: (): string => writeLauncher(get()),
    restoreText(text: string) {
      const saved = readLauncher(text);
      if (saved === null || saved.tabs.length === 0 || get().tabs.some(isUsed)) return;
      const { zoom, follow, shares } = saved;
      const restored = saved.tabs.map(({ launches: _ids, ...form }) => ({ ...emptyTab(newId()), ...form }));
      const activeId = (restored[saved.active] ?? restored[0])?.id ?? null;
      set({ zoom, follow, shares, tabs: restored, activeId });
      for (const [at, { launches }] of saved.tabs.entries()) {
        const tab = restored[at];
        if (tab !== undefined && launches.length > 0) startWork(restore(tab.id, launches));
      }
    },
  };
}
