import { useMemo } from 'react';
import { SquareArrowOutUpRight } from 'lucide-react';
import type { LoggedVerdict } from '#shared/ipc/index.ts';
import { formatJson } from '#shared/json/format.ts';
import { HeaderTable } from '#renderer/calls/header-table.tsx';
import { timeText } from '#renderer/calls/call-words.ts';
import { ReadOnlyText } from '#renderer/editor/read-only-text.tsx';
import { Button } from '#renderer/ui/button.tsx';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import { HashParts } from './hash-parts.tsx';
import { askedText, carriedKey, codeText, codeTone, senderText, whyText } from './verdict-words.ts';
import styles from './verdict-details.module.css';

const mostShown = 500_000;

/** One verdict in full: why, what was expected where that is a hash, and what was received. */
export function VerdictDetails({
  entry,
  now,
  onOpenCall,
}: {
  readonly entry: LoggedVerdict;
  readonly now: () => number;
  readonly onOpenCall: (id: number) => void;
}) {
  const { verdict, callId, bodyText, headers, path, time } = entry;
  const { expected, received, difference = null } = verdict;
  const why = whyText(entry);
  return (
    <section className={styles.details} aria-label="Verdict">
      <header className={styles.head}>
        <Pill tone={codeTone(entry)} size="small">
          {codeText(entry)}
        </Pill>
        <h3 title={verdict.message}>{verdict.message}</h3>
        {callId === null ? null : (
          <Button icon={<SquareArrowOutUpRight aria-hidden="true" />} onClick={() => onOpenCall(callId)}>
            Open call {callId}
          </Button>
        )}
      </header>
      <p className={styles.facts}>
        {timeText(Date.parse(time), now())}, <code>{path}</code>
        {askedText(entry) === path ? '' : `, ${askedText(entry)}`}. {senderText(entry)}.
      </p>
      {carriedKey(entry) ? (
        <p className={styles.leak}>
          The request carried the private key in clear, which must never be sent. <code>{'<PRIVATE_KEY>'}</code> stands in its
          place here.
        </p>
      ) : null}
      <h4>Why</h4>
      <p className={styles.why}>{why}</p>
      {expected === undefined || received === undefined ? null : (
        <HashParts expected={expected} received={received} difference={difference} />
      )}
      {why === verdict.why ? null : (
        <details className={styles.fold}>
          <summary>The whole reason in the provider&apos;s words</summary>
          <p>{verdict.why}</p>
        </details>
      )}
      <Received bodyText={bodyText} />
      {headers === null ? null : <Headers headers={headers} />}
    </section>
  );
}

function Received({ bodyText }: { readonly bodyText: string }) {
  const text = useMemo(() => formatJson(bodyText).slice(0, mostShown), [bodyText]);
  return (
    <section aria-label="Received body">
      <header className={styles.part}>
        <h4>Received body</h4>
        <span>
          {bodyText === ''
            ? 'none, or it was not read'
            : `${bodyText.length.toLocaleString('en')} characters, laid out for reading`}
        </span>
        {bodyText === '' ? null : <CopyButton small text={bodyText} label="Copy the body as received" />}
      </header>
      {bodyText === '' ? null : (
        <div className={styles.body}>
          <ReadOnlyText label="Received body" text={text} language="json" wrap={text.length <= 200_000} breakAnywhere sunken />
        </div>
      )}
    </section>
  );
}

function Headers({ headers }: { readonly headers: NonNullable<LoggedVerdict['headers']> }) {
  return (
    <details className={styles.fold}>
      <summary>Received headers ({headers.length})</summary>
      <HeaderTable caption="Received headers" headers={headers} />
    </details>
  );
}
