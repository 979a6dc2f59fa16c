import { app, BrowserWindow, dialog, Menu, screen, type ContextMenuParams, type MessageBoxOptions } from 'electron';
import { replyWithin } from '#core/host/within.ts';
import { createCrashLimit } from './crash-limit.ts';
import { pageAddress } from './page-origin.ts';
import { windowPreferences } from './window-preferences.ts';
import { placeWindow, smallestWindow, writeWindowState } from './window-state.ts';

export interface WindowOptions {
  readonly preload: string;
  /** A picture, which Linux shows: other systems have the program's own. */
  readonly icon: string;
  /** The remembered state of the window. */
  readonly remembered: string | undefined;
  /** Remembers the state, soon after a change and when the window closes. */
  readonly remember: (state: string) => void;
}

const settled = 400;
/** Milliseconds after which the window is shown even if the page has not painted, because an empty window is better than none. */
const paintedWithin = 5_000;
/** Milliseconds that a page has to run a script before it is said to hang. */
const replyMs = 1_000;
/** Chromium's error code of a load that another one replaced. */
const aborted = -3;

/** Opens the one window and shows the page in it. */
export function openWindow(options: WindowOptions): BrowserWindow {
  const screens = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()].map(({ workArea }) => workArea);
  const { bounds, maximized } = placeWindow(options.remembered, screens);
  const window = new BrowserWindow({
    ...bounds,
    minWidth: smallestWindow.width,
    minHeight: smallestWindow.height,
    show: false,
    title: 'Croupier',
    icon: options.icon,
    webPreferences: { ...windowPreferences, devTools: !app.isPackaged, preload: options.preload },
  });
  const show = showOnce(window, maximized);
  const late = setTimeout(show, paintedWithin);
  window.once('ready-to-show', show);
  window.once('closed', () => clearTimeout(late));
  followBounds(window, maximized, options.remember);
  followTrouble(window, show);
  // On Windows, at a logoff or shutdown. It waits for a program that refuses and ends by itself, and kills one that agrees before it has saved.
  window.on('query-session-end', (event) => {
    event.preventDefault();
    app.quit();
  });
  window.webContents.on('context-menu', (_event, params) => showTextMenu(window, params));
  // `did-fail-load` reports errors.
  window.loadURL(pageAddress).catch(() => undefined);
  return window;
}

/** Returns a function that shows the window as it was left, at its first call only. */
function showOnce(window: BrowserWindow, maximized: boolean): () => void {
  let shown = false;
  return () => {
    if (shown || window.isDestroyed()) return;
    shown = true;
    // Not earlier, because maximising shows a hidden window.
    if (maximized) window.maximize();
    window.show();
  };
}

/** Zooms the page by one of Chromium's steps; 0 restores its usual size. */
export function zoomPage(step: 1 | -1 | 0): void {
  for (const { webContents } of BrowserWindow.getAllWindows())
    webContents.setZoomLevel(step === 0 ? 0 : webContents.getZoomLevel() + step / 2);
}

/** Brings the window to the front, for a second start of Croupier. */
export function showWindow(): void {
  const [window] = BrowserWindow.getAllWindows();
  if (window === undefined) return;
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

function followBounds(window: BrowserWindow, wasMaximized: boolean, remember: (state: string) => void): void {
  let timer: NodeJS.Timeout | undefined;
  let maximized = wasMaximized;
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    if (window.isDestroyed()) return;
    // Electron reports a hidden or minimised window as not maximised until it is shown again.
    if (window.isVisible() && !window.isMinimized()) maximized = window.isMaximized();
    remember(writeWindowState({ bounds: window.getNormalBounds(), maximized }));
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(write, settled);
  };
  window.on('resize', later);
  window.on('move', later);
  window.on('maximize', later);
  window.on('unmaximize', later);
  window.on('close', write);
  window.on('closed', () => clearTimeout(timer));
}

/** Reloads a page that crashed, with the kept typed text. Asks the user about one that hangs. */
function followTrouble(window: BrowserWindow, show: () => void): void {
  const limit = createCrashLimit();
  const contents = window.webContents;
  let hanging: AbortController | null = null;

  contents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    if (limit.mayReload(Date.now())) return contents.reload();
    show();
    void askToRetry(window, {
      message: 'The page crashed several times.',
      detail: 'Everything that you typed or sent is kept.',
    });
  });
  contents.on('did-fail-load', (_event, code, reason, _url, isMainFrame) => {
    if (!isMainFrame || code === aborted || window.isDestroyed()) return;
    show();
    void askToRetry(window, {
      message: 'The page could not be shown.',
      detail: `${reason === '' ? `Error ${code}` : reason}. If trying again doesn't help, reinstall Croupier. Your data is kept.`,
    });
  });
  contents.on('will-prevent-unload', (event) => {
    const choice = dialog.showMessageBoxSync(window, {
      type: 'warning',
      message: 'You have unsaved changes.',
      detail: 'They are lost if you leave.',
      buttons: ['Stay', 'Leave without saving'],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    });
    if (choice === 1) event.preventDefault();
  });
  window.on('unresponsive', () => {
    if (hanging !== null) return;
    const asked = new AbortController();
    hanging = asked;
    void askWhileHanging(window, asked.signal).finally(() => {
      if (hanging === asked) hanging = null;
    });
  });
  window.on('responsive', () => hanging?.abort());
}

/** Asks in a box over the window, or alone where there is none. Returns the number of the chosen button. */
export async function ask(box: MessageBoxOptions): Promise<number> {
  const [window] = BrowserWindow.getAllWindows();
  const { response } = await (window === undefined ? dialog.showMessageBox(box) : dialog.showMessageBox(window, box));
  return response;
}

async function askToRetry(window: BrowserWindow, said: { message: string; detail: string }): Promise<void> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'error',
    ...said,
    buttons: ['Try again', 'Quit'],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  });
  if (response !== 0) app.quit();
  else if (!window.isDestroyed()) window.webContents.reload();
}

async function askWhileHanging(window: BrowserWindow, signal: AbortSignal): Promise<void> {
  // Electron also reports it 5 s after a close that its user did not confirm, of a page that is well.
  const reply = Promise.allSettled([window.webContents.executeJavaScript('0')]);
  if ((await replyWithin(replyMs, reply)) !== null || signal.aborted || window.isDestroyed()) return;
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    message: 'The page does not respond.',
    detail: 'Restarting it keeps your requests as they were when it last responded.',
    buttons: ['Wait', 'Restart the page'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
    signal,
  });
  // Ending its process causes `render-process-gone`, which reloads the page.
  if (response === 1 && !signal.aborted && !window.isDestroyed()) window.webContents.forcefullyCrashRenderer();
}

function showTextMenu(window: BrowserWindow, { isEditable, selectionText }: ContextMenuParams): void {
  if (isEditable)
    Menu.buildFromTemplate([{ role: 'cut' }, { role: 'copy' }, { role: 'paste' }, { role: 'selectAll' }]).popup({ window });
  else if (selectionText !== '') Menu.buildFromTemplate([{ role: 'copy' }]).popup({ window });
}
