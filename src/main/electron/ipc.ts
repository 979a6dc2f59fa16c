import { BrowserWindow, ipcMain, type WebContents } from 'electron';
import type { App } from '#core/app/app.ts';
import type { EventName, Payload, Reply } from '#shared/ipc/index.ts';
import { maySpeak } from './sender.ts';

/** The page's line to core. */
export interface PageLine {
  /** Tells the window that has the focus, or the only one, an event that is not core's. */
  tell<E extends EventName>(name: E, payload: Payload<E>): void;
  /** Takes no more calls and tells no more events. */
  leave(): void;
}

/** Returns a game is in a window, too, by Electron's own account. */
function isWindow(contents: WebContents): boolean {
  return BrowserWindow.getAllWindows().some((window) => window.webContents === contents);
}

/** Joins the page to core: one channel for calls, one for events. */
export function joinPage(app: Pick<App, 'dispatch' | 'subscribe'>): PageLine {
  ipcMain.handle('call', async (event, name: unknown, input: unknown): Promise<Reply> => {
    if (!maySpeak(event.senderFrame, isWindow(event.sender)))
      return { ok: false, error: { code: 'refused', message: 'Only the workbench itself may ask.' } };
    return app.dispatch(typeof name === 'string' ? name : '', input);
  });
  const unsubscribe = app.subscribe((name, payload) => {
    for (const window of BrowserWindow.getAllWindows()) send(window, name, payload);
  });

  function send(window: BrowserWindow, name: string, payload: unknown): void {
    if (window.isDestroyed() || window.webContents.isDestroyed()) return;
    // A page whose process is gone hears nothing, and Electron would say so on standard error for each event.
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
