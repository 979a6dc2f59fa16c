import { amount } from '#shared/amount.ts';
import { memo, type ReactNode } from 'react';
import { AppWindow, FileClock, TriangleExclamationPoint } from 'lucide-react';
import { useStore } from 'zustand';
import type { LeftWorkspace } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { classNames } from '#renderer/ui/class-names.ts';
import { unknownText, type UnknownFilesStore } from './unknown-files.ts';
import type { WorkspaceKeeper } from './workspace-keeper.ts';
import styles from '../request-notes.module.css';

interface KeptProps {
  readonly keeper: WorkspaceKeeper;
}

/** Notices above the tabs: that none is kept, what cannot be read or is not known, and what other windows left open. */
export const KeptNotices = memo(function KeptNotices({
  keeper,
  unknownFiles,
}: KeptProps & { readonly unknownFiles: UnknownFilesStore }) {
  const { problem, problems, left, leftProblem, newer, hidden, ...actions } = useStore(keeper.store);
  const list = problem ?? problems.get('') ?? null;
  const tabs = tabsIn(left);
  const unknown = useStore(unknownFiles);
  return (
    <>
      {list === null ? null : (
        <Line bad>
          <TriangleExclamationPoint />
          <p>{list}</p>
          <Button onClick={actions.tryAgain}>Try again</Button>
        </Line>
      )}
      {newer.length === 0 && hidden === 0 ? null : (
        <Line>
          <FileClock />
          <p>
            {newer.length > 0
              ? `Croupier can't read the open tabs in ${newer.join(' and ')} and leaves them unchanged. Another version may have written them.`
              : `Croupier can't read ${amount(hidden, 'open tab')} and leaves ${hidden === 1 ? 'it' : 'them'} unchanged. Another version may have written ${hidden === 1 ? 'it' : 'them'}.`}
          </p>
          <Button variant="quiet" onClick={actions.dismissNewer}>
            Close
          </Button>
        </Line>
      )}
      {unknown.names.length === 0 ? null : (
        <Line>
          <FileClock />
          <p>{unknownText(unknown.names)}</p>
          <Button variant="quiet" onClick={unknown.dismiss}>
            Close
          </Button>
        </Line>
      )}
      {tabs === 0 && leftProblem === null ? null : (
        <Line>
          <AppWindow />
          <p>
            {leftProblem === null ? null : `Some tabs from other windows couldn't be opened here. ${leftProblem} `}
            {tabs === 0 ? null : leftText(left)}
          </p>
          {tabs === 0 ? null : (
            <Button onClick={() => startWork(actions.takeUp())}>Open {tabs === 1 ? 'it' : 'them'} here</Button>
          )}
          <Button variant="quiet" onClick={actions.putOff}>
            {tabs === 0 ? 'Close' : 'Later'}
          </Button>
        </Line>
      )}
    </>
  );
});

/** Notice in a tab: its text is in this window alone. */
export const NotKept = memo(function NotKept({ keeper, tabId }: KeptProps & { readonly tabId: string }) {
  const problem = useStore(keeper.store, ({ problems }) => problems.get(tabId));
  if (problem === undefined) return null;
  return (
    <Line bad>
      <TriangleExclamationPoint />
      <p>Your edits in this tab aren&apos;t backed up. {problem}</p>
      <Button onClick={keeper.store.getState().tryAgain}>Try again</Button>
    </Line>
  );
});

function tabsIn(left: readonly LeftWorkspace[]): number {
  return left.reduce((sum, one) => sum + one.tabs, 0);
}

/** Returns `2 other windows left 5 tabs open, 3 with unsaved changes.` */
function leftText(left: readonly LeftWorkspace[]): string {
  const tabs = tabsIn(left);
  const unsaved = left.reduce((sum, one) => sum + one.unsaved, 0);
  const who = left.length === 1 ? 'Another window' : `${left.length} other windows`;
  const changes = unsaved === 0 ? '' : `${unsaved === tabs ? '' : `, ${unsaved.toLocaleString('en')}`} with unsaved changes`;
  return `${who} left ${amount(tabs, 'tab')} open${changes}.`;
}

/** One notice. Its buttons end it, with the keyboard on one of them. */
function Line({ bad = false, children }: { readonly bad?: boolean; readonly children: ReactNode }) {
  return (
    <div className={classNames(styles.note, !bad && styles.plain)} role={bad ? 'alert' : 'status'}>
      {children}
    </div>
  );
}
