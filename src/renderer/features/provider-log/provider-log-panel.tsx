import { useEffect, useMemo } from 'react';
import { ExternalLink, ScrollText, X } from 'lucide-react';
import { useStore } from 'zustand';
import type { LoggedVerdict, SandboxStatus } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { timeText } from '#renderer/calls/call-words.ts';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { DataTable, type Column } from '#renderer/ui/data-table.tsx';
import { useToday } from '#renderer/ui/day.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { NotLoaded } from '#renderer/ui/not-loaded.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import { SplitPane } from '#renderer/ui/split-pane.tsx';
import { useMedia } from '#renderer/ui/use-media.ts';
import { chosenVerdict, usualShares, type ProviderLogStore } from './provider-log-store.ts';
import { VerdictDetails } from './verdict-details.tsx';
import { askedText, codeText, codeTone, countText, rejectionText } from './verdict-words.ts';
import { PageFrame, PageHead } from '#renderer/ui/page-frame.tsx';

interface ProviderLogPanelProps {
  readonly store: ProviderLogStore;
  /** Null until core has replied. */
  readonly status: SandboxStatus | null;
  /** True if it is below the history instead of beside it; then the details are beside the list. */
  readonly stacked: boolean;
  /** True if links open in tabs of a browser. */
  readonly inTabs: boolean;
  /** Called when a verdict was chosen here, with its call if it has one. */
  readonly onChoose: (entry: LoggedVerdict) => void;
  readonly onOpenCall: (id: number) => void;
  readonly onClose: () => void;
}

/** Shows what the built-in provider received in this session, what it expected, and the reason of its response. */
export function ProviderLogPanel(props: ProviderLogPanelProps) {
  const { store, status, inTabs, onClose } = props;
  const controlUrl = status?.controlUrl ?? null;
  const log = useStore(store, (state) => state.log);
  useEffect(() => {
    startWork(store.getState().visit());
  }, [store]);
  return (
    <PageFrame label="Provider's log" pane="provider-log">
      <PageHead kind="pane">
        <h2>Provider&apos;s log</h2>
        <output aria-live="off" className="short quiet numbers at-end">
          {log.state === 'ready' && log.entries.length > 0 ? countText(log.entries.length, log.dropped) : ''}
        </output>
        {controlUrl === null ? null : inTabs ? (
          <a className="line-tight target rigid one-line" href={controlUrl} target="_blank" rel="noreferrer">
            Control page <ExternalLink />
          </a>
        ) : (
          <CopyButton small side="left" label="Copy the control page's URL" text={controlUrl} />
        )}
        <IconButton small side="left" label="Hide the provider's log" icon={<X />} onClick={onClose} />
      </PageHead>
      <Content {...props} />
    </PageFrame>
  );
}

function Content({ store, status, stacked, onChoose, onOpenCall }: ProviderLogPanelProps) {
  const state = useStore(store);
  const { log, choice, shares } = state;
  const slim = useMedia('(max-width: 560px)');
  const sideBySide = stacked && !slim;
  const today = useToday();
  // Details beside the list say why; it has no room for it.
  const columns = useMemo(() => columnsAt(today).filter(({ id }) => !sideBySide || id !== 'why'), [today, sideBySide]);
  const entry = chosenVerdict(state);
  // A call chosen elsewhere brings its verdict into sight; one chosen here is in sight already.
  const reveal = useMemo(
    () => (entry !== null && choice !== null && 'callId' in choice ? { key: entry.number } : null),
    [choice, entry],
  );
  if (log.state !== 'ready') {
    return (
      <NotLoaded
        of={log}
        rows={8}
        label="Loading the provider's log"
        title="The provider's log could not be read"
        retry={state.load}
      />
    );
  }
  if (log.entries.length === 0) return <NoRequests status={status} />;
  return (
    <SplitPane
      id="provider-log"
      label="Verdicts and details"
      orientation={sideBySide ? 'horizontal' : 'vertical'}
      usual={usualShares.details}
      share={shares.details}
      onShare={(share) => store.getState().setShare('details', share)}
      minFirst={sideBySide ? 260 : 90}
      minSecond={sideBySide ? 260 : 120}
      first={
        <DataTable
          label="Verdicts"
          columns={columns}
          rows={log.entries}
          rowKey={({ number }) => number}
          selectedKey={entry?.number ?? null}
          reveal={reveal}
          onOpen={onChoose}
          onOpenByClick
          onActive={(row) => {
            if (row.number !== entry?.number) onChoose(row);
          }}
        />
      }
      second={
        entry === null ? (
          <EmptyState small icon={<ScrollText />} title="No verdict selected">
            {choice !== null && 'callId' in choice
              ? `Call ${choice.callId} is not in this log: it went to another provider or is from an earlier session.`
              : 'Select one to compare received and expected.'}
          </EmptyState>
        ) : (
          <VerdictDetails key={entry.number} entry={entry} onOpenCall={onOpenCall} />
        )
      }
    />
  );
}

function NoRequests({ status }: { readonly status: SandboxStatus | null }) {
  if (status?.running === false) {
    return (
      <EmptyState icon={<ScrollText />} title="The built-in provider is not running">
        <p>{status.message ?? 'Croupier was started without it.'}</p>
        <p>
          Restart the workbench to start it. <code>croupier sandbox</code> prints its verdicts in its own terminal.
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<ScrollText />} title="No verdicts yet">
      Send a call to the built-in provider to see what arrived, what was expected, and why it was rejected.
    </EmptyState>
  );
}

/** Returns the columns; `now` in milliseconds since the epoch. */
function columnsAt(now: number): readonly Column<LoggedVerdict>[] {
  return [
    { id: 'time', title: 'Time', width: '72px', text: ({ time }) => timeText(Date.parse(time), now) },
    { id: 'action', title: 'Action', width: 'minmax(100px, 140px)', code: true, text: askedText },
    {
      id: 'code',
      title: 'Code',
      width: '86px',
      text: codeText,
      cell: (entry) => (
        <Pill tone={codeTone(entry)} size="small">
          {codeText(entry)}
        </Pill>
      ),
    },
    {
      id: 'why',
      title: 'Why',
      width: 'minmax(56px, 1fr)',
      text: rejectionText,
      cell: (entry) => <span className="in-column">{rejectionText(entry)}</span>,
    },
  ];
}
