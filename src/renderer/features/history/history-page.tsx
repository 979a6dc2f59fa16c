import { useEffect } from 'react';
import { useStore } from 'zustand';
import { RotateCcwClock, SearchX } from 'lucide-react';
import type { Environment } from '#shared/ipc/index.ts';
import type { RepeatStore } from '#renderer/calls/repeat-store.ts';
import { Button } from '#renderer/ui/button.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { FailedState } from '#renderer/ui/failed-state.tsx';
import { Skeleton } from '#renderer/ui/skeleton.tsx';
import type { CallActions } from './call-actions.ts';
import type { ExportCalls } from './call-exports.ts';
import { CallList } from './call-list.tsx';
import { HistoryBar } from './history-bar.tsx';
import type { HistoryStore, HistoryList } from './history-store.ts';
import { totalText } from './history-words.ts';
import { StorageLine } from './storage-line.tsx';
import type { StorageStore } from './storage-store.ts';
import styles from './history-page.module.css';

/** Every recorded call, newest first; a search over requests and answers; a row opens its call again. */
export function HistoryPage({
  store,
  actions,
  exportCalls,
  repeats,
  storage,
  environments,
  run,
  openedId,
  now,
  onOpenCall,
  onFirstStep,
}: {
  store: HistoryStore;
  actions: CallActions;
  exportCalls: ExportCalls;
  repeats: RepeatStore;
  storage: StorageStore;
  /** For the colours; a removed environment's calls are grey. */
  environments: readonly Environment[];
  /** Names this run of the program; null while it is not known. */
  run: string | null;
  /** The call that is open in the active tab: where the keyboard begins. */
  openedId: number | null;
  now: () => number;
  onOpenCall: (id: number) => void;
  /** What the empty list leads to. */
  onFirstStep: () => void;
}) {
  const { list, searched, narrowed, load, loadMore, showAll } = useStore(store);
  useEffect(() => {
    void store.getState().visit();
  }, [store]);
  useEffect(() => {
    if (openedId !== null && store.getState().activeId === null) store.getState().setActive(openedId);
  }, [store, openedId]);

  return (
    <div className={styles.page}>
      <HistoryBar store={store} environments={environments} />
      {list.state === 'loading' ? <Skeleton rows={14} label="Loading the history" /> : null}
      {list.state === 'failed' ? (
        <FailedState
          title="The history could not be read"
          message={list.message}
          hint="Calls that are sent meanwhile are still recorded, or refused where they cannot be."
          retry={() => void load()}
        />
      ) : null}
      {list.state === 'ready' && list.calls.length === 0 && !narrowed ? (
        <EmptyState
          icon={<RotateCcwClock />}
          title="No call was sent yet"
          action={
            <Button variant="primary" onClick={onFirstStep}>
              Open gameList
            </Button>
          }
        >
          Each call is recorded here before it leaves, exactly as sent and received. Begin with gameList: it needs no data.
        </EmptyState>
      ) : null}
      {list.state === 'ready' && list.calls.length === 0 && narrowed ? (
        <EmptyState icon={<SearchX />} title="Nothing found" action={<Button onClick={showAll}>Show all calls</Button>}>
          {searched === ''
            ? 'No call fits what is chosen above.'
            : `No request and no answer of the calls that are chosen holds “${searched}”. The search looks for the text as it stands, with its quotes and spaces.`}
        </EmptyState>
      ) : null}
      {list.state === 'ready' && list.calls.length > 0 ? (
        <CallList
          store={store}
          actions={actions}
          exportCalls={exportCalls}
          repeats={repeats}
          environments={environments}
          run={run}
          now={now}
          onOpenCall={onOpenCall}
          footer={footerFor(list, () => void loadMore())}
        />
      ) : null}
      <StorageLine store={storage} />
    </div>
  );
}

function footerFor({ more, calls, total, totalIsExact, newestOnly }: HistoryList & { state: 'ready' }, retry: () => void) {
  if (more === 'failed') {
    return (
      <>
        Older calls could not be read.{' '}
        <button type="button" className={styles.retry} onClick={retry}>
          Try again
        </button>
      </>
    );
  }
  const narrow = 'One or two characters are looked for among the newest calls only.';
  if (more === 'end') return newestOnly ? narrow : undefined;
  const shown = `${calls.length.toLocaleString('en')} of ${totalText(total, totalIsExact)} calls`;
  return newestOnly ? `${shown}. ${narrow}` : shown;
}
