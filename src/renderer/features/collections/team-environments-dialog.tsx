import { useState } from 'react';
import { useStore } from 'zustand';
import type { CollectionEnvironment } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Dialog } from '#renderer/ui/dialog.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { Pill, type PillTone } from '#renderer/ui/pill.tsx';
import { Select } from '#renderer/ui/select.tsx';
import { openCollection } from './open-collections.ts';
import type { CollectionsStore } from './collections-store.ts';
import styles from './team-environments-dialog.module.css';

/** Lists the environments of a collection, takes one into this home after a look at it, and puts one of this home into the collection. */
export function TeamEnvironmentsDialog({ store }: { readonly store: CollectionsStore }) {
  const { list, teamEnvironments, teamQuestion, dismissTeam } = useStore(store);
  if (teamQuestion === null) return null;
  const { collectionId, problem } = teamQuestion;
  const found = teamEnvironments[collectionId];
  const environments = found?.state === 'ready' ? found.environments : [];
  return (
    <Dialog
      onClose={dismissTeam}
      width="large"
      title={`Environments of ${openCollection(list, collectionId)?.collection.name ?? 'the collection'}`}
      description="Environments saved in the collection, without keys. None is used until you choose it."
      actions={<Button onClick={dismissTeam}>Close</Button>}
    >
      {problem === null ? null : (
        <p role="alert" className="bad">
          {problem}
        </p>
      )}
      {found?.state === 'failed' ? <p className="bad">{found.message}</p> : null}
      {found?.state === 'ready' && environments.length === 0 ? <p>None yet.</p> : null}
      {environments.map((one) => (
        <OneEnvironment key={one.name} store={store} one={one} />
      ))}
      <PutOwn store={store} listed={environments} />
    </Dialog>
  );
}

const marks: Readonly<Record<CollectionEnvironment['state'], readonly [words: string, tone: PillTone]>> = {
  new: ['not used', 'plain'],
  followed: ['followed', 'good'],
  asks: ['changed', 'warn'],
  own: ['yours is separate', 'note'],
  unreadable: ["can't be read", 'bad'],
};

const buttons: Partial<Record<CollectionEnvironment['state'], (name: string) => string>> = {
  new: (name) => `Use ${name}`,
  asks: (name) => `Apply changes to ${name}`,
  own: (name) => `Replace your ${name}`,
};

const sentences: Partial<Record<CollectionEnvironment['state'], string>> = {
  followed: 'Linked to the file: changes you make here are also saved to it.',
  asks: 'Until you apply the changes, calls use the old URLs and confirmations.',
  own: 'You have your own environment of this name. If you replace it, it follows the file and keeps its key.',
};

function OneEnvironment({ store, one }: { readonly store: CollectionsStore; readonly one: CollectionEnvironment }) {
  const busy = useStore(store, (state) => state.teamQuestion?.busy ?? false);
  const { name, path, state, problem, differences } = one;
  const [words, tone] = marks[state];
  const button = buttons[state]?.(name);
  return (
    <section className={styles.one} aria-label={name}>
      <h3 className="medium">
        {name}{' '}
        <Pill tone={tone} size="small">
          {words}
        </Pill>
      </h3>
      <p className="faint small">{path}</p>
      {problem === null ? null : <p className="bad">{problem.message}</p>}
      {sentences[state] === undefined ? null : <p>{sentences[state]}</p>}
      {differences.length === 0 ? null : <Differences one={one} />}
      {button === undefined ? null : (
        <div>
          <Button busy={busy} onClick={() => startWork(store.getState().takeEnvironment(one))}>
            {button}
          </Button>
        </div>
      )}
    </section>
  );
}

/** Shows each setting; those that need a person's consent are marked with words. */
function Differences({ one: { name, state, differences } }: { readonly one: CollectionEnvironment }) {
  const isNew = state === 'new';
  return (
    <div className={styles.scroll}>
      <table className="plain-table small" aria-label={isNew ? `Settings of ${name}` : `Differences of ${name}`}>
        <thead>
          <tr>
            <th scope="col">Setting</th>
            {isNew ? null : <th scope="col">Yours</th>}
            <th scope="col">File</th>
          </tr>
        </thead>
        <tbody>
          {differences.map(({ field, home, file, asks }) => (
            <tr key={field}>
              <th scope="row">
                <code>{field}</code>
                {asks && !isNew ? <span className="warn"> needs your consent</span> : null}
              </th>
              {isNew ? null : <td>{home === '' ? 'none' : home}</td>}
              <td>{file === '' ? 'none' : file}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function PutOwn({ store, listed }: { readonly store: CollectionsStore; readonly listed: readonly CollectionEnvironment[] }) {
  const { teamQuestion, putEnvironment } = useStore(store);
  const [chosen, setChosen] = useState('');
  const free = (teamQuestion?.own ?? []).filter(({ id }) => !listed.some((one) => one.environmentId === id));
  const [first] = free;
  if (first === undefined) return null;
  const id = free.some((one) => one.id === chosen) ? chosen : first.id;
  return (
    <section className={styles.one} aria-label="Share an environment">
      <Field
        label="Share an environment"
        layout="stack"
        hint="Writes a file to commit to git, without the key, player, token command, colour or limits."
      >
        <Select options={free.map((one) => ({ value: one.id, label: one.name }))} value={id} onChange={setChosen} />
      </Field>
      <div>
        <Button busy={teamQuestion?.busy ?? false} onClick={() => startWork(putEnvironment(id))}>
          Share
        </Button>
      </div>
    </section>
  );
}
