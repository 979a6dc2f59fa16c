import type { StoreApi } from 'zustand/vanilla';
import type { Confirmed, GameMode, Launch, LaunchEntry, SandboxPlayer, ViewBounds, ViewportSize } from '#shared/ipc/index.ts';
import type { Unconfirmed } from '#renderer/calls/refusal.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import type { DeviceName, Zoom } from './device.ts';
import type { FieldName, FormProblems, LaunchMode, Typed } from './launch-form.ts';
import type { RecordGroup } from './launch-words.ts';

/** What the launcher needs of its surroundings. */
export interface LauncherDeps {
  readonly now: () => number;
  /** A fresh id for tabs and tickets. */
  readonly newId: () => string;
  readonly later: (run: () => void, milliseconds: number) => () => void;
  readonly notify: Notify;
  /** Hands a text to the user as a file. */
  readonly saveText: (name: string, text: string) => void;
  readonly copy: (text: string) => Promise<void>;
}

/** How a launch is on the stage. `waiting`: it is opened as soon as it has a place there. */
export type Shown =
  | { readonly state: 'waiting' }
  | { readonly state: 'opening' }
  /** The host lays it over the page, and it is muted or not for as long as it does. */
  | { readonly state: 'view'; readonly muted: boolean }
  | { readonly state: 'frame'; readonly src: string; readonly unobserved: readonly string[] }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'closed' };

/** One launch of a tab with its record. */
export interface LaunchSlot {
  readonly launch: Launch;
  readonly entries: readonly LaunchEntry[];
  readonly shown: Shown;
  /** `https` lets a frame go to other addresses; leaving is then not seen. */
  readonly redirects: 'origin' | 'https';
  /** The origin that a frame was about to go to, and which is not the exit's; null while it stays. */
  readonly strayed: string | null;
}

/** What the launch button is doing. */
export type Preparing =
  | { readonly state: 'idle' }
  | { readonly state: 'sending'; readonly ticket: string; readonly startedAt: number; readonly what: 'launch' | 'renew' }
  | Unconfirmed
  | { readonly state: 'refused'; readonly message: string };

/** What became of renewing a token where the answer does not show one. */
export interface Renewal {
  readonly message: string;
  /** Names of the answer's text fields, of which one may be the token. */
  readonly fields: readonly string[];
}

/** One tab: a form, and what was launched with it. */
export interface LaunchTab {
  readonly id: string;
  readonly typed: Typed;
  /** The name that came with the game's number; empty where it was typed. */
  readonly gameName: string;
  readonly mode: LaunchMode;
  readonly token: string;
  /** Shown once a launch was tried. */
  readonly problems: FormProblems;
  readonly renewal: Renewal | null;
  readonly preparing: Preparing;
  readonly slots: readonly LaunchSlot[];
  /** The launch whose record is shown. */
  readonly slotId: string | null;
}

/** The names of an environment's games, from its newest game list. */
export interface KnownGames {
  readonly environmentId: string;
  readonly state: 'loading' | 'none' | 'ready' | 'failed';
  readonly fetchedAt: number | null;
  /** By the text of the number. */
  readonly names: ReadonlyMap<string, string>;
}

export interface Screenshot {
  readonly launchId: string;
  readonly title: string;
  readonly dataUrl: string;
}

/** A launch as another screen asks for it. */
export interface GameToLaunch {
  readonly environmentId: string;
  readonly gameId: string;
  readonly gameName: string;
  readonly mode: GameMode;
}

export type SplitName = 'record' | 'both';

export interface LauncherState {
  readonly tabs: readonly LaunchTab[];
  readonly activeId: string | null;
  readonly device: DeviceName;
  readonly rotated: boolean;
  readonly zoom: Zoom;
  readonly group: RecordGroup;
  readonly filter: string;
  readonly follow: boolean;
  /** On a narrow window: the settings of the launch in the place of the game. */
  readonly settings: boolean;
  readonly shares: Readonly<Record<SplitName, number>>;
  readonly players: readonly SandboxPlayer[];
  readonly games: KnownGames | null;
  /** Newest first; null until asked for. */
  readonly earlier: readonly Launch[] | null;
  readonly screenshot: Screenshot | null;
  /** A screenshot or an export is under way. */
  readonly busy: 'screenshot' | 'export' | null;
  /** Whether the way past the built-in provider's certificate is still shown. */
  readonly certificateHelp: boolean;

