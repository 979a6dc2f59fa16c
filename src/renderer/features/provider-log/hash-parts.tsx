import { byteText } from '#shared/model/byte-text.ts';
import { useMemo, type ReactNode } from 'react';
import type { DataDifference, ExpectedHash, ReceivedHash } from '#shared/ipc/index.ts';
import { HashInputPart, type BytesForm } from '#renderer/calls/wire-parts.tsx';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { visible, windowAround } from './verdict-words.ts';
import marks from '#renderer/calls/hash-marks.module.css';
import styles from './hash-parts.module.css';

/** Shows the expected and the received hash input part by part; the first byte at which the data differs is marked in both. */
export function HashParts({
  expected,
  received,
  difference,
  form,
  tools,
}: {
  readonly expected: ExpectedHash;
  readonly received: ReceivedHash;
  readonly difference: DataDifference | null;
  readonly form: BytesForm;
  /** Controls that choose the form. */
  readonly tools: ReactNode;
}) {
  const { input } = expected;
  return (
    <>
      <h4 className={styles.title}>Hash</h4>
      <dl className={styles.hashes}>
        <dt>Expected</dt>
        <dd>{expected.hash === null ? 'no hash can match' : <Hash text={expected.hash} of="expected" />}</dd>
        <dt>Received</dt>
        <dd>{received.hash === null ? 'none, or not a string' : <Hash text={received.hash} of="received" />}</dd>
      </dl>
      {input === null ? null : (
        <div className={styles.wide}>
          <HashInputPart
            title={inputTitle(expected)}
            label="Hash input of the provider"
            time={input.time}
            data={input.data}
            dataBytes={input.dataBytes}
            difference={difference?.offset ?? null}
            form={form}
            tools={tools}
          />
        </div>
      )}
      {difference === null || received.data === null ? null : (
        <section aria-label="Data as received">
          <h4 className={styles.title}>Data as received</h4>
          <pre className={styles.input}>
            <Data text={received.data} bytes={received.dataBytes} place={difference.offset} />
          </pre>
          <Difference difference={difference} />
        </section>
      )}
    </>
  );
}

function inputTitle({ input, dataIs }: ExpectedHash): string {
  if (input?.data === null) return 'Hash input';
  return dataIs === 'reencoded' ? 'Hash input: re-encoded data' : 'Hash input: data as received';
}

function Hash({ text, of }: { readonly text: string; readonly of: string }) {
  return (
    <>
      <code>{text}</code>
      <CopyButton small text={text} label={`Copy the ${of} hash`} />
    </>
  );
}

function Data({ text, bytes, place }: { readonly text: string; readonly bytes: number; readonly place: number | null }) {
  const shown = useMemo(() => windowAround(text, place !== null && place <= text.length ? place : null), [text, place]);
  const [before, after] = shown.hidden;
  return (
    <>
      {before === 0 ? null : <Left>{before.toLocaleString('en')} characters before this</Left>}
      {shown.before}
      {place === null || place > text.length ? null : (
        <mark className={marks.difference}>
          <span className="visually-hidden">First difference: </span>
          {visible(shown.at)}
        </mark>
      )}
      {shown.after}
      {after === 0 ? null : <Left>and more, {bytes.toLocaleString('en')} bytes in all</Left>}
    </>
  );
}

function Left({ children }: { readonly children: ReactNode }) {
  return <span className={styles.left}> … {children} </span>;
}

function Difference({ difference }: { readonly difference: DataDifference }) {
  const { byte, expected, received, isReason } = difference;
  return (
    <p className="quiet">
      First difference at {byteText(byte)} of data: received <code>{visible(received)}</code>, hashed{' '}
      <code>{visible(expected)}</code>.{' '}
      {isReason ? "That's the reason." : "That isn't the only cause: the received hash does not match data as received either."}
    </p>
  );
}
