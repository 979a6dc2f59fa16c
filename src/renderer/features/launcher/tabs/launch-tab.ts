import type { Launch, LaunchEntry } from '#shared/ipc/index.ts';
import type { Unconfirmed } from '#renderer/calls/refusal.ts';
import type { Embedding } from '#shared/model/device.ts';
import { ownBrowser, roomScreen, type Browser, type Screen } from '../device.ts';
import type { FormProblems, LaunchMode, TokenFrom, Typed } from './launch-form.ts';

/** State of a launch on the stage. `waiting`: it opens as soon as it has room there. */
export type Shown =
  | { readonly state: 'waiting' }
  | { readonly state: 'opening' }
  /** The host lays it over the page; `muted` holds as long as it does. */
  | { readonly state: 'view'; readonly muted: boolean }
  | { readonly state: 'frame'; readonly src: string; readonly unobserved: readonly string[] }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'closed' };

/** One launch of a tab with its record. */
export interface LaunchSlot {
  readonly launch: Launch;
  readonly entries: readonly LaunchEntry[];
  /** The session token that it was launched with; empty if it is not known. */
  readonly token: string;
  readonly shown: Shown;
  /** Position of its screen among those of the tab; -1 if that was left out. */
  readonly screenAt: number;
  /** The surroundings of its page since it was opened, but for its screen; the form may have others by now. */
  readonly browser: Browser;
  /** `https` lets a frame go to other origins; Croupier then cannot detect the exit. */
  readonly redirects: 'origin' | 'https';
  /** The origin, other than the exit's, that a frame was about to go to; null while it stays. */
  readonly strayed: string | null;
}

/** State of the launch button. */
type Preparing =
  | { readonly state: 'idle' }
  | { readonly state: 'sending'; readonly ticket: string; readonly startedAt: number; readonly what: 'launch' | 'renew' }
  | Unconfirmed
  | { readonly state: 'refused'; readonly message: string };

/** Result of renewing a token if the response does not show one. */
interface Renewal {
  readonly message: string;
  /** Names of the response's string fields, one of which may be the token. */
  readonly fields: readonly string[];
}

/** The choice of a frame around the game. */
export interface FrameChoice {
  readonly framed: boolean;
  /** As typed; null for the usual one. */
  readonly origin: string | null;
  readonly cookies: Embedding['cookies'];
}

export const ownPlace: FrameChoice = { framed: false, origin: null, cookies: 'allowed' };

/** One tab: a form, and the launches made with it. */
export interface LaunchTab {
  readonly id: string;
  readonly typed: Typed;
  /** The name that came with the game's number; empty if the number was typed. */
  readonly gameName: string;
  readonly mode: LaunchMode;
  readonly token: string;
  readonly tokenFrom: TokenFrom;
  /** Shown once a launch was tried. */
  readonly problems: FormProblems;
  readonly renewal: Renewal | null;
  readonly preparing: Preparing;
  /** At least one; each has a game of its own, side by side. */
  readonly screens: readonly Screen[];
  readonly browser: Browser;
  readonly frame: FrameChoice;
  readonly slots: readonly LaunchSlot[];
  /** The launch whose record is shown. */
  readonly slotId: string | null;
}

export const idle = { state: 'idle' } as const;
export const closed = { state: 'closed' } as const;
export const waiting = { state: 'waiting' } as const;

/** Returns an unused tab. */
export function emptyTab(id: string): LaunchTab {
  return {
    id,
    typed: {},
    gameName: '',
    mode: 'fun',
    token: '',
    tokenFrom: 'typed',
    problems: {},
    renewal: null,
    preparing: idle,
    screens: [roomScreen],
    browser: ownBrowser,
    frame: ownPlace,
    slots: [],
    slotId: null,
  };
}

/** Returns whether something was typed or launched in a tab. */
export function isUsed({ typed, slots, preparing }: LaunchTab): boolean {
  return Object.keys(typed).length > 0 || slots.length > 0 || preparing.state !== 'idle';
}

/** Returns whether its game is on the stage, or about to be. */
export function isOpen({ shown }: LaunchSlot): boolean {
  return shown.state !== 'closed' && shown.state !== 'waiting';
}

/** Returns the tab that is shown; null if none is open. */
export function activeTab(state: { readonly tabs: readonly LaunchTab[]; readonly activeId: string | null }): LaunchTab | null {
  return state.tabs.find((tab) => tab.id === state.activeId) ?? null;
}

/** Returns the launch with this ID in one of the tabs. */
export function launchOf(tabs: readonly LaunchTab[], launchId: string): Launch | null {
  return tabs.flatMap(({ slots }) => slots).find(({ launch }) => launch.id === launchId)?.launch ?? null;
}

/** Returns the launch whose record is shown; null if nothing was launched. */
export function activeSlot(tab: LaunchTab | null): LaunchSlot | null {
  return tab?.slots.find((slot) => slot.launch.id === tab.slotId) ?? tab?.slots[0] ?? null;
}

/** Returns the screen of a launch. */
export function screenOfSlot({ screens }: Pick<LaunchTab, 'screens'>, { screenAt }: Pick<LaunchSlot, 'screenAt'>): Screen {
  return screens[screenAt] ?? roomScreen;
}
