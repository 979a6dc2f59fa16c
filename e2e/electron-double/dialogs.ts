import { BrowserWindow } from './browser-window.ts';
import { browserStarted } from './ready.ts';
import { record } from './record.ts';
import { onlyDoubled, strict } from './strict.ts';

type Asking = 'showOpenDialog' | 'showMessageBox' | 'showMessageBoxSync';
type Ask = (...given: never[]) => unknown;

/** Names of a dialog's texts in Electron's errors about other values. */
const texts = {
  title: 'Title',
  message: 'Message',
  detail: 'Detail',
  buttonLabel: 'Button label',
  defaultPath: 'Default path',
} as const;
const boxTypes: readonly unknown[] = ['none', 'info', 'warning', 'error', 'question'];

/** Makes Electron's checks before it shows a dialog. */
function check(name: string, options: Readonly<Record<string, unknown>>): void {
  if (!browserStarted()) throw new Error('dialog module can only be used after app is ready');
  const box = name.startsWith('showMessageBox');
  const own = box
    ? ([
        'MessageBoxOptions',
        ['type', 'message', 'detail', 'title', 'buttons', 'defaultId', 'cancelId', 'noLink', 'signal'],
      ] as const)
    : (['OpenDialogOptions', ['title', 'buttonLabel', 'defaultPath', 'message', 'properties']] as const);
  onlyDoubled(own[0], options, own[1]);
  for (const [key, called] of Object.entries(texts))
    if (typeof (options[key] ?? '') !== 'string') throw new TypeError(`${called} must be a string`);
  if (box && !boxTypes.includes(options['type'] ?? 'none')) throw new TypeError('Invalid message box type');
  if (box && !Array.isArray(options['buttons'] ?? [])) throw new TypeError('Buttons must be an array');
  if (box && typeof (options['noLink'] ?? false) !== 'boolean') throw new TypeError('noLink must be a boolean');
  if (!box && !Array.isArray(options['properties'] ?? [])) throw new TypeError('Properties must be an array');
}

/** Closes a box whose signal is aborted, with the answer of `cancelId`; aborted before, Electron answers without any. */
function untilAborted(answer: unknown, { signal, cancelId = 0 }: Electron.MessageBoxOptions): unknown {
  if (signal === undefined) return answer;
  if (signal.aborted) return Promise.resolve({ cancelId, checkboxChecked: false });
  const aborted = new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve({ response: cancelId, checkboxChecked: false })),
  );
  return Promise.race([answer, aborted]);
}

/**
 * A native dialog has nobody to answer it: a test gives the answer by replacing the function through `electronApp.evaluate`. The
 * options are checked all the same.
 */
function asks(name: Asking): PropertyDescriptor {
  let answer: Ask | null = null;
  function ask(...given: never[]): unknown {
    const [first, second] = given as unknown[];
    const window = first instanceof BrowserWindow ? first : null;
    if (window?.isDestroyed() === true) throw new TypeError('Error processing argument at index 0, conversion failure');
    const options = ((window === null ? first : second) ?? {}) as Electron.MessageBoxOptions;
    check(name, options as never);
    record(`dialog.${name}`, { message: options.message, title: options.title, overWindow: window !== null });
    const { signal } = options;
    // A box that the program may close itself stands until it does.
    if (answer === null && signal === undefined) throw new Error(`dialog.${name} was asked and the test gave no answer.`);
    const said = answer === null ? new Promise(() => undefined) : answer(...given);
    return name === 'showMessageBox' ? untilAborted(said, options) : said;
  }
  return { enumerable: true, get: () => ask, set: (given: Ask) => (answer = given) };
}

/** Electron's `dialog` module. */
export const dialog = strict(
  'dialog',
  Object.defineProperties(
    { showErrorBox: (title: string, content: string) => record('dialog.showErrorBox', { title, content }) },
    {
      showOpenDialog: asks('showOpenDialog'),
      showMessageBox: asks('showMessageBox'),
      showMessageBoxSync: asks('showMessageBoxSync'),
    },
  ) as Pick<Electron.Dialog, Asking | 'showErrorBox'>,
);

/** Electron's `shell` module: what would leave the program is written down. */
export const shell = strict('shell', {
  openExternal: async (url: string) => record('shell.openExternal', url),
} satisfies Partial<Electron.Shell>);
