import { Suspense, useEffect, useMemo, type ReactNode } from 'react';
import { TriangleAlert, Check, CircleExclamationPoint, CircleSlash, Unplug } from 'lucide-react';
import { useStore } from 'zustand';
import type { Call } from '#shared/ipc/outputs/calls.ts';
import { describeSent, type SentRequest } from '#shared/calls/sent-request.ts';
import { sentTitle } from '#shared/calls/sent-words.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { CallExplanation } from '#renderer/calls/explanation.tsx';
import { failedCount, type ShownChecks } from '#renderer/calls/shown-checks.ts';
import { lazyPage } from '#renderer/ui/lazy-page.ts';
import { Segmented } from '#renderer/ui/segmented.tsx';
import { Skeleton } from '#renderer/ui/skeleton.tsx';
import { ResponseBodyView, type ValueUse } from './response-body-view.tsx';
import { ResponseChecks } from './response-checks.tsx';
import { CallFacts } from './call-facts.tsx';
import { MaskedNote, RepeatNote, ReplacedNote, withoutNoted } from './call-verbs.tsx';
import { HeaderList } from './header-list.tsx';
import type { ResponseBody, ResponseStore, ResponseView } from './response-store.ts';
import styles from './response-pane.module.css';
import type { Finding } from '#shared/model/finding.ts';
import { FindingItems } from '#renderer/calls/finding-items.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { useExplaining } from '#renderer/calls/explaining.ts';
import { Button } from '#renderer/ui/button.tsx';
import { classNames } from '#renderer/ui/class-names.ts';

// A start of the page shows none of them.
const SentView = lazyPage(async () => (await import('#renderer/calls/sent-view.tsx')).SentView);
const ResponseTable = lazyPage(async () => (await import('./response-table.tsx')).ResponseTable);
const RawBody = lazyPage(async () => (await import('./raw-body.tsx')).RawBody);
const TimingList = lazyPage(async () => (await import('./timing-view.tsx')).TimingList);

export interface CallDetailProps {
  readonly store: ResponseStore;
  /** A call whose outcome is known. */
  readonly call: Call;
  /** Opens another call of the history. */
  readonly onOpenCall: (id: number) => void;
  /** Shows the values that earlier responses gave its collection. */
  readonly onShowTaken?: (() => void) | undefined;
  /** Makes a check, or a variable, of the value at the cursor of the body; absent where the request of the call is not open. */
  readonly onValue?: ((as: ValueUse) => void) | undefined;
  /** Results of its request's checks; null if the call was not sent from a collection. */
  readonly checks: ShownChecks | null;
}

/** One call: the code first, then its meaning, then everything that was sent and received. */
export function CallDetail(props: CallDetailProps) {
  const { store, call, checks } = props;
  const chosen = useStore(store, (state) => state.view);
  const body = useStore(store, (state) => state.bodies.get(call.id) ?? null);
  const sent = useMemo(() => describeSent(call), [call]);
  const actions = store.getState();
  const unnoted = useMemo(() => withoutNoted(call), [call]);
  const hasResponse = call.response !== null;
  useEffect(() => {
    if (hasResponse) startWork(store.getState().open(call.id));
  }, [store, call.id, hasResponse]);

  const tabular = body?.state === 'ready' && body.table !== null;
  const view = viewFor(chosen, { call, checks, untabular: body?.state === 'ready' && !tabular });
  const severe = call.findings.filter((finding) => finding.severity !== 'note').length;
  const sentItem: Item = { value: 'sent', label: sentTitle(sent) };
  const timingsItem: Item = { value: 'timings', label: 'Timings', disabled: call.timings === null };
  const hasRaw = call.rawBytes !== undefined || call.request.rawBytes !== undefined;
  const items: Item[] = hasResponse
    ? [
        { value: 'body', label: 'Body' },
        sentItem,
        ...(checks === null ? [] : [{ value: 'checks' as const, label: 'Checks', badge: checksBadge(checks) }]),
        ...(tabular || view === 'table' ? [{ value: 'table' as const, label: 'Table', disabled: !tabular }] : []),
        rawItem,
        { value: 'headers', label: 'Headers' },
        timingsItem,
        { value: 'findings', label: 'Findings', badge: <FindingsBadge count={call.findings.length} severe={severe} /> },
      ]
    : [...(hasRaw ? [rawItem] : []), sentItem, timingsItem];
  return (
    <>
      <CallFacts call={call} sent={sent} checks={checks} onSent={() => actions.setView('sent')} />
      <ReplacedNote call={call} />
      <MaskedNote call={call} />
      <RepeatNote call={call} onOpenCall={props.onOpenCall} />
      {call.failure === null ? (
        <CallExplanation call={unnoted} responseText={body?.state === 'ready' ? body.body.text : null} />
      ) : (
        <FailureCard call={call} />
      )}
      <Segmented
        label="Call view"
        items={items}
        panelClassName={styles.views}
        value={view}
        onChange={(next) => {
          actions.setView(next);
          if (next === 'table') startWork(actions.readTable(call.id));
        }}
      >
        <div className="fill-column">
          <Suspense fallback={<Skeleton rows={8} label="Loading the view" />}>
            <View {...props} view={view} sent={sent} body={body} />
          </Suspense>
        </div>
      </Segmented>
    </>
  );
}

