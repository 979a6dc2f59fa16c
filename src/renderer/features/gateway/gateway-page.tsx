import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { Activity, FilePen, ListChecks, Pause, Play, RotateCcwClock, SearchX, Square, Waypoints } from 'lucide-react';
import { useStore } from 'zustand';
import type { Environment, GatewayStatus, PassedCall } from '#shared/ipc/index.ts';
import type { PassedFrom } from '#shared/ipc/calls.ts';
import { openBetsText, passedText, passedWords } from '#shared/calls/passed-words.ts';
import { languageNames } from '#shared/doctor/words.ts';
import { CopyFix, FixLines } from '#renderer/calls/fix-lines.tsx';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { ColorMark } from '#renderer/ui/color-mark.tsx';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { DataTable } from '#renderer/ui/data-table.tsx';
import { useToday } from '#renderer/ui/day.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { FailedState } from '#renderer/ui/failed-state.tsx';
import { ListPanes, type BesideList } from '#renderer/ui/list-panes.tsx';
import { optionsOf } from '#renderer/ui/options.ts';
import { PageFrame, PageHead } from '#renderer/ui/page-frame.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import { SearchField } from '#renderer/ui/search-field.tsx';
import { Select } from '#renderer/ui/select.tsx';
import { Skeleton } from '#renderer/ui/skeleton.tsx';
import { WarningLine } from '#renderer/ui/warning-line.tsx';
import { GatewayStart } from './gateway-start.tsx';
import { chosenExchange, isNarrowed, shownExchanges, type GatewayStore } from './gateway-store.ts';
import { exchangeColumns } from './exchange-columns.tsx';
import { FaultsDialog, faultsText } from './faults-dialog.tsx';
import styles from './gateway-page.module.css';

export interface GatewayPageProps {
  readonly store: GatewayStore;
  /** The heading with the tabs of the wallet's screens. */
  readonly lead: ReactNode;
  readonly environments: readonly Environment[];
  /** The environment in use. */
  readonly current: Environment | null;
  /** The call of the chosen exchange. */
  readonly beside: BesideList;
  /** Makes a request of a call. */
  readonly onOpenCall: (id: number) => void;
  /** Makes a request of it, with checks of its response. */
  readonly onCheckCall: (id: number) => void;
  readonly onExamine: (id: number) => void;
  readonly onShowInHistory: (id: number) => void;
  /** Opens the help on the certificate. */
  readonly onHelp: () => void;
}

/** Starts the gateway, and shows what passes through it while it passes: one list, and beside it the call of the chosen exchange. */
export function GatewayPage(props: GatewayPageProps) {
  const { store, lead, environments, current } = props;
  const { status, log, form } = useStore(store);
  const [asking, setAsking] = useState(false);
  useEffect(() => {
    startWork(store.getState().visit());
    startWork(store.getState().loadStatus());
  }, [store]);
  const runs = status !== null && status !== undefined;
  // A later stop leaves the list in sight.
  if (runs && asking) setAsking(false);
  const environment = environments.find(({ id }) => id === form.environmentId) ?? current ?? environments[0] ?? null;
  const passed = log.state === 'ready' && log.entries.length > 0;
  if (status === undefined || log.state === 'loading') {
    return (
      <PageFrame>
        <PageHead>{lead}</PageHead>
        <Skeleton rows={8} label="Loading the gateway" />
      </PageFrame>
    );
  }
  if (environment === null) {
    return (
      <PageFrame>
        <PageHead>{lead}</PageHead>
        <EmptyState icon={<Waypoints />} title="No environment">
          Create an environment first.
        </EmptyState>
      </PageFrame>
    );
  }
  if (!runs && (asking || !passed)) {
    return (
      <GatewayStart
        store={store}
        lead={lead}
        environments={environments}
        environment={environment}
        onBack={passed ? () => setAsking(false) : null}
      />
    );
  }
  return <Exchanges {...props} status={status} onStart={() => setAsking(true)} />;
}

