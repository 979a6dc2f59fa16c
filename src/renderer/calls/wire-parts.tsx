import { useMemo, type ReactNode, type Ref } from 'react';
import { encodeUtf8, utf8Length } from '#shared/json/utf8.ts';
import { keyPlaceholder } from '#shared/signing/hash-input.ts';
import type { BodyPart } from '#shared/calls/sent-request.ts';
import { ReadOnlyText } from '#renderer/editor/read-only-text.tsx';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { SegmentedChoice } from '#renderer/ui/segmented-choice.tsx';
import { useHiddenTokens } from '#renderer/ui/hidden-tokens.ts';
import { optionsOf } from '#renderer/ui/options.ts';
import { bodyText } from './body-text.ts';
import { hashInputHex } from './hash-input-hex.ts';
import { hashInputText } from './hash-input-text.ts';
import { textMark } from './hash-marks.ts';
import { HeaderTable } from './header-table.tsx';
import { hexText } from './hex-text.ts';
import { useHexRow } from './use-hex-row.ts';
import styles from './wire-parts.module.css';

/** Form in which bytes are shown. */
export type BytesForm = 'text' | 'hex';

/** Greatest height of a text in a view that shows several, in pixels: eight and eighteen lines. */
const INPUT_HEIGHT = 176;
const BODY_HEIGHT = 376;

/** Chooses the form in which bytes are shown; `label` names the bytes. */
export function BytesFormChoice({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: BytesForm;
  readonly onChange: (form: BytesForm) => void;
}) {
  return <SegmentedChoice label={label} options={optionsOf({ text: 'Text', hex: 'Hex' })} value={value} onChange={onChange} />;
}

/** One part of what went over the wire, with its own heading. */
export function WirePart({
  title,
  label,
  detail,
  tools,
  box,
  children,
}: {
  readonly title: string;
  /** Names the part for screen readers: `Body of call 7`. */
  readonly label: string;
  readonly box?: Ref<HTMLElement>;
  /** Facts such as sizes. */
  readonly detail?: ReactNode;
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section ref={box} className={styles.part} aria-label={label}>
      <header className={styles.head}>
        <h3 className="ink">{title}</h3>
        {tools}
        <span className={styles.detail}>{detail}</span>
      </header>
      {children}
    </section>
  );
}

/** A hash input as text or byte by byte. A copy has `<PRIVATE_KEY>` in place of the key, and all of data. */
export function HashInputPart({
  title = 'Hash input',
  label,
  time,
  data,
  dataBytes,
  difference = null,
  masked = false,
  form,
  tools,
}: {
  readonly title?: string;
  readonly label: string;
  readonly time: string;
  readonly data: string | null;
  /** Length of data in bytes, if only its beginning was kept. */
  readonly dataBytes?: number;
  /** A position in data that is marked and brought into sight, as a UTF-16 offset. */
  readonly difference?: number | null;
  /** True if other bytes were hashed, of which parts are masked here. */
  readonly masked?: boolean;
  readonly form: BytesForm;
  readonly tools?: ReactNode;
}) {
  const [box, row] = useHexRow<HTMLElement>();
  const hidesTokens = useHiddenTokens();
  const shown = useMemo(() => {
    if (form === 'hex') return { ...hashInputHex(null, time, data, row, hidesTokens), unit: 'bytes' };
    return { ...hashInputText(time, data, difference), unit: 'characters' };
  }, [form, time, data, difference, row, hidesTokens]);
  const marks = useMemo(() => shown.marks.map(textMark), [shown]);
  const reveal = useMemo(() => {
    const mark = form === 'text' ? shown.marks.find(({ kind }) => kind === 'difference') : undefined;
    return mark === undefined ? null : { offset: mark.start };
  }, [form, shown]);
  const kept = useMemo(() => (data === null ? 0 : utf8Length(data)), [data]);
  const all = dataBytes ?? kept;
  const sizes = `key, time ${utf8Length(time).toLocaleString('en')} B, ${data === null && all === 0 ? 'no data' : `data ${all.toLocaleString('en')} B${masked ? ' (masked)' : ''}`}`;
  return (
    <WirePart
      title={title}
      label={label}
      tools={tools}
      box={box}
      detail={
        <>
          {sizes}
          <CopyButton small label="Copy the hash input" text={() => copyOf(form, time, data)} />
        </>
      }
    >
      <ReadOnlyText
        label={label}
        text={shown.text}
        marks={marks}
        wrap={form === 'text'}
        breakAnywhere
        sunken
        reveal={reveal}
        fit={INPUT_HEIGHT}
      />
      {form === 'hex' ? <p className={styles.remark}>The key precedes these bytes and isn&apos;t shown.</p> : null}
      <Hidden count={shown.hidden} unit={shown.unit} />
      {all > kept ? (
        <p className={styles.remark}>{`Only the first ${kept.toLocaleString('en')} bytes of data were kept.`}</p>
      ) : null}
    </WirePart>
  );
}

