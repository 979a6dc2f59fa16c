import { startWork } from '#renderer/faults/faults.ts';
import { currentEnvironment } from '#renderer/features/environments/environments-store.ts';
import { activeSlot, activeTab, type LaunchSlot } from '#renderer/features/launcher/launch-tab.ts';
import type { LauncherCommands } from './commands.ts';
import type { Workbench } from './workbench.ts';

/** Creates the launcher's actions on the launch that is shown. */
export function createLauncherActions({
  launcher,
  shell,
  environments,
}: Pick<Workbench, 'launcher' | 'shell' | 'environments'>): LauncherCommands {
  const slot = (): LaunchSlot | null => activeSlot(activeTab(launcher.getState()));
  const isOpen = (): boolean => {
    const state = slot()?.shown.state;
    return state === 'view' || state === 'frame';
  };
  const withLaunch = (run: (launchId: string) => void) => () => {
    const id = slot()?.launch.id;
    if (id !== undefined) run(id);
  };
  return {
    newLaunch() {
      shell.getState().show('launcher');
      launcher.getState().newTab(currentEnvironment(environments.getState())?.id ?? null);
    },
    open: isOpen,
    launched: () => slot() !== null,
    hasView: () => slot()?.shown.state === 'view',
    play: withLaunch((id) => launcher.getState().play(id)),
    mute() {
      const { launch, shown } = slot() ?? {};
      if (launch !== undefined && shown?.state === 'view') launcher.getState().setMuted(launch.id, !shown.muted);
    },
    reload: withLaunch((id) => launcher.getState().reload(id)),
    closeGame: withLaunch((id) => startWork(launcher.getState().closeGame(id))),
    screenshot: withLaunch((id) => startWork(launcher.getState().takeScreenshot(id))),
    exportEvidence: (as) => withLaunch((id) => startWork(launcher.getState().exportEvidence([id], as)))(),
    saveNetworkLog: withLaunch((id) => startWork(launcher.getState().saveNetworkLog(id))),
    setDevice: (device) => launcher.getState().chooseUsual(device),
    rotate: () => launcher.getState().rotateShown(),
  };
}
