import { useStore } from 'zustand';
import { CircleQuestionMark } from 'lucide-react';
import type { Environment } from '#shared/ipc/index.ts';
import {
  openPointById,
  openPointIds,
  operationTitle,
  recordedAnswer,
  allOpenPoints,
  type OpenPointId,
  type OperationName,
  type OpenPoint,
} from '#shared/provider/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { ColorMark } from '#renderer/ui/color-mark.tsx';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import { AnswerForm } from './answer-form.tsx';
import { pointState, questionsText, type PointState } from './filter-points.ts';
import type { OpenPointsStore } from './open-points-store.ts';
import { PageFrame, PageHead } from '#renderer/ui/page-frame.tsx';
import styles from './open-points-page.module.css';

/** One open point: the question, what happens without an answer, what an answer changes, and the form to record it. */
export function OpenPointsPage({
  store,
  environment,
  sharers,
  onOpenOperation,
  onOpenPoint,
}: {
  store: OpenPointsStore;
  environment: Environment | null;
  /** Names of the other environments that have the same recorded answers. */
  sharers: readonly string[];
  onOpenOperation: (name: OperationName) => void;
  onOpenPoint: (id: OpenPointId) => void;
}) {
  const openId = useStore(store, (state) => state.openId);
  const point = openId === null ? null : openPointById(openId);
  const unanswered = allOpenPoints.filter((candidate) => pointState(candidate, environment) !== 'answered');
  return (
    <PageFrame>
      <PageHead
        kind="form"
        actions={
          <CopyButton
            words={unanswered.length === 1 ? 'Copy the last question' : `Copy ${unanswered.length} questions`}
            text={() => questionsText(allOpenPoints, environment)}
          />
        }
      >
        <h1>Open points</h1>
        {environment === null ? null : (
          <span className={styles.environment}>
            <ColorMark color={environment.color} production={environment.production} />
            {environment.name}
          </span>
        )}
      </PageHead>
      {point === null ? (
        <>
          <EmptyState
            icon={<CircleQuestionMark />}
            title="Questions the spec leaves open"
            action={
              <Button
                variant="primary"
                onClick={() => {
                  const first = unanswered[0] ?? allOpenPoints[0];
                  if (first !== undefined) onOpenPoint(first.id);
                }}
              >
                {' '}
                Open first{' '}
              </Button>
            }
          >
            The spec leaves {allOpenPoints.length} points open. Ask the provider and record the answers here. Croupier then
            applies them.
          </EmptyState>
          {environment === null ? null : <OtherAnswers environment={environment} store={store} />}
        </>
      ) : (
        <Point
          key={`${environment?.id ?? ''} ${point.id}`}
          point={point}
          environment={environment}
          sharers={sharers}
          store={store}
          onOpenOperation={onOpenOperation}
        />
      )}
    </PageFrame>
  );
}

function Point({
  point,
  environment,
  sharers,
  store,
  onOpenOperation,
}: {
  point: OpenPoint;
  environment: Environment | null;
  sharers: readonly string[];
  store: OpenPointsStore;
  onOpenOperation: (name: OperationName) => void;
}) {
  return (
    <div className="fill-scroll">
      <article className={styles.column}>
        <div className={styles.head}>
          <h2>{point.title}</h2>
          <div className={styles.facts}>
            <StatePill state={pointState(point, environment)} />
            <span>{point.section}</span>
            <span>{point.basis === 'notShown' ? 'The spec says it is not shown' : 'Not mentioned in the spec'}</span>
          </div>
        </div>

        <section className="stack">
          <div className="line-tight">
            <h3 className="medium">Question</h3>
            <CopyButton small label="Copy the question" text={point.question} />
          </div>
          <blockquote className={styles.question}>{point.question}</blockquote>
        </section>

        <dl className={styles.pairs}>
          {pointState(point, environment) === 'answered' ? null : (
            <>
              <dt>Until answered</dt>
              <dd>{point.meanwhile}</dd>
            </>
          )}
          <dt>Affects</dt>
          <dd className={styles.operations}>
            {point.operations.length === 0 ? 'Every call.' : null}
            {point.operations.map((name) => (
              <button key={name} type="button" className={styles.operation} onClick={() => onOpenOperation(name)}>
                {operationTitle(name)}
              </button>
            ))}
          </dd>
        </dl>

        <section className="stack">
          <h3 className="medium">Answer</h3>
          {environment === null ? (
            <p className="quiet small">Choose an environment first.</p>
          ) : (
            <>
              {sharers.length === 0 ? null : (
                <p className="quiet small">Shared with {new Intl.ListFormat('en').format(sharers)} (same provider).</p>
              )}
              <AnswerForm point={point} environment={environment} store={store} />
            </>
          )}
        </section>
      </article>
    </div>
  );
}

/** Answers recorded under an ID that the list does not have: the order of time of one operation, and those of another version. */
function OtherAnswers({ environment, store }: { environment: Environment; store: OpenPointsStore }) {
  const saving = useStore(store, (state) => state.saving);
  const ids = Object.keys(environment.answers).filter((id) => !openPointIds.some((known) => known === id));
  if (ids.length === 0) return null;
  return (
    <section className={styles.others} aria-label="Other recorded answers">
      <h2>Other recorded answers of {environment.name}</h2>
      <ul className="stack">
        {ids.map((id) => {
          const found = recordedAnswer(id, environment.answers);
          return (
            <li key={id} className="line-wrap">
              <code>{id}</code>
              <span>{environment.answers[id]?.value}</span>
              <span className="quiet small">{found.state === 'invalid' ? `Not used. ${found.message}` : 'Used.'}</span>
              <Button variant="quiet" disabled={saving} onClick={() => startWork(store.getState().clear(environment, id))}>
                Clear answer
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function StatePill({ state }: { state: PointState }) {
  const tone = { open: 'warn', answered: 'good', invalid: 'bad' } as const;
  return (
    <Pill tone={tone[state]} size="small">
      {state === 'invalid' ? 'answer not valid' : state}
    </Pill>
  );
}
