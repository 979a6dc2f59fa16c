import { byteText } from '#shared/model/byte-text.ts';
import type { HashSubject } from '../use-prepared-request.ts';
import { memo, useMemo, useState } from 'react';
import { ChevronDown, ChevronUp } from 'lucide-react';
import type { Serialization } from '#shared/model/environment.ts';
import type { KeyStatus } from '#shared/ipc/outputs/keys.ts';
import { withSigns } from '#shared/json/hidden-characters.ts';
import { utf8Length } from '#shared/json/utf8.ts';
import type { Stability } from '#shared/signing/stability.ts';
import type { Difference } from '#shared/signing/difference.ts';
import { hashInputHex } from '#renderer/calls/hash-input-hex.ts';
import { hashInputText, shownData } from '#renderer/calls/hash-input-text.ts';
import { textMark } from '#renderer/calls/hash-marks.ts';
import { useHexRow } from '#renderer/calls/use-hex-row.ts';
import { ReadOnlyText, type TextMark } from '#renderer/editor/read-only-text.tsx';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { useHiddenTokens } from '#renderer/ui/hidden-tokens.ts';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import { Segmented } from '#renderer/ui/segmented.tsx';
import { ShownMoment, type Held } from '../shown-moment.tsx';
import type { ShownDigest } from '../use-next-request.ts';
import { sourceWords } from '../tabs/tab-variables.ts';
import type { VariablePart } from './variable-marks.ts';
import { PageFrame } from '#renderer/ui/page-frame.tsx';
import { optionsOf } from '#renderer/ui/options.ts';
import styles from './hash-input-pane.module.css';

interface HashInputPaneProps {
  readonly subject: HashSubject;
  readonly serialization: Serialization;
  readonly keyStatus: KeyStatus | null;
  /** Digest of the shown input. */
  readonly digest: ShownDigest;
  /** Null until the typing pauses, and without data. */
  readonly stability: Stability | null;
  readonly held: Held | null;
  readonly open: boolean;
  /** Null if it cannot be closed. */
  readonly onToggle: (() => void) | null;
  readonly onSetKey: () => void;
}

const title = 'Next hash input';

/** The exact bytes that are hashed, the digest of them, and whether they survive PHP. */
export const HashInputPane = memo(function HashInputPane(props: HashInputPaneProps) {
  const { subject, serialization, open, onToggle } = props;
  const [view, setView] = useState<'text' | 'hex'>('text');
  const toggle =
    onToggle === null ? null : (
      <IconButton
        small
        label={open ? 'Hide the hash input' : 'Show the hash input'}
        icon={open ? <ChevronDown /> : <ChevronUp />}
        aria-expanded={open}
        onClick={onToggle}
      />
    );
  if (!open || subject.kind === 'unsigned') {
    return (
      <PageFrame className={styles.pane} label={title} pane="hash">
        <header className={styles.closed}>
          <h2 className="small">{title}</h2>
          <span>{subject.kind === 'unsigned' ? subject.why : ''}</span>
          {subject.kind === 'unsigned' ? null : toggle}
        </header>
      </PageFrame>
    );
  }
  return (
    <PageFrame className={styles.pane} label={title} pane="hash">
      <Segmented
        label="Hash input view"
        lead={<h2 className="small">{title}</h2>}
        items={optionsOf({ text: 'Text', hex: 'Hex' })}
        value={view}
        onChange={setView}
        aside={
          <>
            <span className={styles.serialization} title="Serialization of data">
              <span className="visually-hidden">serialization: </span>
              {serialization}
            </span>
            {toggle}
          </>
        }
        panelClassName={styles.body}
      >
        {subject.kind === 'refused' ? (
          <p className="band warn">Nothing is hashed yet. {sentence(subject.message)}</p>
        ) : (
          <Shown {...props} subject={subject} view={view} />
        )}
      </Segmented>
      {subject.kind === 'refused' ? null : <Foot {...props} subject={subject} />}
    </PageFrame>
  );
});

type Input = Extract<HashSubject, { kind: 'input' }>;

function Shown({
  subject,
  view,
  keyStatus,
  stability,
}: HashInputPaneProps & { readonly subject: Input; readonly view: 'text' | 'hex' }) {
  const { time, dataJson, parts } = subject;
  const keyBytes = keyStatus?.bytes ?? null;
  const difference = stability?.php.firstDifference?.charOffset ?? null;
  const [box, row] = useHexRow<HTMLDivElement>();
  const hidesTokens = useHiddenTokens();
  // Not computed again at each tick of the clock.
  const data = useMemo(() => shownData(dataJson), [dataJson]);
  const shown = useMemo(() => {
    if (view === 'hex') {
      const hex = hashInputHex(keyBytes, time, dataJson, row, hidesTokens);
      return { text: hex.text, marks: hex.marks.map(textMark), hidden: hex.hidden, unit: 'bytes' };
    }
    const text = hashInputText(time, dataJson, difference, data);
    const { dataStart } = text;
    const shownParts = parts.filter(({ end }) => dataStart + end <= text.text.length);
    const marks = [...shownParts.map((part) => variableMark(part, dataStart)), ...text.marks.map(textMark)];
    return { text: text.text, marks, hidden: text.hidden, unit: 'characters' };
  }, [view, keyBytes, time, dataJson, data, difference, parts, row, hidesTokens]);
  return (
    <div ref={box} className="fill-row">
      <ReadOnlyText label={title} text={shown.text} marks={shown.marks} wrap={view === 'text'} breakAnywhere sunken />
      {parts.length > 0 && (
        <ul className="visually-hidden" aria-label="Values from variables">
          {parts.map(({ name, source, value, start }) => (
            <li key={start}>{`${name}, ${sourceText(source)}: ${value.slice(0, 200)}`}</li>
          ))}
        </ul>
      )}
      {shown.hidden > 0 && (
        <p className={styles.hidden}>
          {shown.hidden.toLocaleString('en')} more {shown.unit} are hashed but not shown.
        </p>
      )}
    </div>
  );
}

