import { record } from './record.ts';
import { strict } from './strict.ts';

/** A native dialog has nobody to answer it: a test gives the answer by replacing the function through `electronApp.evaluate`. */
function unanswered(name: string): () => never {
  return () => {
    throw new Error(`dialog.${name} was asked and the test gave no answer.`);
  };
}

/** Electron's `dialog` module. */
export const dialog = strict('dialog', {
  showOpenDialog: unanswered('showOpenDialog') as Electron.Dialog['showOpenDialog'],
  showSaveDialog: unanswered('showSaveDialog') as Electron.Dialog['showSaveDialog'],
  showMessageBox: unanswered('showMessageBox') as Electron.Dialog['showMessageBox'],
  showMessageBoxSync: unanswered('showMessageBoxSync') as Electron.Dialog['showMessageBoxSync'],
  showErrorBox: (title: string, content: string) => record('dialog.showErrorBox', { title, content }),
} satisfies Partial<Electron.Dialog>);

/** Electron's `shell` module: what would leave the program is written down. */
export const shell = strict('shell', {
  openExternal: async (url: string) => record('shell.openExternal', url),
  showItemInFolder: (path: string) => record('shell.showItemInFolder', path),
} satisfies Partial<Electron.Shell>);

/** Electron's `clipboard` module, as far as text goes. */
let copied = '';
export const clipboard = strict('clipboard', {
  writeText(text: string) {
    copied = text;
    return Promise.resolve();
  },
  readText: () => Promise.resolve(copied),
});
