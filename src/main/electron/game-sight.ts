import type { BrowserWindow, View } from 'electron';
import type { GameViewOptions } from '#core/host/host.ts';

/** Visibility of a game, as far as Croupier decides it. */
export interface GameSight {
  isSeen(): boolean;
  /** Set by the page: false while the page must be visible in the place of the game. */
  setVisible(visible: boolean): void;
  stop(): void;
}

/**
 * Reports when a game is hidden, by the workbench's page or by a minimised or hidden window, because Chromium then tells the game so
 * and slows its timers. Croupier cannot detect other windows over its own.
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
