import type { Client, DirectoryPurpose, Output, PickedDirectory } from '#shared/ipc/index.ts';
import { asAppError } from '#renderer/faults/faults.ts';

/** Asks for a directory in the system's own dialog. If it cannot ask, the reason is in the result, for the page's own dialog. */
export type DirectoryPicker = (purpose: DirectoryPurpose) => Promise<PickedDirectory>;

/** Lists the directories in one of the user's, or in the user's own for null; fails as `collections.directories` does. */
export type ListDirectories = (directory: string | null) => Promise<Output<'collections.directories'>>;

/** Creates the picker, for hosts that have such a dialog. */
export function createDirectoryPicker(client: Client): DirectoryPicker {
  return async (purpose) => {
    try {
      return await client.call('app.pickDirectory', { purpose });
    } catch (thrown) {
      return { directory: null, message: asAppError(thrown).message };
    }
  };
}

/** Returns the absolute path of a directory in another one, as the system of that path writes it. */
export function directoryIn(parent: string, name: string): string {
  const separator = /^(?:[A-Za-z]:|\\)\\/.test(parent) ? '\\' : '/';
  return parent.endsWith(separator) ? parent + name : parent + separator + name;
}
