import { BrowserWindow, ipcMain, type WebContents } from 'electron';
import type { App } from '#core/app/app.ts';
import type { EventName, Payload, Reply } from '#shared/ipc/index.ts';
import { maySpeak } from './sender.ts';

/** Connection of the page to core. */
export interface PageLine {
  /** Sends an event of the desktop to the focused window, or to the only one. */
  tell<E extends EventName>(name: E, payload: Payload<E>): void;
  /** Stops taking calls and sending events. */
  leave(): void;
}

/** Returns whether contents are a window's own page, because Electron also counts a game as part of a window. */
function isWindow(contents: WebContents): boolean {
  return BrowserWindow.getAllWindows().some((window) => window.webContents === contents);
}

/** Connects the page to core: one channel for calls, one for events. */
export function joinPage(app: Pick<App, 'dispatch' | 'subscribe'>): PageLine {
  ipcMain.handle('call', async (event, name: unknown, input: unknown): Promise<Reply> => {
    if (!maySpeak(event.senderFrame, isWindow(event.sender)))
      return { ok: false, error: { code: 'refused', message: 'Only the workbench can use this.' } };
    return app.dispatch(typeof name === 'string' ? name : '', input);
  });
  const unsubscribe = app.subscribe((name, payload) => {
    for (const window of BrowserWindow.getAllWindows()) send(window, name, payload);
  });

  function send(window: BrowserWindow, name: string, payload: unknown): void {
    if (window.isDestroyed() || window.webContents.isDestroyed()) return;
    // A crashed page receives nothing, and Electron would log that for each event.
    if (!window.webContents.isCrashed()) window.webContents.send('event', name, payload);
  }

  return {
    tell(name, payload) {
      const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
      if (window !== undefined) send(window, name, payload);
    },
    leave() {
      unsubscribe();
      ipcMain.removeHandler('call');
    },
  };
}
