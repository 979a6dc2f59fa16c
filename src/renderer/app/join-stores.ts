import { startWork } from '#renderer/faults/faults.ts';
import { currentEnvironment } from '#renderer/features/environments/environments-store.ts';
import type { Client } from '#shared/ipc/index.ts';
import { tellLostKeys } from './lost-keys.ts';
import type { Stores } from './stores.ts';

/** Joins the stores: a change of one makes another fetch or show something. */
export function joinStores(client: Client, stores: Stores): void {
  const { notify, shell, environments, history, production, providerLog, evidence, requests, variables, answers } = stores;
  client.on('app.faulted', stores.faults.tell);
  environments.subscribe(({ currentId }, before) => {
    if (currentId !== before.currentId) production.getState().enter(currentId);
  });

  // A rejected call that is shown is compared with the last one that was accepted.
  requests.subscribe(({ tabs, activeId }, before) => {
    if (tabs === before.tabs && activeId === before.activeId) return;
    const call = tabs.find(({ id }) => id === activeId)?.call ?? null;
    if (call !== null) startWork(evidence.getState().look(call));
  });

  requests.subscribe((state) => {
    if (state.problem === null) return;
    notify({ tone: 'bad', text: state.problem });
    state.dismissProblem();
  });

  // A file's variables are fetched when its tab is opened; another tab may need others.
  requests.subscribe(({ tabs, activeId }, before) => {
    const file = tabs.find(({ id }) => id === activeId)?.file ?? null;
    if (file === null || file === (before.tabs.find(({ id }) => id === before.activeId)?.file ?? null)) return;
    startWork(variables.getState().want(file.collectionId, file.path));
    wantTaken();
  });
  environments.subscribe(({ currentId }, before) => {
    if (currentId !== before.currentId) wantTaken();
  });

  /** What earlier answers gave the tab that is shown, in the environment that it would be sent to. */
  function wantTaken(): void {
    const { tabs, activeId } = requests.getState();
    const file = tabs.find(({ id }) => id === activeId)?.file ?? null;
    const environment = currentEnvironment(environments.getState());
    if (file !== null && environment !== null) startWork(answers.getState().want(file.collectionId, environment.id));
  }

  // The call that is chosen in the history marks its verdict; the way back is where the log is shown.
  history.subscribe(({ activeId }, before) => {
    if (activeId !== null && activeId !== before.activeId) providerLog.getState().choose({ callId: activeId });
  });

  tellLostKeys(client, { environments, notify, show: () => shell.getState().show('environments') });
}

/** Fetches everything that is shown again: events were missed while the line was down. */
export function refreshStores(stores: Stores): void {
  const {
    shell,
    environments,
    games,
    thumbnails,
    launcher,
    runs,
    history,
    production,
    storage,
    providerLog,
    requests,
    collections,
    answers,
    digests,
  } = stores;
  startWork(environments.getState().load());
  startWork(production.getState().load());
  startWork(shell.getState().load());
  startWork(collections.getState().load());
  requests.getState().lookAtFiles();
  if (history.getState().list.state !== 'loading') startWork(history.getState().load());
  answers.getState().refresh();
  digests.getState().refresh();
  runs.getState().refresh();
  if (providerLog.getState().log.state !== 'loading') startWork(providerLog.getState().load());
  if (games.getState().environmentId !== null) startWork(games.getState().load());
  if (storage.getState().status !== null) startWork(storage.getState().load());
  if (launcher.getState().tabs.length > 0) startWork(launcher.getState().load());
  thumbnails.forgetFailures();
}
