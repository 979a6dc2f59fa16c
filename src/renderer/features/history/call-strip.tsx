import { useEffect, useRef, useState, type RefObject } from 'react';
import { useStore } from 'zustand';
import { Activity, Diff, FileDown, FilePen, Pin, PinOff, Repeat, Square, Trash } from 'lucide-react';
import type { CallSummary, ExportForm, ExportFormat } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { isSigned } from '#shared/provider/index.ts';
import type { CallCopies } from '#renderer/calls/copy-call.ts';
import { CopyMenu } from '#renderer/calls/copy-menu.tsx';
import type { RepeatStore } from '#renderer/calls/repeat-store.ts';
import { isRepeatable, outcomeText } from '#renderer/calls/repeat-words.ts';
import { Said } from '#renderer/ui/announced.tsx';
import { Button } from '#renderer/ui/button.tsx';
import { Menu, type MenuItem } from '#renderer/ui/menu.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import { Tooltip } from '#renderer/ui/tooltip.tsx';
import type { CallActions } from './call-actions.ts';
import type { CallExports } from './call-exports.ts';
import { chosenCalls } from './chosen-calls.ts';
import type { HistoryStore } from './history-store.ts';
import styles from './call-strip.module.css';
import { exportFormats } from '#shared/model/formats.ts';

const longestNote = 4_000;

/** The actions on the selected call or on the ticked ones, with the note of one. */
export function CallStrip({
  store,
  actions,
  exports,
  copies,
  repeats,
  onOpenCall,
  noteField,
  onDone,
  onCompare,
  onExamine,
}: {
  store: HistoryStore;
  actions: CallActions;
  exports: CallExports;
  copies: CallCopies;
  repeats: RepeatStore;
  /** Opens a call as a request that is signed again. */
  onOpenCall: (id: number) => void;
  /** For the key that leads to it. */
  noteField: RefObject<HTMLInputElement | null>;
  /** Called when a key kept the note or left it as it was: the keyboard goes back to the list. */
  onDone: () => void;
  /** Compares the chosen calls, or says that it takes two. */
  onCompare: (calls: readonly CallSummary[]) => void;
  /** Opens the one call in the doctor. */
  onExamine: (id: number) => void;
}) {
  const state = useStore(store);
  const [keepTokens, setKeepTokens] = useState(false);
  const { job, last, repeat, cancel } = useStore(repeats);
  const calls = chosenCalls(state);
  const ticked = calls.some(({ id }) => state.ticked.has(id)) ? calls.length : null;
  const [first] = calls;
  if (first === undefined) return null;
  const pinned = calls.every((call) => call.pinned);
  const one = calls.length === 1;
  const inPack = calls.some(({ pack }) => pack !== undefined);
  const many = one ? '' : ` ${calls.length.toLocaleString('en')} calls`;
  return (
    <section className={styles.strip} aria-label={ticked !== null ? 'Ticked calls' : 'Selected call'}>
      {one && !inPack ? (
        <NoteField
          key={first.id}
          call={first}
          actions={actions}
          field={noteField}
          onEdit={() => state.setActive(first.id)}
          onDone={onDone}
        />
      ) : null}
      <Said text={last === null ? '' : outcomeText(last.id, last.call)} />
      <div className={styles.actions}>
        {inPack ? (
          <>
            <CompareButton calls={ticked} onCompare={() => onCompare(calls)} />
            {one ? (
              <Button icon={<Activity />} onClick={() => onExamine(first.id)}>
                Open in Doctor
              </Button>
            ) : null}
          </>
        ) : (
          <>
            {!one ? null : job.state === 'sending' ? (
              <>
                <output className="quiet small one-line">{job.cancelled ? 'Cancelling…' : `Sending call ${job.id} again`}</output>
                <Button icon={<Square />} keys="Escape" onClick={() => startWork(cancel())}>
                  Cancel
                </Button>
              </>
            ) : (
              <>
                <Button icon={<FilePen />} keys="Enter" disabled={first.operation === null} onClick={() => onOpenCall(first.id)}>
                  Edit and re-sign
                </Button>
                <Button icon={<Repeat />} keys="R" disabled={!isRepeatable(first)} onClick={() => startWork(repeat(first.id))}>
                  Repeat exactly
                </Button>
              </>
            )}
            {one ? <CopyMenu callId={first.id} signed={isSigned(first.operation)} copies={copies} /> : null}
            <Button icon={pinned ? <PinOff /> : <Pin />} keys="P" onClick={() => startWork(actions.pin(calls, !pinned))}>
              {pinned ? 'Unpin' : 'Pin'}
              {many}
            </Button>
            <CompareButton calls={ticked} onCompare={() => onCompare(calls)} />
            <Menu
              open={state.exporting}
              onOpenChange={state.setExporting}
              align="end"
              trigger={
                <Button icon={<FileDown />} keys="E">
                  Export{many}
                </Button>
              }
              items={exportItems(keepTokens, setKeepTokens, (format, form) =>
                startWork(exports.getState().run(calls, { format, form, keepTokens })),
              )}
            />
            <Button data-danger icon={<Trash />} keys="Del" onClick={() => startWork(actions.remove(calls))}>
              Delete{many}
            </Button>
          </>
        )}
      </div>
    </section>
  );
}

