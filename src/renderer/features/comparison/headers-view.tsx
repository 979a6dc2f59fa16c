import { callNumber } from '#shared/calls/pack-words.ts';
import { ComparedLines } from './compared-lines.tsx';
import type { ComparedCalls } from './comparison-store.ts';

/** The headers of both, as sent and as received, by their names in lower case. */
export function HeadersView({ calls }: { calls: Extract<ComparedCalls, { state: 'ready' }> }) {
  const { left, right, comparison } = calls;
  const titles = { left: `Call ${callNumber(left)}`, right: `Call ${callNumber(right)}` };
  const { sentHeaders, receivedHeaders } = comparison;
  return (
    <div className="fill-scroll">
      <ComparedLines label="Received" {...titles} lines={receivedHeaders.lines} reordered={receivedHeaders.reordered} />
      <ComparedLines label="Sent" {...titles} lines={sentHeaders.lines} reordered={sentHeaders.reordered} />
    </div>
  );
}
