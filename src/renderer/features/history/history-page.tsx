import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { RotateCcwClock, SearchX } from 'lucide-react';
import type { CallSummary, Environment } from '#shared/ipc/index.ts';
import { operationByName } from '#shared/provider/index.ts';
import { bytesText, durationText, messageOf, outcomeOf, timeText } from '#renderer/calls/call-words.ts';
import { Button } from '#renderer/ui/button.tsx';
import { ColorMark } from '#renderer/ui/color-mark.tsx';
import { DataTable, type Column } from '#renderer/ui/data-table.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { FailedState } from '#renderer/ui/failed-state.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import { SearchField } from '#renderer/ui/search-field.tsx';
import { Skeleton } from '#renderer/ui/skeleton.tsx';
import type { HistoryStore } from './history-store.ts';
import styles from './history-page.module.css';

/** Every recorded call, newest first; a search over requests and answers; a row opens its call again. */
export function HistoryPage({
  store,
  environments,
  openedId,
  onOpenCall,
  onFirstStep,
}: {
  store: HistoryStore;
  /** For the colours; a removed environment's calls are grey. */
  environments: readonly Environment[];
  /** The call that is open in the active tab. */
  openedId: number | null;
  onOpenCall: (id: number) => void;
  /** What the empty list leads to. */
  onFirstStep: () => void;
}) {
  const { list, text, searched, load, loadMore, setText } = useStore(store);
  useEffect(() => {
    void store.getState().visit();
  }, [store]);
  const columns = useMemo(() => columnsFor(environments), [environments]);

  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        <h1>History</h1>
        <SearchField label="Search requests and answers" value={text} onText={setText} className={styles.search} />
        <output className={styles.count}>{list.state === 'ready' ? countText(list.total, searched) : ''}</output>
      </header>
      {list.state === 'loading' ? <Skeleton rows={14} label="Loading the history" /> : null}
      {list.state === 'failed' ? (
        <FailedState
          title="The history could not be read"
          message={list.message}
          hint="Calls that are sent meanwhile are still recorded, or refused where they cannot be."
          retry={() => void load()}
        />
      ) : null}
      {list.state === 'ready' && list.calls.length === 0 && searched === '' ? (
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
      {list.state === 'ready' && list.calls.length === 0 && searched !== '' ? (
        <EmptyState icon={<SearchX />} title="Nothing found" action={<Button onClick={() => setText('')}>Show all calls</Button>}>
          No request and no answer holds “{searched}”. The search looks for the text as it stands, with its quotes and spaces.
        </EmptyState>
      ) : null}
      {list.state === 'ready' && list.calls.length > 0 ? (
        <DataTable
          label="Calls"
          columns={columns}
          rows={list.calls}
          rowKey={(call) => call.id}
          selectedKey={openedId}
          total={list.total}
          onOpen={(call) => onOpenCall(call.id)}
          onOpenByClick
          onEndReached={list.more === 'idle' ? () => void loadMore() : undefined}
          footer={footerFor(list.more, list.calls.length, list.total, () => void loadMore())}
        />
      ) : null}
    </div>
  );
}

function countText(total: number, searched: string): string {
  const calls = `${total.toLocaleString('en')} ${total === 1 ? 'call' : 'calls'}`;
  return searched === '' ? calls : `${calls} found`;
}

function footerFor(more: 'idle' | 'loading' | 'end' | 'failed', shown: number, total: number, retry: () => void) {
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
  if (more === 'end') return undefined;
  return `${shown.toLocaleString('en')} of ${total.toLocaleString('en')} calls`;
}

function columnsFor(environments: readonly Environment[]): readonly Column<CallSummary>[] {
  const now = Date.now();
  const known = new Map(environments.map((environment) => [environment.id, environment]));
  return [
    { id: 'time', title: 'Time', width: '148px', text: (call) => timeText(call.sentAt, now) },
    {
      id: 'operation',
      title: 'Operation',
      width: 'minmax(130px, 170px)',
      code: true,
      text: (call) => operationTitle(call),
    },
    {
      id: 'environment',
      title: 'Environment',
      width: 'minmax(110px, 170px)',
      text: (call) => call.environmentName,
      cell: (call) => {
        const environment = known.get(call.environmentId);
        return (
          <span className={styles.environment}>
            <ColorMark color={environment?.color ?? 'grey'} production={environment?.production ?? false} />
            <span>{call.environmentName}</span>
          </span>
        );
      },
    },
    {
      id: 'outcome',
      title: 'Answer',
      width: '118px',
      text: (call) => outcomeOf(call).text,
      cell: (call) => {
        const outcome = outcomeOf(call);
        return (
          <Pill tone={outcome.tone} size="small">
            {outcome.text}
          </Pill>
        );
      },
    },
    { id: 'message', title: 'Message', width: 'minmax(160px, 1fr)', text: messageOf },
    { id: 'duration', title: 'Time taken', width: '92px', align: 'end', text: (call) => durationText(call.durationMs) },
    { id: 'size', title: 'Size', width: '82px', align: 'end', text: (call) => bytesText(call.responseBytes) },
  ];
}

function operationTitle(call: CallSummary): string {
  const operation = operationByName(call.operation);
  return operation.endpoint === 'wallet' ? operation.path : operation.name;
}
