import { useState, type ReactNode } from 'react';
import { Segmented } from '#renderer/ui/segmented.tsx';
import { SplitPane } from '#renderer/ui/split-pane.tsx';
import { optionsOf } from '#renderer/ui/options.ts';
import type { RequestTab } from './tabs/request-tab.ts';

/** The part of a request that is shown where they take turns. */
export type Turn = 'request' | 'hash' | 'response';

const turns = optionsOf<Turn>({ request: 'Request', hash: 'Hash input', response: 'Response' });

/** Returns the part whose turn it is. A call that is sent or opened shows its response; another tab begins with what it has. */
export function useTurn({ id, callId, sending }: RequestTab): readonly [Turn, (turn: Turn) => void] {
  const isSending = sending.state === 'sending';
  const first = callId === null && !isSending ? 'request' : 'response';
  const [last, setLast] = useState<{ id: string; callId: number | null; isSending: boolean; turn: Turn }>({
    id,
    callId,
    isSending,
    turn: first,
  });
  if (last.id !== id) setLast({ id, callId, isSending, turn: first });
  else if (last.callId !== callId || last.isSending !== isSending) {
    const isNews = (isSending && !last.isSending) || (callId !== null && callId !== last.callId);
    setLast({ id, callId, isSending, turn: isNews ? 'response' : last.turn });
  }
  return [last.id === id ? last.turn : first, (turn) => setLast({ id, callId, isSending, turn })];
}

/** The request, its hash input and its response in turns. */
export function RequestTurns({
  turn,
  onTurn,
  parts,
}: {
  turn: Turn;
  onTurn: (turn: Turn) => void;
  parts: Readonly<Record<Turn, ReactNode>>;
}) {
  return (
    <div className="full-column">
      <Segmented label="Parts of the request" items={turns} value={turn} onChange={onTurn}>
        {parts[turn]}
      </Segmented>
    </div>
  );
}

/** The same beside or above each other; the user moves the edges, whose `shares` are the first part's percent. */
export function RequestSplits({
  stacked,
  wholeHash,
  shares,
  onShare,
  parts,
}: {
  stacked: boolean;
  /** False if the hash input is closed to one line. */
  wholeHash: boolean;
  shares: Readonly<Record<'panes' | 'hash', number>>;
  onShare: (split: 'panes' | 'hash', share: number) => void;
  parts: Readonly<Record<Turn, ReactNode>>;
}) {
  return (
    <SplitPane
      id="request-panes"
      label="Request and response"
      orientation={stacked ? 'vertical' : 'horizontal'}
      share={shares.panes}
      onShare={(share) => onShare('panes', share)}
      minFirst={stacked ? 180 : 320}
      minSecond={stacked ? 140 : 300}
      first={
        wholeHash ? (
          <SplitPane
            id="request-hash"
            label="Payload and hash input"
            orientation="vertical"
            usual={70}
            share={shares.hash}
            onShare={(share) => onShare('hash', share)}
            minFirst={110}
            minSecond={140}
            first={parts.request}
            second={parts.hash}
          />
        ) : (
          <div className="full-column">
            <div className="grow">{parts.request}</div>
            <div className="edge-above rigid">{parts.hash}</div>
          </div>
        )
      }
      second={parts.response}
    />
  );
}
