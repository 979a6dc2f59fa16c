import { Play } from 'lucide-react';
import { Button } from '#renderer/ui/button.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { Kbd } from '#renderer/ui/kbd.tsx';
import { EarlierLaunches } from '../records/earlier-launches-list.tsx';
import type { LauncherStore } from '../tabs/launcher-store.ts';
import styles from './first-launch.module.css';

/** The stage before a launch: the first step, and earlier launches. */
export function FirstLaunch({
  store,
  asking,
  ready,
  onOpenGames,
}: {
  store: LauncherStore;
  /** True while a launcher URL was requested and has not come. */
  asking: boolean;
  /** True if a game is chosen. */
  ready: boolean;
  onOpenGames: () => void;
}) {
  return (
    <div className={styles.place}>
      <EmptyState
        icon={<Play />}
        title={asking ? 'Asking for the launcher URL' : 'No game is open'}
        action={
          ready ? (
            <Kbd command="send" />
          ) : (
            <Button variant="primary" onClick={onOpenGames}>
              Pick a game
            </Button>
          )
        }
      >
        Croupier checks the launcher URL against your request and records everything the game does.
      </EmptyState>
      <EarlierLaunches store={store} />
    </div>
  );
}
