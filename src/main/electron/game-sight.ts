import type { BrowserWindow, View } from 'electron';
import type { GameViewOptions } from '#core/host/host.ts';

/** Whether a game is seen, as far as Croupier decides it. */
export interface GameSight {
  isSeen(): boolean;
  /** By the page: false while something of it has to be seen where the game is. */
  setVisible(visible: boolean): void;
  stop(): void;
}

/**
 * Follows what hides a game: the workbench's page, or the window that is minimised or hidden. Chromium tells the game that it is hidden then
 * and slows its timers, so that it is told of. What else covers a window is the system's and not seen here.
 */
export function followSight(
  window: Pick<BrowserWindow, 'isDestroyed' | 'isMinimized' | 'isVisible' | 'on' | 'off'>,
  view: Pick<View, 'setVisible'>,
  onEvent: GameViewOptions['onEvent'],
): GameSight {
  let byPage = true;
  let byWindow = true;
  let seen = true;
  const look = () => {
    if (seen === (byPage && byWindow)) return;
    seen = !seen;
    onEvent({ type: 'sight', seen, window: !byWindow });
  };
  const lookAtWindow = () => {
    if (window.isDestroyed()) return;
    byWindow = window.isVisible() && !window.isMinimized();
    look();
  };
  const events = ['minimize', 'restore', 'hide', 'show'] as const;
  for (const name of events) window.on(name as 'show', lookAtWindow);
  lookAtWindow();
  return {
    isSeen: () => seen,
    setVisible(visible) {
      byPage = visible;
      view.setVisible(visible);
      look();
    },
    stop() {
      if (window.isDestroyed()) return;
      for (const name of events) window.off(name as 'show', lookAtWindow);
    },
  };
}
