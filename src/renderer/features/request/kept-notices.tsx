import { memo } from 'react';
import { AppWindow, FileClock, TriangleExclamationPoint } from 'lucide-react';
import { useStore } from 'zustand';
import { Button } from '#renderer/ui/button.tsx';
import type { WorkspaceKeeper } from './workspace-keeper.ts';
import styles from './kept-notices.module.css';

interface KeptProps {
  readonly keeper: WorkspaceKeeper;
}

/** Above the tabs: that none is kept, what cannot be read, and what other windows left open. */
export const KeptNotices = memo(function KeptNotices({ keeper }: KeptProps) {
  const { problem, problems, left, newer, hidden, ...actions } = useStore(keeper.store);
  const list = problem ?? problems.get('') ?? null;
  const tabs = left.reduce((sum, one) => sum + one.tabs, 0);
  const unsaved = left.reduce((sum, one) => sum + one.unsaved, 0);
  return (
    <>
      {list === null ? null : (
        <div className={styles.bad} role="alert">
          <TriangleExclamationPoint aria-hidden="true" />
          <p>{list}</p>
          <Button onClick={actions.tryAgain}>Try again</Button>
        </div>
      )}
      {newer.length === 0 && hidden === 0 ? null : (
        <div className={styles.note} role="status">
          <FileClock aria-hidden="true" />
          <p>
            {newer.length > 0
              ? `Croupier cannot read the open tabs in ${newer.join(' and ')}: another version may have written them. They stay as they are.`
              : `Croupier cannot read ${counted(hidden, 'open tab')}: another version may have written ${hidden === 1 ? 'it. It stays as it is' : 'them. They stay as they are'}.`}
          </p>
          <Button variant="quiet" onClick={actions.dismissNewer}>
            Close
          </Button>
        </div>
      )}
      {tabs === 0 ? null : (
        <div className={styles.note} role="status">
          <AppWindow aria-hidden="true" />
          <p>
            {left.length === 1 ? 'Another window' : `${left.length} other windows`} left {counted(tabs, 'tab')} open
            {unsaved === 0 ? '.' : `${unsaved === tabs ? '' : `, ${unsaved.toLocaleString('en')}`} with unsaved changes.`}
          </p>
          <Button onClick={() => void actions.takeUp()}>Open {tabs === 1 ? 'it' : 'them'} here</Button>
          <Button variant="quiet" onClick={actions.putOff}>
            Later
          </Button>
        </div>
      )}
    </>
  );
});

/** In a tab: that its text is in this window alone. */
export const NotKept = memo(function NotKept({ keeper, tabId }: KeptProps & { readonly tabId: string }) {
  const problem = useStore(keeper.store, ({ problems }) => problems.get(tabId));
  if (problem === undefined) return null;
  return (
    <div className={styles.bad} role="alert">
      <TriangleExclamationPoint aria-hidden="true" />
      <p>What you typed in this tab is not on the disk. {problem}</p>
      <Button onClick={keeper.store.getState().tryAgain}>Try again</Button>
    </div>
  );
});

function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}
