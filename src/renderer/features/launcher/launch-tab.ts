import type { Launch, LaunchEntry } from '#shared/ipc/index.ts';
import type { Unconfirmed } from '#renderer/calls/refusal.ts';
import type { FormProblems, LaunchMode, Typed } from './launch-form.ts';

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
type Preparing =
  | { readonly state: 'idle' }
  | { readonly state: 'sending'; readonly ticket: string; readonly startedAt: number; readonly what: 'launch' | 'renew' }
  | Unconfirmed
  | { readonly state: 'refused'; readonly message: string };

/** What became of renewing a token where the answer does not show one. */
interface Renewal {
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

export const idle = { state: 'idle' } as const;
export const closed = { state: 'closed' } as const;
export const waiting = { state: 'waiting' } as const;

/** A tab in which nothing was done. */
export function emptyTab(id: string): LaunchTab {
  return {
    id,
    typed: {},
    gameName: '',
    mode: 'fun',
    token: '',
    problems: {},
    renewal: null,
    preparing: idle,
    slots: [],
    slotId: null,
  };
}

/** Whether something was typed or launched in a tab. */
export function isUsed({ typed, slots, preparing }: LaunchTab): boolean {
  return Object.keys(typed).length > 0 || slots.length > 0 || preparing.state !== 'idle';
}

/** Whether its game is on the stage, or about to be. */
export function isOpen({ shown }: LaunchSlot): boolean {
  return shown.state !== 'closed' && shown.state !== 'waiting';
}

/** The tab that is shown; null where none is open. */
export function activeTab(state: { readonly tabs: readonly LaunchTab[]; readonly activeId: string | null }): LaunchTab | null {
  return state.tabs.find((tab) => tab.id === state.activeId) ?? null;
}

/** The launch whose record is shown; null where nothing was launched. */
export function activeSlot(tab: LaunchTab | null): LaunchSlot | null {
  return tab?.slots.find((slot) => slot.launch.id === tab.slotId) ?? tab?.slots[0] ?? null;
}
