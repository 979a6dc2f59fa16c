import { startWork } from '#renderer/faults/faults.ts';
import { currentEnvironment, type EnvironmentsStore } from '#renderer/features/environments/environments-store.ts';
import type { Client } from '#shared/ipc/index.ts';
import { announcer } from '#renderer/ui/announcer.ts';
import { tellLostKeys } from './lost-keys.ts';
import { sayResponses } from './said-responses.ts';
import type { Stores } from './stores.ts';
import { provenText } from '#shared/calls/key-words.ts';
import type { Notify } from '#renderer/ui/notice.tsx';

/** Joins the stores: a change of one makes another fetch or show something. */
export function joinStores(client: Client, stores: Stores): void {
  const { notify, shell, doctor, environments, gateway, history, production, providerLog, evidence, requests } = stores;
  const { variables, results } = stores;
  client.on('app.faulted', stores.faults.tell);
  environments.subscribe(({ currentId }, before) => {
    if (currentId === before.currentId) return;
    const chosen = currentEnvironment(environments.getState());
    if (chosen !== null && before.currentId !== null) announcer.say(`${chosen.name} is now in use.`);
    production.getState().enter(currentId);
    // Unless another one was chosen there.
    if (doctor.getState().environmentId === null) doctor.getState().refresh();
  });

  // Compares a rejected call that is shown with the last accepted one.
  requests.subscribe(({ tabs, activeId }, before) => {
    if (tabs === before.tabs && activeId === before.activeId) return;
    const call = tabs.find(({ id }) => id === activeId)?.call ?? null;
    if (call !== null) startWork(evidence.getState().find(call));
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

  /** Fetches the values that earlier responses gave the tab that is shown, in the environment that it would be sent to. */
  function wantTaken(): void {
    const { tabs, activeId } = requests.getState();
    const file = tabs.find(({ id }) => id === activeId)?.file ?? null;
    const environment = currentEnvironment(environments.getState());
    if (file !== null && environment !== null) startWork(results.getState().want(file.collectionId, environment.id));
  }

  // A call chosen in the history marks its verdict; the way back is in the log.
  history.subscribe(({ activeId }, before) => {
    if (activeId !== null && activeId > 0 && activeId !== before.activeId) providerLog.getState().choose({ callId: activeId });
  });

  // What names a player is gone from the logs, whichever page forgot them.
  client.on('history.forgotten', () => {
    for (const log of [providerLog, gateway]) if (log.getState().log.state !== 'loading') startWork(log.getState().load());
  });

  tellProvenKeys(client, { environments, notify });
  sayResponses(stores, announcer.say);
  tellLostKeys(client, { environments, notify, show: () => shell.getState().show('environments') });
}

type StoreName = Exclude<keyof Stores, 'notify' | 'faults'>;

/** The way in which each store catches up after the line was down; null for a store that events do not change. */
const catchUp: { readonly [Name in StoreName]: ((store: Stores[Name]) => void) | null } = {
  environments: (store) => startWork(store.getState().load()),
  production: (store) => startWork(store.getState().load()),
  shell: (store) => startWork(store.getState().load()),
  collections: (store) => startWork(store.getState().load()),
  requests: (store) => store.getState().rereadFiles(),
  history: (store) => {
    if (store.getState().list.state !== 'loading') startWork(store.getState().load());
  },
  results: (store) => store.getState().refresh(),
  digests: (store) => store.getState().refresh(),
  runs: (store) => store.getState().refresh(),
  providerLog: (store) => {
    if (store.getState().log.state !== 'loading') startWork(store.getState().load());
  },
  gateway: (store) => {
    startWork(store.getState().loadStatus());
    if (store.getState().log.state !== 'loading') startWork(store.getState().load());
  },
  wallet: (store) => startWork(store.getState().load(store.getState().environmentId)),
  games: (store) => {
    if (store.getState().environmentId !== null) startWork(store.getState().load());
  },
  storage: (store) => {
    if (store.getState().status !== null) startWork(store.getState().load());
  },
  packs: (store) => startWork(store.getState().load()),
  launcher: (store) => {
    if (store.getState().tabs.length > 0) startWork(store.getState().load());
  },
  doctor: (store) => {
    // Its end may have been missed.
    if (store.getState().searching.state === 'searching') store.getState().search();
  },
  thumbnails: (loader) => loader.forgetFailures(),
  gameLists: null,
  rounds: null,
  runStart: null,
  shownCall: null,
  callActions: null,
  callExports: null,
  callCopies: null,
  repeats: null,
  forget: null,
  comparison: null,
  evidence: null,
  probes: null,
  openPoints: null,
  manual: null,
  clock: null,
  imports: null,
  starters: null,
  variables: null,
  tabVariables: null,
  responses: null,
  historyResponses: null,
};

/** Fetches everything that is shown again: events were missed while the line was down. */
export function refreshStores(stores: Stores): void {
  const refresh = <Name extends StoreName>(name: Name) => catchUp[name]?.(stores[name]);
  for (const name of Object.keys(catchUp) as StoreName[]) refresh(name);
}

/** Says once that core removed the older of two keys, and which call showed that the new one is right. */
function tellProvenKeys(
  client: Pick<Client, 'on'>,
  { environments, notify }: { readonly environments: EnvironmentsStore; readonly notify: Notify },
): () => void {
  return client.on('keys.proven', ({ environmentId, removed, callId }) => {
    const { list } = environments.getState();
    const known = list.state === 'ready' ? list.environments : [];
    const name = known.find(({ id }) => id === environmentId)?.name ?? environmentId;
    notify({ tone: 'good', text: provenText(removed, callId, name) });
  });
}