function variableMark({ start, end, name, value, source }: VariablePart, dataStart: number): TextMark {
  const shown = value.length <= 200 ? value : `${value.slice(0, 200)}…`;
  return {
    start: dataStart + start,
    end: dataStart + end,
    className: styles.variable ?? '',
    lines: [`${name}, ${sourceText(source)}`, shown === '' ? '(empty)' : shown],
  };
}

function sourceText(source: VariablePart['source']): string {
  return source === 'generated' ? sourceWords.generated : `from ${sourceWords[source]}`;
}

function Foot({ subject, digest, keyStatus, stability, held, onSetKey }: HashInputPaneProps & { readonly subject: Input }) {
  const { time, dataJson } = subject;
  const bytes = useMemo(() => (dataJson === null ? null : utf8Length(dataJson)), [dataJson]);
  const key = keyStatus?.bytes ?? null;
  return (
    <footer className={styles.foot}>
      <span>
        <span className={styles.usual}>
          key {key === null ? '?' : key.toLocaleString('en')} B, time {utf8Length(time)} B,{' '}
        </span>
        {bytes === null ? 'no data' : `data ${bytes.toLocaleString('en')} B`}
      </span>
      {held === null ? null : <ShownMoment time={time} held={held} />}
      <DigestText digest={digest} onSetKey={onSetKey} />
      <span className="at-end">{stability === null ? null : <StabilityVerdict stability={stability} />}</span>
      {stability?.php.stable === false && <Instability stability={stability} />}
    </footer>
  );
}

/** Shows the digest, as wide without one as with it: the foot must not move at each tick. */
function DigestText({ digest, onSetKey }: { readonly digest: ShownDigest; readonly onSetKey: () => void }) {
  switch (digest.state) {
    case 'asking':
      return (
        <span className="line-tight code ink">
          <span aria-hidden="true">····…····</span>
          <span className={styles.room} inert>
            <CopyButton small text="" />
          </span>
        </span>
      );
    case 'failed':
      return <span className="line warn">{digest.message}</span>;
    case 'keyless':
      return (
        <span className="line warn" title={digest.message}>
          {digest.locked ? digest.message : 'No hash without a key.'}
          {!digest.locked && (
            <button type="button" className="link" onClick={onSetKey}>
              Set the key
            </button>
          )}
        </span>
      );
    case 'ready':
      return (
        <span className="line-tight code ink" title={digest.digest}>
          <span className="visually-hidden">Hash {digest.digest}</span>
          <span aria-hidden="true">
            {digest.digest.slice(0, 4)}…{digest.digest.slice(-4)}
          </span>
          <CopyButton small text={digest.digest} label="Copy the hash" />
        </span>
      );
  }
}

function StabilityVerdict({ stability }: { readonly stability: Stability }) {
  if (stability.asReceived === true) {
    return (
      <Pill tone="good" round title="Recorded answer: the provider hashes data as received.">
        Hashed as received
      </Pill>
    );
  }
  if (!stability.php.stable) {
    return (
      <Pill tone="warn" round>
        {stability.php.error === null ? 'Changed by PHP' : 'Rejected by PHP'}
      </Pill>
    );
  }
  if (!stability.phpAssoc.stable) {
    const reason = stability.phpAssoc.firstDifference?.reason ?? stability.phpAssoc.error?.message ?? '';
    return (
      <Pill tone="note" round title={`A provider that decodes into associative arrays hashes different text: ${reason}`}>
        Changed by PHP arrays
      </Pill>
    );
  }
  return (
    <Pill tone="good" round>
      Unchanged by PHP
    </Pill>
  );
}

function Instability({ stability }: { readonly stability: Stability }) {
  const { firstDifference, error } = stability.php;
  return (
    <output className={styles.instability}>
      <p>
        {error === null
          ? 'A provider that decodes and re-encodes data hashes different bytes.'
          : `A PHP provider rejects this data: ${lowerFirst(error.message)}.`}{' '}
        {firstDifference?.reason}
        {firstDifference === null ? '' : '.'}
      </p>
      {firstDifference !== null && <Texts difference={firstDifference} />}
    </output>
  );
}

function Texts({ difference }: { readonly difference: Difference }) {
  return (
    <dl className="pairs">
      <dt>yours, {byteText(difference.byteOffset)}</dt>
      <dd>{visible(difference.ours)}</dd>
      <dt>PHP</dt>
      <dd>{visible(difference.theirs)}</dd>
    </dl>
  );
}

function visible(text: string): string {
  return text === '' ? '(the end)' : withSigns(text);
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
