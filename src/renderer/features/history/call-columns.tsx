import { Pin, Repeat, StickyNote } from 'lucide-react';
import type { CallSummary, Environment } from '#shared/ipc/index.ts';
import { operationTitle } from '#shared/provider/index.ts';
import { bytesText, durationText, messageOf, outcomeOf, timeText } from '#renderer/calls/call-words.ts';
import { CallEnvironment } from '#renderer/calls/environment-name.tsx';
import { ColorMark } from '#renderer/ui/color-mark.tsx';
import type { Column } from '#renderer/ui/data-table.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import { subjectOfCall } from './history-words.ts';
import { RowTick } from '#renderer/ui/row-tick.tsx';
import styles from './call-list.module.css';
import { originWords } from '#shared/calls/sent-words.ts';
import { callNumber } from '#shared/calls/pack-words.ts';
import { identityNow } from '#shared/calls/environment-words.ts';

/**
 * Returns the columns of the list. `now` in milliseconds since the epoch: calls of other days show their date, unless the list is
 * grouped and its headings have it. `compact`: without the facts that the open call shows, too, and narrower: beside it at 1,024
 * px.
 */
export function callColumns(
  environments: readonly Environment[],
  now: number,
  grouped: boolean,
  ticked: { readonly has: (id: number) => boolean },
  /** `range`: with all up to it from the call that was ticked last. */
  onTick: (id: number, on: boolean, range: boolean) => void,
  compact = false,
  /** True if the calls of the list are of several environments: then their names are told beside the colours. */
  mixed = true,
): readonly Column<CallSummary>[] {
  const known = new Map(environments.map((environment) => [environment.id, environment]));
  const columns: readonly Column<CallSummary>[] = [
    {
      id: 'ticked',
      title: 'Ticked',
      quiet: true,
      width: '30px',
      text: () => '',
      cell: (call) => (
        <RowTick
          label={`Tick call ${callNumber(call)}, ${operationTitle(call.operation)}`}
          checked={ticked.has(call.id)}
          onTick={(on, range) => onTick(call.id, on, range)}
        />
      ),
    },
    ...(compact
      ? []
      : [{ id: 'marks', title: 'Marks', width: '64px', text: marksText, cell: (call: CallSummary) => <Marks call={call} /> }]),
    {
      id: 'time',
      title: 'Time',
      width: grouped ? '74px' : '148px',
      text: (call) => timeText(call.sentAt, now),
      cell: (call) => timeText(call.sentAt, grouped ? call.sentAt : now),
    },
    {
      id: 'operation',
      title: 'Operation',
      width: compact ? 'minmax(112px, 140px)' : 'minmax(130px, 170px)',
      code: true,
      text: (call) => operationTitle(call.operation),
    },
    {
      id: 'subject',
      title: 'Details',
      width: 'minmax(150px, 2fr)',
      code: true,
      text: (call) =>
        lineOf(
          [call.origin === undefined ? '' : originWords[call.origin], compact ? marksText(call) : '', subjectOfCall(call)]
            .filter((part) => part !== '')
            .join(' · '),
        ),
      cell: (call) => <Subject call={call} marked={compact} />,
    },
    {
      id: 'outcome',
      title: 'Response',
      width: compact ? '104px' : '118px',
      text: (call) => outcomeOf(call).text,
      cell: (call) => {
        const outcome = outcomeOf(call);
        return (
          <Pill tone={outcome.tone} size="small">
            {outcome.text}
          </Pill>
        );
      },
    },
    {
      id: 'environment',
      title: 'Environment',
      quiet: !mixed,
      width: !mixed ? '28px' : compact ? 'minmax(80px, 100px)' : 'minmax(110px, 170px)',
      text: (call) => call.environmentName,
      cell: (call) => {
        const environment = known.get(call.environmentId);
        return (
          <span className="line" title={identityNow(environment)}>
            <ColorMark color={environment?.color ?? 'grey'} production={environment?.production ?? false} />
            {!mixed ? (
              <span className="visually-hidden">{call.environmentName}</span>
            ) : call.pack === undefined ? (
              <CallEnvironment call={call} />
            ) : (
              <span>{call.environmentName}</span>
            )}
          </span>
        );
      },
    },
    { id: 'message', title: 'Message', width: 'minmax(140px, 1fr)', text: (call) => lineOf(messageOf(call)) },
    { id: 'duration', title: 'Duration', width: '92px', align: 'end', text: (call) => durationText(call.durationMs) },
    { id: 'size', title: 'Size', width: '82px', align: 'end', text: (call) => bytesText(call.responseBytes) },
  ];
  return compact ? columns.filter(({ id }) => !inDetail.has(id)) : columns;
}

function Marks({ call }: { call: CallSummary }) {
  const { pinned, note, repeats } = call;
  if (!pinned && note === '' && repeats === null) return null;
  return (
    <span className="line-tight quiet">
      {pinned ? <Pin role="img" aria-label="Pinned" /> : null}
      {note === '' ? null : <StickyNote role="img" aria-label={`Note: ${note}`} />}
      {repeats === null ? null : <Repeat role="img" aria-label={`Repeats call ${repeats}`} />}
    </span>
  );
}

/**
 * Words that tell a call from others, cut before its end: an ID, which stands last, is known by its end as well. Beside an open call, the
 * marks stand before it: a column of their own would take its room, and few calls have any.
 */
function Subject({ call, marked }: { call: CallSummary; marked: boolean }) {
  const text = lineOf(subjectOfCall(call));
  const cut = Math.max(0, text.length - endLength);
  return (
    <span className="line">
      {call.origin === undefined ? null : (
        <Pill size="small" title={originWords[call.origin]}>
          {senders[call.origin]}
        </Pill>
      )}
      {marked ? <Marks call={call} /> : null}
      {/* A screen reader would hear a space where the two parts meet. */}
      <span className="visually-hidden">{text}</span>
      <span className={styles.subject} aria-hidden="true">
        <span className="short">{text.slice(0, cut)}</span>
        <span className={styles.end}>{text.slice(cut)}</span>
      </span>
    </span>
  );
}

const senders = { backend: 'Backend', provider: 'Provider' } as const;

/** Characters at the end of a subject that are always shown. */
const endLength = 12;

/** The columns of what the open call shows beside the list. */
const inDetail: ReadonlySet<string> = new Set(['message', 'duration', 'size']);

/** Number of characters of a row's line: more than a wide screen shows, and few enough if each is a control character drawn as a label. */
const longestLine = 300;

function lineOf(text: string): string {
  return text.length <= longestLine ? text : `${text.slice(0, longestLine)}…`;
}

function marksText({ pinned, note, repeats }: CallSummary): string {
  return [pinned ? 'Pinned' : '', note, repeats === null ? '' : `Repeats call ${repeats}`]
    .filter((mark) => mark !== '')
    .join('. ');
}
