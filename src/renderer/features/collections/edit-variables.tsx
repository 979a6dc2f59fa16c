import { useEffect, useId, useRef, useState } from 'react';
import { Plus, X } from 'lucide-react';
import { useStore } from 'zustand';
import { variableName } from '#shared/collections/file-limits.ts';
import { nameOf } from '#shared/collections/file-names.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Dialog } from '#renderer/ui/dialog.tsx';
import { FormDialog } from '#renderer/ui/form-dialog.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { Skeleton } from '#renderer/ui/skeleton.tsx';
import { TextArea } from '#renderer/ui/text-area.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import type { CollectionsStore } from './collections-store.ts';
import { TakenValues, type TakenAccess } from './taken-values.tsx';
import type { KnownSettings, VariablesStore } from './variables-store.ts';
import { openCollection } from './open-collections.ts';
import { readOnlyReason, type Place } from './tree-rows.ts';
import { Problem } from '#renderer/ui/problem.tsx';
import styles from './edit-variables.module.css';

interface Row {
  readonly id: number;
  readonly name: string;
  readonly value: string;
}

interface EditVariablesProps {
  readonly store: CollectionsStore;
  readonly variables: VariablesStore;
  readonly taken: TakenAccess;
}

/** Edits the variables and notes of a collection or a folder, saved to its settings file. */
export function EditVariables({ store, variables, taken }: EditVariablesProps) {
  const place = useStore(store, (state) => state.editing);
  if (place === null) return null;
  return <Loaded key={`${place.collectionId}/${place.path}`} store={store} variables={variables} taken={taken} place={place} />;
}

function Loaded({ store, variables, taken, place }: EditVariablesProps & { readonly place: Place }) {
  const [known, setKnown] = useState<KnownSettings | null>(null);
  const list = useStore(store, (state) => state.list);
  const collection = openCollection(list, place.collectionId);
  const name = place.path === '' ? (collection?.collection.name ?? '') : nameOf(place.path);
  const { collectionId, path } = place;
  useEffect(() => {
    let wanted = true;
    startWork(
      (async () => {
        const found = await variables.getState().read(collectionId, path);
        if (wanted) setKnown(found);
      })(),
    );
    return () => {
      wanted = false;
    };
  }, [variables, collectionId, path]);
  const readOnly = readOnlyReason(collection?.tree);
  const close = () => store.getState().edit(null);
  if (known?.state === 'ready')
    return (
      <Form variables={variables} taken={taken} place={place} name={name} read={known.read} readOnly={readOnly} onClose={close} />
    );
  return (
    <Dialog onClose={close} title={`Variables of ${name}`} actions={<Button onClick={close}>Close</Button>}>
      {known === null ? <Skeleton rows={4} label="Reading the file" /> : <p role="alert">{known.message}</p>}
    </Dialog>
  );
}

function Form({
  variables,
  taken,
  place,
  name,
  read,
  readOnly,
  onClose,
}: {
  readonly variables: VariablesStore;
  readonly taken: TakenAccess;
  readonly place: Place;
  readonly name: string;
  readonly read: Extract<KnownSettings, { state: 'ready' }>['read'];
  /** The reason why nothing here can be saved; null if it can. */
  readonly readOnly: string | null;
  readonly onClose: () => void;
}) {
  const [rows, setRows] = useState<readonly Row[]>(() =>
    Object.entries(read.settings.variables).map(([key, value], id) => ({ id, name: key, value })),
  );
  const [notes, setNotes] = useState(read.settings.notes);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const ids = useId();
  const list = useRef<HTMLUListElement>(null);
  const added = useRef(false);
  const count = rows.length;
  useEffect(() => {
    if (added.current) list.current?.querySelector<HTMLInputElement>('li:last-child input')?.focus();
    added.current = false;
  }, [count]);

  const change = (id: number, part: Partial<Row>) => setRows(rows.map((row) => (row.id === id ? { ...row, ...part } : row)));
  const problems = rows.map((row, at) => nameProblem(row, rows.slice(0, at)));
  const hidden = new Set(taken.of(place.collectionId).map((one) => one.name));

  async function save(): Promise<void> {
    if (problems.some((one) => one !== null)) return;
    setBusy(true);
    const settings = { ...read.settings, variables: Object.fromEntries(rows.map((row) => [row.name, row.value])), notes };
    const failed = await variables.getState().save(place.collectionId, place.path, settings, read.revision);
    setBusy(false);
    if (failed === null) onClose();
    else setProblem(failed);
  }

  return (
    <FormDialog
      title={`Variables of ${name}`}
      description={
        <>
          Requests {place.path === '' ? 'of this collection' : 'in this folder'} can use them as {'{{name}}'}. Saved in{' '}
          {place.path === '' ? 'collection.yaml' : 'folder.yaml'}, which is meant for git: don&apos;t enter passwords or keys.
        </>
      }
      submit="Save"
      busy={busy}
      waits={readOnly !== null ? 'The collection is read-only.' : (problems.find((one) => one !== null) ?? null)}
      onSubmit={() => startWork(save())}
      onClose={onClose}
      below={<TakenValues access={taken} collectionId={place.collectionId} />}
    >
      <ul className={styles.list} ref={list} aria-label="Variables">
        {rows.map((row, at) => (
          <li key={row.id}>
            <div className={styles.row}>
              <TextField
                code
                aria-label={`Name of variable ${at + 1}`}
                placeholder="name"
                value={row.name}
                aria-invalid={problems[at] !== null || undefined}
                aria-describedby={problems[at] === null ? undefined : `${ids}${row.id}`}
                onText={(text) => change(row.id, { name: text })}
              />
              <TextField
                code
                aria-label={`Value of ${row.name === '' ? `variable ${at + 1}` : row.name}`}
                placeholder="value"
                value={row.value}
                onText={(text) => change(row.id, { value: text })}
              />
              <IconButton
                small
                label={`Remove ${row.name === '' ? 'the variable' : row.name}`}
                icon={<X />}
                onClick={() => setRows(rows.filter((one) => one !== row))}
              />
            </div>
            {problems[at] === null ? null : row.name === '' ? (
              // Known, and no news: the row was just added.
              <p id={`${ids}${row.id}`} hidden>
                {problems[at]}
              </p>
            ) : (
              <Problem id={`${ids}${row.id}`} className="bad small">
                {problems[at]}
              </Problem>
            )}
            {hidden.has(row.name) ? <p className="note small">An earlier response overrides this value.</p> : null}
          </li>
        ))}
      </ul>
      {rows.length === 0 ? <p className="quiet small">No variables yet.</p> : null}
      <Button
        icon={<Plus />}
        onClick={() => {
          added.current = true;
          setRows([...rows, { id: Math.max(-1, ...rows.map(({ id }) => id)) + 1, name: '', value: '' }]);
        }}
      >
        Add a variable
      </Button>
      <Field label="Notes" layout="stack" error={readOnly ?? problem}>
        <TextArea value={notes} onText={setNotes} />
      </Field>
    </FormDialog>
  );
}

function nameProblem({ name }: Row, before: readonly Row[]): string | null {
  if (name === '') return 'Enter a name.';
  if (!variableName.pattern.test(name)) return variableName.problem;
  return before.some((row) => row.name === name) ? `${name} is already in the list.` : null;
}
