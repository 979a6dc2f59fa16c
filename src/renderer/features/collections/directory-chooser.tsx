import { useEffect, useState } from 'react';
import type { Output } from '#shared/ipc/index.ts';
import { asAppError, startWork } from '#renderer/faults/faults.ts';
import { ListBox } from '#renderer/ui/list-box.tsx';
import { directoryIn, type ListDirectories } from './directory-picker.ts';

type Listed = Output<'collections.directories'>;

/** The directories that are shown, and why others could not be. */
interface Shown {
  readonly listed: Listed | null;
  readonly problem: string | null;
}

/** Reads a directory; the list before stays if that fails. */
async function read(list: ListDirectories, directory: string | null, before: Listed | null): Promise<Shown> {
  try {
    return { listed: await list(directory), problem: null };
  } catch (error) {
    return { listed: before, problem: asAppError(error).message };
  }
}

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
  const [{ listed, problem }, setShown] = useState<Shown>({ listed: null, problem: null });
  const [name, setName] = useState('');
  useEffect(() => {
    const begin = async () => setShown(await read(list, null, null));
    startWork(begin());
  }, [list]);
  async function go(directory: string): Promise<void> {
    const next = await read(list, directory, listed);
    setShown(next);
    if (next.problem === null) setName('');
  }
  if (listed === null) return problem === null ? null : <p role="alert">{problem}</p>;
  const { directory, parent, names, more } = listed;
  const pathOf = (chosen: string) => (chosen === up ? parent : directoryIn(directory, chosen));
  const options = [...(parent === null ? [] : [{ value: up, label: 'Up' }]), ...names.map((one) => ({ value: one, label: one }))];
  return (
    <div>
      <ListBox
        aria-label={`Folders in ${directory}`}
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
          startWork(go(path));
        }}
      />
      <p className="quiet small">
        {names.length === 0 ? `No folders in ${directory}. ` : `In ${directory}. `}
        Enter opens a folder.{more ? ' Not all are listed: type the path.' : ''}
      </p>
      {problem === null ? null : <p role="alert">{problem}</p>}
    </div>
  );
}
