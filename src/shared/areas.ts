/** One area of the page, without its screen. */
export interface AreaEntry {
  readonly name: string;
  readonly title: string;
  /** End of the rail that holds it, or the area of which it is a tab. */
  readonly place: 'top' | 'bottom' | 'wallet';
  /** Chords that show it, as in `commands.ts`. */
  readonly keys: readonly string[];
}

/**
 * The areas of the page, in the order of the rail. The rail, the palette, the keys, the desktop's menu and the remembered layout follow from
 * this table; the page does not compile until an area has its screen and says what Mod+Enter does there.
 */
export const areas = [
  { name: 'requests', title: 'Requests', place: 'top', keys: [] },
  { name: 'games', title: 'Games', place: 'top', keys: [] },
  { name: 'launcher', title: 'Launcher', place: 'top', keys: [] },
  { name: 'rounds', title: 'Rounds', place: 'top', keys: [] },
  { name: 'runs', title: 'Runs', place: 'top', keys: [] },
  { name: 'wallet', title: 'Wallet', place: 'top', keys: [] },
  { name: 'gateway', title: 'Gateway', place: 'wallet', keys: [] },
  { name: 'history', title: 'History', place: 'top', keys: ['Mod+Shift+H'] },
  { name: 'doctor', title: 'Doctor', place: 'top', keys: [] },
  { name: 'openPoints', title: 'Open points', place: 'bottom', keys: [] },
  { name: 'environments', title: 'Environments', place: 'bottom', keys: [] },
  { name: 'settings', title: 'Settings', place: 'bottom', keys: ['Mod+Comma'] },
] as const satisfies readonly AreaEntry[];

export type AreaName = (typeof areas)[number]['name'];
