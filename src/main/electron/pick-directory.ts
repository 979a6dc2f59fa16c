import { BrowserWindow, dialog } from 'electron';
import { AppError } from '#shared/errors.ts';
import type { DirectoryPurpose } from '#shared/ipc/index.ts';

/** Texts of the dialog, among which a page chooses, so that it cannot write its own. */
const words: Readonly<Record<DirectoryPurpose, { readonly title: string; readonly buttonLabel: string }>> = {
  open: { title: 'Open a directory as a collection', buttonLabel: 'Open' },
  create: { title: 'Directory for the new collection', buttonLabel: 'Choose' },
};

/** Asks the user for one directory, over the focused window; null if they declined. Fails with `unsupported`. */
export async function pickDirectory(purpose: DirectoryPurpose): Promise<string | null> {
  const question = { ...words[purpose], properties: ['openDirectory' as const, 'createDirectory' as const] };
  const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
  try {
    const { canceled, filePaths } = await (window === undefined
      ? dialog.showOpenDialog(question)
      : dialog.showOpenDialog(window, question));
    return canceled ? null : (filePaths[0] ?? null);
  } catch (cause) {
    throw new AppError('unsupported', 'The system did not open its dialog. Type the absolute path.', undefined, { cause });
  }
}
