import { gradeText } from '#shared/wallet/run-facts.ts';
import { ListPlus, Play, RotateCcwClock, X } from 'lucide-react';
import type { Environment } from '#shared/ipc/index.ts';
import { findOpenPoint, type OpenPointId } from '#shared/provider/index.ts';
import { timeText } from '#renderer/calls/call-words.ts';
import { Button } from '#renderer/ui/button.tsx';
import { classNames } from '#renderer/ui/class-names.ts';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { useToday } from '#renderer/ui/day.ts';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { PageFrame, PageHead } from '#renderer/ui/page-frame.tsx';
import { stateWords, ticketText, type CaseRow } from './case-rows.ts';
import type { ToldCase } from './told-case.ts';
import styles from './wallet-page.module.css';

export interface CaseDetailsActions {
  /** Shows the calls of a case in the history. */
  readonly onShowCalls: (told: ToldCase) => void;
  readonly onOpenPoint: (point: OpenPointId) => void;
  /** Records what was observed as the answer of the environment in use. */
  readonly onRecord: (point: OpenPointId, value: string) => void;
}

/** One case: what was seen, step by step, what it would do in production, and what to do now. */
export function CaseDetails({
  row,
  environment,
  busy,
  onRun,
  onClose,
  onShowCalls,
  onOpenPoint,
  onRecord,
}: CaseDetailsActions & {
  readonly row: CaseRow;
  readonly environment: Environment;
  /** True while a run goes on. */
  readonly busy: boolean;
  readonly onRun: () => void;
  readonly onClose: () => void;
}) {
  const today = useToday();
  const { id, name, state, saw, why, harm, cause, told, point, risk } = row;
  const outcome = told?.request.case;
  const when = told === null ? '' : timeText(told.startedAt, today);
  const { tone, text } = stateWords[state];
  const waitsFor = point === null ? null : findOpenPoint(point);
  const { point: seenOf, value = null } = outcome?.answer ?? {};
  const broken = outcome?.steps.find(({ passed }) => !passed);
  const headline =
    broken !== undefined
      ? `Expected: ${broken.expected}. Came: ${broken.came}.`
      : saw || (state === 'holds' ? 'Holds.' : 'Not run yet.');
  const seen = seenOf === undefined || environment.answers[seenOf]?.value === value ? null : findOpenPoint(seenOf);
  return (
    <PageFrame label={`Case ${id}`} pane="details">
      <PageHead kind="pane" actions={<IconButton label="Close the case" icon={<X />} onClick={onClose} />}>
        <h2 className="short" title={name}>
          {name}
        </h2>
        <code className="faint tiny one-line">{id}</code>
      </PageHead>
      <div className="fill-scroll small">
        <p className={classNames(styles.saw, tone === 'plain' ? undefined : `on-${tone}`)}>
          <strong className="strong">{headline}</strong> {why}
        </p>
        <p className={classNames(styles.step, 'quiet')}>
          {[text, gradeText(row), when, risk === undefined ? '' : `at risk: ${risk ?? 'whole balance'}`]
            .filter((part) => part !== '')
            .join(' · ')}
        </p>
        {outcome?.steps.map(({ sent, expected, came, passed }, at) => (
          // Steps have no name, and their order does not change.
          <dl key={at} className={classNames(styles.step, 'pairs')}>
            <dt>Sent</dt>
            <dd className="code">{sent}</dd>
            <dt>Expected</dt>
            <dd className="code">{expected}</dd>
            <dt>Came</dt>
            <dd className={classNames('code', !passed && 'on-bad')}>{came}</dd>
          </dl>
        ))}
        {(outcome?.moved.length ?? 0) === 0 ? null : (
          <dl className={classNames(styles.step, 'pairs')}>
            {outcome?.moved.map(({ playerId, before, after, left }) => (
              <Moved
                key={playerId}
                words={`${before} → ${after}${/^-?[0.]+$/.test(left) ? ', put back' : `, ${left} left`}`}
                of={playerId}
              />
            ))}
          </dl>
        )}
        <About title="If this fails in production" text={harm} />
        <About title="Usual cause" text={cause} />
      </div>
      <section className={styles.actions} aria-label="Selected case">
        <Button
          variant="primary"
          icon={<Play />}
          disabled={busy}
          waits={risk === undefined ? 'Choose its collection in Setup first.' : null}
          onClick={onRun}
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

function Moved({ of, words }: { readonly of: string; readonly words: string }) {
  return (
    <>
      <dt>{of}</dt>
      <dd className="code">{words}</dd>
    </>
  );
}

function About({ title, text }: { readonly title: string; readonly text: string }) {
  if (text === '') return null;
  return (
    <section className={styles.step}>
      <h3>{title}</h3>
      <p className="quiet">{text}</p>
    </section>
  );
}
