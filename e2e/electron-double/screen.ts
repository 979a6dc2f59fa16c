import { browserStarted } from './ready.ts';
import { strict, StrictEmitter } from './strict.ts';

const size = { width: 1920, height: 1080 };

/** Returns the one display, in the fields that the app may read. */
function display(): Electron.Display {
  if (!browserStarted()) throw new Error("The 'screen' module can't be used before the app 'ready' event");
  const fields: Pick<Electron.Display, 'id' | 'bounds' | 'workArea' | 'size'> = {
    id: 1,
    bounds: { x: 0, y: 0, ...size },
    workArea: { x: 0, y: 0, ...size },
    size,
  };
  return strict('Display', fields) as Electron.Display;
}

type ScreenApi = Pick<Electron.Screen, 'getAllDisplays' | 'getPrimaryDisplay'>;

class ScreenDouble extends StrictEmitter implements ScreenApi {
  getAllDisplays(): Electron.Display[] {
    return [display()];
  }
  getPrimaryDisplay(): Electron.Display {
    return display();
  }
}

/** Electron's `screen` module: one display of 1920 by 1080. */
export const screen = new ScreenDouble();