function Exchanges({
  store,
  lead,
  environments,
  beside,
  status,
  onStart,
  onOpenCall,
  onCheckCall,
  onExamine,
  onShowInHistory,
  onHelp,
}: GatewayPageProps & { readonly status: GatewayStatus | null; readonly onStart: () => void }) {
  const { log, narrowing, pausedAt, chosen, asking, choose, stop, setPaused, setFaults } = useStore(store);
  const [faulting, setFaulting] = useState(false);
  const page = useRef<HTMLDivElement>(null);
  const today = useToday();
  const entries = log.state === 'ready' ? log.entries : none;
  const entry = chosenExchange({ log, chosen });
  const walletUrl = status?.walletUrl ?? null;
  const allow = status?.allow ?? null;
  const callId = entry?.callId ?? null;
  const bothWays = walletUrl !== null || entries.some(({ from }) => from === 'provider');
  const compact = beside.place === 'beside' && entry !== null;
  const { shown, waiting } = useMemo(() => shownExchanges(entries, narrowing, pausedAt), [entries, narrowing, pausedAt]);
  const columns = useMemo(() => exchangeColumns(today, bothWays, compact), [today, bothWays, compact]);
  const environment = environments.find(({ id }) => id === status?.environmentId);
  const bets = status?.openBets ? openBetsText(status.openBets, false) : null;
  return (
    <PageFrame ref={page}>
      <PageHead
        actions={
          <>
            {status === null ? null : (
              <Button variant="quiet" onClick={() => setFaulting(true)}>
                Faults…
              </Button>
            )}
            {waiting === 0 ? null : <output className="quiet small numbers one-line">{waiting.toLocaleString('en')} new</output>}
            <Button icon={pausedAt === null ? <Pause /> : <Play />} onClick={() => setPaused(pausedAt === null)}>
              {pausedAt === null ? 'Pause' : 'Follow'}
            </Button>
            {status === null ? (
              <Button variant="primary" onClick={onStart}>
                Start again…
              </Button>
            ) : (
              <Button icon={<Square />} busy={asking.state === 'busy'} onClick={() => startWork(stop())}>
                Stop
              </Button>
            )}
          </>
        }
      >
        {lead}
        {status === null ? (
          <Pill size="small">not running</Pill>
        ) : (
          <span className="line-tight small">
            {environment === undefined ? null : <ColorMark color={environment.color} production={environment.production} />}
            {environment?.name}
          </span>
        )}
        {status === null ? null : <output className="quiet small numbers">{passedText(status.counts)}</output>}
        {allow === null ? null : (
          <Pill tone="warn" size="small">
            Reachable from {allow.join(', ')}
          </Pill>
        )}
      </PageHead>
      {status === null ? null : <Addresses status={status} onHelp={onHelp} />}
      {status === null || status.faults.length === 0 ? null : (
        <WarningLine said="status" label="Faults on demand">
          <p>Faults on: {faultsText(status.faults)}</p>
          <Button onClick={() => startWork(setFaults([]))}>Turn off</Button>
        </WarningLine>
      )}
      {faulting && status !== null ? (
        <FaultsDialog store={store} faults={status.faults} onClose={() => setFaulting(false)} />
      ) : null}
      {status === null || status.missing === 0 ? null : (
        <WarningLine label="Not recorded">
          <p>
            {status.missing.toLocaleString('en')} {status.missing === 1 ? 'exchange' : 'exchanges'} passed without being recorded
            {status.missingWhy === null ? '.' : `: ${status.missingWhy}`}
          </p>
        </WarningLine>
      )}
      {bets === null ? null : (
        <WarningLine said="status" label="Bets without a win">
          <p>{bets}</p>
        </WarningLine>
      )}
      <ListPanes
        id="gateway"
        label="Exchanges and the selected call"
        listTitle="Exchanges"
        beside={{
          ...beside,
          pane: entry?.callId === null ? <Unrecorded why={entry.why} /> : withFix(entry?.fix ?? null, beside.pane),
        }}
        bar={<Filters store={store} bothWays={bothWays} entries={entries} shown={shown} />}
        list={
          log.state === 'failed' ? (
            <FailedState
              title="The gateway's log could not be read"
              message={log.message}
              retry={() => startWork(store.getState().load())}
            />
          ) : shown.length === 0 ? (
            <NoExchanges store={store} waiting={waiting} />
          ) : (
            <DataTable
              label="Exchanges"
              columns={columns}
              rows={shown}
              rowKey={({ number }) => number}
              selectedKey={entry?.number ?? null}
              activeKey={entry?.number ?? null}
              onOpen={({ number }) => choose(number)}
              onOpenByClick
              onActive={({ number }) => {
                if (number !== chosen) choose(number);
              }}
            />
          )
        }
        foot={
          entry === null || callId === null ? null : (
            <Actions entry={entry} id={callId} {...{ onOpenCall, onCheckCall, onExamine, onShowInHistory }} />
          )
        }
        onBackToRow={() => page.current?.querySelector<HTMLElement>('[data-item][tabindex="0"]')?.focus()}
      />
    </PageFrame>
  );
}

const none: readonly PassedCall[] = [];

function Addresses({ status, onHelp }: { readonly status: GatewayStatus; readonly onHelp: () => void }) {
  const { baseUrl, walletUrl, caFile } = status;
  return (
    <dl className={styles.addresses}>
      <Address title="Base URL for your backend" text={baseUrl} />
      {walletUrl === null ? null : <Address title="Wallet URL for the provider" text={walletUrl} />}
      <Address title="CA certificate to trust" text={caFile}>
        <button type="button" className="link one-line" onClick={onHelp}>
          How to trust it
        </button>
      </Address>
    </dl>
  );
}

function Address({ title, text, children }: { readonly title: string; readonly text: string; readonly children?: ReactNode }) {
  return (
    <div className="line">
      <dt>{title}</dt>
      <dd className="line">
        <code className="short" title={text}>
          {text}
        </code>
        <CopyButton small text={text} label={`Copy: ${title}`} />
        {children}
      </dd>
    </div>
  );
}

