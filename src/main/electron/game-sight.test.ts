import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { GameViewEvent } from '#core/host/host.ts';
import { followSight } from './game-sight.ts';

function setUp() {
  const told: GameViewEvent[] = [];
  const asked: boolean[] = [];
  const state = { minimised: false, visible: true, destroyed: false };
  const window = Object.assign(new EventEmitter(), {
    isDestroyed: () => state.destroyed,
    isMinimized: () => state.minimised,
    isVisible: () => state.visible,
    webContents: new EventEmitter(),
  });
  const view = { setVisible: (visible: boolean) => void asked.push(visible) };
  const become = (name: string, change: Partial<typeof state>) => {
    Object.assign(state, change);
    window.emit(name);
  };
  const sight = followSight(window as never, view, (event) => told.push(event));
  return { sight, told, asked, become, window };
}

describe('whether a game is seen', () => {
  it('is no until the workbench places it again, once its page reloads or crashes', () => {
    const { sight, window } = setUp();
    const navigate = (isMainFrame: boolean, isSameDocument: boolean) =>
      window.webContents.emit('did-start-navigation', { isMainFrame, isSameDocument });
    navigate(false, false);
    navigate(true, true);
    expect(sight.isSeen()).toBe(true);
    navigate(true, false);
    expect(sight.isSeen()).toBe(false);
    sight.setVisible(true);
    window.webContents.emit('render-process-gone');
    expect(sight.isSeen()).toBe(false);
    sight.stop();
    expect(window.webContents.eventNames()).toEqual([]);
  });

  it('is told once for each change, and says whose doing it was', () => {
    const { sight, told, asked, become } = setUp();
    sight.setVisible(true);
    expect(told).toEqual([]);
    sight.setVisible(false);
    sight.setVisible(false);
    become('minimize', { minimised: true });
    sight.setVisible(true);
    expect(sight.isSeen()).toBe(false);
    become('restore', { minimised: false });
    become('hide', { visible: false });
    become('show', { visible: true });
    expect(told).toEqual([
      { type: 'sight', seen: false, window: false },
      { type: 'sight', seen: true, window: false },
      { type: 'sight', seen: false, window: true },
      { type: 'sight', seen: true, window: false },
    ]);
    expect(asked).toEqual([true, false, false, true]);
  });

  it('is followed until the game is closed', () => {
    const { sight, told, become, window } = setUp();
    sight.stop();
    become('minimize', { minimised: true });
    expect(told).toEqual([]);
    expect(window.eventNames()).toEqual([]);
  });
});
