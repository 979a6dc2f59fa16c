import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
import { Segmented } from './segmented.tsx';
import { SplitPane } from './split-pane.tsx';

/** A second pane beside a list, which the shell fills: the selected call, or the provider's log. */
export interface BesideList {
  /** Null while it is not shown. */
  readonly pane: ReactNode;
  /** Its name, such as `Call 7`. */
  readonly title: string;
  /** Its place: beside the list, below it, or in turns with it as the second of two tabs, where the window is too small for both. */
  readonly place: 'beside' | 'below' | 'tab';
  /** The list's part in percent. */
  readonly share: number;
  /** The same before anybody moved the edge. */
  readonly usual: number;
  readonly onShare: (share: number) => void;
}

/**
 * The list and the second pane. Escape in the pane leads back to the row. In turns, a click on a row shows the pane, and the filters
 * leave their room to it.
 */
export function ListPanes({
  id,
  beside,
  asked = false,
  label,
  listTitle,
  bar,
  list,
  foot = null,
  chosen = false,
  onBackToRow,
}: {
  id: string;
  beside: BesideList;
  /** True if the user asked for the pane, as for the provider's log: it then has the first turn. */
  asked?: boolean;
  /** Names the edge between the two for screen readers. */
  label: string;
  /** Names the list where the two take turns. */
  listTitle: string;
  bar: ReactNode;
  list: ReactNode;
  /** The actions: below the call that they are for, or below the list. */
  foot?: ReactNode;
  /** True if calls are ticked: in turns, the actions on them then stand below the list. */
  chosen?: boolean;
  onBackToRow: () => void;
}) {
  const [last, setLast] = useState<{ readonly asked: boolean; readonly turn: 'list' | 'pane' }>({
    asked,
    turn: asked ? 'pane' : 'list',
  });
  if (last.asked !== asked) setLast({ asked, turn: asked ? 'pane' : 'list' });
  const box = useRef<HTMLDivElement>(null);
  const { pane, title, place } = beside;
  const inTurns = place === 'tab' && pane !== null;
  const shown = inTurns ? last.turn : 'list';
  const setTurn = (turn: 'list' | 'pane') => setLast({ asked, turn });
  const focusTab = () => box.current?.querySelector<HTMLElement>('[role="tab"][data-value="pane"]')?.focus();

  /** True from Escape on until the row is in sight, which it must be to take the focus. */
  const wantsRow = useRef(false);
  const focusRow = useEffectEvent(() => {
    if (!wantsRow.current) return;
    wantsRow.current = false;
    onBackToRow();
  });
  useEffect(() => focusRow(), [last]);

  function backToList(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    wantsRow.current = true;
    setTurn('list');
  }
  function showClicked({ target }: MouseEvent): void {
    if (!(target instanceof Element) || target.closest('[data-item]') === null || target.closest('input') !== null) return;
    // Before the row with the focus goes out of sight.
    focusTab();
    setTurn('pane');
  }
  const wasAsked = useRef(asked);
  const followFocus = useEffectEvent(() => {
    if (wasAsked.current === asked) return;
    wasAsked.current = asked;
    if (inTurns && asked) focusTab();
    else if (inTurns) onBackToRow();
  });
  useEffect(() => followFocus(), [asked]);
  const second =
    pane === null ? null : (
      <div className="fill-column" role="presentation" onKeyDown={backToList}>
        {pane}
        {asked ? null : foot}
      </div>
    );
  const underList = asked || pane === null ? foot : null;

  if (!inTurns) {
    return (
      <>
        {bar}
        <SplitPane
          id={id}
          label={label}
          orientation={place === 'beside' ? 'horizontal' : 'vertical'}
          usual={beside.usual}
          share={beside.share}
          onShare={beside.onShare}
          minFirst={place === 'beside' ? 380 : 170}
          minSecond={place === 'beside' ? 320 : 170}
          first={
            <>
              {list}
              {underList}
            </>
          }
          second={second}
        />
      </>
    );
  }
  return (
    <div className="fill-column" role="presentation" ref={box} onKeyDown={shown === 'pane' ? backToList : undefined}>
      {shown === 'list' ? bar : null}
      <Segmented
        label={label}
        items={[
          { value: 'list', label: listTitle },
          { value: 'pane', label: title },
        ]}
        value={shown}
        onChange={setTurn}
      >
        {/* The list keeps its position. */}
        <div className="fill-column" role="presentation" hidden={shown !== 'list'} onClick={showClicked}>
          {list}
          {chosen ? foot : underList}
        </div>
        {shown === 'pane' ? second : null}
      </Segmented>
    </div>
  );
}
