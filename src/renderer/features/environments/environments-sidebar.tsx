import { useStore } from 'zustand';
import { FileWarning, KeyRound, Plus } from 'lucide-react';
import { EnvironmentName } from '#renderer/calls/environment-name.tsx';
import { classNames } from '#renderer/ui/class-names.ts';
import { ColorMark } from '#renderer/ui/color-mark.tsx';
import { FailedState } from '#renderer/ui/failed-state.tsx';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { Skeleton } from '#renderer/ui/skeleton.tsx';
import { newId, type EnvironmentsStore } from './environments-store.ts';
import { keyWords } from './key-words.ts';
import styles from './environments-sidebar.module.css';

/** The environments as a list: colour, name, whether requests go there, what is missing. */
export function EnvironmentsSidebar({ store }: { store: EnvironmentsStore }) {
  const { list, openId, currentId, editing, keys, open, startNew, load } = useStore(store);
  return (
    <div className={styles.side}>
      <header className={styles.head}>
        <h2>Environments</h2>
        <IconButton label="New environment" icon={<Plus />} onClick={startNew} />
      </header>
      {list.state === 'loading' ? <Skeleton rows={3} label="Loading environments" /> : null}
      {list.state === 'failed' ? <FailedState title="No environments" message={list.message} retry={() => void load()} /> : null}
      {list.state === 'ready' ? (
        <ul>
          {list.environments.map((environment) => {
            const key = keyWords(keys[environment.id]);
            const unsaved = editing[environment.id] !== undefined;
            return (
              <li key={environment.id}>
                <button
                  type="button"
                  className={classNames(styles.row, openId === environment.id && styles.on)}
                  aria-current={openId === environment.id || undefined}
                  onClick={() => open(environment.id)}
                >
                  <ColorMark color={environment.color} production={environment.production} />
                  <EnvironmentName name={environment.name} title={environment.name} className={styles.name} />
                  {unsaved ? <span className={styles.unsaved}>unsaved</span> : null}
                  {!unsaved && environment.id === currentId ? <span className={styles.use}>in use</span> : null}
                  {!unsaved && environment.id !== currentId && (key.tone === 'warn' || key.tone === 'bad') ? (
                    <span className={styles.warn} title={key.detail ?? key.short}>
                      <KeyRound aria-hidden="true" />
                      <span className="visually-hidden">{key.short}</span>
                    </span>
                  ) : null}
                </button>
              </li>
            );
          })}
          {editing[newId] === undefined ? null : (
            <li>
              <button
                type="button"
                className={classNames(styles.row, openId === newId && styles.on)}
                aria-current={openId === newId || undefined}
                onClick={() => open(newId)}
              >
                <ColorMark color={editing[newId].edited.color} />
                <span className={styles.name}>{editing[newId].edited.name || 'New environment'}</span>
                <span className={styles.unsaved}>unsaved</span>
              </button>
            </li>
          )}
        </ul>
      ) : null}
      {list.state === 'ready' && list.broken.length > 0 ? (
        <section className={styles.broken} aria-label="Files that could not be read">
          <h2>Could not be read</h2>
          {list.broken.map((file) => (
            <div key={file.file} className={styles.file}>
              <FileWarning aria-hidden="true" />
              <div>
                <strong>{file.file}</strong>
                <p>{file.message}</p>
              </div>
            </div>
          ))}
        </section>
      ) : null}
    </div>
  );
}
