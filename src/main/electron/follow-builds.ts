import { app, BrowserWindow } from 'electron';

/** Reloads the page after each build of `npm run dev`, if that started this program. `read` reads its files. */
export function followBuilds(read: () => Promise<void>, onFault: (error: unknown) => void): void {
  if (app.isPackaged || process.send === undefined) return;
  process.on('message', (message) => {
    if (message === 'page-built') void showAnew(read).catch(onFault);
  });
}

async function showAnew(read: () => Promise<void>): Promise<void> {
  await read();
  for (const { webContents } of BrowserWindow.getAllWindows()) webContents.reload();
}
