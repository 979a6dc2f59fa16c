import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { Send } from 'lucide-react';
import type { Call } from '#shared/ipc/calls.ts';
import { operationByName } from '#shared/provider/index.ts';
import { checksText, failedCount, type ShownChecks } from '#renderer/calls/shown-checks.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { Kbd } from '#renderer/ui/kbd.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import { Segmented } from '#renderer/ui/segmented.tsx';
import { announcement, codeFact, duration, signedFact, size } from './answer-facts.ts';
import { AnswerBodyView } from './answer-body-view.tsx';
import { AnswerTable } from './answer-table.tsx';
import { AnswerChecks } from './answer-checks.tsx';
import { CallVerbs, RepeatNote } from './call-verbs.tsx';
import { FailureCard } from './failure-card.tsx';
import { FindingsList } from './findings-list.tsx';
import { HeaderList } from './header-list.tsx';
import { NextStep, type LastGoodOffer } from './next-step.tsx';
import { RawBody } from './raw-body.tsx';
import type { AnswerBody, ResponseStore, ResponseView } from './response-store.ts';
import { TimingBar, TimingList } from './timing-view.tsx';
import { Waiting } from './waiting.tsx';
import styles from './response-pane.module.css';

export interface ResponsePaneProps {
  readonly store: ResponseStore;
  /** The last call of the tab; null where nothing was sent yet. */
  readonly call: Call | null;
  /** A call is remembered and not loaded yet. */
  readonly loading: boolean;
  /** When the call under way was started; null where none is. */
  readonly waitingSince: number | null;
  readonly now: () => number;
  readonly onCancel: () => void;
  readonly onOpenPoint: (gapId: string) => void;
  /** Opens a call as a request that is signed anew. */
  readonly onEdit: (call: Call) => void;
  /** Sends the bytes of a call once more. */
  readonly onRepeat: (id: number) => void;
  /** Opens another call of the history. */
  readonly onOpenCall: (id: number) => void;
  /** Opens the launch that a call brought; absent where nothing can. */
  readonly onOpenLauncher?: (callId: number) => void;
  /** Opens what the provider's own log says of a call; absent where there is no such log. */
  readonly onOpenLog?: ((call: Call) => void) | undefined;
  /** Keeps the answer as an example of its request; absent where that has no file. */
  readonly onKeep?: (() => void) | undefined;
  /** Shows what earlier answers gave its collection. */
  readonly onShowTaken?: (() => void) | undefined;
  /** What the checks of its request made of the answer; null where the call was not sent from a collection. */
  readonly checks: ShownChecks | null;
  /** What the call can be compared with; null where there is nothing. */
  readonly lastGood: LastGoodOffer | null;
}

/** The answer of a call: the code first, then everything that was received, and what to do next. */
export function ResponsePane(props: ResponsePaneProps) {
  const { store, call, loading, waitingSince, now, onCancel, checks } = props;
  return (
    <section className={styles.pane} aria-label="Response" data-pane="response">
      <output className="visually-hidden" aria-live="polite">
        {waitingSince !== null
          ? 'Sent, waiting for the answer'
          : call === null || call.state === 'pending'
            ? ''
            : [announcement(call), ...(checks?.state === 'ready' ? [checksText(checks.checks)] : [])].join('. ')}
      </output>
      {waitingSince !== null ? (
        <Waiting since={waitingSince} now={now} onCancel={onCancel} />
      ) : call === null ? (
        loading ? null : (
          <Nothing />
        )
      ) : call.state === 'pending' ? (
        <Waiting since={call.sentAt} now={now} onCancel={null} />
      ) : (
        <Answer key={call.id} {...props} call={call} store={store} />
      )}
    </section>
  );
}

function Nothing() {
  return (
    <EmptyState icon={<Send />} title="The answer will be here">
      <p>
        Press <Kbd keys="Mod+Enter" /> to send. The provider&apos;s code comes first, then the body, headers, timings and whatever
        differs from the documented shape.
      </p>
    </EmptyState>
  );
}

