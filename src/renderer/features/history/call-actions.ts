import type { CallSummary, Client } from '#shared/ipc/index.ts';
import { asAppError } from '#renderer/faults/faults.ts';
import { announcer } from '#renderer/ui/announcer.ts';
import type { Notify } from '#renderer/ui/notice.tsx';

/** Actions on recorded calls. The list hears of their effects from core, as every other page does. */
export type CallActions = ReturnType<typeof createCallActions>;

export interface CallActionsDeps {
  readonly notify: Notify;
}

/** Creates the actions over one client; notices report their results. */
export function createCallActions(client: Client, { notify }: CallActionsDeps) {
  async function told<T>(failed: string, act: () => Promise<T>): Promise<T | null> {
    try {
      return await act();
    } catch (thrown) {
      notify({ tone: 'bad', text: `${failed} ${asAppError(thrown).message}` });
      return null;
    }
  }

  async function restore(ids: readonly number[]): Promise<boolean> {
    const done = await told("Couldn't undo the deletion.", () => client.call('calls.restore', { ids: [...ids] }));
    if (done === null) return false;
    const missing = ids.length - done.restored.length;
    if (missing === 0) return true;
    notify({ tone: 'warn', text: `${callsText(missing)} couldn't be restored: retention or another program removed them.` });
    return false;
  }

  return {
    /** Pins or unpins calls; retention never removes pinned ones. A failure is a notice; success shows in the row, and is said. */
    async pin(calls: readonly CallSummary[], pinned: boolean): Promise<void> {
      const other = calls.filter((call) => call.pinned !== pinned);
      await told(pinned ? 'Some calls were not pinned.' : 'Some calls were not unpinned.', async () => {
        for (const { id } of other) await client.call('calls.pin', { id, pinned });
        announcer.say(`${pinned ? 'Pinned' : 'Unpinned'} ${callsText(other.length)}.`);
      });
    },
    /** Sets a note; an empty one removes it. Returns false if it could not be kept. */
    async note(id: number, note: string): Promise<boolean> {
      return (await told('The note was not saved.', () => client.call('calls.note', { id, note }))) !== null;
    },
    /** Removes calls from the history; the notice undoes it. */
    async remove(calls: readonly CallSummary[]): Promise<void> {
      const ids = calls.map(({ id }) => id);
      if (ids.length === 0) return;
      const done = await told('Nothing was deleted.', () => client.call('calls.delete', { ids }));
      if (done === null) return;
      const { deleted } = done;
      const left = ids.length - deleted.length;
      const kept =
        left === 0 ? '' : ` ${callsText(left)} not deleted: still waiting for a response, or already deleted by another program.`;
      if (deleted.length === 0) return notify({ tone: 'warn', text: `Nothing was deleted.${kept}` });
      notify({
        tone: 'note',
        text: `Deleted ${callsText(deleted.length)}.${kept}`,
        undo: { what: `deleted ${callsText(deleted.length)}`, run: () => restore(deleted) },
      });
    },
  };
}

function callsText(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'call' : 'calls'}`;
}