/** A body as text or byte by byte, with the signed parts marked; a copy has all of it. */
export function BodyPartView({
  title = 'Body',
  label,
  text,
  sentBytes,
  parts,
  form,
  tools,
}: {
  readonly title?: string;
  readonly label: string;
  readonly text: string;
  /** Length of what was sent, which differs from the text if something is masked here; absent for the text's own. */
  readonly sentBytes?: number;
  readonly parts: readonly BodyPart[];
  readonly form: BytesForm;
  readonly tools?: ReactNode;
}) {
  const bytes = useMemo(() => utf8Length(text), [text]);
  const [box, row] = useHexRow<HTMLElement>();
  const hidesTokens = useHiddenTokens();
  const shown = useMemo(() => {
    if (form === 'text') return { ...bodyText(text, parts), unit: 'characters' };
    const encoded = encodeUtf8(text);
    return { ...hexText(encoded.length, (at) => encoded[at] ?? 0, parts, { rowBytes: row, hidesTokens }), unit: 'bytes' };
  }, [form, text, parts, row, hidesTokens]);
  const marks = useMemo(() => shown.marks.map(textMark), [shown]);
  return (
    <WirePart
      title={title}
      label={label}
      tools={tools}
      box={box}
      detail={
        text === '' ? (
          'none'
        ) : (
          <>
            {sentBytes === undefined || sentBytes === bytes
              ? `${bytes.toLocaleString('en')} B`
              : `${sentBytes.toLocaleString('en')} B, ${bytes.toLocaleString('en')} B masked`}
            <CopyButton small label="Copy the body" text={() => (form === 'text' ? text : hexOf(text))} />
          </>
        )
      }
    >
      {text === '' ? null : (
        <ReadOnlyText label={label} text={shown.text} marks={marks} wrap={form === 'text'} breakAnywhere fit={BODY_HEIGHT} />
      )}
      <Hidden count={shown.hidden} unit={shown.unit} />
    </WirePart>
  );
}

/** Headers in their order; a copy has one a line. */
export function HeadersPart({
  title = 'Headers',
  label,
  headers,
}: {
  readonly title?: string;
  readonly label: string;
  readonly headers: readonly (readonly [string, string])[];
}) {
  const text = () => headers.map(([name, value]) => `${name}: ${value}`).join('\n');
  return (
    <WirePart
      title={title}
      label={label}
      detail={
        <>
          {headers.length}
          {headers.length === 0 ? null : <CopyButton small label="Copy the headers" text={text} />}
        </>
      }
    >
      <div className={styles.headers}>
        <HeaderTable caption={label} headers={headers} />
      </div>
    </WirePart>
  );
}

function Hidden({ count, unit }: { readonly count: number; readonly unit: string }) {
  if (count === 0) return null;
  return <p className={styles.remark}>{`${count.toLocaleString('en')} more ${unit} not shown. Copy includes them.`}</p>;
}

function copyOf(form: BytesForm, time: string, data: string | null): string {
  const text = time + (data ?? '');
  return form === 'text' ? keyPlaceholder + text : `${keyPlaceholder} ${hexOf(text)}`;
}

function hexOf(text: string): string {
  return Array.from(encodeUtf8(text), (byte) => byte.toString(16).padStart(2, '0')).join(' ');
}
