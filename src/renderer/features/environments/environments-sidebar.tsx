import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { FileWarning, KeyRound, Plus } from 'lucide-react';
import type { Environment } from '#shared/ipc/index.ts';
import { identityText } from '#shared/calls/environment-words.ts';
import { EnvironmentName } from '#renderer/calls/environment-name.tsx';
import { ColorMark } from '#renderer/ui/color-mark.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { foundChoices } from '#renderer/ui/found-choices.ts';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { NotLoaded } from '#renderer/ui/not-loaded.tsx';
import { RowList } from '#renderer/ui/row-list.tsx';
import { SearchField } from '#renderer/ui/search-field.tsx';
import { newId } from './environment-list.ts';
import type { EnvironmentsStore } from './environments-store.ts';
import { keyWords } from './key-words.ts';
import { Sidebar } from '#renderer/ui/sidebar.tsx';
import styles from './environments-sidebar.module.css';

/** The environments as a list: colour, name, whether requests go there, what is missing. */
export function EnvironmentsSidebar({ store }: { store: EnvironmentsStore }) {
  const { list, startNew, load } = useStore(store);
  return (
    <Sidebar
      scrolls
      title="Environments"
      aside={<IconButton label="New environment" icon={<Plus />} onClick={startNew} data-opens />}
    >
      <NotLoaded of={list} rows={3} label="Loading environments" title="No environments" retry={load} />
      {list.state === 'ready' ? <Environments store={store} environments={list.environments} /> : null}
      {list.state === 'ready' && list.broken.length > 0 ? (
        <section className={styles.broken} aria-label="Files that could not be read">
          <h2 className="faint tiny">Could not be read</h2>
          {list.broken.map((file) => (
            <div key={file.file} className="sign-line">
              <FileWarning className="warn" />
              <div>
                <strong>{file.file}</strong>
                <p className="quiet tiny">{file.message}</p>
              </div>
            </div>
          ))}
        </section>
      ) : null}
    </Sidebar>
  );
}

/** Number of environments from which they are also found by typing. */
const manyFrom = 30;
const rowHeight = 28;

/** The one that is being created has no ID yet. */
type Entry = Pick<Environment, 'id' | 'name' | 'color' | 'production'>;

function Environments({ store, environments }: { store: EnvironmentsStore; environments: readonly Environment[] }) {
  const { openId, editing, open } = useStore(store);
  const [typed, setTyped] = useState('');
  const found = useMemo(
    () =>
      foundChoices(
        environments.map((one) => ({ id: one.id, text: `${one.name} ${identityText(one)}`, one })),
        typed,
      ),
    [environments, typed],
  );
  const made = editing[newId]?.edited;
  const rows = useMemo((): readonly Entry[] => {
    const known = found.map(({ one }) => one);
    if (made === undefined) return known;
    return [...known, { id: newId, name: made.name || 'New environment', color: made.color, production: false }];
  }, [found, made]);
  return (
    <>
      {environments.length < manyFrom ? null : (
        <div className={styles.find}>
          <SearchField label="Find an environment" value={typed} onText={setTyped} />
        </div>
      )}
      {rows.length === 0 ? (
        <EmptyState small title="Nothing found">
          Try part of a name, platform or partner.
        </EmptyState>
      ) : (
        <RowList
          label="Environments"
          rows={rows}
          rowKey={entryId}
          height={rowHeight}
          currentKey={openId}
          draw={(entry) => <EntryRow store={store} entry={entry} />}
          onOpen={({ id }) => open(id)}
        />
      )}
    </>
  );
}

function entryId({ id }: Entry): string {
  return id;
}

function EntryRow({ store, entry: { id, name, color, production } }: { store: EnvironmentsStore; entry: Entry }) {
  const view = useStore(store, (state) => state.keys[id]);
  const unsaved = useStore(store, (state) => state.editing[id] !== undefined);
  const inUse = useStore(store, (state) => state.currentId === id);
  useEffect(() => {
    if (id !== newId) store.getState().seeKey(id);
  }, [store, id]);
  const key = keyWords(view);
  return (
    <span className={styles.row}>
      <ColorMark color={color} production={production} />
      <EnvironmentName name={name} title={name} className="grow" />
      {unsaved ? <span className="warn tiny">unsaved</span> : null}
      {!unsaved && inUse ? <span className="good tiny">in use</span> : null}
      {!unsaved && !inUse && (key.tone === 'warn' || key.tone === 'bad') ? (
        <span className="warn" title={key.detail ?? key.short}>
          <KeyRound />
          <span className="visually-hidden">{key.short}</span>
        </span>
      ) : null}
    </span>
  );
}
