import { ListPlus, Play, RotateCcwClock, X } from 'lucide-react';
import type { Environment } from '#shared/ipc/index.ts';
import { findOpenPoint, type OpenPointId } from '#shared/provider/index.ts';
import { aboutTexts, gradeText, moveText } from '#shared/wallet/run-facts.ts';
import { timeText } from '#renderer/calls/call-words.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { useToday } from '#renderer/ui/day.ts';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { PageFrame, PageHead } from '#renderer/ui/page-frame.tsx';
import { stateWords, ticketText, type CaseRow, type ToldCase } from './case-rows.ts';
import type { WalletStore } from './wallet-store.ts';

export interface CaseDetailsActions {
  /** Shows the calls of a case in the history. */
  readonly onShowCalls: (told: ToldCase) => void;
  readonly onOpenPoint: (point: OpenPointId) => void;
  /** Records what was observed as the answer of the environment in use. */
  readonly onRecord: (point: OpenPointId, value: string) => void;
}

/** One case: what was seen, step by step, what it would do in production, and what to do now. */
export function CaseDetails({
  store,
  environment,
  row,
  busy,
  onShowCalls,
  onOpenPoint,
  onRecord,
}: CaseDetailsActions & {
  readonly store: WalletStore;
  readonly environment: Environment;
  readonly row: CaseRow;
  /** True while a run goes on. */
  readonly busy: boolean;
}) {
  const { start, show } = store.getState();
  const today = useToday();
  const { id, name, state, saw, why, told, risk } = row;
  const outcome = told?.request.case;
  const when = told === null ? '' : timeText(told.run.startedAt, today);
  const broken = outcome?.steps.find(({ passed }) => !passed);
  const headline =
    broken === undefined
      ? saw || (state === 'holds' ? 'Holds.' : 'Not run yet.')
      : `Expected: ${broken.expected}. Came: ${broken.came}.`;
  const facts = [state, gradeText(row), when, risk === undefined ? '' : `at risk: ${risk ?? 'whole balance'}`];
  const waitsFor = findOpenPoint((outcome === undefined ? row.point : outcome.waitsFor) ?? '');
  const { point = '', value = null } = outcome?.answer ?? {};
  const seen = environment.answers[point]?.value === value ? null : findOpenPoint(point);
  return (
    <PageFrame label={`Case ${id}`} pane="details">
      <PageHead kind="pane" actions={<IconButton label="Close the case" icon={<X />} onClick={() => show({ chosen: null })} />}>
        <h2 className="short" title={name}>
          {name}
        </h2>
        <code className="faint tiny one-line">{id}</code>
      </PageHead>
      <div className="fill-scroll">
        <p className={`band edge-below on-${stateWords[state].tone}`}>
          <span className="ink">
            <strong className="strong">{headline}</strong> {why}
          </span>
        </p>
        <p className="band edge-below quiet">{facts.filter((fact) => fact !== '').join(' · ')}</p>
        {outcome?.steps.map(({ sent, expected, came, passed }, at) => (
          // Steps have no name, and their order does not change.
          <dl key={at} className="band edge-below pairs">
            <dt>Sent</dt>
            <dd className="code">{sent}</dd>
            <dt>Expected</dt>
            <dd className="code">{expected}</dd>
            <dt>Came</dt>
            <dd className={passed ? 'code' : 'code on-bad'}>{came}</dd>
          </dl>
        ))}
        {outcome?.moved.map((move) => (
          <p key={move.playerId} className="band edge-below code">
            {moveText(move)}
          </p>
        ))}
        {aboutTexts({ ...row, why: '' }).map(([title, text]) => (
          <section key={title} className="band edge-below">
            <h3>{title}</h3>
            <p className="quiet">{text}</p>
          </section>
        ))}
      </div>
      <section className="bar wrap edge-above" aria-label="Selected case">
        <Button
          variant="primary"
          icon={<Play />}
          disabled={busy}
          waits={risk === undefined ? 'Choose its collection in Setup first.' : null}
          onClick={() => startWork(start([id]))}
        >
          Run this case
        </Button>
        {told === null || told.request.callId === null ? null : (
          <Button icon={<RotateCcwClock />} onClick={() => onShowCalls(told)}>
            Show calls
          </Button>
        )}
        {outcome === undefined ? null : <CopyButton words="Copy for a ticket" text={() => ticketText(row, environment, when)} />}
        {waitsFor === null ? null : <Button onClick={() => onOpenPoint(waitsFor.id)}>Answer &quot;{waitsFor.title}&quot;</Button>}
        {seen === null || value === null ? null : (
          <Button icon={<ListPlus />} onClick={() => onRecord(seen.id, value)}>
            Record as the environment&apos;s answer
          </Button>
        )}
      </section>
    </PageFrame>
  );
}
