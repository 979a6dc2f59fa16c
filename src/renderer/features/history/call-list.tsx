import { useMemo, useRef, useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { Diff, Pin, PinOff, SquareArrowOutUpRight, SquareCheck, StickyNote, Trash } from 'lucide-react';
import type { CallSummary, Environment } from '#shared/ipc/index.ts';
import { DataTable } from '#renderer/ui/data-table.tsx';
import { ContextMenu, type MenuItem } from '#renderer/ui/menu.tsx';
import type { CallActions } from './call-actions.ts';
import type { ExportCalls } from './call-exports.ts';
import { callColumns } from './call-columns.tsx';
import { CallStrip } from './call-strip.tsx';
import { activeCall, chosenCalls, type HistoryStore } from './history-store.ts';
import styles from './call-list.module.css';

/** The rows with what can be done with them: by keys on a row, by its menu, and by the strip below. */
export function CallList({
  store,
  actions,
  exportCalls,
  environments,
  now,
  compact,
  reveal,
  onOpenCall,
  onCompare,
  footer,
}: {
  store: HistoryStore;
  actions: CallActions;
  exportCalls: ExportCalls;
  environments: readonly Environment[];
  now: () => number;
  /** There is room for what matters most alone. */
  compact: boolean;
  /** A call to bring into sight; a new object brings it again. */
  reveal: { readonly key: number } | null;
  onOpenCall: (id: number) => void;
  onCompare: (calls: readonly CallSummary[]) => void;
  footer: ReactNode;
}) {
  const state = useStore(store);
  const { list, ticked, setActive, tick, loadMore } = state;
  const calls = list.state === 'ready' ? list.calls : [];
  const box = useRef<HTMLDivElement>(null);
  const noteField = useRef<HTMLInputElement>(null);
  const toNote = useRef(false);
  const [exporting, setExporting] = useState(false);
  const columns = useMemo(
    () => callColumns(environments, now(), ticked, (id, on) => tick([id], on), compact),
    [environments, now, ticked, tick, compact],
  );
  const active = activeCall(state);
  const chosen = chosenCalls(state);
  const isTicked = active !== null && ticked.has(active.id);
  const anyTicked = chosen.some(({ id }) => ticked.has(id));
  // A row that is not ticked is meant alone, whatever is ticked elsewhere.
  const meant = active === null || isTicked ? chosen : [active];
  const unpin = meant.every(({ pinned }) => pinned);

  // Two that are ticked, wherever the keyboard is.
  const compared = anyTicked ? chosen : [];

  const pin = () => void actions.pin(meant, !unpin);
  const remove = () => void actions.remove(meant);
  const toggle = () => active !== null && tick([active.id], !isTicked);
  const backToRow = () => box.current?.querySelector<HTMLElement>('[data-item][tabindex="0"]')?.focus();

  function onKey(event: KeyboardEvent): boolean {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const act = {
      p: pin,
      n: () => noteField.current?.focus(),
      Delete: remove,
      Backspace: remove,
      ' ': toggle,
      e: () => setExporting(true),
      c: () => onCompare(compared),
    }[key];
    if (act === undefined) return false;
    if (!event.repeat) act();
    return true;
  }

  const items: MenuItem[] = [
    {
      kind: 'action',
      id: 'open',
      label: 'Open',
      icon: <SquareArrowOutUpRight aria-hidden="true" />,
      keys: 'Enter',
      onSelect: () => active !== null && onOpenCall(active.id),
    },
    {
      kind: 'action',
      id: 'tick',
      label: isTicked ? 'Untick' : 'Tick',
      icon: <SquareCheck aria-hidden="true" />,
      keys: 'Space',
      onSelect: toggle,
    },
    { kind: 'separator', id: 'marks' },
    {
      kind: 'action',
      id: 'pin',
      label: unpin ? 'Unpin' : 'Pin',
      icon: unpin ? <PinOff aria-hidden="true" /> : <Pin aria-hidden="true" />,
      keys: 'P',
      onSelect: pin,
    },
    {
      kind: 'action',
      id: 'note',
      label: 'Write a note',
      icon: <StickyNote aria-hidden="true" />,
      keys: 'N',
      disabled: meant.length !== 1,
      onSelect: () => (toNote.current = true),
    },
    {
      kind: 'action',
      id: 'compare',
      label: 'Compare the two ticked calls',
      icon: <Diff aria-hidden="true" />,
      keys: 'C',
      disabled: compared.length !== 2,
      onSelect: () => onCompare(compared),
    },
    { kind: 'separator', id: 'end' },
    {
      kind: 'action',
      id: 'delete',
      label: 'Delete',
      icon: <Trash aria-hidden="true" />,
      keys: 'Del',
      danger: true,
      onSelect: remove,
    },
  ];

  return (
    <>
      <ContextMenu
        items={items}
        onCloseAutoFocus={(event) => {
          if (!toNote.current) return;
          toNote.current = false;
          event.preventDefault();
          noteField.current?.focus();
        }}
      >
        <div className={styles.list} ref={box}>
          <DataTable
            label="Calls"
            columns={columns}
            rows={calls}
            rowKey={(call) => call.id}
            selectedKey={active?.id ?? null}
            reveal={reveal}
            {...(list.state === 'ready' ? { total: list.total } : {})}
            onOpen={(call) => onOpenCall(call.id)}
            onOpenByClick
            onKey={onKey}
            onActive={(call) => setActive(call.id)}
            onEndReached={list.state === 'ready' && list.more === 'idle' ? () => void loadMore() : undefined}
            footer={footer}
          />
        </div>
      </ContextMenu>
      <CallStrip
        calls={chosen}
        ticked={anyTicked}
        actions={actions}
        exportCalls={exportCalls}
        exporting={exporting}
        onExporting={setExporting}
        now={now}
        noteField={noteField}
        onEdit={setActive}
        onDone={backToRow}
        onCompare={() => onCompare(compared)}
        onUntick={() => tick([...ticked], false)}
      />
    </>
  );
}
