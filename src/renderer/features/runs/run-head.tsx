import { Fragment } from 'react';
import { Download, Play, RotateCcw, RotateCcwClock, Square } from 'lucide-react';
import { useStore } from 'zustand';
import {
  partsNotShown,
  uncheckedText,
  walletCollection,
  warningsText,
  unrecordedText,
  withFindingsText,
} from '#shared/collections/run-words.ts';
import type { RunSummary } from '#shared/ipc/index.ts';
import { amount } from '#shared/amount.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { runExportItems } from '#renderer/calls/run-export.ts';
import { durationText, timeText } from '#renderer/calls/call-words.ts';
import { Button } from '#renderer/ui/button.tsx';
import { classNames } from '#renderer/ui/class-names.ts';
import { Menu } from '#renderer/ui/menu.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import { now, useNow } from '#renderer/ui/use-now.ts';
import { runWord, sumOf, timeLeft } from './run-words.ts';
import type { RunsStore } from './runs-store.ts';
import styles from './run-head.module.css';

export interface RunHeadActions {
  readonly onRunAgain: (run: RunSummary, failedOnly: boolean) => void;
  /** Opens all calls of the run in the history. */
  readonly onOpenCalls: (run: RunSummary) => void;
}

/** Shows what is run, its progress or result, and the actions on it. */
export function RunHead({ store, run, onRunAgain, onOpenCalls }: RunHeadActions & { store: RunsStore; run: RunSummary }) {
  const { report, live, cancelling, cancel, exportAs } = useStore(store);
  const { runId, state, totals, warnings } = run;
  const going = live.get(runId) ?? null;
  const word = runWord(run);
  return (
    <header className={styles.head}>
      <div className="line-wrap">
        <h1 className="short" title={run.collection} tabIndex={-1} data-run>
          {run.collection}
        </h1>
        <Pill tone={word.tone} round>
          {word.text}
        </Pill>
        <div className="wrap at-end">
          {state === 'running' ? (
            <Button icon={<Square />} command="cancel" busy={cancelling.has(runId)} onClick={() => startWork(cancel(runId))}>
              {cancelling.has(runId) ? 'Cancelling' : 'Cancel'}
            </Button>
          ) : run.collectionId === walletCollection ? null : (
            <>
              {totals.passed < totals.requests ? (
                <Button icon={<RotateCcw />} onClick={() => onRunAgain(run, true)}>
                  Retry failed
                </Button>
              ) : null}
              <Button icon={<Play />} onClick={() => onRunAgain(run, false)}>
                Run again
              </Button>
            </>
          )}
          <Button icon={<RotateCcwClock />} onClick={() => onOpenCalls(run)}>
            Show calls
          </Button>
          <Menu align="end" trigger={<Button icon={<Download />}>Export</Button>} items={runExportItems(exportAs, runId)} />
        </div>
      </div>
      <p className={styles.facts}>
        <span>{run.environment}</span>
        {run.path === '' ? null : (
          <span>
            <code>{run.path}</code>
          </span>
        )}
        <span>{timeText(run.startedAt, now())}</span>
        {run.durationMs === null ? null : <span>{durationText(run.durationMs)}</span>}
        <span>
          {amount(totals.checks, 'check')}, {totals.checksFailed.toLocaleString('en')} failed
        </span>
        {totals.unchecked === 0 ? null : <span>{uncheckedText(totals.unchecked, totals.requests)}</span>}
        {totals.withFindings === 0 ? null : <span>{withFindingsText(totals.withFindings, totals.requests)}</span>}
      </p>
      <Sum run={run} live={going} />
      {state === 'running' ? <Progress run={run} current={going?.current ?? null} /> : null}
      {warnings.length === 1 ? <p className="warn small">{warningsText(warnings)}</p> : null}
      {warnings.length < 2 ? null : (
        <details className="quiet small">
          <summary className="warn">{warningsText(warnings)}</summary>
          <ul className={styles.warnings}>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </details>
      )}
      {totals.unrecorded === 0 ? null : (
        <p className="warn small">
          {unrecordedText(totals.unrecorded)}, which shows {totals.unrecorded === 1 ? 'its call' : 'their calls'} as sent only.
          The
          {totals.unrecorded === 1 ? ' row below says' : ' rows below say'} why.
        </p>
      )}
      {report.state === 'ready' && report.unknown ? <p className="quiet small">{partsNotShown}</p> : null}
      {state === 'interrupted' ? (
        <p className="quiet small">
          {run.durationMs === null
            ? "This report is incomplete: Croupier exited before the run ended, or couldn't write it. All calls sent are in the history."
            : "Croupier couldn't write to its home and stopped sending. The rows below say why."}
        </p>
      ) : null}
      {state === 'unknown' ? (
        <p className="quiet small">Another version of Croupier wrote this report, so how the run ended is unknown.</p>
      ) : null}
    </header>
  );
}

/** Shows the numbers of requests in each state, which add up to all planned ones, and a bar of as many parts. */
function Sum({ run, live }: { run: RunSummary; live: { readonly underWay: number; readonly waiting: number } | null }) {
  const parts = sumOf(run, live).filter(({ count }) => count > 0);
  return (
    <>
      <p className={styles.sum} aria-label="Totals" role="group">
        {parts.map(({ id, label, count, tone }, at) => (
          <Fragment key={id}>
            {at === 0 ? null : <span className="faint">+</span>}
            <span className={classNames(styles.part, tone)}>
              <b>{count.toLocaleString('en')}</b> {label}
            </span>
          </Fragment>
        ))}
        {parts.length === 0 ? null : <span className="faint">=</span>}
        <span className={styles.part}>
          <b>{run.planned.toLocaleString('en')}</b> planned
        </span>
      </p>
      <div className={styles.bar} aria-hidden="true" data-own-colors>
        {parts.map(({ id, count, tone }) => (
          <i key={id} className={tone} style={{ flexGrow: count }} />
        ))}
      </div>
    </>
  );
}

function Progress({ run, current }: { run: RunSummary; current: string | null }) {
  const time = useNow(now, 1_000);
  const { planned, totals, startedAt } = run;
  const elapsed = Math.max(time - startedAt, 0);
  const left = timeLeft(totals.requests, planned, elapsed);
  return (
    <p className={styles.facts}>
      <span>
        {totals.requests.toLocaleString('en')} of {amount(planned, 'request')} done
      </span>
      <span>{durationText(Math.floor(elapsed / 1_000) * 1_000)} so far</span>
      {left === null ? null : <span>{left}</span>}
      {current === null ? <span>running in another program</span> : null}
      {current === null || current === '' ? null : <code className="short">{current}</code>}
    </p>
  );
}
