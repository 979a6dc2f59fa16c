import { useEffect } from 'react';
import { GitCompare } from 'lucide-react';
import { useStore } from 'zustand';
import type { Environment } from '#shared/ipc/index.ts';
import { amount } from '#shared/amount.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { NotLoaded } from '#renderer/ui/not-loaded.tsx';
import type { GamesStore } from './games-store.ts';
import { ageText, currencyText, olderFirst, snapshotTime } from './snapshot-words.ts';
import { useNow } from '#renderer/ui/use-now.ts';
import { Sidebar, sidebarRow } from '#renderer/ui/sidebar.tsx';
import styles from './games-sidebar.module.css';

/** Every list that was fetched from the environment, newest first; one is shown, and any other can be compared with it. */
export function GamesSidebar({ store, environment }: { store: GamesStore; environment: Environment | null }) {
  const { snapshots, shown, comparing, load, showSnapshot, compare } = useStore(store);
  // The games beside it do so, too, but their code comes later, or not at all.
  useEffect(() => {
    if (environment !== null) store.getState().enter(environment);
  }, [store, environment]);
  const time = useNow(Date.now);
  const shownId = shown.state === 'none' ? null : shown.id;
  return (
    <Sidebar
      title="Fetched lists"
      aside={snapshots.state === 'ready' && snapshots.snapshots.length > 0 ? <span>{snapshots.snapshots.length}</span> : null}
    >
      {environment === null ? null : (
        <NotLoaded of={snapshots} rows={4} label="Loading the fetched lists" title="The lists could not be read" retry={load} />
      )}
      {snapshots.state === 'ready' && snapshots.snapshots.length === 0 ? (
        <div>
          <EmptyState small title="None yet">
            Every game list that you fetch is kept here.
          </EmptyState>
        </div>
      ) : null}
      {snapshots.state === 'ready' ? (
        <ul>
          {snapshots.snapshots.map((snapshot) => {
            const on =
              comparing === null ? snapshot.id === shownId : snapshot.id === comparing.from || snapshot.id === comparing.to;
            return (
              <li key={snapshot.id} className={sidebarRow(on, styles.row)}>
                <button
                  type="button"
                  className={styles.open}
                  aria-current={on || undefined}
                  onClick={() => startWork(showSnapshot(snapshot.id))}
                >
                  <span className="numbers" title={ageText(Math.min(snapshot.fetchedAt, time), time)}>
                    {snapshotTime(snapshot.fetchedAt, time)}
                  </span>
                  <span className={styles.facts}>
                    <code>{currencyText(snapshot.currency)}</code> {amount(snapshot.games, 'game')}
                    {snapshot.problems.length === 0 ? null : <i title={snapshot.problems.join(' ')}>findings</i>}
                  </span>
                </button>
                {shownId === null || snapshot.id === shownId ? null : (
                  <IconButton
                    small
                    side="right"
                    label={`Compare with the list of ${snapshotTime(snapshot.fetchedAt, time)}`}
                    icon={<GitCompare />}
                    onClick={() => startWork(compare(...olderFirst(snapshots.snapshots, snapshot.id, shownId)))}
                  />
                )}
              </li>
            );
          })}
        </ul>
      ) : null}
    </Sidebar>
  );
}
