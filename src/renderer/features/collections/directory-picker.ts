import type { Client, DirectoryPurpose, PickedDirectory } from '#shared/ipc/index.ts';
import { asAppError } from '#renderer/faults/faults.ts';

/** Asks for a directory in the system's own dialog. Why it could not be asked is in the answer, for the dialog of the page that asks. */
export type DirectoryPicker = (purpose: DirectoryPurpose) => Promise<PickedDirectory>;

/** For hosts that say that they can. */
export function createDirectoryPicker(client: Client): DirectoryPicker {
  return async (purpose) => {
    try {
      return await client.call('app.pickDirectory', { purpose });
    } catch (thrown) {
      const error = asAppError(thrown);
      return { directory: null, message: error.message };
    }
  };
}

/** The absolute path of a directory in another one, as the system of that path writes it. */
export function directoryIn(parent: string, name: string): string {
  const separator = /^(?:[A-Za-z]:|\\)\\/.test(parent) ? '\\' : '/';
  return parent.endsWith(separator) ? parent + name : parent + separator + name;
}
