import { wholeNumber, z } from '#shared/model/schema.ts';

/** A rectangle in the system's own pixels, independent of scale. */
export interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Size and position of a new window. Without a position the system chooses one. */
export interface Placement {
  readonly bounds: Omit<Bounds, 'x' | 'y'> & Partial<Bounds>;
  readonly maximized: boolean;
}

const whole = wholeNumber(-100_000, 100_000);
const WindowState = z.object({
  bounds: z.object({ x: whole, y: whole, width: whole.check(z.gte(1)), height: whole.check(z.gte(1)) }),
  maximized: z.boolean(),
});

/** The smallest window in which everything can still be reached. */
export const smallestWindow = { width: 720, height: 480 };
const usual = { width: 1440, height: 900 };
/** Part of the top edge that must be on a screen, so that the user can grab the window. */
const grip = { width: 120, height: 40 };

/** Writes the window's state as text for the settings. `bounds` are those of the window when it is not maximised. */
export function writeWindowState(state: { bounds: Bounds; maximized: boolean }): string {
  const { x, y, width, height } = state.bounds;
  return JSON.stringify({ bounds: { x, y, width, height }, maximized: state.maximized });
}

/** Places a new window as it was left if a screen still shows it, otherwise in its usual size. `screens` are the usable areas. */
export function placeWindow(remembered: string | undefined, screens: readonly Bounds[]): Placement {
  const [first = { x: 0, y: 0, ...usual }] = screens;
  const state = read(remembered);
  if (state === null) return { bounds: within(usual, first), maximized: false };
  const screen = screens.find((area) => canBeGrabbed(state.bounds, area));
  if (screen === undefined) return { bounds: within(state.bounds, first), maximized: state.maximized };
  const { x, y } = state.bounds;
  return { bounds: { x, y, ...within(state.bounds, screen) }, maximized: state.maximized };
}

function read(text: string | undefined): z.infer<typeof WindowState> | null {
  try {
    return WindowState.parse(JSON.parse(text ?? ''));
  } catch {
    return null;
  }
}

function within(wanted: { width: number; height: number }, area: Bounds): { width: number; height: number } {
  return {
    width: Math.max(smallestWindow.width, Math.min(wanted.width, area.width)),
    height: Math.max(smallestWindow.height, Math.min(wanted.height, area.height)),
  };
}

function canBeGrabbed(window: Bounds, area: Bounds): boolean {
  const wide = Math.min(window.x + window.width, area.x + area.width) - Math.max(window.x, area.x);
  return wide >= grip.width && window.y >= area.y && window.y + grip.height <= area.y + area.height;
}
