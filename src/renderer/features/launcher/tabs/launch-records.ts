import type { Client, Launch, LaunchEntry } from '#shared/ipc/index.ts';
import { orNull, reportIfFault, startWork } from '#renderer/faults/faults.ts';
import { ownBrowser } from '../device.ts';
import { closed, type LaunchSlot } from './launch-tab.ts';
import type { TabList } from './tab-list.ts';

/** The part of the launcher that keeps the launches of tabs equal to core's records of them. */
export type LaunchRecords = ReturnType<typeof createLaunchRecords>;

const fromStart = { token: '', redirects: 'origin', strayed: null, screenAt: 0, browser: ownBrowser } as const;

/** Creates the part that follows the records; `onEnded` is called with a launch that has no view any more. */
export function createLaunchRecords(
  client: Client,
  { slotOf, update, updateSlot }: Pick<TabList, 'slotOf' | 'update' | 'updateSlot'>,
  onEnded: (launchId: string) => void,
) {
  client.on('launches.recorded', ({ id, entries, dropped, verdict }) => {
    updateSlot(id, (slot) => ({
      ...slot,
      entries: mergeEntries(slot.entries, entries),
      launch: { ...slot.launch, dropped, verdict },
    }));
  });
  client.on('launches.changed', ({ id }) => startWork(refresh(id)));

  async function refresh(id: string): Promise<void> {
    if (slotOf(id) === undefined) return;
    const got = await orNull(client.call('launches.get', { id }));
    if (got === null) return;
    updateSlot(id, (slot) => {
      // A game can close its own page; then it has no view any more.
      const ended = slot.shown.state === 'view' && got.launch.state === 'closed';
      if (ended) onEnded(id);
      const entries = mergeEntries(got.entries, slot.entries);
      return { ...slot, launch: got.launch, entries, shown: ended ? closed : slot.shown };
    });
  }

  function endGame(launchId: string): Promise<unknown> {
    onEnded(launchId);
    return orNull(client.call('launches.close', { id: launchId }));
  }

  return {
    /** Returns a launch with its record, not open. */
    async slotFor(launch: Launch): Promise<LaunchSlot> {
      try {
        const got = await client.call('launches.get', { id: launch.id });
        return { ...fromStart, launch: got.launch, entries: got.entries, shown: closed };
      } catch (error) {
        reportIfFault(error);
        return { ...fromStart, launch, entries: [], shown: closed };
      }
    },
    /** Closes a launch; one that is gone needs no closing. */
    endGame,
    /** Fetches the shown parts of a launch again. */
    refresh,
    /** Puts earlier launches into a tab, closed. */
    async restore(tabId: string, ids: readonly string[]): Promise<void> {
      const slots: LaunchSlot[] = [];
      for (const [at, id] of ids.entries()) {
        const got = await orNull(client.call('launches.get', { id }));
        if (got === null) continue;
        // The view or frame that showed it went with the page that this one replaces.
        if (got.launch.state === 'open') await endGame(id);
        const { launch } = (got.launch.state === 'open' ? await orNull(client.call('launches.get', { id })) : null) ?? got;
        slots.push({ ...fromStart, launch, entries: got.entries, shown: closed, screenAt: at });
      }
      update(tabId, ({ mode, screens }) => {
        // As they were launched: the modes of a screen after each other.
        const modes = mode === 'both' ? 2 : 1;
        const placed = ({ screenAt }: LaunchSlot) => Math.min(Math.floor(screenAt / modes), screens.length - 1);
        return { slots: slots.map((slot) => ({ ...slot, screenAt: placed(slot) })), slotId: slots[0]?.launch.id ?? null };
      });
    },
  };
}

/** Merges both in order of their numbers, each once, with the higher count. */
function mergeEntries(known: readonly LaunchEntry[], more: readonly LaunchEntry[]): readonly LaunchEntry[] {
  const last = known.at(-1)?.seq ?? 0;
  const first = more[0]?.seq ?? 0;
  if (first > last) return [...known, ...more];
  const bySeq = new Map(known.map((entry) => [entry.seq, entry]));
  for (const entry of more) if (entry.count >= (bySeq.get(entry.seq)?.count ?? 0)) bySeq.set(entry.seq, entry);
  return [...bySeq.values()].toSorted((a, b) => a.seq - b.seq);
}
