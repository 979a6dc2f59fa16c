import type { PassedCall } from '#shared/ipc/index.ts';
import type { PassedVerdict } from '#shared/ipc/gateway.ts';
import { passedWords } from '#shared/calls/passed-words.ts';
import { durationText, timeText } from '#renderer/calls/call-words.ts';
import type { Column } from '#renderer/ui/data-table.tsx';
import { Pill, type PillTone } from '#renderer/ui/pill.tsx';

/** Tones of the gateway's verdicts. */
const verdictTones: Readonly<Record<PassedVerdict, PillTone>> = {
  stopped: 'bad',
  failed: 'bad',
  wrongHash: 'bad',
  rejected: 'bad',
  unclear: 'warn',
  other: 'plain',
  good: 'good',
};

const senders = { backend: 'Backend', provider: 'Provider' } as const;

/** Returns the columns; `now` in milliseconds since the epoch. `bothWays`: the provider's requests pass, too. `compact`: without what the open call shows. */
export function exchangeColumns(now: number, bothWays: boolean, compact: boolean): readonly Column<PassedCall>[] {
  const from: Column<PassedCall> = { id: 'from', title: 'From', width: '84px', text: (entry) => senders[entry.from] };
  const subject: Column<PassedCall> = {
    id: 'subject',
    title: 'Details',
    width: 'minmax(90px, 1fr)',
    code: true,
    text: (entry) => entry.subject,
  };
  return [
    { id: 'time', title: 'Time', width: '72px', text: ({ sentAt }) => timeText(sentAt, now) },
    ...(bothWays ? [from] : []),
    {
      id: 'operation',
      title: 'Operation',
      width: 'minmax(110px, 140px)',
      code: true,
      text: ({ operation, request }) => operation ?? request,
    },
    ...(compact ? [] : [subject]),
    {
      id: 'verdict',
      title: 'Verdict',
      width: '160px',
      text: ({ verdict }) => passedWords[verdict],
      cell: ({ verdict }) => (
        <Pill tone={verdictTones[verdict]} size="small">
          {passedWords[verdict]}
        </Pill>
      ),
    },
    {
      id: 'why',
      title: 'Why',
      width: 'minmax(90px, 2fr)',
      text: ({ why }) => why,
      cell: ({ why }) => <span className="in-column">{why}</span>,
    },
    { id: 'duration', title: 'Duration', width: '80px', align: 'end', text: ({ totalMs }) => durationText(totalMs) },
  ];
}
