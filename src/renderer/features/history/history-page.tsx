import { useEffect, useRef, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { RotateCcwClock, Search, SearchX } from 'lucide-react';
import type { CallSummary, Environment } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import type { RepeatStore } from '#renderer/calls/repeat-store.ts';
import { Button } from '#renderer/ui/button.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { FailedState } from '#renderer/ui/failed-state.tsx';
import { Skeleton } from '#renderer/ui/skeleton.tsx';
import { SplitPane } from '#renderer/ui/split-pane.tsx';
import type { CallActions } from './call-actions.ts';
import type { CallExports } from './call-exports.ts';
import { CallList } from './call-list.tsx';
import { ExportLine } from './export-line.tsx';
import { SearchLine } from './search-line.tsx';
import { ForgetDialog } from './forget-dialog.tsx';
import type { ForgetStore } from './forget-store.ts';
import { HistoryBar } from './history-bar.tsx';
import type { HistoryList } from './call-pages.ts';
import type { HistoryStore } from './history-store.ts';
import { totalText } from './history-words.ts';
import { StorageLine } from './storage-line.tsx';
import type { StorageStore } from './storage-store.ts';
import { PageFrame } from '#renderer/ui/page-frame.tsx';
import styles from './history-page.module.css';

/** A second pane of the page, which the shell fills: the selected call, or the provider's log. */
export interface BesideHistory {
  /** Null while it is not shown. */
  readonly pane: ReactNode;
  /** Shows the provider's log in the pane, or hides it. */
  readonly onToggle: () => void;
  /** True if it is below the list instead of beside it. */
  readonly stacked: boolean;
  /** The list's part in percent. */
  readonly share: number;
  readonly onShare: (share: number) => void;
  /** A call to bring into sight; a new object does it again. */
  readonly reveal: { readonly key: number } | null;
}

/** Every recorded call, newest first, with a search over requests and responses; the selected call is beside the list. */
export function HistoryPage({
  store,
  actions,
  exports,
  repeats,
  storage,
  forget,
  environments,
  run,
  openedId,
  now,
  beside,
  logShown,
  onOpenCall,
  onCompare,
  onExamine,
  onFirstStep,
}: {
  store: HistoryStore;
  actions: CallActions;
  exports: CallExports;
  repeats: RepeatStore;
  storage: StorageStore;
  forget: ForgetStore;
  /** For the colours; calls of a removed environment are grey. */
  environments: readonly Environment[];
  /** ID of this session of Croupier; null while it is not known. */
  run: string | null;
  /** The call that is open in the active tab: the keyboard begins there. */
  openedId: number | null;
  now: () => number;
  beside: BesideHistory;
  /** True if the second pane is the provider's log. */
  logShown: boolean;
  onOpenCall: (id: number) => void;
  /** Compares the ticked calls, which must be two. */
  onCompare: (calls: readonly CallSummary[]) => void;
  /** Opens the call in the doctor. */
  onExamine: (id: number) => void;
  /** Takes the user of an empty list to the first request. */
  onFirstStep: () => void;
}) {
  const { list, searched, narrowed, load, loadMore, showAll } = useStore(store);
  const page = useRef<HTMLDivElement>(null);
  useEffect(() => {
    startWork(store.getState().visit());
  }, [store]);
  useEffect(() => {
    if (openedId !== null && store.getState().activeId === null) store.getState().setActive(openedId);
  }, [store, openedId]);

  // One selector for both would find the search field, which comes before the rows.
  const backToRow = () => {
    const find = (selector: string) => page.current?.querySelector<HTMLElement>(selector);
    (find('[data-item][tabindex="0"]') ?? find('input'))?.focus();
  };
  const content = () => (
    <>
      {list.state === 'loading' ? <Skeleton rows={14} label="Loading the history" /> : null}
      {list.state === 'failed' ? (
        <FailedState
          title="The history could not be read"
          message={list.message}
          hint="You can still send: Croupier records each call or refuses it."
          retry={() => startWork(load())}
        />
      ) : null}
      {list.state === 'ready' && list.calls.length === 0 && !narrowed ? (
        <EmptyState
          icon={<RotateCcwClock />}
          title="No calls in the history"
          action={
            <Button variant="primary" onClick={onFirstStep}>
              Open gameList
            </Button>
          }
        >
          Each call is recorded here before it leaves, exactly as sent and received. Begin with gameList: it needs no data.
        </EmptyState>
      ) : null}
      {list.state === 'ready' && list.calls.length === 0 && list.search !== null ? (
        <EmptyState icon={<Search />} title={list.search.going ? 'Nothing found yet' : 'Nothing found where it was searched'}>
          {list.search.going ? 'Croupier shows each call as it finds it.' : 'Older calls were not searched.'}
        </EmptyState>
      ) : null}
      {list.state === 'ready' && list.calls.length === 0 && list.search === null && narrowed ? (
        <EmptyState icon={<SearchX />} title="Nothing found" action={<Button onClick={showAll}>Show all calls</Button>}>
          {searched === ''
            ? 'No call fits what is chosen above.'
            : `No request and no response of the calls that are chosen holds "${searched}". The search looks for the text as it stands, with its quotes and spaces.${list.newestOnly ? ` ${narrow}` : ''}`}
        </EmptyState>
      ) : null}
      {list.state === 'ready' && list.calls.length > 0 ? (
        <CallList
          store={store}
          actions={actions}
          exports={exports}
          repeats={repeats}
          environments={environments}
          run={run}
          now={now}
          onOpenCall={onOpenCall}
          compact={beside.pane !== null}
          reveal={beside.reveal}
          onCompare={onCompare}
          onExamine={onExamine}
          onForget={(callId) => startWork(forget.getState().open(callId))}
          footer={footerFor(list, () => startWork(loadMore()))}
        />
      ) : null}
    </>
  );

  return (
    <PageFrame ref={page}>
      <HistoryBar store={store} logShown={logShown} onToggleLog={beside.onToggle} />
      <SplitPane
        id="history"
        label={logShown ? "History and the provider's log" : 'History and the selected call'}
        orientation={beside.stacked ? 'vertical' : 'horizontal'}
        share={beside.share}
        onShare={beside.onShare}
        minFirst={beside.stacked ? 170 : 380}
        minSecond={beside.stacked ? 170 : 320}
        first={content()}
        second={beside.pane}
      />
      <SearchLine store={store} onGone={backToRow} />
      <ExportLine store={exports} onGone={backToRow} />
      <StorageLine store={storage} onForget={() => startWork(forget.getState().open(store.getState().activeId))} />
      <ForgetDialog store={forget} />
    </PageFrame>
  );
}

const narrow = 'One or two characters are looked for in the newest 20,000 calls only; a third one searches all.';

function footerFor(
  { more, calls, total, totalIsExact, newestOnly, search }: HistoryList & { state: 'ready' },
  retry: () => void,
) {
  if (search !== null) return search.going ? 'Older calls are being searched.' : 'Older calls were not searched.';
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
  if (more === 'end') return newestOnly ? narrow : undefined;
  const shown = `${calls.length.toLocaleString('en')} of ${totalText(total, totalIsExact)} calls`;
  return newestOnly ? `${shown}. ${narrow}` : shown;
}
