import { useEffect } from 'react';
import { Play } from 'lucide-react';
import { useStore } from 'zustand';
import { startWork } from '#renderer/faults/faults.ts';
import { findOpenPoint } from '#shared/provider/index.ts';
import { currentEnvironment } from '#renderer/features/environments/environments-store.ts';
import { launchGame } from '#renderer/features/launcher/launch-commands.ts';
import type { GameToLaunch } from '#renderer/features/launcher/tabs/new-launches.ts';
import { Button } from '#renderer/ui/button.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { useMedia } from '#renderer/ui/use-media.ts';
import { Skeleton } from '#renderer/ui/skeleton.tsx';
import { lazyPage } from '#renderer/ui/lazy-page.ts';
import { openCall } from './open-call.ts';
import type { Workbench } from './workbench.ts';

const LauncherPage = lazyPage(async () => (await import('#renderer/features/launcher/launcher-page.tsx')).LauncherPage);

/** The launcher, joined with the environment it launches in. */
export function LauncherArea({ workbench }: { workbench: Workbench }) {
  const { environments, launcher, openPoints, shell } = workbench;
  const list = useStore(environments, (state) => state.list);
  const environment = useStore(environments, currentEnvironment);
  const embeds = useStore(shell, (state) => state.info?.capabilities.embedGame === true);
  const narrow = useMedia(narrowQuery);
  const { show } = shell.getState();
  useEffect(() => startWork(shell.getState().load()), [shell]);
  if (list.state === 'loading' || environment === null) {
    return (
      <>
        <h1 className="visually-hidden">Launcher</h1>
        {list.state === 'loading' ? (
          <Skeleton rows={10} label="Loading the launcher" />
        ) : (
          <EmptyState
            icon={<Play />}
            title="No environment chosen"
            action={<Button onClick={() => show('environments')}>Open environments</Button>}
          >
            Choose an environment at the top right, or create one.
          </EmptyState>
        )}
      </>
    );
  }
  return (
    <LauncherPage
      store={launcher}
      environment={environment}
      narrow={narrow}
      embeds={embeds}
      onOpenCall={(id) => openCall(workbench, id)}
      onOpenPoint={(id) => {
        const point = findOpenPoint(id);
        if (point !== null) openPoints.getState().open(point.id);
        show('openPoints');
      }}
      onOpenGames={() => show('games')}
    />
  );
}

/** Shows the launcher and launches a game of the catalogue there, at the catalogue's own provider. */
export function launchFromCatalogue(workbench: Workbench, game: GameToLaunch): void {
  const { environments, launcher, shell } = workbench;
  if (environments.getState().currentId !== game.environmentId) environments.getState().select(game.environmentId);
  shell.getState().show('launcher');
  const environment = currentEnvironment(environments.getState());
  if (environment !== null) startWork(launchGame(launcher, game, environment));
}

/** Shows the launcher with the game or the replay that a call of the history brought. */
export function launchFromCall(workbench: Workbench, callId: number): void {
  workbench.shell.getState().show('launcher');
  startWork(workbench.launcher.getState().fromCall(callId));
}

const narrowQuery = '(max-width: 1023px)';
