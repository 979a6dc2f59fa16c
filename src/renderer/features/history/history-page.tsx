import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { CallSummary, Environment, ListedPack } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import type { RepeatStore } from '#renderer/calls/repeat-store.ts';
import { moveFocus } from '#renderer/ui/focus-rule.ts';
import { ListPanes, type BesideList } from '#renderer/ui/list-panes.tsx';
import { PageFrame } from '#renderer/ui/page-frame.tsx';
import type { CallActions } from './call-actions.ts';
import type { CallCopies } from '#renderer/calls/copy-call.ts';
import type { CallExports } from './call-exports.ts';
import { CallList } from './call-list.tsx';
import { CallStrip } from './call-strip.tsx';
import type { HistoryList } from './call-pages.ts';
import { ForgetDialog } from './forget-dialog.tsx';
import type { ForgetStore } from './forget-store.ts';
import { HistoryBar } from './history-bar.tsx';
import { HistoryStates } from './history-states.tsx';
import type { HistoryStore } from './history-store.ts';
import { shortText, searchedText } from './history-words.ts';
import { PackLine } from './pack-line.tsx';
import type { PacksStore } from './packs-store.ts';
import { RetentionDialog } from './retention-dialog.tsx';
import { retentionLine } from './retention-words.ts';
import { StorageLine } from './storage-line.tsx';
import type { StorageStore } from './storage-store.ts';
import { ProgressLine } from './progress-line.tsx';

/** The second pane of the history. */
export interface BesideHistory extends BesideList {
  /** Shows the provider's log in the pane, or hides it. */
  readonly onToggle: () => void;
  /** A call to bring into sight; a new object does it again. */
  readonly reveal: { readonly key: number } | null;
}

/** Every recorded call, newest first, with a search over requests and responses; the selected call is beside the list. */
export function HistoryPage({
  store,
  actions,
  exports,
  copies,
  repeats,
  storage,
  packs: packsStore,
  forget,
  environments,
  run,
  openedId,
  beside,
  logShown,
  onOpenCall,
  onCompare,
  onExamine,
  onOpenPack,
  onFirstStep,
}: {
  store: HistoryStore;
  actions: CallActions;
  exports: CallExports;
  copies: CallCopies;
  repeats: RepeatStore;
  storage: StorageStore;
  packs: PacksStore;
  forget: ForgetStore;
  /** For the colours; calls of a removed environment are grey. */
  environments: readonly Environment[];
  /** ID of this session of Croupier; null while it is not known. */
  run: string | null;
  /** The call that is open in the active tab: the keyboard begins there. */
  openedId: number | null;
  beside: BesideHistory;
  /** True if the second pane is the provider's log. */
  logShown: boolean;
  onOpenCall: (id: number) => void;
  /** Compares the ticked calls, which must be two. */
  onCompare: (calls: readonly CallSummary[]) => void;
  /** Opens the call in the doctor. */
  onExamine: (id: number) => void;
  /** Asks for the file of a support pack. */
  onOpenPack: () => void;
  /** Takes the user of an empty list to the first request. */
  onFirstStep: () => void;
}) {
  const { list, choice, ticked, loadMore } = useStore(store);
  const { packs, close } = useStore(packsStore);
  const pack = packs.find(({ id }) => id === choice.pack);
  const status = useStore(storage, (state) => state.status);
  const [choosing, setChoosing] = useState(false);
  const [visited, setVisited] = useState(false);
  const page = useRef<HTMLDivElement>(null);
  const noteField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    startWork(
      store
        .getState()
        .visit()
        .finally(() => setVisited(true)),
    );
    startWork(packsStore.getState().load());
    startWork(storage.getState().load());
  }, [store, packsStore, storage]);
  useEffect(() => {
    const { activeId, choice: chosen, setActive } = store.getState();
    if (openedId !== null && activeId === null && chosen.pack === null) setActive(openedId);
  }, [store, openedId]);

  // One selector for both would find the search field, which comes before the rows.
  const backToRow = () => {
    const find = (selector: string) => page.current?.querySelector<HTMLElement>(selector);
    (find('[data-item][tabindex="0"]') ?? find('input'))?.focus();
  };
  const showDetail = () => {
    // In turns, a click on a row brings its call into sight.
    if (beside.place === 'tab') page.current?.querySelector<HTMLElement>('[data-item][tabindex="0"]')?.click();
    moveFocus(document, '[data-pane="call"] [role="tab"][aria-selected="true"]');
  };
  const closePack = (open: ListedPack) => {
    // The button with the focus goes away with the pack.
    page.current?.querySelector<HTMLElement>('input')?.focus();
    startWork(close(open));
  };
  const rows =
    list.state === 'ready' && list.calls.length > 0 ? (
      <CallList
        store={store}
        actions={actions}
        exports={exports}
        copies={copies}
        repeats={repeats}
        environments={environments}
        run={run}
        onOpenCall={onOpenCall}
        onShow={showDetail}
        compact={beside.pane !== null}
        reveal={beside.reveal}
        onCompare={onCompare}
        onExamine={onExamine}
        onForget={(callId) => startWork(forget.getState().open(callId))}
        reading={!visited}
        noteField={noteField}
        footer={footerFor(list, () => startWork(loadMore()))}
      />
    ) : (
      <HistoryStates store={store} onFirstStep={onFirstStep} />
    );

  const strip =
    list.state === 'ready' && list.calls.length > 0 ? (
      <CallStrip
        store={store}
        actions={actions}
        exports={exports}
        copies={copies}
        repeats={repeats}
        onOpenCall={onOpenCall}
        noteField={noteField}
        onDone={backToRow}
        onCompare={onCompare}
        onExamine={onExamine}
      />
    ) : null;

  return (
    <PageFrame ref={page}>
      <ListPanes
        id="history"
        listTitle="Calls"
        beside={beside}
        asked={logShown}
        label={logShown ? "History and the provider's log" : 'History and the selected call'}
        bar={
          <>
            <HistoryBar
              store={store}
              packs={packs}
              logShown={logShown}
              onToggleLog={beside.onToggle}
              onCompare={onCompare}
              onUnticked={backToRow}
              onOpenPack={onOpenPack}
              onLimits={status === null ? null : { now: retentionLine(status.retention), change: () => setChoosing(true) }}
            />
            {pack === undefined ? null : <PackLine pack={pack} onClose={() => closePack(pack)} />}
          </>
        }
        list={rows}
        foot={strip}
        chosen={ticked.size > 0}
        onBackToRow={backToRow}
      />
      <SearchLine store={store} onGone={backToRow} />
      <ExportLine store={exports} onGone={backToRow} />
      {choice.pack === null ? <StorageLine store={storage} /> : null}
      {choosing && status !== null ? (
        <RetentionDialog store={storage} status={status} onClose={() => setChoosing(false)} />
      ) : null}
      <ForgetDialog store={forget} />
    </PageFrame>
  );
}