function Answer(props: ResponsePaneProps & { readonly call: Call }) {
  const { store, call, checks, onOpenPoint, onOpenLauncher, onOpenLog, lastGood, onEdit, onRepeat, onOpenCall } = props;
  const chosen = useStore(store, (state) => state.view);
  const body = useStore(store, (state) => state.bodies.get(call.id) ?? null);
  const operation = operationByName(call.operation);
  const actions = store.getState();
  const answered = call.response !== null;
  useEffect(() => {
    if (answered) void store.getState().open(call.id);
  }, [store, call.id, answered]);

  const tabular = body?.state === 'ready' && body.table !== null;
  const missing = (chosen === 'table' && body?.state === 'ready' && !tabular) || (chosen === 'checks' && checks === null);
  const view: ResponseView = answered ? (missing ? 'body' : chosen) : 'timings';
  const severe = call.findings.filter((finding) => finding.severity !== 'note').length;
  const items: { value: ResponseView; label: string; disabled?: boolean; badge?: string | undefined }[] = [
    { value: 'body', label: 'Body' },
    ...(checks === null ? [] : [{ value: 'checks' as const, label: 'Checks', badge: checksBadge(checks) }]),
    { value: 'table', label: 'Table', disabled: !tabular },
    { value: 'raw', label: 'Raw' },
    { value: 'headers', label: 'Headers' },
    { value: 'timings', label: 'Timings' },
    { value: 'findings', label: 'Findings', badge: String(call.findings.length) },
  ];
  return (
    <>
      <Facts call={call} checks={checks} />
      <RepeatNote call={call} onOpenCall={onOpenCall} />
      {call.response === null ? (
        <div className={styles.scroll}>
          <FailureCard call={call} />
          <SentAnyway call={call} />
        </div>
      ) : (
        <Segmented
          label="How the answer is shown"
          items={items}
          value={view}
          onChange={(next) => {
            actions.setView(next);
            if (next === 'table') void actions.readTable(call.id);
          }}
          aside={
            severe > 0 && view !== 'findings' ? (
              <span className={styles.severe}>{severe} against the documented shape</span>
            ) : undefined
          }
        >
          <div className={styles.view}>
            <View view={view} call={call} body={body} store={store} checks={checks} onShowTaken={props.onShowTaken} />
          </div>
          {view === 'timings' || view === 'headers' || view === 'findings' || view === 'checks' ? null : (
            <NextStep
              call={call}
              operation={operation}
              body={body}
              onOpenPoint={onOpenPoint}
              onFindings={() => actions.setView('findings')}
              onOpenLauncher={onOpenLauncher}
              onOpenLog={onOpenLog}
              lastGood={lastGood}
            />
          )}
          {call.timings !== null && view !== 'timings' && <TimingBar timings={call.timings} clockOffsetMs={call.clockOffsetMs} />}
        </Segmented>
      )}
      <CallVerbs call={call} onEdit={onEdit} onRepeat={onRepeat} onKeep={answered ? props.onKeep : undefined} />
    </>
  );
}

function View({
  view,
  call,
  body,
  store,
  checks,
  onShowTaken,
}: {
  readonly view: ResponseView;
  readonly call: Call;
  readonly body: AnswerBody | null;
  readonly store: ResponseStore;
  readonly checks: ShownChecks | null;
  readonly onShowTaken: (() => void) | undefined;
}) {
  switch (view) {
    case 'body':
      return (
        <AnswerBodyView
          call={call}
          body={body}
          onShowAnyway={() => void store.getState().layOut(call.id)}
          onRetry={() => void store.getState().open(call.id)}
        />
      );
    case 'table':
      return <AnswerTable body={body} operation={call.operation} />;
    case 'raw':
      return <RawBody call={call} body={body} />;
    case 'headers':
      return <HeaderList call={call} />;
    case 'timings':
      return call.timings === null ? null : <TimingList timings={call.timings} clockOffsetMs={call.clockOffsetMs} />;
    case 'findings':
      return <FindingsList findings={call.findings} />;
    case 'checks':
      return checks === null ? null : <AnswerChecks checks={checks} onShowTaken={onShowTaken} />;
  }
}

function Facts({ call, checks }: { readonly call: Call; readonly checks: ShownChecks | null }) {
  const code = codeFact(call);
  const signed = useMemo(() => signedFact(call), [call]);
  return (
    <div className={styles.facts}>
      <Pill tone={code.tone} title={call.message ?? code.text}>
        {code.text}
      </Pill>
      {call.status !== null && <Pill tone={call.status < 400 ? 'plain' : 'warn'}>HTTP {call.status}</Pill>}
      {call.durationMs !== null && <Pill>{duration(call.durationMs)}</Pill>}
      {call.responseBytes !== null && (
        <Pill title={`${call.responseBytes.toLocaleString('en')} bytes`}>{size(call.responseBytes)}</Pill>
      )}
      {checks?.state === 'ready' && (
        <Pill tone={failedCount(checks.checks) === 0 ? 'good' : 'bad'}>{checksText(checks.checks)}</Pill>
      )}
      {call.response?.truncated === true && <Pill tone="warn">Cut at the limit</Pill>}
      {signed !== null && (
        <span className={styles.signed} data-tone={signed.tone}>
          {signed.text}
        </span>
      )}
    </div>
  );
}

/** How many did not pass, where any did not; else how many there are. */
function checksBadge(checks: ShownChecks): string | undefined {
  if (checks.state !== 'ready') return undefined;
  const failed = failedCount(checks.checks);
  return failed === 0 ? String(checks.checks.length) : `${failed} failed`;
}

/** What is known of a call that got no answer: how far it came. */
function SentAnyway({ call }: { readonly call: Call }) {
  return (
    <>
      {call.timings !== null && <TimingList timings={call.timings} clockOffsetMs={null} />}
      <p className={styles.kept}>The request is in the history as call {call.id}, exactly as it was sent.</p>
    </>
  );
}
