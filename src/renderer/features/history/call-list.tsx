import { useMemo, type ReactNode, type RefObject } from 'react';
import { useStore } from 'zustand';
import { letterOf } from '#shared/chords.ts';
import type { CallSummary, Environment } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { isSigned } from '#shared/provider/index.ts';
import { copyItems, type CallCopies } from '#renderer/calls/copy-call.ts';
import type { RepeatStore } from '#renderer/calls/repeat-store.ts';
import { DataTable } from '#renderer/ui/data-table.tsx';
import type { CallActions } from './call-actions.ts';
import type { CallExports } from './call-exports.ts';
import { callColumns } from './call-columns.tsx';
import { CallMenu } from './call-menu.tsx';
import { useToday } from '#renderer/ui/day.ts';
import { groupCalls } from './call-groups.ts';
import { activeCall, chosenCalls } from './chosen-calls.ts';
import type { HistoryStore } from './history-store.ts';

/** The rows with the actions on them, by keys on a row and by its menu. */
export function CallList({
  store,
  actions,
  exports,
  copies,
  repeats,
  environments,
  run,
  compact,
  reveal,
  onOpenCall,
  onShow,
  onCompare,
  onExamine,
  onForget,
  reading,
  noteField,
  footer,
}: {
  store: HistoryStore;
  actions: CallActions;
  exports: CallExports;
  copies: CallCopies;
  repeats: RepeatStore;
  environments: readonly Environment[];
  /** ID of this session of Croupier; null while it is not known. */
  run: string | null;
  /** True if there is room only for the most important columns. */
  compact: boolean;
  /** A call to bring into sight; a new object does it again. */
  reveal: { readonly key: number } | null;
  onOpenCall: (id: number) => void;
  /** Moves the keyboard to the detail of the selected call: one of a support pack, or one that fits no operation, opens nowhere else. */
  onShow: () => void;
  onCompare: (calls: readonly CallSummary[]) => void;
  /** Opens the call in the doctor. */
  onExamine: (id: number) => void;
  /** Asks which player to forget, beginning with the player of the call. */
  onForget: (callId: number | null) => void;
  /** True while the list is read anew. */
  reading: boolean;
  /** For the key that leads to the note. */
  noteField: RefObject<HTMLInputElement | null>;
  footer: ReactNode;
}) {
  const state = useStore(store);
  const copying = useStore(copies);
  const { list, ticked, grouping, activeId, setActive, setExporting, tick, tickTo, loadMore, stopSearch } = state;
  const calls = list.state === 'ready' ? list.calls : noCalls;
  const today = useToday();
  const mixed = useMemo(() => new Set(calls.map(({ environmentName }) => environmentName)).size > 1, [calls]);
  const columns = useMemo(
    () =>
      callColumns(
        environments,
        today,
        grouping !== 'none',
        ticked,
        (id, on, range) => (range ? tickTo(id, on) : tick([id], on)),
        compact,
        mixed,
      ),
    [environments, today, grouping, ticked, tick, tickTo, compact, mixed],
  );
  const open = list.state === 'ready' && list.more !== 'end';
  const headings = useMemo(() => groupCalls(calls, { grouping, now: today, run, open }), [calls, grouping, today, run, open]);
  const active = activeCall(state);
  const chosen = chosenCalls(state);
  const isTicked = active !== null && ticked.has(active.id);
  const anyTicked = chosen.some(({ id }) => ticked.has(id));
  const unpin = chosen.every(({ pinned }) => pinned);
  const [only] = chosen.length === 1 ? chosen : [];
  const many = chosen.length === 1 ? '' : ` ${chosen.length.toLocaleString('en')} calls`;

  /** True if what was chosen can only be read. */
  const inPack = chosen.some(({ pack }) => pack !== undefined);
  const compare = () => onCompare(chosen);

  const pin = () => startWork(actions.pin(chosen, !unpin));
  const remove = () => startWork(actions.remove(chosen));
  const repeat = () => {
    if (only !== undefined && only.operation !== null && only.maskedKeys === undefined)
      startWork(repeats.getState().repeat(only.id));
  };
  const edit = () => {
    if (only !== undefined) onOpenCall(only.id);
  };
  const examine = () => {
    if (only !== undefined) onExamine(only.id);
  };
  const toggle = () => active !== null && tick([active.id], !isTicked);
  const toggleTo = () => active !== null && tickTo(active.id, !isTicked);

  function onKey(event: KeyboardEvent): boolean {
    const key = letterOf(event, false)?.toLowerCase() ?? event.key;
    const act = {
      ...(inPack
        ? {}
        : {
            p: pin,
            n: () => noteField.current?.focus(),
            Delete: remove,
            Backspace: remove,
            e: () => setExporting(true),
            r: repeat,
          }),
      ' ': event.shiftKey ? toggleTo : toggle,
      c: compare,
      ...(repeats.getState().job.state === 'sending'
        ? { Escape: () => startWork(repeats.getState().cancel()) }
        : exports.getState().shown !== null
          ? { Escape: exports.getState().cancel }
          : list.state === 'ready' && list.search?.going === true
            ? { Escape: stopSearch }
            : {}),
    }[key];
    if (act === undefined) return false;
    if (!event.repeat) act();
    return true;
  }

  return (
    <CallMenu
      noteField={noteField}
      verbs={{
        only,
        isTicked,
        unpin,
        many,
        compares: anyTicked ? chosen.length : null,
        edit,
        repeat,
        toggle,
        toggleTo,
        pin,
        remove,
        compare,
        examine,
        inPack,
        copies:
          only === undefined || inPack
            ? []
            : copyItems(copying, isSigned(only.operation), (form) => startWork(copying.run(only.id, form))),
        forget: () => onForget(activeId),
      }}
    >
      <div className="fill-column">
        <DataTable
          label="Calls"
          columns={columns}
          rows={calls}
          rowKey={(call) => call.id}
          selectedKey={active?.id ?? null}
          isTicked={({ id }) => ticked.has(id)}
          reveal={reveal}
          activeKey={activeId}
          behind={reading && activeId !== null && !calls.some(({ id }) => id === activeId)}
          headings={headings}
          {...(list.state === 'ready' ? { total: list.total } : {})}
          onOpen={(call) => (call.pack === undefined && call.operation !== null ? onOpenCall(call.id) : onShow())}
          onKey={onKey}
          onActive={(call) => setActive(call.id)}
          onEndReached={
            list.state === 'ready' && list.more === 'idle' && list.search === null ? () => startWork(loadMore()) : undefined
          }
          footer={footer}
        />
      </div>
    </CallMenu>
  );
}

const noCalls = [] as const;
