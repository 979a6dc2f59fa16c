import { Check } from 'lucide-react';
import { durationText } from '#renderer/calls/call-words.ts';
import type { Column } from '#renderer/ui/data-table.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import type { RunRow } from './run-rows.ts';
import { isClean, requestWord, whyText } from './run-words.ts';

/** The columns of the requests of a run. */
const runColumns: readonly Column<RunRow>[] = [
  {
    id: 'state',
    title: 'State',
    width: '88px',
    text: ({ request }) => requestWord(request.state).text,
    cell: ({ request }) => {
      const { tone, text } = requestWord(request.state);
      // Most pass: what did not is what is looked for.
      if (isClean(request)) {
        return (
          <span className="good line-tight" title={text}>
            <Check />
            <span className="visually-hidden">{text}</span>
          </span>
        );
      }
      return (
        <Pill tone={request.unrecorded === '' || tone === 'bad' ? tone : 'warn'} size="small">
          {text}
        </Pill>
      );
    },
    sortable: true,
  },
  {
    id: 'path',
    title: 'Request',
    width: 'minmax(72px, 1fr)',
    text: ({ request }) => request.path,
    cell: ({ request }) => <span className="in-column">{request.path}</span>,
    sortable: true,
  },
  {
    id: 'code',
    title: 'Code',
    width: '74px',
    code: true,
    text: ({ request: { code, status } }) => (code !== null ? String(code) : status === null ? '' : `HTTP ${status}`),
  },
  {
    id: 'time',
    title: 'Time',
    width: '68px',
    align: 'end',
    text: ({ request }) => durationText(request.durationMs),
    compare: (one, other) => (one.request.durationMs ?? -1) - (other.request.durationMs ?? -1),
    sortable: true,
  },
  {
    id: 'why',
    title: 'Reason',
    width: 'minmax(96px, 2fr)',
    text: ({ request }) => whyText(request),
    cell: ({ request }) => <span className="in-column">{whyText(request)}</span>,
  },
];

const inDetails: ReadonlySet<string> = new Set(['code', 'time']);
const beside = runColumns.filter(({ id }) => !inDetails.has(id));

/** Returns the columns; beside the details of a request, without the facts that these have, too: its reason has their room. */
export const runColumnsFor = (hasDetails: boolean): typeof runColumns => (hasDetails ? beside : runColumns);
