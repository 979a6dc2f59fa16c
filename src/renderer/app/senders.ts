import type { AreaName } from '#shared/areas.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { currentEnvironment } from '#renderer/features/environments/environments-store.ts';
import { canSearch } from '#renderer/features/doctor/doctor-fields.ts';
import { launchOrCancel } from '#renderer/features/launcher/launch-commands.ts';
import { activeTab as activeLaunch } from '#renderer/features/launcher/tabs/launch-tab.ts';
import type { RequestTab } from '#renderer/features/request/tabs/request-tab.ts';
import { lookUpWaits } from '#renderer/features/rounds/round-question.ts';
import { openRun } from '#renderer/features/runs/runs-store.ts';
import { walletRuns } from '#renderer/features/wallet/wallet-store.ts';
import type { Workbench } from './workbench.ts';

/** The action of Mod+Enter and of Escape in one area. */
interface Sender {
  readonly ready: () => boolean;
  readonly sending: () => boolean;
  readonly send: () => void;
  readonly cancel: () => void;
}

/** Returns the active tab of the requests; null if none is open. */
export function tabInSight({ requests }: Pick<Workbench, 'requests'>): RequestTab | null {
  const { tabs, activeId } = requests.getState();
  return tabs.find((tab) => tab.id === activeId) ?? null;
}

/** Creates the senders of all areas; null for an area that sends nothing. */
export function createSenders(workbench: Workbench): Readonly<Record<AreaName, Sender | null>> {
  const { doctor, probes, environments, games, launcher, repeats, requests, rounds, runs, runStart, wallet } = workbench;
  const activeTab = () => tabInSight(workbench);
  /** Returns whether the call of the tab in sight is being repeated. */
  const repeating = (): boolean => {
    const { job } = repeats.getState();
    return job.state === 'sending' && job.id === activeTab()?.callId;
  };
  const inRequests: Sender = {
    ready: () => activeTab() !== null && environments.getState().currentId !== null,
    sending: () => activeTab()?.sending.state === 'sending' || repeating(),
    send() {
      const { currentId } = environments.getState();
      if (currentId !== null) startWork(requests.getState().send(currentId));
    },
    cancel: () => startWork(repeating() ? repeats.getState().cancel() : requests.getState().cancel()),
  };
  const inGames: Sender = {
    ready: () => games.getState().environmentId !== null,
    sending: () => games.getState().asking.state === 'busy',
    send: () => startWork(games.getState().fetch()),
    cancel: () => startWork(games.getState().cancel()),
  };
  const inRounds: Sender = {
    ready() {
      const environment = currentEnvironment(environments.getState());
      return environment !== null && lookUpWaits(rounds.getState(), environment.timeZone, workbench.now()) === null;
    },
    sending: () => rounds.getState().asking.state === 'busy',
    send: () => startWork(rounds.getState().lookUp()),
    cancel: () => startWork(rounds.getState().cancel()),
  };
  const inRuns: Sender = {
    ready: () => true,
    sending: () => openRun(runs.getState())?.state === 'running',
    send: () => runStart.getState().startRun(),
    cancel() {
      const { openId, cancel } = runs.getState();
      if (openId !== null) startWork(cancel(openId));
    },
  };
  const inLauncher: Sender = {
    ready: () => currentEnvironment(environments.getState()) !== null,
    sending: () => activeLaunch(launcher.getState())?.preparing.state === 'sending',
    send: () => launchOrCancel(launcher, currentEnvironment(environments.getState())),
    cancel: () => startWork(launcher.getState().cancel()),
  };
  const liveTest = () => walletRuns(runs.getState().list, wallet.getState().environmentId).live;
  const inWallet: Sender = {
    ready: () => wallet.getState().plan !== null,
    sending: () => liveTest() !== null,
    send: () => startWork(wallet.getState().start()),
    cancel: () => startWork(runs.getState().cancel(liveTest()?.runId ?? '')),
  };
  const asksProvider = () => doctor.getState().way === 'codes';
  const inDoctor: Sender = {
    ready: () => (asksProvider() ? probes.getState().plan.state === 'ready' : canSearch(doctor.getState().subject)),
    sending: () =>
      asksProvider() ? probes.getState().asking.state === 'busy' : doctor.getState().searching.state === 'searching',
    send: () => (asksProvider() ? startWork(probes.getState().start()) : doctor.getState().search()),
    cancel: () => (asksProvider() ? startWork(probes.getState().cancel()) : doctor.getState().cancel()),
  };
  return {
    requests: inRequests,
    games: inGames,
    launcher: inLauncher,
    rounds: inRounds,
    runs: inRuns,
    wallet: inWallet,
    gateway: null,
    history: null,
    doctor: inDoctor,
    openPoints: null,
    environments: null,
    settings: null,
  };
}
