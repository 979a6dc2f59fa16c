import { useRef, useState, type SyntheticEvent } from 'react';
import { ListChecks } from 'lucide-react';
import { useStore } from 'zustand';
import type { RunSummary } from '#shared/ipc/index.ts';
import { amount } from '#shared/amount.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Checkbox } from '#renderer/ui/checkbox.tsx';
import { DataTable } from '#renderer/ui/data-table.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { NotLoaded } from '#renderer/ui/not-loaded.tsx';
import { SplitPane } from '#renderer/ui/split-pane.tsx';
import { useMedia } from '#renderer/ui/use-media.ts';
import { RequestDetails } from './request-details.tsx';
import { runColumnsFor } from './run-columns.tsx';
import { RunHead, type RunHeadActions } from './run-head.tsx';
import type { RunRow } from './run-rows.ts';
import type { ShownReport } from './run-report.ts';
import { openRun, type RunsStore } from './runs-store.ts';
import { PageFrame } from '#renderer/ui/page-frame.tsx';

export interface RunsPageProps extends RunHeadActions {
  readonly store: RunsStore;
  readonly onNewRun: () => void;
  readonly onOpenCall: (id: number) => void;
  /** Returns whether the collection of a run is open, so that its files can be. */
  readonly canOpenRequest: (run: RunSummary) => boolean;
  /** Opens the file of a request with its checks, as it was in the run. */
  readonly onOpenRequest: (run: RunSummary, row: RunRow) => void;
}

/** The report of one run, which grows while it runs. */
export function RunsPage(props: RunsPageProps) {
  const { store, onNewRun, onOpenCall, onRunAgain, onOpenCalls, canOpenRequest, onOpenRequest } = props;
  const state = useStore(store);
  const { list, openId, report, load, open } = state;
  const run = openRun(state);
  return (
    <PageFrame>
      {run === null ? <h1 className="visually-hidden">Runs</h1> : null}
      <NotLoaded of={list} rows={10} label="Loading the runs" title="The runs could not be read" retry={load} />
      {list.state === 'ready' && list.runs.length === 0 && openId === null ? <FirstRun onNewRun={onNewRun} /> : null}
      {run === null ? null : <RunHead store={store} run={run} onRunAgain={onRunAgain} onOpenCalls={onOpenCalls} />}
      {list.state === 'ready' ? (
        <NotLoaded
          of={report}
          rows={10}
          label="Loading the report"
          title="The report could not be read"
          hint="The calls of the run are in the history."
          retry={() => (openId === null ? null : open(openId))}
        />
      ) : null}
      {run !== null && report.state === 'ready' ? (
        <Requests
          store={store}
          report={report}
          running={run.state === 'running'}
          onOpenCall={onOpenCall}
          onOpenRequest={canOpenRequest(run) ? (row) => onOpenRequest(run, row) : null}
        />
      ) : null}
    </PageFrame>
  );
}

function FirstRun({ onNewRun }: { onNewRun: () => void }) {
  return (
    <EmptyState
      icon={<ListChecks />}
      title="No runs yet"
      action={
        <Button variant="primary" command="send" onClick={onNewRun}>
          New run
        </Button>
      }
    >
      <p>A run sends a collection&apos;s requests and checks each response.</p>
      <p>
        Try Croupier&apos;s <code>starter-collections/first-call</code>.
      </p>
    </EmptyState>
  );
}

function Requests({
  store,
  report,
  running,
  onOpenCall,
  onOpenRequest,
}: {
  store: RunsStore;
  report: Extract<ShownReport, { state: 'ready' }>;
  running: boolean;
  onOpenCall: (id: number) => void;
  onOpenRequest: ((row: RunRow) => void) | null;
}) {
  const { chosen, onlyFailed, choose, setOnlyFailed } = useStore(store);
  const stacked = useMedia('(max-width: 1399px)');
  const [share, setShare] = useState(usualShare);
  const { all, unclean, unrecorded, reading } = report;
  const { rows, headings } = onlyFailed ? unclean : all;
  const table = useRef<HTMLDivElement>(null);
  const row = chosen === null ? null : report.find(chosen);
  function close(): void {
    choose(null);
    // Back to the row from which they were opened.
    table.current?.querySelector<HTMLElement>('[data-item][tabindex="0"]')?.focus();
  }
  /** Enter shows a request, and once it is shown opens it, as a double click does. */
  function openShown(event: SyntheticEvent): void {
    const at = event.target instanceof Element ? event.target.closest('[data-item]') : null;
    if (at === null || row === null || at.getAttribute('aria-selected') !== 'true') return;
    event.preventDefault();
    event.stopPropagation();
    onOpenRequest?.(row);
  }
  return (
    <SplitPane
      id="runs"
      label="Requests and checks"
      orientation={stacked ? 'vertical' : 'horizontal'}
      usual={usualShare}
      share={share}
      onShare={setShare}
      minFirst={stacked ? 140 : 420}
      minSecond={stacked ? 140 : 320}
      first={
        <div
          ref={table}
          className="fill-column"
          onKeyDownCapture={(event) => {
            if (event.key === 'Enter' && onOpenRequest !== null) openShown(event);
          }}
          onDoubleClick={openShown}
        >
          <div className="bar small">
            <Checkbox checked={onlyFailed} onChange={setOnlyFailed}>
              {unrecorded ? 'Failed or not recorded only' : 'Failed only'} ({unclean.rows.length.toLocaleString('en')})
            </Checkbox>
            {reading ? <span className="quiet numbers at-end">{amount(rows.length, 'request')} so far</span> : null}
          </div>
          {rows.length === 0 ? (
            <EmptyState title={all.rows.length === 0 ? (running ? 'Nothing done yet' : 'No requests ran') : 'Everything passed'}>
              {all.rows.length === 0 ? 'Requests appear here when they are done.' : 'No request failed or was skipped.'}
            </EmptyState>
          ) : (
            <DataTable
              label="Requests of the run"
              columns={runColumnsFor(row !== undefined && row !== null)}
              rows={rows}
              rowKey={rowKey}
              headings={headings}
              selectedKey={chosen}
              onOpen={({ key }) => choose(key)}
              onOpenByClick
              onActive={({ key }) => {
                if (chosen !== null) choose(key);
              }}
            />
          )}
        </div>
      }
      second={
        row === null ? null : <RequestDetails row={row} onOpenCall={onOpenCall} onOpenRequest={onOpenRequest} onClose={close} />
      }
    />
  );
}

/** The part of the requests beside the checks of one, in percent. */
const usualShare = 62;

function rowKey({ key }: RunRow): string {
  return key;
}
