import type { Client, Launch, LaunchEntry } from '#shared/ipc/index.ts';
import { asAppError, orNull, reportIfFault, startWork } from '#renderer/faults/faults.ts';
import type { LauncherState, LaunchSlot } from './launcher-state.ts';
import { closed, waiting, type Tabs } from './tabs.ts';

/** The part of the launcher that has launches on the stage: it opens them, moves them about, and follows their records. */
export interface OnStage {
  readonly actions: Pick<
    LauncherState,
    | 'open'
    | 'place'
    | 'setVisible'
    | 'setViewport'
    | 'setMuted'
    | 'play'
    | 'reload'
    | 'back'
    | 'openAgain'
    | 'closeGame'
    | 'noteLoaded'
    | 'noteLeft'
  >;
  /** A launch with its record, not open. */
  slotFor(launch: Launch): Promise<LaunchSlot>;
  /** What is not there any more needs no closing. */
  endGame(launchId: string): Promise<unknown>;
  /** Asks again for what is shown of a launch. */
  refresh(launchId: string): Promise<void>;
  /** Puts the launches of before into a tab, closed. */
  restore(tabId: string, ids: readonly string[]): Promise<void>;
  stop(): void;
}

export function createOnStage(client: Client, tabs: Tabs): OnStage {
  /** What a view was told last: a frame of a resize that changes nothing says nothing. */
  const placed = new Map<string, string>();
  const { slotOf, updateSlot, show } = tabs;
  const stops = [
    client.on('launches.recorded', ({ id, entries, dropped }) => {
      updateSlot(id, (slot) => ({
        ...slot,
        entries: mergeEntries(slot.entries, entries),
        launch: { ...slot.launch, dropped },
      }));
    }),
    client.on('launches.changed', ({ id }) => startWork(refresh(id))),
  ];

  async function slotFor(launch: Launch): Promise<LaunchSlot> {
    const base = { redirects: 'origin', strayed: null } as const;
    try {
      const got = await client.call('launches.get', { id: launch.id });
      return { ...base, launch: got.launch, entries: got.entries, shown: closed };
    } catch (error) {
      reportIfFault(error);
      return { ...base, launch, entries: [], shown: closed };
    }
  }

  async function refresh(id: string): Promise<void> {
    if (slotOf(id) === undefined) return;
    const got = await orNull(client.call('launches.get', { id }));
    if (got === null) return;
    updateSlot(id, (slot) => {
      // A game can close its own page; then there is no view any more.
      const ended = slot.shown.state === 'view' && got.launch.state === 'closed';
      if (ended) placed.delete(id);
      const entries = mergeEntries(got.entries, slot.entries);
      return { ...slot, launch: got.launch, entries, shown: ended ? closed : slot.shown };
    });
  }

  /** What is not there any more needs no closing. */
  function endGame(launchId: string): Promise<unknown> {
    placed.delete(launchId);
    return orNull(client.call('launches.close', { id: launchId }));
  }

  function tell(launchId: string, send: () => Promise<unknown>): void {
    if (slotOf(launchId)?.shown.state === 'view') startWork(orNull(send()));
  }

  async function restore(tabId: string, ids: readonly string[]): Promise<void> {
    const slots: LaunchSlot[] = [];
    for (const id of ids) {
      const got = await orNull(client.call('launches.get', { id }));
      if (got === null) continue;
      // Whatever showed it is gone with the page that this one replaces.
      if (got.launch.state === 'open') await endGame(id);
      const { launch } = (got.launch.state === 'open' ? await orNull(client.call('launches.get', { id })) : null) ?? got;
      slots.push({ launch, entries: got.entries, shown: closed, redirects: 'origin', strayed: null });
    }
    tabs.update(tabId, () => ({ slots, slotId: slots[0]?.launch.id ?? null }));
  }

  const actions: OnStage['actions'] = {
    async open(launchId, bounds) {
      const slot = slotOf(launchId);
      if (slot?.shown.state !== 'waiting') return;
      show(launchId, { state: 'opening' });
      try {
        const opened = await client.call('launches.open', { id: launchId, bounds, redirects: slot.redirects });
        if (slotOf(launchId) === undefined) startWork(endGame(launchId));
        else if (opened.kind === 'view') show(launchId, { state: 'view', muted: false });
        else if (opened.kind === 'frame') show(launchId, { state: 'frame', src: opened.src, unobserved: opened.unobserved });
        else show(launchId, { state: 'failed', message: opened.message });
      } catch (thrown) {
        const error = asAppError(thrown);
        show(launchId, { state: 'failed', message: error.message });
      }
    },
    place(launchId, bounds, pixelRatio) {
      // The same CSS pixels are others of the window's where the page is zoomed.
      const text = JSON.stringify([bounds, pixelRatio]);
      if (slotOf(launchId)?.shown.state !== 'view' || placed.get(launchId) === text) return;
      placed.set(launchId, text);
      tell(launchId, () => client.call('launches.setBounds', { id: launchId, bounds }));
    },
    setVisible(launchId, visible) {
      tell(launchId, () => client.call('launches.setVisible', { id: launchId, visible }));
    },
    setViewport(launchId, viewport) {
      tell(launchId, () => client.call('launches.setViewport', { id: launchId, viewport }));
    },
    setMuted(launchId, muted) {
      if (slotOf(launchId)?.shown.state !== 'view') return;
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
    noteLoaded(launchId) {
      startWork(orNull(client.call('launches.note', { id: launchId, observation: { event: 'loaded' } })));
    },
    async noteLeft(launchId, origin) {
      const launch = await orNull(client.call('launches.note', { id: launchId, observation: { event: 'left', origin } }));
      if (launch === null) return;
      updateSlot(launchId, (slot) => ({ ...slot, launch, strayed: launch.exited ? null : origin }));
    },
  };

  return {
    actions,
    slotFor,
    endGame,
    refresh,
    restore,
    stop() {
      for (const stop of stops) stop();
    },
  };
}

/** Both in order of their numbers, each once. */
function mergeEntries(known: readonly LaunchEntry[], more: readonly LaunchEntry[]): readonly LaunchEntry[] {
  const last = known.at(-1)?.seq ?? 0;
  const first = more[0]?.seq ?? 0;
  if (first > last) return [...known, ...more];
  const bySeq = new Map([...known, ...more].map((entry) => [entry.seq, entry]));
  return [...bySeq.values()].toSorted((a, b) => a.seq - b.seq);
}
