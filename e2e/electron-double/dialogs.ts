import { browserStarted } from './ready.ts';
import { record } from './record.ts';
import { strict } from './strict.ts';

const texts = { title: 'Title', message: 'Message', detail: 'Detail', buttonLabel: 'Button label', defaultPath: 'Default path' };
const lists = { buttons: 'Buttons', properties: 'Properties' };

/** What Electron looks at before a dialog is shown; gives the options. */
function checked(name: string, given: readonly unknown[]): Record<string, unknown> {
  if (!browserStarted()) throw new Error('dialog module can only be used after app is ready');
  const [window, options = {}] = given.length > 1 ? given : [null, given[0]];
  const values = options as Record<string, unknown>;
  for (const [option, words] of Object.entries(texts)) {
    if (!['string', 'undefined'].includes(typeof values[option])) throw new TypeError(`${words} must be a string`);
  }
  for (const [option, words] of Object.entries(lists)) {
    if (values[option] !== undefined && !Array.isArray(values[option])) throw new TypeError(`${words} must be an array`);
  }
  const { type = 'none' } = values;
  if (!['none', 'info', 'warning', 'error', 'question'].includes(String(type))) throw new TypeError('Invalid message box type');
  record(`dialog.${name}`, { message: values['message'], title: values['title'], overWindow: window !== null });
  return values;
}

/** A native dialog has nobody to answer it: a test gives the answer by replacing the function through `electronApp.evaluate`. */
function unanswered(name: string): (...given: unknown[]) => never {
  return (...given) => {
    checked(name, given);
    throw new Error(`dialog.${name} was asked and the test gave no answer.`);
  };
}

/** One that the app may close itself stands until it does, and says then what its cancel button says. */
async function showMessageBox(...given: unknown[]): Promise<object> {
  const { signal, cancelId = 0 } = checked('showMessageBox', given);
  if (signal === undefined) return unanswered('showMessageBox')(...given);
  const closing = signal as AbortSignal;
  // As Electron has it: without a response.
  if (closing.aborted) return { cancelId, checkboxChecked: false };
  return new Promise((resolve) => {
    const close = () => resolve({ response: cancelId, checkboxChecked: false });
    closing.addEventListener('abort', close, { once: true });
  });
}

/** Electron's `dialog` module. */
export const dialog = strict('dialog', {
  showOpenDialog: unanswered('showOpenDialog') as Electron.Dialog['showOpenDialog'],
  showSaveDialog: unanswered('showSaveDialog') as Electron.Dialog['showSaveDialog'],
  showMessageBox: showMessageBox as unknown as Electron.Dialog['showMessageBox'],
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
