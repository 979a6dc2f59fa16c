import { useEffect, useEffectEvent, useRef } from 'react';
import { ArrowLeft, ArrowLeftRight, ArrowUpRight } from 'lucide-react';
import { useStore } from 'zustand';
import { amount } from '#shared/amount.ts';
import type { Call, Environment } from '#shared/ipc/index.ts';
import { valueDifferences } from '#shared/json/compare-json.ts';
import { originWords } from '#shared/calls/sent-words.ts';
import { operationTitle } from '#shared/provider/index.ts';
import { callNumber, maskedInCall } from '#shared/calls/pack-words.ts';
import { bodyWord, differenceSentence, firstFinding } from '#shared/calls/comparison-words.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { outcomeOf, timeText } from '#renderer/calls/call-words.ts';
import { CallEnvironment } from '#renderer/calls/environment-name.tsx';
import { ReadOnlyDiff } from '#renderer/editor/read-only-diff.tsx';
import { Button } from '#renderer/ui/button.tsx';
import { ColorMark } from '#renderer/ui/color-mark.tsx';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { NotLoaded } from '#renderer/ui/not-loaded.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import { Segmented, type SegmentedItem } from '#renderer/ui/segmented.tsx';
import { ResponsesView } from './responses-view.tsx';
import type { ComparedResponses, ReadyCalls, ComparisonOrigin, ComparisonStore, ComparisonView } from './comparison-store.ts';
import { HashView } from './hash-view.tsx';
import { PageFrame, PageHead } from '#renderer/ui/page-frame.tsx';
import { now } from '#renderer/ui/use-now.ts';
import parts from './comparison-parts.module.css';
import styles from './comparison-page.module.css';
import { identityNow, identitySent } from '#shared/calls/environment-words.ts';
import { ComparedLines } from './compared-lines.tsx';

const backWords: Readonly<Record<ComparisonOrigin, string>> = {
  history: 'Back to history',
  requests: 'Back to request',
  gateway: 'Back to gateway',
};