const verdicts = [{ value: 'any' as const, label: 'Any verdict' }, ...optionsOf(passedWords)];
const directions: readonly { value: PassedFrom | 'any'; label: string }[] = [
  { value: 'any', label: 'Both directions' },
  { value: 'backend', label: 'From my backend' },
  { value: 'provider', label: 'From the provider' },
];

function Filters({
  store,
  bothWays,
  entries,
  shown,
}: {
  readonly store: GatewayStore;
  readonly bothWays: boolean;
  readonly entries: readonly PassedCall[];
  readonly shown: readonly PassedCall[];
}) {
  const { narrowing, narrow } = useStore(store);
  const { text, operation } = narrowing;
  const operations = useMemo(() => {
    const found = new Set(entries.map((entry) => entry.operation ?? ('other' as const)));
    if (operation !== null) found.add(operation);
    return [
      { value: 'any' as const, label: 'Any operation' },
      ...[...found].toSorted().map((value) => ({ value, label: value === 'other' ? passedWords.other : value })),
    ];
  }, [entries, operation]);
  const choice = <Name extends 'verdict' | 'operation' | 'from'>(
    label: string,
    name: Name,
    options: readonly { value: NonNullable<(typeof narrowing)[Name]> | 'any'; label: string }[],
  ) => (
    <Select
      aria-label={label}
      fit
      options={options}
      value={narrowing[name] ?? 'any'}
      onChange={(value) => narrow({ [name]: value === 'any' ? null : value })}
    />
  );
  return (
    <search className="bar wrap" aria-label="Exchanges">
      <SearchField
        label="Search players and reasons"
        className="search-box"
        value={text}
        onText={(typed) => narrow({ text: typed })}
      />
      {choice('Verdict', 'verdict', verdicts)}
      {choice('Operation', 'operation', operations)}
      {bothWays ? choice('Direction', 'from', directions) : null}
      <output aria-live="off" className="quiet small numbers one-line at-end">
        {isNarrowed(narrowing) ? passedText(countsOf(shown)) : ''}
      </output>
    </search>
  );
}

/** Returns the number of exchanges of each verdict. */
function countsOf(shown: readonly PassedCall[]): GatewayStatus['counts'] {
  const found: Record<string, number> = {};
  for (const { verdict } of shown) found[verdict] = (found[verdict] ?? 0) + 1;
  return { found };
}

function NoExchanges({ store, waiting }: { readonly store: GatewayStore; readonly waiting: number }) {
  const { narrowing, narrow } = useStore(store);
  if (isNarrowed(narrowing)) {
    return (
      <EmptyState
        icon={<SearchX />}
        title="Nothing found"
        action={
          <Button onClick={() => narrow({ text: '', verdict: null, operation: null, from: null })}>Show all exchanges</Button>
        }
      >
        No exchanges match these filters.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<Waypoints />} title={waiting > 0 ? 'Paused' : 'Nothing passed yet'}>
      {waiting > 0 ? 'Press Follow to see what came since.' : 'Each request of your backend appears here as it passes.'}
    </EmptyState>
  );
}

/** Returns the call with the fix of its hash above it. */
function withFix(fix: PassedCall['fix'], call: ReactNode): ReactNode {
  if (fix === null) return call;
  return (
    <div className="fill-column">
      <details className={styles.fix}>
        <summary>Fix in {languageNames[fix.language]}</summary>
        <FixLines fix={fix} />
        <span className={styles.copy}>
          <CopyFix fix={fix} />
        </span>
      </details>
      {call}
    </div>
  );
}

function Unrecorded({ why }: { readonly why: string }) {
  return (
    <EmptyState small title="Not recorded">
      <p>This exchange is not in the history.</p>
      {why === '' ? null : <p>{why}</p>}
    </EmptyState>
  );
}

function Actions({
  entry,
  id,
  onOpenCall,
  onCheckCall,
  onExamine,
  onShowInHistory,
}: Pick<GatewayPageProps, 'onOpenCall' | 'onCheckCall' | 'onExamine' | 'onShowInHistory'> & {
  readonly entry: PassedCall;
  readonly id: number;
}) {
  return (
    <section className="bar wrap edge-above" aria-label="Selected exchange">
      <Button icon={<FilePen />} disabled={entry.operation === null} onClick={() => onOpenCall(id)}>
        Edit and re-sign
      </Button>
      <Button icon={<ListChecks />} disabled={entry.operation === null || entry.status === null} onClick={() => onCheckCall(id)}>
        Make a check
      </Button>
      <Button icon={<Activity />} disabled={entry.hashIsRight === null} onClick={() => onExamine(id)}>
        Open in Doctor
      </Button>
      <Button icon={<RotateCcwClock />} onClick={() => onShowInHistory(id)}>
        Show in history
      </Button>
    </section>
  );
}
