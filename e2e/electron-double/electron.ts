/**
 * A test double of the part of the `electron` module that this app uses, over Chromium. It is not Electron:
 * docs/decisions/0005-electron-double.md lists its limits. A name that is missing here fails when the app's bundle is linked.
 */
import type {} from 'electron';
import { onPopup } from './browser.ts';
import { allContents, decidePopup } from './contents-list.ts';
import { focusedContents } from './focus.ts';
import { defaultProtocol, session } from './session.ts';
import { guardWorkers } from './workers.ts';

onPopup(decidePopup);
guardWorkers();

export { app } from './app.ts';
export { BrowserWindow } from './browser-window.ts';
export { dialog, shell } from './dialogs.ts';
export { doubleHold } from './hold.ts';
export { webFrameMain } from './frames.ts';
export { ipcMain } from './ipc-main.ts';
export { Menu } from './menu.ts';
export { doubleRecord } from './record.ts';
export { screen } from './screen.ts';
export { session };
export { utilityProcess } from './utility-process.ts';
export { WebContentsView } from './web-contents-view.ts';

/** Electron's `protocol` module: that of the default session. */
export const protocol = defaultProtocol;

/** Electron's `webContents` module. Playwright finds a page's window through it. */
export const webContents = {
  getAllWebContents: allContents,
  getFocusedWebContents: focusedContents,
  fromDevToolsTargetId: (targetId: string) => allContents().find(({ target }) => target?.targetId === targetId),
};
