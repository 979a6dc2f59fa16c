import { byteText } from '#shared/model/byte-text.ts';
import { callNumber, masksRequest } from '#shared/calls/pack-words.ts';
import type { ReactNode } from 'react';
import { Equal, FileWarning } from 'lucide-react';
import type { Call } from '#shared/ipc/index.ts';
import { characterWords } from '#shared/json/first-difference.ts';
import { utf8Length } from '#shared/json/utf8.ts';
import type { DataDifference, TimeComparison, TimeSide } from '#shared/calls/compare-hash-input.ts';
import { formText, hashInputLines, keyText, momentText, spanText, timeWords } from '#shared/calls/comparison-words.ts';
import { readFingerprint } from '#shared/signing/fingerprint.ts';
import { bytesText } from '#renderer/calls/call-words.ts';
import { ReadOnlyDiff } from '#renderer/editor/read-only-diff.tsx';
import { Button } from '#renderer/ui/button.tsx';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import { dataGate, type ReadyCalls } from './comparison-store.ts';
import parts from './comparison-parts.module.css';
import styles from './hash-view.module.css';

/** Number of characters above which lines are not wrapped: breaking them would hold the page up. */
const wrapUpTo = 200_000;

/** Shows the two hash inputs segment by segment, names the first byte that differs, and shows the two texts of `data`. */
export function HashView({ calls, showLong, onShowLong }: { calls: ReadyCalls; showLong: boolean; onShowLong: () => void }) {
  const { left, right, comparison } = calls;
  const { hashInput } = comparison;
  if (hashInput.verdict !== 'signed') return <Unsigned calls={calls} />;
  const { key, time, data } = hashInput;
  return (
    <>
      <div className={styles.segments}>
        <Segment kind="key" title="Key" verdict={key.verdict === 'different' ? 'differs' : key.verdict}>
          {/* The keyboard scrolls from here, too. */}
          <div className={styles.copy}>
            <CopyButton
              small
              label="Copy comparison"
              text={() =>
                [`Call ${callNumber(left)} against call ${callNumber(right)}`, ...hashInputLines(comparison)].join('\n')
              }
            />
          </div>
          {key.verdict === 'same' && left.request.keyFingerprint === right.request.keyFingerprint ? (
            <p>
              {keyText(key)}: <Fingerprint call={left} />
            </p>
          ) : (
            <>
              <p>{keyText(key)}.</p>
              <Sides calls={calls} left={<Fingerprint call={left} />} right={<Fingerprint call={right} />} />
            </>
          )}
        </Segment>
        <Segment
          kind="time"
          title="Time"
          verdict={time.verdict === 'equal' ? 'same' : time.verdict === 'own' ? 'same form' : 'differs'}
        >
          <p>{timeSentence(time)}</p>
          <Sides
            calls={calls}
            left={<TimeText side={time.left} told={time.verdict === 'own'} />}
            right={<TimeText side={time.right} told={time.verdict === 'own'} />}
          />
        </Segment>
        <Segment
          kind="data"
          title="Data"
          verdict={data.verdict === 'equal' ? 'same' : data.verdict === 'none' ? 'none in either' : 'differs'}
        >
          {data.verdict === 'different' ? (
            <FirstByte calls={calls} difference={data.difference} />
          ) : (
            <p>{dataSentence(data.verdict, calls)}</p>
          )}
        </Segment>
      </div>
      {data.verdict === 'different' ? <DataTexts calls={calls} showLong={showLong} onShowLong={onShowLong} /> : null}
    </>
  );
}

function Unsigned({ calls: { left, right, comparison } }: { calls: ReadyCalls }) {
  const { verdict } = comparison.hashInput;
  const one = verdict === 'left unsigned' ? left : right;
  return (
    <EmptyState title={verdict === 'unsigned' ? 'Neither call has a hash input' : `Call ${callNumber(one)} has no hash input`}>
      Compare the fields instead.
    </EmptyState>
  );
}

const words = {
  same: 'plain',
  'same form': 'plain',
  'none in either': 'plain',
  'cannot be compared': 'note',
  differs: 'warn',
} as const;

function Segment({
  kind,
  title,
  verdict,
  children,
}: {
  kind: 'key' | 'time' | 'data';
  title: string;
  verdict: keyof typeof words;
  children: ReactNode;
}) {
  return (
    <section className={styles.segment} data-kind={kind} aria-label={`${title}: ${verdict}`}>
      <div className={styles.name}>
        <h3>{title}</h3>
        <Pill tone={words[verdict]} size="small">
          {verdict}
        </Pill>
      </div>
      <div className={styles.said}>{children}</div>
    </section>
  );
}

function Sides({ calls: { left, right }, left: one, right: other }: { calls: ReadyCalls; left: ReactNode; right: ReactNode }) {
  return (
    <dl className={styles.sides}>
      <dt>{`Call ${callNumber(left)}`}</dt>
      <dd className="wrap">{one}</dd>
      <dt>{`Call ${callNumber(right)}`}</dt>
      <dd className="wrap">{other}</dd>
    </dl>
  );
}

const makers = { keychain: '(keychain)', session: '(one session only)', unknown: '' } as const;

function Fingerprint({ call }: { call: Call }) {
  const { keyFingerprint } = call.request;
  if (keyFingerprint === null) return 'no fingerprint recorded';
  const { digits, kind } = readFingerprint(keyFingerprint);
  return (
    <>
      <code>{digits}</code> {makers[kind]}
    </>
  );
}

