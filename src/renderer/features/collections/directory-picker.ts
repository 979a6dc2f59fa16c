import { AppError } from '#shared/errors.ts';
import type { Client, DirectoryPurpose } from '#shared/ipc/index.ts';
import type { Notify } from '#renderer/ui/notice.tsx';

/** Asks for a directory in the system's own dialog; null where the user declined or it could not be asked, which is told. */
export type DirectoryPicker = (purpose: DirectoryPurpose) => Promise<string | null>;

/** For hosts that say that they can. */
export function createDirectoryPicker(client: Client, { notify }: { readonly notify: Notify }): DirectoryPicker {
  return async (purpose) => {
    try {
      const { directory, message } = await client.call('app.pickDirectory', { purpose });
      if (message !== null) notify({ tone: 'warn', text: message });
      return directory;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      notify({ tone: 'bad', text: `The dialog for directories did not open. ${error.message}` });
      return null;
    }
  };
}

/** The whole path of a directory in another one, as the system of that path writes it. */
export function directoryIn(parent: string, name: string): string {
  const separator = /^(?:[A-Za-z]:|\\)\\/.test(parent) ? '\\' : '/';
  return parent.endsWith(separator) ? parent + name : parent + separator + name;
}
