import {
  Activity,
  Copy,
  Diff,
  FilePen,
  ListChecks,
  Pin,
  PinOff,
  Repeat,
  SquareCheck,
  StickyNote,
  Trash,
  UserX,
} from 'lucide-react';
import { useRef, type ReactNode, type RefObject } from 'react';
import type { CallSummary } from '#shared/ipc/index.ts';
import { isRepeatable } from '#renderer/calls/repeat-words.ts';
import { ContextMenu, type MenuItem } from '#renderer/ui/menu.tsx';

/** The chosen calls of the list, and the actions on them. */
interface CallVerbs {
  /** The chosen call, if it is one. */
  readonly only: CallSummary | undefined;
  /** True if the call under the keyboard is ticked. */
  readonly isTicked: boolean;
  /** True if all chosen calls are pinned. */
  readonly unpin: boolean;
  /** Their number after a space; empty for one. */
  readonly many: string;
  /** The ticked calls. */
  /** The number of ticked calls; null if none is, and the selected one is compared with the last accepted one. */
  readonly compares: number | null;
  readonly edit: () => void;
  readonly repeat: () => void;
  readonly toggle: () => void;
  readonly toggleTo: () => void;
  readonly pin: () => void;
  readonly remove: () => void;
  readonly compare: () => void;
  readonly examine: () => void;
  /** The forms in which the chosen call is copied; empty for several. */
  readonly copies: readonly MenuItem[];
  readonly forget: () => void;
  /** True for calls of a support pack, which are only read. */
  readonly inPack: boolean;
}

/** The menu of a row, whose list is `children`. */
export function CallMenu({
  verbs,
  noteField,
  children,
}: {
  readonly verbs: CallVerbs;
  readonly noteField: RefObject<HTMLInputElement | null>;
  readonly children: ReactNode;
}) {
  const {
    only,
    isTicked,
    unpin,
    many,
    compares,
    edit,
    repeat,
    toggle,
    toggleTo,
    pin,
    remove,
    compare,
    examine,
    copies,
    forget,
    inPack,
  } = verbs;
  const toNote = useRef(false);
  const ticks: MenuItem[] = [
    { label: isTicked ? 'Untick' : 'Tick', icon: <SquareCheck />, keys: 'Space', onSelect: toggle },
    { label: `${isTicked ? 'Untick' : 'Tick'} up to here`, icon: <ListChecks />, keys: 'Shift+Space', onSelect: toggleTo },
  ];
  const comparing: MenuItem = {
    label: compares === null ? 'Compare with the last accepted call' : 'Compare the two ticked calls',
    icon: <Diff />,
    keys: 'C',
    disabled: compares === null ? only === undefined : compares !== 2,
    onSelect: compare,
  };
  const examining: MenuItem = { label: 'Open in Doctor', icon: <Activity />, disabled: only === undefined, onSelect: examine };
  const items: MenuItem[] = inPack
    ? [...ticks, 'separator', comparing, examining]
    : [
        {
          label: 'Edit and re-sign',
          icon: <FilePen />,
          keys: 'Enter',
          disabled: (only?.operation ?? null) === null,
          onSelect: edit,
        },
        {
          label: 'Repeat exactly',
          icon: <Repeat />,
          keys: 'R',
          disabled: only === undefined || !isRepeatable(only),
          onSelect: repeat,
        },
        'separator',
        ...ticks,
        'separator',
        { label: `${unpin ? 'Unpin' : 'Pin'}${many}`, icon: unpin ? <PinOff /> : <Pin />, keys: 'P', onSelect: pin },
        {
          label: 'Edit note',
          icon: <StickyNote />,
          keys: 'N',
          disabled: only === undefined,
          onSelect: () => (toNote.current = true),
        },
        comparing,
        { label: 'Copy as', icon: <Copy />, disabled: copies.length === 0, items: copies },
        examining,
        'separator',
        { label: `Delete${many}`, icon: <Trash />, keys: 'Del', danger: true, onSelect: remove },
        { label: 'Forget a player…', icon: <UserX />, danger: true, onSelect: forget },
      ];
  return (
    <ContextMenu
      items={items}
      onCloseAutoFocus={(event) => {
        if (!toNote.current) return;
        toNote.current = false;
        event.preventDefault();
        noteField.current?.focus();
      }}
    >
      {children}
    </ContextMenu>
  );
}