function timeSentence(time: TimeComparison): string {
  const apart = time.apartMs === null || time.apartMs === 0 ? '' : ` ${spanText(Math.abs(time.apartMs))} apart.`;
  if (time.verdict === 'equal') return 'The same text in both.';
  if (time.verdict === 'own') return `Correct: ${timeWords(time)}.${apart}`;
  if (time.verdict === 'form') return `The forms differ.${apart}`;
  return `Both times have the same format, but no single time zone fits both sending times.${apart}`;
}

/** `told`: the sentence above says of both sides when they were sent, and so that a documented form is right. */
function TimeText({ side, told }: { side: TimeSide; told: boolean }) {
  return (
    <>
      <code>{side.text === '' ? 'empty' : side.text}</code>
      {told && side.form === 'dmy' ? null : (
        <span>{told || side.form === 'other' ? formText(side) : `${formText(side)}; ${momentText(side)}`}</span>
      )}
    </>
  );
}

function dataSentence(verdict: 'equal' | 'none' | 'left only' | 'right only', { left, right }: ReadyCalls): string {
  const bytes = (call: Call) => `${utf8Length(call.request.hashInput?.dataJson ?? '').toLocaleString('en')} bytes`;
  switch (verdict) {
    case 'equal':
      return masksRequest(left) || masksRequest(right)
        ? 'The same in both, except for masked parts.'
        : `The same ${bytes(left)} in both.`;
    case 'none':
      return 'Neither has data: only key and time are hashed.';
    case 'left only':
      return `Call ${callNumber(left)} has data, ${bytes(left)}; call ${callNumber(right)} has none.`;
    case 'right only':
      return `Call ${callNumber(right)} has data, ${bytes(right)}; call ${callNumber(left)} has none.`;
  }
}

function FirstByte({ calls, difference }: { calls: ReadyCalls; difference: DataDifference }) {
  const { first, afterKey } = difference;
  if (first === null || afterKey === null) {
    return <p>The texts differ only in lone surrogates, which are sent as U+FFFD: the bytes are the same.</p>;
  }
  const after =
    afterKey.left === afterKey.right
      ? `${byteText(afterKey.left)} after the key`
      : `${byteText(afterKey.left)} and ${byteText(afterKey.right)} after the key`;
  return (
    <>
      <p>
        <strong className="ink">{`First difference: ${byteText(first.byteOffset)} of data`}</strong>
        {`, ${after}; line ${first.line.toLocaleString('en')}, column ${first.column.toLocaleString('en')}.`}
      </p>
      <Sides
        calls={calls}
        left={<Around difference={first} side={first.left} />}
        right={<Around difference={first} side={first.right} />}
      />
    </>
  );
}

type First = NonNullable<DataDifference['first']>;

/** Shows the characters around the byte, with invisible ones made visible, and the byte itself. */
function Around({ difference: { before, beforeCut }, side }: { difference: First; side: First['left'] }) {
  const code = side.after.codePointAt(0);
  const character = code === undefined ? '' : String.fromCodePoint(code);
  return (
    <>
      <code>
        {beforeCut ? '…' : ''}
        {visible(before)}
        <mark>{character === '' ? 'end' : visible(character)}</mark>
        {visible(side.after.slice(character.length))}
        {side.cut ? '…' : ''}
      </code>
      <span>{side.byte === null ? 'end of text' : `byte 0x${side.byte}: ${side.character}`}</span>
    </>
  );
}

/** Replaces characters that show nothing themselves by signs. */
function visible(text: string): string {
  return text
    .replaceAll('\r', '[CR]')
    .replaceAll('\n', '⏎')
    .replaceAll('\t', '⇥')
    .replaceAll(' ', '·')
    .replaceAll(
      /[\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu,
      (character) => `[${characterWords(character)}]`,
    );
}

function DataTexts({
  calls: { left, right },
  showLong,
  onShowLong,
}: {
  calls: ReadyCalls;
  showLong: boolean;
  onShowLong: () => void;
}) {
  const texts = [left.request.hashInput?.dataJson ?? '', right.request.hashInput?.dataJson ?? ''] as const;
  const length = texts[0].length + texts[1].length;
  if (length > dataGate && !showLong) {
    return (
      <Gate title={`Long data: ${bytesText(length)}`} onShow={onShowLong}>
        Comparing it line by line takes a moment. The first difference is shown above.
      </Gate>
    );
  }
  return (
    <div className={parts.texts}>
      <ReadOnlyDiff
        left={{ label: `Data of call ${callNumber(left)}`, text: texts[0] }}
        right={{ label: `Data of call ${callNumber(right)}`, text: texts[1] }}
        language="json"
        wrap={length <= wrapUpTo}
      />
    </div>
  );
}

/** Takes the place of long texts until the user asks for them. */
export function Gate({ title, onShow, children }: { title: string; onShow: () => void; children: ReactNode }) {
  const show = (
    <Button variant="primary" onClick={onShow}>
      Show anyway
    </Button>
  );
  return (
    <EmptyState icon={<FileWarning />} title={title} action={show}>
      {children}
    </EmptyState>
  );
}

/** Says that there is nothing to show. */
export function NoDifference({ children }: { children: ReactNode }) {
  return (
    <div className={styles.same}>
      <EmptyState icon={<Equal />} title="No difference" small>
        {children}
      </EmptyState>
    </div>
  );
}
