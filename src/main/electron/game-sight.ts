import type { BrowserWindow, View } from 'electron';
import type { GameViewOptions } from '#core/host/host.ts';

/**
 * Reports when a game is hidden, by the workbench's page or by a minimised or hidden window, because Chromium then tells the game so
 * and slows its timers. Croupier cannot detect other windows over its own.
 */
export function followSight(
  window: Pick<BrowserWindow, 'isDestroyed' | 'isMinimized' | 'isVisible' | 'on' | 'off'> & {
    readonly webContents: Pick<BrowserWindow['webContents'], 'on' | 'off'>;
  },
  view: Pick<View, 'setVisible'>,
  onEvent: GameViewOptions['onEvent'],
) {
  let byPage = true;
  let byWindow = true;
  let seen = true;
  const tell = () => {
    if (seen === (byPage && byWindow)) return;
    seen = !seen;
    onEvent({ type: 'sight', seen, window: !byWindow });
  };
  const followWindow = () => {
    if (window.isDestroyed()) return;
    byWindow = window.isVisible() && !window.isMinimized();
    tell();
  };
  // A workbench page that reloads does not know the game's position.
  const hide = (details: { isMainFrame: boolean; isSameDocument: boolean }) => {
    if (details.isMainFrame && !details.isSameDocument) sight.setVisible(false);
  };
  const hideAlways = () => sight.setVisible(false);
  window.webContents.on('did-start-navigation', hide);
  window.webContents.on('render-process-gone', hideAlways);
  const events = ['minimize', 'restore', 'hide', 'show'] as const;
  for (const name of events) window.on(name as 'show', followWindow);
  followWindow();
  const sight = {
    isSeen: (): boolean => seen,
    /** Set by the page: false while the page must be visible in the place of the game. */
    setVisible(visible: boolean): void {
      byPage = visible;
      view.setVisible(visible);
      tell();
    },
    stop(): void {
      if (window.isDestroyed()) return;
      for (const name of events) window.off(name as 'show', followWindow);
      window.webContents.off('did-start-navigation', hide);
      window.webContents.off('render-process-gone', hideAlways);
    },
  };
  return sight;
}
