import { builtInDevices, ownPage, screenOf } from '#shared/launches/devices.ts';
import type { PageSettings } from '#shared/model/device.ts';
import type { Size } from '#shared/whole-pixels.ts';

/** The screen of a game. Without a device it is as large as the room that the game has. */
export type Screen = Pick<PageSettings, 'device' | 'rotated'>;

/** The surroundings that the games of a tab share: language, time zone, network and processor. */
export type Browser = Omit<PageSettings, keyof Screen>;

const { device: _none, rotated: _upright, ...ownBrowser } = ownPage;
export { ownBrowser };

export const roomScreen: Screen = { device: null, rotated: false };

/** The kinds of screens that the palette offers by one word. */
export const usualScreens = {
  desktop: roomScreen,
  tablet: screenNamed('iPad'),
  phone: screenNamed('iPhone 14'),
} as const;

function screenNamed(name: string): Screen {
  return { device: builtInDevices.find((device) => device.name === name) ?? null, rotated: false };
}

/** `fit`: as large as the room; a number: 1 is 100 %, never larger than the room. */
export type Zoom = 'fit' | number;

/** A drawing of a game: `viewport` is the size that its page sees, `drawn` its size on the stage, both in CSS pixels. */
export interface Drawing {
  readonly viewport: Size;
  readonly drawn: Size;
  /** `drawn` divided by `viewport`; 1 is 100 %. */
  readonly scale: number;
}

/** Smallest scale at which a page is drawn. */
const smallestScale = 0.1;

/** Fits a screen into the room that the stage has for it. Sizes are whole pixels; the scale lies between 0.1 and 5. */
export function drawingOf({ device, rotated }: Screen, zoom: Zoom, room: Size): Drawing {
  if (device === null) {
    const scale = zoom === 'fit' ? 1 : zoom;
    const drawn = { width: Math.max(0, Math.floor(room.width)), height: Math.max(0, Math.floor(room.height)) };
    return { viewport: { width: Math.round(drawn.width / scale), height: Math.round(drawn.height / scale) }, drawn, scale };
  }
  const viewport = screenOf(device, rotated);
  const fit = Math.min(1, room.width / viewport.width, room.height / viewport.height);
  const width = Math.floor(viewport.width * Math.max(smallestScale, zoom === 'fit' ? fit : Math.min(zoom, fit)));
  const scale = width / viewport.width;
  return { viewport, drawn: { width, height: Math.floor(viewport.height * scale) }, scale };
}

/**
 * Returns whether a drawing fits into its room. A device that would have to be smaller than 10 % does not, and nothing fits into no
 * room.
 */
export function isWithin({ drawn }: Drawing, room: Size): boolean {
  return drawn.width > 0 && drawn.height > 0 && drawn.width <= room.width && drawn.height <= room.height;
}

/** Returns `78 %`. */
export function percentText(scale: number): string {
  return `${Math.round(scale * 100)} %`;
}
