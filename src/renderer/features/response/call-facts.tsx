import { Check, TriangleAlert } from 'lucide-react';
import type { Call } from '#shared/ipc/outputs/calls.ts';
import type { SentRequest } from '#shared/calls/sent-request.ts';
import { callNumber } from '#shared/calls/pack-words.ts';
import { originWords, sentFact, sentTitle, wholeStatement } from '#shared/calls/sent-words.ts';
import { timeText } from '#renderer/calls/call-words.ts';
import { SinceCall } from '#renderer/calls/environment-name.tsx';
import { checksText, failedCount, type ShownChecks } from '#renderer/calls/shown-checks.ts';
import { useToday } from '#renderer/ui/day.ts';
import { codeFact, duration, size } from './response-facts.ts';
import { classNames } from '#renderer/ui/class-names.ts';
import styles from './response-pane.module.css';

/**
 * Shows a call: its code as the headline, with its environment and its time; below, in one quiet line, status, duration, size,
 * checks, and whether the signed bytes are those that were sent.
 */
export function CallFacts({
  call,
  sent,
  checks,
  onSent,
}: {
  readonly call: Call;
  readonly sent: SentRequest;
  readonly checks: ShownChecks | null;
  /** Leads to the view that shows the fact about the bytes. */
  readonly onSent: () => void;
}) {
  const today = useToday();
  const code = codeFact(call);
  const fact = sentFact(sent);
  const failed = checks?.state === 'ready' && failedCount(checks.checks) > 0;
  return (
    <div className={styles.facts}>
      <h3 className={classNames(styles.code, code.tone)} title={call.message ?? code.text}>
        {code.text}
      </h3>
      <span className="quiet small numbers at-end">
        {call.environmentName}
        <SinceCall call={call} />, call {call.pack === undefined ? call.id.toLocaleString('en') : callNumber(call)},{' '}
        {call.origin === undefined ? '' : `${originWords[call.origin]}, `}
        <time dateTime={new Date(call.sentAt).toISOString()} title={new Date(call.sentAt).toLocaleString('en-GB')}>
          {timeText(call.sentAt, today)}
        </time>
      </span>
      <div className={styles.line}>
        {call.status !== null && <span className={call.status < 400 ? '' : 'warn'}>HTTP {call.status}</span>}
        {call.durationMs !== null && <span>{duration(call.durationMs)}</span>}
        {call.responseBytes !== null && (
          <span title={`${call.responseBytes.toLocaleString('en')} bytes`}>{size(call.responseBytes)}</span>
        )}
        {checks?.state === 'ready' && <span className={failed ? 'bad' : ''}>{checksText(checks.checks)}</span>}
        {call.response?.truncated === true && <span className="warn">cut off at the limit</span>}
        <button
          type="button"
          className={classNames(styles.signed, fact.tone)}
          title={`${wholeStatement(fact)}. Open ${sentTitle(sent)}`}
          onClick={onSent}
        >
          {fact.tone === 'good' ? <Check /> : fact.tone === 'plain' ? null : <TriangleAlert />}
          {fact.text}
        </button>
      </div>
    </div>
  );
}
