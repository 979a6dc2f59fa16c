import { useMemo, useState } from 'react';
import { SquareArrowOutUpRight } from 'lucide-react';
import type { LoggedVerdict } from '#shared/ipc/index.ts';
import { bodyParts } from '#shared/calls/sent-request.ts';
import { timeText } from '#renderer/calls/call-words.ts';
import { BodyPartView, BytesFormChoice, HeadersPart, type BytesForm } from '#renderer/calls/wire-parts.tsx';
import { Button } from '#renderer/ui/button.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import { now } from '#renderer/ui/use-now.ts';
import { HashParts } from './hash-parts.tsx';
import { askedText, carriedKey, codeText, codeTone, senderText, whyText } from './verdict-words.ts';
import styles from './verdict-details.module.css';

/** One verdict in full: its reason, the expected hash if it is about that, and what was received. */
export function VerdictDetails({
  entry,
  onOpenCall,
}: {
  readonly entry: LoggedVerdict;
  readonly onOpenCall: (id: number) => void;
}) {
  const { verdict, callId, bodyText, headers, path, time } = entry;
  const { expected, received, difference = null } = verdict;
  const [form, setForm] = useState<BytesForm>('text');
  const parts = useMemo(() => bodyParts(bodyText), [bodyText]);
  const why = whyText(entry);
  const choice = <BytesFormChoice label="How the bytes are shown" value={form} onChange={setForm} />;
  return (
    <section className={styles.details} aria-label="Verdict">
      <header className={styles.head}>
        <Pill tone={codeTone(entry)} size="small">
          {codeText(entry)}
        </Pill>
        <h3 title={verdict.message}>{verdict.message}</h3>
        {callId === null ? null : (
          <Button icon={<SquareArrowOutUpRight />} onClick={() => onOpenCall(callId)}>
            Open call {callId}
          </Button>
        )}
      </header>
      <p className="quiet">
        {timeText(Date.parse(time), now())}, <code>{path}</code>
        {askedText(entry) === path ? '' : `, ${askedText(entry)}`}.{callId === null ? ` ${senderText(entry)}.` : ''}
      </p>
      {carriedKey(entry) ? (
        <p className={styles.leak}>
          The request contained the private key in clear text. Never send it. <code>{'<PRIVATE_KEY>'}</code> replaces it here.
        </p>
      ) : null}
      <h4>Why</h4>
      <p className={styles.why}>{why}</p>
      {expected === undefined || received === undefined ? null : (
        <HashParts expected={expected} received={received} difference={difference} form={form} tools={choice} />
      )}
      {why === verdict.why ? null : (
        <details className={styles.fold}>
          <summary>Full reason</summary>
          <p>{verdict.why}</p>
        </details>
      )}
      <div className={styles.wire}>
        <BodyPartView
          title="Received body"
          label="Received body"
          text={bodyText}
          parts={parts}
          form={form}
          tools={expected?.input ? undefined : choice}
        />
        {headers === null ? null : <HeadersPart title="Received headers" label="Received headers" headers={headers} />}
      </div>
    </section>
  );
}