  /** Fetches what the page begins with; again after the line was down. */
  readonly load: () => Promise<void>;
  readonly loadGames: (environmentId: string) => Promise<void>;
  readonly newTab: () => void;
  readonly selectTab: (id: string) => void;
  /** 0-based; out of range does nothing. */
  readonly selectTabAt: (index: number) => void;
  /** Ends the tab's games and forgets their sessions; the records stay among the earlier launches. */
  readonly closeTab: (id?: string) => void;
  readonly setField: (id: string, name: FieldName, text: string) => void;
  readonly setMode: (id: string, mode: LaunchMode) => void;
  readonly setToken: (id: string, token: string) => void;
  readonly takeToken: (id: string, player: SandboxPlayer) => void;
  readonly renewToken: (id: string, environmentId: string, usualGameId: string) => Promise<void>;
  /** `fields`: the texts as they are sent, by name. */
  readonly launch: (id: string, environmentId: string, fields: Readonly<Record<FieldName, string>>) => Promise<void>;
  /** Answers the question that core asked for the tab. */
  readonly confirm: (id: string, confirmed: Confirmed) => void;
  readonly cancel: (id?: string) => Promise<void>;
  readonly dismiss: (id: string) => void;
  /** Opens a tab for a game, with a token of the built-in provider where real mode needs one; gives the tab's id. */
  readonly prepareGame: (game: GameToLaunch, sandbox: boolean) => Promise<string>;
  /** A launch from a call of getLauncherURL or roundReplayInfo; false where it could not be made. */
  readonly fromCall: (callId: number, gameName?: string) => Promise<boolean>;
  readonly openEarlier: (launch: Launch) => Promise<void>;

  readonly open: (launchId: string, bounds: ViewBounds) => Promise<void>;
  /** `pixelRatio`: the page's own, which changes with its zoom. */
  readonly place: (launchId: string, bounds: ViewBounds, pixelRatio: number) => void;
  readonly setVisible: (launchId: string, visible: boolean) => void;
  readonly setViewport: (launchId: string, viewport: ViewportSize) => void;
  readonly setMuted: (launchId: string, muted: boolean) => void;
  /** Gives the game the keyboard. */
  readonly play: (launchId: string) => void;
  readonly reload: (launchId: string) => void;
  readonly back: (launchId: string) => void;
  /** From the start; `https` lets a frame leave its origin. */
  readonly openAgain: (launchId: string, redirects?: 'origin' | 'https') => void;
  readonly closeGame: (launchId: string) => Promise<void>;
  readonly noteLoaded: (launchId: string) => void;
  readonly noteLeft: (launchId: string, origin: string) => Promise<void>;
  readonly selectSlot: (tabId: string, launchId: string) => void;

  readonly setDevice: (device: DeviceName) => void;
  readonly rotate: () => void;
  readonly setZoom: (zoom: Zoom) => void;
  readonly setGroup: (group: RecordGroup) => void;
  readonly setFilter: (text: string) => void;
  readonly setFollow: (follow: boolean) => void;
  readonly setSettings: (settings: boolean) => void;
  readonly setShare: (split: SplitName, share: number) => void;

  readonly closeCertificateHelp: () => void;
  readonly takeScreenshot: (launchId: string) => Promise<void>;
  readonly closeScreenshot: () => void;
  readonly exportEvidence: (launchId: string, as: 'folder' | 'html') => Promise<void>;

  /** JSON text of what is remembered between runs: no token and no address. */
  readonly exportText: () => string;
  readonly restoreText: (text: string) => void;
  readonly close: () => void;
}

export type LauncherStore = StoreApi<LauncherState>;

/** The tab that is shown; null where none is open. */
export function activeTab(state: Pick<LauncherState, 'tabs' | 'activeId'>): LaunchTab | null {
  return state.tabs.find((tab) => tab.id === state.activeId) ?? null;
}

/** The launch whose record is shown; null where nothing was launched. */
export function activeSlot(tab: LaunchTab | null): LaunchSlot | null {
  return tab?.slots.find((slot) => slot.launch.id === tab.slotId) ?? tab?.slots[0] ?? null;
}
