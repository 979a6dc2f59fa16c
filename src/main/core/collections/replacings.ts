import { join, relative, sep } from 'node:path';
import type { Payload } from '#shared/ipc/index.ts';
import { removeStaleTemporaries } from '../files/files.ts';
import { createReplacing, type Replacing } from './replace-file.ts';

export interface ReplacingsDeps {
  readonly onKept: (kept: Payload<'collections.kept'>) => void;
  readonly onFault: (error: unknown) => void;
}

/** Replaces the files of each collection in this session. */
export function createReplacings({ onKept, onFault }: ReplacingsDeps) {
  const replacings = new Map<string, Replacing>();
  const swept = new Set<string>();

  function replacingIn(id: string, directory: string): Replacing {
    const pathOf = (absolute: string) => relative(directory, absolute).split(sep).join('/');
    const made =
      replacings.get(id) ??
      createReplacing({ onFault, onKept: (absolute, copy) => onKept({ id, path: pathOf(absolute), copy: pathOf(copy) }) });
    replacings.set(id, made);
    return made;
  }

  return {
    of: replacingIn,
    /** Removes temporary files that killed programs left in these folders: once in a session, and again while some are too young. */
    async sweep(id: string, directory: string, folders: Iterable<string>): Promise<void> {
      if (swept.has(id)) return;
      let isYoung = false;
      for (const folder of folders) {
        const absolute = join(directory, ...folder.split('/'));
        const found = [await removeStaleTemporaries(absolute), await replacingIn(id, directory).sweep(absolute)];
        isYoung ||= found.includes(true);
      }
      if (!isYoung) swept.add(id);
    },
    /** Looks a last time at the files that were replaced. */
    async close(): Promise<void> {
      await Promise.all([...replacings.values()].map((replacing) => replacing.close()));
    },
  };
}
