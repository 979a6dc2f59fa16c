import { BrowserWindow, dialog, WebContentsView, type WebContents } from 'electron';

/** Shows or closes the developer tools of the page. Always in a window of their own: beside the page they would move it and not the games over it. */
export function inspectPage(): void {
  for (const { webContents } of BrowserWindow.getAllWindows()) toggle(webContents);
}

/** The same for each game that is in sight. */
export async function inspectGames(): Promise<void> {
  const views = BrowserWindow.getAllWindows().flatMap((window) => window.contentView.children);
  const games = views.flatMap((view) => (view instanceof WebContentsView && view.getVisible() ? (pageOf(view) ?? []) : []));
  for (const game of games) toggle(game);
  if (games.length === 0)
    await dialog.showMessageBox({ message: 'No game is in sight.', detail: 'Launch one, then open its developer tools.' });
}

/** Electron's type does not say that there is none once the game's page is gone; its view may still be in the window. */
function pageOf(view: WebContentsView): WebContents | undefined {
  return view.webContents;
}

function toggle(contents: WebContents): void {
  if (contents.isDevToolsOpened()) contents.closeDevTools();
  else contents.openDevTools({ mode: 'detach' });
}
