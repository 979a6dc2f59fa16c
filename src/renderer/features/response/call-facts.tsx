import type { Call } from '#shared/ipc/outputs/calls.ts';
import type { SentRequest } from '#shared/calls/sent-request.ts';
import { callNumber } from '#shared/calls/pack-words.ts';
import { sentFact, sentTitle } from '#shared/calls/sent-words.ts';
import { timeText } from '#renderer/calls/call-words.ts';
import { SinceCall } from '#renderer/calls/environment-name.tsx';
import { checksText, failedCount, type ShownChecks } from '#renderer/calls/shown-checks.ts';
import { useToday } from '#renderer/ui/day.ts';
import { Pill } from '#renderer/ui/pill.tsx';
import { codeFact, duration, size } from './response-facts.ts';
import { classNames } from '#renderer/ui/class-names.ts';
import styles from './response-pane.module.css';

/**
 * Shows a call in one line: its code, its duration, whether the signed bytes are those that were sent, its environment and its
 * time.
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
  return (
    <div className={styles.facts}>
      <Pill tone={code.tone} title={call.message ?? code.text}>
        {code.text}
      </Pill>
      {call.status !== null && <Pill tone={call.status < 400 ? 'plain' : 'warn'}>HTTP {call.status}</Pill>}
      {call.durationMs !== null && <Pill>{duration(call.durationMs)}</Pill>}
      {call.responseBytes !== null && (
        <span className={styles.size}>
          <Pill title={`${call.responseBytes.toLocaleString('en')} bytes`}>{size(call.responseBytes)}</Pill>
        </span>
      )}
      {checks?.state === 'ready' && (
        <Pill tone={failedCount(checks.checks) === 0 ? 'good' : 'bad'}>{checksText(checks.checks)}</Pill>
      )}
      {call.response?.truncated === true && <Pill tone="warn">Truncated at the limit</Pill>}
      <button type="button" className={classNames(styles.signed, fact.tone)} title={`Open ${sentTitle(sent)}`} onClick={onSent}>
        {fact.text}
      </button>
      <span className="quiet small numbers at-end">
        {call.environmentName}
        <SinceCall call={call} />, call {call.pack === undefined ? call.id.toLocaleString('en') : callNumber(call)},{' '}
        <time dateTime={new Date(call.sentAt).toISOString()} title={new Date(call.sentAt).toLocaleString('en-GB')}>
          {timeText(call.sentAt, today)}
        </time>
      </span>
    </div>
  );
}