/** `calls`: the number of ticked ones; null if none is. Grey for other than two; it then says so, and stays within reach of the keyboard. */
function CompareButton({ calls, onCompare }: { calls: number | null; onCompare: () => void }) {
  const ready = calls === null || calls === 2;
  const button = (
    <Button
      icon={<Diff />}
      keys="C"
      aria-disabled={!ready || undefined}
      className={ready ? undefined : styles.grey}
      onClick={onCompare}
    >
      Compare
    </Button>
  );
  if (calls === 2) return button;
  return (
    <Tooltip content={calls === null ? 'With the last accepted call' : 'Tick exactly two calls to compare them'} side="top">
      {button}
    </Tooltip>
  );
}

/** Enter and leaving the field keep the note; Escape undoes what was typed. */
function NoteField({
  call,
  actions,
  field,
  onEdit,
  onDone,
}: {
  call: CallSummary;
  actions: CallActions;
  field: RefObject<HTMLInputElement | null>;
  onEdit: () => void;
  onDone: () => void;
}) {
  const [text, setText] = useState<string | null>(null);
  const unkept = useRef(false);
  const { id, note } = call;
  // Another page may have written it meanwhile: text that is being typed here stays, else the note is shown again.
  useEffect(() => {
    if (!unkept.current) setText(null);
  }, [note]);
  async function keep(): Promise<void> {
    if (!unkept.current || text === null) return;
    unkept.current = false;
    const typed = text.trim();
    if (typed === note) return setText(null);
    if (!(await actions.note(id, typed))) unkept.current = true;
  }
  return (
    <TextField
      ref={field}
      aria-label="Note"
      placeholder="Note"
      maxLength={longestNote}
      className={styles.note}
      value={text ?? note}
      onText={(typed) => {
        unkept.current = true;
        setText(typed);
      }}
      onFocus={onEdit}
      onBlur={() => startWork(keep())}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          event.preventDefault();
          startWork(keep());
          onDone();
        } else if (event.key === 'Escape') {
          event.preventDefault();
          event.stopPropagation();
          unkept.current = false;
          setText(null);
          onDone();
        }
      }}
    />
  );
}

const programs = exportFormats.filter(({ program }) => program);
const records = exportFormats.filter(({ program }) => !program);

/** Returns the export menu: records, programs in both forms, and the treatment of tokens. */
function exportItems(
  keepTokens: boolean,
  setKeepTokens: (keep: boolean) => void,
  run: (format: ExportFormat, form: ExportForm) => void,
): readonly MenuItem[] {
  const entry = ({ name, title }: (typeof exportFormats)[number], form: ExportForm, more = ''): MenuItem => ({
    label: `${title}${more}`,
    onSelect: () => run(name, form),
  });
  return [
    { heading: 'Records' },
    ...records.map((record) => entry(record, 'as-sent')),
    { heading: 'Code' },
    ...programs.map((program) => entry(program, 'as-sent', ', as sent')),
    ...programs.map((program) => entry(program, 'resigning', ', re-signing')),
    { heading: 'Session and replay tokens' },
    { id: 'masked', label: 'Masked', checked: !keepTokens, onSelect: () => setKeepTokens(false) },
    { id: 'kept', label: 'As they were sent', checked: keepTokens, onSelect: () => setKeepTokens(true) },
  ];
}
