import { useEffect } from 'react';
import { Plus } from 'lucide-react';
import { useStore } from 'zustand';
import type { RunSummary } from '#shared/ipc/index.ts';
import { amount } from '#shared/amount.ts';
import { durationText, timeText } from '#renderer/calls/call-words.ts';
import { EnvironmentName } from '#renderer/calls/environment-name.tsx';
import { Button } from '#renderer/ui/button.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { NotLoaded } from '#renderer/ui/not-loaded.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import { RowList } from '#renderer/ui/row-list.tsx';
import { runWord, totalsText } from './run-words.ts';
import type { RunsStore } from './runs-store.ts';
import { Sidebar } from '#renderer/ui/sidebar.tsx';
import { now } from '#renderer/ui/use-now.ts';
import styles from './runs-sidebar.module.css';

/** The newest runs of this home, whichever program they run in. */
export function RunsSidebar({ store, onNewRun }: { store: RunsStore; onNewRun: () => void }) {
  const { list, openId, open, load } = useStore(store);
  // Here and not in the report beside it, whose code comes later, or not at all.
  useEffect(() => store.getState().visit(), [store]);
  return (
    <Sidebar
      scrolls
      title="Runs"
      aside={
        // Without a tooltip: it would take the Escape that cancels the run.
        <Button variant="quiet" icon={<Plus />} onClick={onNewRun} data-opens>
          New run
        </Button>
      }
    >
      <NotLoaded of={list} rows={6} label="Loading the runs" title="The runs could not be read" retry={load} />
      {list.state === 'ready' && list.runs.length === 0 ? (
        <div>
          <EmptyState small title="None yet">
            Croupier keeps the newest 100.
          </EmptyState>
        </div>
      ) : null}
      {list.state === 'ready' && list.runs.length > 0 ? (
        <RowList
          label="Runs"
          rows={list.runs}
          rowKey={runKey}
          height={rowHeight}
          currentKey={openId}
          draw={(run) => <Entry run={run} />}
          onOpen={({ runId }) => open(runId)}
        />
      ) : null}
    </Sidebar>
  );
}

/** Height of three lines and the space around them, in pixels. */
const rowHeight = 66;

function runKey({ runId }: RunSummary): string {
  return runId;
}

function Entry({ run }: { run: RunSummary }) {
  const word = runWord(run);
  const { totals, planned, state } = run;
  const counts =
    state === 'running'
      ? `${totals.requests.toLocaleString('en')} of ${amount(planned, 'request')}`
      : `${totalsText(totals)}${totals.requests < planned ? `, of ${planned.toLocaleString('en')}` : ''}`;
  return (
    <span className={styles.row}>
      <span className="short" title={run.collection}>
        {run.collection}
      </span>
      <Pill tone={word.tone} size="small">
        {word.text}
      </Pill>
      <span className={styles.counts}>{counts}</span>
      <span className={styles.facts}>
        <EnvironmentName name={run.environment} title={run.environment} className={styles.environment} />
        <span>{timeText(run.startedAt, now())}</span>
        {run.durationMs === null ? null : <span>{durationText(run.durationMs)}</span>}
      </span>
    </span>
  );
}
