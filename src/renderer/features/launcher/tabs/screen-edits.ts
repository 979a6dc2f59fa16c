import type { Client, DeviceList } from '#shared/ipc/index.ts';
import { orNull, startWork } from '#renderer/faults/faults.ts';
import type { StorePart } from '#renderer/ui/store-part.ts';
import { roomScreen, usualScreens, type Browser, type Screen } from '../device.ts';
import { activeSlot, closed, isOpen, type FrameChoice } from './launch-tab.ts';
import type { LaunchRecords } from './launch-records.ts';
import type { TabList } from './tab-list.ts';

/** Number of screens side by side at most. */
export const mostScreens = 4;

/** Chooses the screens of a tab's games, and the surroundings of their pages. */
export interface ScreenState {
  /** Devices to choose from; empty until they were fetched. */
  readonly devices: readonly DeviceList[];

  readonly loadDevices: () => Promise<void>;
  /** Changes a screen, also of the game that is open on it. */
  readonly setScreen: (tabId: string, at: number, screen: Screen) => void;
  /** Adds a screen for the next launch. */
  readonly addScreen: (tabId: string) => void;
  /** Closes the games of a screen, and leaves it out of the next launch. */
  readonly removeScreen: (tabId: string, at: number) => void;
  /** Changes the surroundings; open games get a network and a processor at once, the rest when they are opened again. */
  readonly setBrowser: (tabId: string, change: Partial<Browser>) => void;
  readonly setFrame: (tabId: string, change: Partial<FrameChoice>) => void;
  /** Changes the screen of the game whose record is shown. */
  readonly chooseUsual: (name: keyof typeof usualScreens) => void;
  readonly rotateShown: () => void;
}

/** Creates the part of the store that holds these choices. */
export function createScreenEdits(
  client: Client,
  { find, update }: Pick<TabList, 'find' | 'update'>,
  { endGame }: Pick<LaunchRecords, 'endGame'>,
  { setState: set }: Pick<StorePart<Pick<ScreenState, 'devices'>>, 'setState'>,
): ScreenState {
  function changeShown(change: (screen: Screen) => Screen): void {
    const tab = find(undefined);
    if (tab === undefined) return;
    const at = Math.max(0, activeSlot(tab)?.screenAt ?? 0);
    edits.setScreen(tab.id, at, change(tab.screens[at] ?? roomScreen));
  }

  const edits: ScreenState = {
    devices: [],
    async loadDevices() {
      const got = await orNull(client.call('launches.devices', {}));
      if (got !== null) set({ devices: got.lists });
    },
    setScreen(tabId, at, screen) {
      update(tabId, ({ screens }) => ({ screens: screens.map((one, index) => (index === at ? screen : one)) }));
    },
    addScreen(tabId) {
      update(tabId, ({ screens }) =>
        screens.length >= mostScreens ? {} : { screens: [...screens, screens.length === 1 ? usualScreens.phone : roomScreen] },
      );
    },
    removeScreen(tabId, at) {
      const tab = find(tabId);
      if (tab === undefined || tab.screens.length === 1) return;
      for (const slot of tab.slots) if (slot.screenAt === at && isOpen(slot)) startWork(endGame(slot.launch.id));
      update(tabId, ({ screens, slots }) => ({
        screens: screens.toSpliced(at, 1),
        // A game without a screen keeps its place until the next launch: a frame that moves would begin its game again.
        slots: slots.map((slot) =>
          slot.screenAt === at
            ? { ...slot, screenAt: -1, shown: closed }
            : { ...slot, screenAt: slot.screenAt > at ? slot.screenAt - 1 : slot.screenAt },
        ),
      }));
    },
    setBrowser(tabId, change) {
      const { lang: _lang, timeZone: _zone, ...now } = change;
      update(tabId, ({ browser, slots }) => ({
        browser: { ...browser, ...change },
        slots: slots.map((slot) => ({ ...slot, browser: { ...slot.browser, ...now } })),
      }));
    },
    setFrame(tabId, change) {
      update(tabId, ({ frame }) => ({ frame: { ...frame, ...change } }));
    },
    chooseUsual: (name) => changeShown(() => usualScreens[name]),
    rotateShown: () => changeShown((screen) => ({ ...screen, rotated: !screen.rotated })),
  };
  return edits;
}
