import { useCallback, useEffect, useState } from 'react';
import type { Output } from '#shared/ipc/index.ts';
import { asAppError, startWork } from '#renderer/faults/faults.ts';
import { ListBox } from '#renderer/ui/list-box.tsx';
import { directoryIn, type ListDirectories } from './directory-picker.ts';
import styles from './directory-field.module.css';

type Listed = Output<'collections.directories'>;

/** The way out of a directory, in the list of what is in it. */
const up = '..';

/** Chooses one of the user's directories: arrows move, Enter or a double click goes into one, which is then the chosen one. */
export function DirectoryChooser({
  list,
  onPicked,
}: {
  readonly list: ListDirectories;
  readonly onPicked: (directory: string) => void;
}) {
  const [listed, setListed] = useState<Listed | null>(null);
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const show = useCallback(
    async (directory: string | null) => {
      try {
        setListed(await list(directory));
        setName('');
        setProblem(null);
      } catch (error) {
        setProblem(asAppError(error).message);
      }
    },
    [list],
  );
  useEffect(() => startWork(show(null)), [show]);
  if (listed === null) return problem === null ? null : <p role="alert">{problem}</p>;
  const { directory, parent, names, more } = listed;
  const pathOf = (chosen: string) => (chosen === up ? parent : directoryIn(directory, chosen));
  const options = [...(parent === null ? [] : [{ value: up, label: 'Up' }]), ...names.map((one) => ({ value: one, label: one }))];
  return (
    <div className={styles.chooser}>
      <ListBox
        aria-label={`Directories in ${directory}`}
        options={options}
        value={name}
        onChange={(chosen) => {
          setName(chosen);
          const path = pathOf(chosen);
          if (chosen !== up && path !== null) onPicked(path);
        }}
        onOpen={(chosen) => {
          const path = pathOf(chosen);
          if (path === null) return;
          onPicked(path);
          startWork(show(path));
        }}
      />
      <p className={styles.place}>
        {names.length === 0 ? `${directory} has no directories. ` : `In ${directory}. `}
        Enter goes into a directory.{more ? ' There are more than the list holds: type the path.' : ''}
      </p>
      {problem === null ? null : <p role="alert">{problem}</p>}
    </div>
  );
}
