import type { Environment } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { fieldText, type FieldName } from './tabs/launch-form.ts';
import { activeTab, type LaunchTab } from './tabs/launch-tab.ts';
import type { LauncherStore } from './tabs/launcher-store.ts';
import type { GameToLaunch } from './tabs/new-launches.ts';

/** Returns the texts of a tab as they are sent in an environment. */
function fieldsOf(tab: LaunchTab, environment: Environment): Readonly<Record<FieldName, string>> {
  const text = (name: FieldName) => fieldText(tab.typed, name, environment);
  return {
    gameId: text('gameId').trim(),
    lang: text('lang'),
    country: text('country'),
    playerId: text('playerId'),
    ip: text('ip'),
    exitURL: text('exitURL'),
  };
}

/** Launches the shown tab, or cancels the launch that it is preparing. */
export function launchOrCancel(store: LauncherStore, environment: Environment | null): void {
  const state = store.getState();
  const tab = activeTab(state);
  if (tab === null) return;
  if (tab.preparing.state === 'sending') startWork(state.cancel(tab.id));
  else if (environment !== null) startWork(state.launch(tab.id, environment.id, fieldsOf(tab, environment)));
}

/** Opens a tab for a game of the catalogue and launches it; in real mode without a token it waits for one. */
export async function launchGame(store: LauncherStore, game: GameToLaunch, environment: Environment): Promise<void> {
  const id = await store.getState().prepareGame(game, environment.kind === 'sandbox');
  const tab = store.getState().tabs.find((one) => one.id === id);
  if (tab !== undefined) await store.getState().launch(id, environment.id, fieldsOf(tab, environment));
}