function footerFor({ more, newestOnly, search }: HistoryList & { state: 'ready' }, retry: () => void) {
  if (search !== null) return search.going ? 'Searching older calls…' : 'Older calls were not searched.';
  if (more === 'failed') {
    return (
      <>
        Couldn&apos;t read older calls.{' '}
        <button type="button" className="link strong" onClick={retry}>
          Try again
        </button>
      </>
    );
  }
  return newestOnly ? shortText : undefined;
}

/** Shows the progress of an export that takes longer than a moment, and the way to end it. */
function ExportLine({ store, onGone }: { store: CallExports; onGone: () => void }) {
  const { shown, cancel } = useStore(store);
  if (shown === null) return null;
  const title = `Exporting ${shown.calls.toLocaleString('en')} ${shown.calls === 1 ? 'call' : 'calls'}`;
  return (
    <ProgressLine
      label="Export"
      title={title}
      text={shown.text}
      share={shown.share}
      action="Cancel"
      keys="Escape"
      onAction={cancel}
      onGone={onGone}
    />
  );
}

/** Shows the progress of a search that takes longer than a moment, with the way to stop it; after a stop, the way to go on. */
function SearchLine({ store, onGone }: { store: HistoryStore; onGone: () => void }) {
  const { list, stopSearch, resumeSearch } = useStore(store);
  const search = list.state === 'ready' ? list.search : null;
  if (search === null) return null;
  const { going, looked, of } = search;
  return going ? (
    <ProgressLine
      key="going"
      soon
      label="Search"
      title="Still searching"
      text={searchedText(search)}
      share={of === null || of === 0 ? null : looked / of}
      action="Cancel"
      keys="Escape"
      onAction={stopSearch}
      onGone={onGone}
    />
  ) : (
    <ProgressLine
      key="stopped"
      label="Search"
      title="Search stopped"
      text={`${searchedText(search)} Older calls were not searched.`}
      share={null}
      action="Continue"
      onAction={() => startWork(resumeSearch())}
      onGone={onGone}
    />
  );
}
