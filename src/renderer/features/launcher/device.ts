import { drawnWhole, type Size } from '#shared/whole-pixels.ts';

export type DeviceName = 'desktop' | 'tablet' | 'phone';

/** `fit`: as large as the room; a number: 1 is 100 %, never larger than the room. */
export type Zoom = 'fit' | number;

/** Screens in CSS pixels, upright; a desktop is as large as the room it has. */
const screens: Readonly<Record<Exclude<DeviceName, 'desktop'>, Size>> = {
  tablet: { width: 820, height: 1180 },
  phone: { width: 390, height: 844 },
};

/** A drawing of a game: `viewport` is the size that its page sees, `drawn` its size on the stage, both in CSS pixels. */
export interface Drawing {
  readonly viewport: Size;
  readonly drawn: Size;
  /** `drawn` divided by `viewport`; 1 is 100 %. */
  readonly scale: number;
}

/** Smallest scale at which a page is drawn. */
const smallestScale = 0.25;

/** Fits a device into the room that the stage has for it. Sizes are whole pixels; the scale lies between 0.25 and 5. */
export function drawingOf(device: DeviceName, rotated: boolean, zoom: Zoom, room: Size): Drawing {
  if (device === 'desktop') {
    const scale = zoom === 'fit' ? 1 : zoom;
    const drawn = { width: Math.max(0, Math.floor(room.width)), height: Math.max(0, Math.floor(room.height)) };
    return { viewport: { width: Math.round(drawn.width / scale), height: Math.round(drawn.height / scale) }, drawn, scale };
  }
  const screen = screens[device];
  const viewport = rotated ? { width: screen.height, height: screen.width } : screen;
  const fit = Math.min(1, room.width / viewport.width, room.height / viewport.height);
  return { viewport, ...wholeDrawing(viewport, Math.max(smallestScale, zoom === 'fit' ? fit : Math.min(zoom, fit))) };
}

/**
 * Returns whether a drawing fits into its room. A device that would have to be smaller than 25 % does not, and nothing fits into no
 * room.
 */
export function isWithin({ drawn }: Drawing, room: Size): boolean {
  return drawn.width > 0 && drawn.height > 0 && drawn.width <= room.width && drawn.height <= room.height;
}

/** Finds the largest drawing up to a scale at which the page of a native view gets exactly the device's CSS pixels. */
function wholeDrawing(viewport: Size, wanted: number): { readonly drawn: Size; readonly scale: number } {
  for (let width = Math.floor(viewport.width * wanted); width > viewport.width * smallestScale; width -= 1) {
    const found = drawnWhole(viewport, width);
    if (found !== null) return found;
  }
  for (let width = Math.floor(viewport.width * smallestScale) + 1; ; width += 1) {
    const found = drawnWhole(viewport, width);
    if (found !== null) return found;
  }
}

/** Returns `78 %`. */
export function percentText(scale: number): string {
  return `${Math.round(scale * 100)} %`;
}
