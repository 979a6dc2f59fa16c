import type { PageSettings } from '#shared/model/device.ts';
import type { Client, FrameObservation, ViewBounds, ViewportSize } from '#shared/ipc/index.ts';
import { asAppError, orNull, startWork } from '#renderer/faults/faults.ts';
import { embeddingOf } from '../settings/embedding.ts';
import { closed, screenOfSlot, waiting } from '../tabs/launch-tab.ts';
import type { TabList } from '../tabs/tab-list.ts';

/** Opens games in their views and frames, and moves them. */
export interface GameViewActions {
  readonly open: (launchId: string, bounds: ViewBounds) => Promise<void>;
  /** `pixelRatio`: the page's own, which changes with its zoom. */
  readonly place: (launchId: string, bounds: ViewBounds, pixelRatio: number) => void;
  readonly setVisible: (launchId: string, visible: boolean) => void;
  readonly setPage: (launchId: string, viewport: ViewportSize, page: PageSettings) => void;
  readonly setMuted: (launchId: string, muted: boolean) => void;
  /** Gives the game the keyboard. */
  readonly play: (launchId: string) => void;
  readonly reload: (launchId: string) => void;
  readonly back: (launchId: string) => void;
  /** Opens the game from its start; `https` lets a frame leave its origin. */
  readonly openAgain: (launchId: string, redirects?: 'origin' | 'https') => void;
  readonly closeGame: (launchId: string) => Promise<void>;
  /** Passes on what the page around a frame saw of it. */
  readonly noteFrame: (launchId: string, observation: FrameObservation) => void;
  readonly noteLeft: (launchId: string, origin: string) => Promise<void>;
}

/** Positions of the views of games, so that a frame of a resize that changes nothing reports nothing. */
export type ViewPlaces = ReturnType<typeof createViewPlaces>;

/** Creates the memory of the views' positions. */
export function createViewPlaces() {
  const placed = new Map<string, string>();
  return {
    /** Remembers the position of a view; returns false if the view is there already. */
    put(launchId: string, bounds: ViewBounds, pixelRatio: number): boolean {
      // If the page is zoomed, the same CSS pixels are other pixels of the window.
      const text = JSON.stringify([bounds, pixelRatio]);
      if (placed.get(launchId) === text) return false;
      placed.set(launchId, text);
      return true;
    },
    forget(launchId: string) {
      placed.delete(launchId);
    },
  };
}

/** Creates the actions on the games of launches. */
export function createGameViews(
  client: Client,
  { all, slotOf, updateSlot, show }: Pick<TabList, 'all' | 'slotOf' | 'updateSlot' | 'show'>,
  { places, endGame }: { readonly places: Pick<ViewPlaces, 'put'>; readonly endGame: (launchId: string) => Promise<unknown> },
): GameViewActions {
  const hasView = (launchId: string) => slotOf(launchId)?.shown.state === 'view';

  function tell(launchId: string, send: () => Promise<unknown>): void {
    if (hasView(launchId)) startWork(orNull(send()));
  }

  const actions: GameViewActions = {
    async open(launchId, bounds) {
      const slot = slotOf(launchId);
      const tab = all().find(({ slots }) => slots.some(({ launch }) => launch.id === launchId));
      if (slot?.shown.state !== 'waiting' || tab === undefined) return;
      updateSlot(launchId, (before) => ({ ...before, browser: tab.browser, shown: { state: 'opening' } }));
      try {
        const opened = await client.call('launches.open', {
          id: launchId,
          bounds,
          redirects: slot.redirects,
          page: { ...tab.browser, ...screenOfSlot(tab, slot) },
          embedding: embeddingOf(tab.frame, slot.launch.exitURL, slot.launch.origin),
        });
        if (slotOf(launchId) === undefined) startWork(endGame(launchId));
        else if (opened.kind === 'view') show(launchId, { state: 'view', muted: false });
        else if (opened.kind === 'frame') show(launchId, { state: 'frame', src: opened.src, unobserved: opened.unobserved });
        else show(launchId, { state: 'failed', message: opened.message });
      } catch (thrown) {
        show(launchId, { state: 'failed', message: asAppError(thrown).message });
      }
    },
    place(launchId, bounds, pixelRatio) {
      if (!hasView(launchId) || !places.put(launchId, bounds, pixelRatio)) return;
      tell(launchId, () => client.call('launches.setBounds', { id: launchId, bounds }));
    },
    setVisible(launchId, visible) {
      tell(launchId, () => client.call('launches.setVisible', { id: launchId, visible }));
    },
    setPage(launchId, viewport, page) {
      tell(launchId, () => client.call('launches.setPage', { id: launchId, viewport, page }));
    },
    setMuted(launchId, muted) {
      if (!hasView(launchId)) return;
      show(launchId, { state: 'view', muted });
      startWork(orNull(client.call('launches.setMuted', { id: launchId, muted })));
    },
    play(launchId) {
      tell(launchId, () => client.call('launches.focus', { id: launchId }));
    },
    reload(launchId) {
      const slot = slotOf(launchId);
      if (slot?.shown.state === 'frame') actions.openAgain(launchId, slot.redirects);
      else tell(launchId, () => client.call('launches.reload', { id: launchId }));
    },
    back(launchId) {
      tell(launchId, () => client.call('launches.back', { id: launchId }));
    },
    openAgain(launchId, redirects = 'origin') {
      updateSlot(launchId, (slot) => ({
        ...slot,
        redirects,
        strayed: null,
        shown: waiting,
        launch: { ...slot.launch, exited: false },
      }));
    },
    async closeGame(launchId) {
      show(launchId, closed);
      await endGame(launchId);
    },
    noteFrame(launchId, observation) {
      startWork(orNull(client.call('launches.note', { id: launchId, observation })));
    },
    async noteLeft(launchId, origin) {
      const launch = await orNull(client.call('launches.note', { id: launchId, observation: { event: 'left', origin } }));
      if (launch === null) return;
      updateSlot(launchId, (slot) => ({ ...slot, launch, strayed: launch.exited ? null : origin }));
    },
  };
  return actions;
}
