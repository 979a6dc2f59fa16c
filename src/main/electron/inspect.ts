import { BrowserWindow, dialog, WebContentsView, type WebContents } from 'electron';

/** Shows or closes the developer tools of the page. Always in a separate window, because beside the page they would move it but not the games over it. */
export function inspectPage(): void {
  for (const { webContents } of BrowserWindow.getAllWindows()) toggle(webContents);
}

/** Shows or closes the developer tools of each visible game. */
export async function inspectGames(): Promise<void> {
  const views = BrowserWindow.getAllWindows().flatMap((window) => window.contentView.children);
  const games = views.flatMap((view) => (view instanceof WebContentsView && view.getVisible() ? (pageOf(view) ?? []) : []));
  for (const game of games) toggle(game);
  if (games.length === 0)
    await dialog.showMessageBox({ message: 'No game is visible.', detail: 'Launch one, then open its developer tools.' });
}

/** Returns the page of a view; undefined, unlike in Electron's type, if the page has ended while its view is still in the window. */
function pageOf(view: WebContentsView): WebContents | undefined {
  return view.webContents;
}

function toggle(contents: WebContents): void {
  if (contents.isDevToolsOpened()) contents.closeDevTools();
  else contents.openDevTools({ mode: 'detach' });
}