/** Two calls of the history or of support packs against each other: the hash input first, then the request and the response. */
export function ComparisonPage({
  store,
  environments,
  onOpenCall,
  onBack,
}: {
  store: ComparisonStore;
  /** For the colours; calls of a removed environment are grey. */
  environments: readonly Environment[];
  onOpenCall: (id: number) => void;
  onBack: () => void;
}) {
  const { pair, origin, calls, swap, retry } = useStore(store);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const onEscape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    if (document.querySelector('[data-modal]') !== null) return;
    event.preventDefault();
    onBack();
  });
  useEffect(() => {
    // After everything that Escape closes first: menus, the search of an editor.
    const listener = (event: KeyboardEvent) => onEscape(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
  if (pair === null) return null;
  const nameOf = (side: 'left' | 'right') =>
    calls.state === 'ready' ? `call ${callNumber(calls[side])}` : pair[side] < 0 ? 'a call of a pack' : `call ${pair[side]}`;
  const card = (side: 'left' | 'right') => (
    <CallCard
      title={nameOf(side).replace(/^./, (first) => first.toUpperCase())}
      call={calls.state === 'ready' ? calls[side] : null}
      other={calls.state === 'ready' ? calls[side === 'left' ? 'right' : 'left'] : null}
      environments={environments}
      onOpen={onOpenCall}
    />
  );
  return (
    <PageFrame label="Comparison" pane="comparison">
      <PageHead>
        <Button icon={<ArrowLeft />} keys="Escape" onClick={onBack}>
          {backWords[origin]}
        </Button>
        <h1 ref={title} tabIndex={-1}>
          Comparison <span className="visually-hidden">{`of ${nameOf('left')} and ${nameOf('right')}`}</span>
        </h1>
        {calls.state === 'ready' ? <FirstFinding calls={calls} /> : null}
      </PageHead>
      <div className={styles.calls}>
        {card('left')}
        <IconButton label="Swap" icon={<ArrowLeftRight />} className={styles.swap ?? ''} onClick={() => startWork(swap())} />
        {card('right')}
      </div>
      {calls.state === 'ready' ? <MaskedRemarks calls={calls} /> : null}
      <NotLoaded of={calls} rows={12} label="Comparing the calls" title="The calls could not be compared" retry={retry} />
      {calls.state === 'ready' ? <Compared store={store} calls={calls} /> : null}
    </PageFrame>
  );
}

/** Says what a support pack masks in the two: bytes are counted in what is shown. */
function MaskedRemarks({ calls: { left, right } }: { calls: ReadyCalls }) {
  return [left, right].map((call) => {
    const masked = maskedInCall(call);
    return masked === null ? null : (
      <p key={call.id} className="band on-warn">
        {`Call ${callNumber(call)}. ${masked} Byte positions are those in the pack.`}
      </p>
    );
  });
}

/** The one sentence about the first difference. */
function FirstFinding({ calls: { comparison } }: { calls: ReadyCalls }) {
  return (
    <output className={styles.finding} data-part={firstFinding(comparison).part}>
      {differenceSentence(comparison, 'They')}
    </output>
  );
}

function CallCard({
  title,
  call,
  other,
  environments,
  onOpen,
}: {
  title: string;
  /** Null until it is read. */
  call: Call | null;
  /** The call that it is compared with: what both share is not said twice. */
  other: Call | null;
  environments: readonly Environment[];
  onOpen: (id: number) => void;
}) {
  if (call === null) return <div className={styles.card}>{title}</div>;
  const environment = environments.find((one) => one.id === call.environmentId);
  const identity = other !== null && identitySent(call) === identitySent(other) ? null : identitySent(call);
  const outcome = outcomeOf(call);
  return (
    <section className={styles.card} aria-label={title}>
      <h2>{title}</h2>
      <code>{operationTitle(call.operation)}</code>
      <Pill tone={outcome.tone} size="small">
        {outcome.text}
      </Pill>
      <span className={styles.environment} title={identityNow(environment)}>
        <ColorMark color={environment?.color ?? 'grey'} production={environment?.production ?? false} />
        <CallEnvironment call={call} />
        {identity === null ? null : <span className="faint one-line">{identity}</span>}
      </span>
      {call.origin === undefined ? null : <span>{originWords[call.origin]}</span>}
      <span>{timeText(call.sentAt, now())}</span>
      {call.pack === undefined ? (
        <Button
          variant="quiet"
          className="at-end"
          icon={<ArrowUpRight />}
          aria-label={`Open call ${call.id}`}
          onClick={() => onOpen(call.id)}
        >
          Open
        </Button>
      ) : null}
    </section>
  );
}

function Compared({ store, calls }: { store: ComparisonStore; calls: ReadyCalls }) {
  const { view, responses, showData, setView, showLongData, showResponses, retry } = useStore(store);
  const { hashInput, envelope, sentHeaders, receivedHeaders } = calls.comparison;
  const items: readonly SegmentedItem<ComparisonView>[] = [
    { value: 'hash', label: 'Hash input', badge: hashInput.verdict === 'signed' ? countText(hashInput.count) : undefined },
    { value: 'envelope', label: hashInput.verdict === 'signed' ? 'Envelope' : 'Fields', badge: countText(envelope.count) },
    { value: 'headers', label: 'Headers', badge: countText(sentHeaders.count + receivedHeaders.count) },
    { value: 'response', label: 'Response', badge: responsesCount(responses) },
  ];
  return (
    <Segmented label="Compared parts" items={items} value={view} onChange={setView} panelClassName={styles.panel}>
      {view === 'hash' ? <HashView calls={calls} showLong={showData} onShowLong={showLongData} /> : null}
      {view === 'envelope' ? <EnvelopeView calls={calls} /> : null}
      {view === 'headers' ? <HeadersView calls={calls} /> : null}
      {view === 'response' ? (
        <ResponsesView calls={calls} responses={responses} onShowAnyway={() => startWork(showResponses())} onRetry={retry} />
      ) : null}
    </Segmented>
  );
}

/** Returns a badge with a word for a screen reader. */
function countText(count: number) {
  return (
    <>
      <span aria-hidden="true">{count.toLocaleString('en')}</span>
      <span className="visually-hidden">{amount(count, 'difference')}</span>
    </>
  );
}

function responsesCount(responses: ComparedResponses) {
  if (responses.state !== 'ready') return undefined;
  const { comparison, equal } = responses;
  if (comparison.json === null) return countText(equal ? 0 : 1);
  return countText(valueDifferences(comparison.json));
}

/** The headers of both, as sent and as received, by their names in lower case. */
function HeadersView({ calls }: { calls: ReadyCalls }) {
  const { sentHeaders, receivedHeaders } = calls.comparison;
  return (
    <div className="fill-scroll">
      <ComparedLines label="Received" calls={calls} compared={receivedHeaders} />
      <ComparedLines label="Sent" calls={calls} compared={sentHeaders} />
    </div>
  );
}

/** The bodies as sent: field by field, and laid out against each other. */
function EnvelopeView({ calls }: { calls: ReadyCalls }) {
  const { left, right, comparison, envelopes } = calls;
  const { envelope } = comparison;
  const body = bodyWord(comparison.hashInput);
  const textOf = (call: Call) => `${body === 'body' ? 'Body' : 'Envelope'} of call ${callNumber(call)}`;
  const onlyText = !envelope.equal && envelope.byMembers && envelope.lines.every(({ equal }) => equal) && !envelope.reordered;
  return (
    <>
      <div className={parts.list}>
        {envelope.byMembers ? (
          <ComparedLines label={`Fields of the ${body}`} calls={calls} compared={envelope}>
            {onlyText ? <p className="band on-warn">All fields are the same. Only whitespace differs.</p> : null}
          </ComparedLines>
        ) : (
          <p className="band on-warn">
            {envelope.equal ? 'Both bodies are the same. ' : ''}
            One body is not a JSON object, so they are compared as text.
          </p>
        )}
      </div>
      <div className={parts.texts}>
        <ReadOnlyDiff
          left={{ label: textOf(left), text: envelopes.left }}
          right={{ label: textOf(right), text: envelopes.right }}
          language="json"
          wrap={envelopes.left.length + envelopes.right.length <= 1_000_000}
        />
      </div>
    </>
  );
}
