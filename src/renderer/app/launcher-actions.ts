import { startWork } from '#renderer/faults/faults.ts';
import { currentEnvironment } from '#renderer/features/environments/environments-store.ts';
import { activeSlot, activeTab, type LaunchSlot } from '#renderer/features/launcher/tabs/launch-tab.ts';
import { needs, type Behaviours } from './commands.ts';
import type { Workbench } from './workbench.ts';

/** Creates the behaviours of the launcher's commands, which are about the launch that is shown. */
export function launcherBehaviours({ launcher, shell, environments }: Pick<Workbench, 'launcher' | 'shell' | 'environments'>) {
  const inLauncher = () => shell.getState().area === 'launcher';
  const slot = (): LaunchSlot | null => activeSlot(activeTab(launcher.getState()));
  const state = () => slot()?.shown.state;
  const whenLaunched = needs('a launch in view', () => inLauncher() && slot() !== null);
  const whenOpen = needs('an open game', () => inLauncher() && (state() === 'view' || state() === 'frame'));
  /** The host lays the game over the page. */
  const whenViewed = needs('an open game in the desktop app', () => inLauncher() && state() === 'view');
  const launcherInSight = needs('Launcher in view', inLauncher);
  const withLaunch = (run: (launchId: string) => void) => () => {
    const id = slot()?.launch.id;
    if (id !== undefined) run(id);
  };
  const exports = (as: 'folder' | 'html') => ({
    when: whenLaunched,
    run: withLaunch((id) => startWork(launcher.getState().exportEvidence([id], as))),
  });
  const device = (kind: 'desktop' | 'tablet' | 'phone') => ({
    when: launcherInSight,
    run: () => launcher.getState().chooseUsual(kind),
  });
  return {
    newLaunch: {
      run() {
        shell.getState().show('launcher');
        launcher.getState().newTab(currentEnvironment(environments.getState())?.id ?? null);
      },
    },
    reloadGame: { when: whenOpen, run: withLaunch((id) => launcher.getState().reload(id)) },
    closeGame: { when: whenOpen, run: withLaunch((id) => startWork(launcher.getState().closeGame(id))) },
    playGame: { when: whenViewed, run: withLaunch((id) => launcher.getState().play(id)) },
    muteGame: {
      when: whenViewed,
      run() {
        const { launch, shown } = slot() ?? {};
        if (launch !== undefined && shown?.state === 'view') launcher.getState().setMuted(launch.id, !shown.muted);
      },
    },
    screenshot: { when: whenViewed, run: withLaunch((id) => startWork(launcher.getState().takeScreenshot(id))) },
    exportFolder: exports('folder'),
    exportHar: { when: whenLaunched, run: withLaunch((id) => startWork(launcher.getState().saveNetworkLog(id))) },
    exportHtml: exports('html'),
    deviceDesktop: device('desktop'),
    deviceTablet: device('tablet'),
    devicePhone: device('phone'),
    rotateDevice: { when: launcherInSight, run: () => launcher.getState().rotateShown() },
  } satisfies Partial<Behaviours>;
}
