import { describe, expect, it } from 'vitest';
import { placeWindow, smallestWindow, writeWindowState, type Bounds } from './window-state.ts';

const main: Bounds = { x: 0, y: 25, width: 1920, height: 1055 };
const right: Bounds = { x: 1920, y: 0, width: 2560, height: 1440 };
const left: Bounds = { x: -1280, y: 0, width: 1280, height: 1024 };
const small: Bounds = { x: 0, y: 0, width: 1024, height: 600 };

const left200 = { x: 200, y: 100, width: 1000, height: 700 };
const text = (bounds: Bounds, maximized = false) => writeWindowState({ bounds, maximized });

describe('placeWindow', () => {
  it('opens the window as it was left', () => {
    expect(placeWindow(text(left200), [main])).toEqual({ bounds: left200, maximized: false });
    expect(placeWindow(text(left200, true), [main])).toEqual({ bounds: left200, maximized: true });
  });

  it('finds it again on a second screen, on either side', () => {
    const onRight = { ...left200, x: 2100 };
    const onLeft = { ...left200, x: -1200 };
    expect(placeWindow(text(onRight), [main, right]).bounds).toEqual(onRight);
    expect(placeWindow(text(onLeft), [main, left]).bounds).toEqual(onLeft);
  });

  it('lets the system place it when its screen is gone, in the same size', () => {
    expect(placeWindow(text({ ...left200, x: 2100 }, true), [main])).toEqual({
      bounds: { width: 1000, height: 700 },
      maximized: true,
    });
  });

  it.each([
    ['too far left', { ...left200, x: -950 }],
    ['too far right', { ...left200, x: 1_850 }],
    ['with its title above the screen', { ...left200, y: -10 }],
    ['with its title under the screen', { ...left200, y: 1_060 }],
  ])('does not put it back %s, where it could not be grabbed', (_, bounds) => {
    expect(placeWindow(text(bounds), [main]).bounds).not.toHaveProperty('x');
  });

  it('keeps it within a screen that became smaller, and never under what the layout needs', () => {
    expect(placeWindow(text({ x: 0, y: 0, width: 3000, height: 2000 }), [small]).bounds).toMatchObject({
      width: 1024,
      height: 600,
    });
    expect(placeWindow(text({ x: 0, y: 0, width: 10, height: 10 }), [small]).bounds).not.toHaveProperty('x');
    expect(placeWindow(text({ x: 0, y: 0, width: 10, height: 10 }), [small]).bounds).toMatchObject(smallestWindow);
    expect(placeWindow(undefined, [small]).bounds).toEqual({ width: 1024, height: 600 });
  });

  it.each([
    undefined,
    '',
    'x',
    '{}',
    'null',
    '[]',
    '{"bounds":{},"maximized":true}',
    '{"bounds":{"x":0,"y":0,"width":1e9,"height":1},"maximized":false}',
    '{"bounds":{"x":"0","y":0,"width":900,"height":700},"maximized":false}',
    '{"bounds":{"x":0.5,"y":0,"width":900,"height":700},"maximized":false}',
    '{"bounds":{"x":0,"y":0,"width":0,"height":700},"maximized":false}',
  ])('opens it in its usual size where %j is remembered', (remembered) => {
    expect(placeWindow(remembered, [main])).toEqual({ bounds: { width: 1440, height: 900 }, maximized: false });
  });

  it('opens it in its size, wherever the system likes, where no screen is known', () => {
    expect(placeWindow(text(left200), [])).toEqual({ bounds: { width: 1000, height: 700 }, maximized: false });
  });
});