const rawItem: Item = { value: 'raw', label: 'Raw' };

interface Item {
  readonly value: ResponseView;
  readonly label: string;
  readonly disabled?: boolean;
  readonly badge?: ReactNode;
}

/** Returns the chosen view, or the first view that this call has. */
function viewFor(
  chosen: ResponseView,
  { call, checks, untabular }: { readonly call: Call; readonly checks: ShownChecks | null; readonly untabular: boolean },
): ResponseView {
  if (call.response === null) {
    if (chosen === 'timings' && call.timings !== null) return 'timings';
    const hasRaw = call.rawBytes !== undefined || (call.request.rawBytes !== undefined && chosen === 'raw');
    return hasRaw && chosen !== 'sent' ? 'raw' : 'sent';
  }
  const missing =
    (chosen === 'table' && untabular) ||
    (chosen === 'checks' && checks === null) ||
    (chosen === 'timings' && call.timings === null);
  return missing ? 'body' : chosen;
}

function View({
  view,
  call,
  sent,
  body,
  store,
  checks,
  onShowTaken,
  onValue,
}: CallDetailProps & { readonly view: ResponseView; readonly sent: SentRequest; readonly body: ResponseBody | null }) {
  switch (view) {
    case 'body':
      return (
        <ResponseBodyView
          call={call}
          body={body}
          onShowAnyway={() => startWork(store.getState().layOut(call.id))}
          onRetry={() => startWork(store.getState().open(call.id))}
          onCursor={(offset) => store.getState().pointAt(call.id, offset)}
          onValue={onValue}
        />
      );
    case 'sent':
      return <SentView call={call} sent={sent} />;
    case 'table':
      return <ResponseTable body={body} operation={call.operation} />;
    case 'raw':
      return <RawBody key={call.id} call={call} store={store} />;
    case 'headers':
      return <HeaderList call={call} />;
    case 'timings':
      return call.timings === null ? null : <TimingList timings={call.timings} clockOffsetMs={call.clockOffsetMs} />;
    case 'findings':
      return <FindingsList findings={call.findings} />;
    case 'checks':
      return checks === null ? null : <ResponseChecks checks={checks} onShowTaken={onShowTaken} />;
  }
}

/** Shows the number of findings, and a sign if some of them are warnings. */
function FindingsBadge({ count, severe }: { readonly count: number; readonly severe: number }) {
  if (severe === 0) return count === 0 ? null : count;
  return (
    <span className="warn">
      {count}
      <span className="visually-hidden">, {severe === 1 ? '1 warning' : `${severe} warnings`}</span> <TriangleAlert />
    </span>
  );
}

/** Returns the number of checks that failed, if any did; else the number of checks. */
function checksBadge(checks: ShownChecks): string | undefined {
  if (checks.state !== 'ready') return undefined;
  const failed = failedCount(checks.checks);
  return failed === 0 ? String(checks.checks.length) : `${failed} failed`;
}

/** Lists the findings of a response: its differences from the spec, a recorded answer, a custom or its request. */
function FindingsList({ findings }: { readonly findings: readonly Finding[] }) {
  if (findings.length === 0) {
    return (
      <EmptyState icon={<Check />} title="No findings" small>
        No differences from the spec or the recorded answers.
      </EmptyState>
    );
  }
  return (
    <div className="scroll-pane">
      <FindingItems findings={findings} label="Findings" />
    </div>
  );
}

const phaseNames = {
  address: 'while reading the URL',
  dns: 'while looking up the host',
  connect: 'while connecting',
  proxy: 'on the way through the proxy',
  tls: 'while securing the connection',
  send: 'while sending',
  headers: 'while waiting for the response',
  body: 'while receiving the response',
} as const;

/** Shows why there is no response, and what to do. */
function FailureCard({ call }: { readonly call: Call }) {
  const { failure, state } = call;
  const open = useExplaining().openAuthority(call.environmentId);
  const Icon = state === 'cancelled' ? CircleSlash : state === 'interrupted' ? Unplug : CircleExclamationPoint;
  const title =
    state === 'cancelled'
      ? 'Cancelled'
      : state === 'interrupted'
        ? 'Croupier exited before the response'
        : (failure?.message ?? 'No response');
  return (
    <div className={classNames(styles.failure, state === 'interrupted' ? 'on-warn' : state === 'failed' ? 'on-bad' : 'faint')}>
      <Icon />
      <div>
        <h3 className="medium">{title}</h3>
        {state !== 'failed' && failure !== null && failure.message !== title && <p>{failure.message}</p>}
        {failure !== null && failure.hint !== '' && <p>{failure.hint}</p>}
        {failure?.untrusted === true && open !== null && (
          <Button className={styles.open} onClick={open}>
            Open CA certificate
          </Button>
        )}
        {failure !== null && state === 'failed' && <p className="quiet">Failed {phaseNames[failure.phase]}.</p>}
      </div>
    </div>
  );
}
