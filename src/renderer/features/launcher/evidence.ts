import type { Client } from '#shared/ipc/index.ts';
import { asAppError, startWork } from '#renderer/faults/faults.ts';
import type { LauncherDeps, LauncherState, LaunchSlot } from './launcher-state.ts';
import { launchTitle } from './launch-words.ts';

/** The part of the launcher that keeps what was seen: screenshots and exports. */
export function createEvidence(
  client: Client,
  { notify, saveText, copy }: Pick<LauncherDeps, 'notify' | 'saveText' | 'copy'>,
  { set, slotOf }: { set: (change: Partial<LauncherState>) => void; slotOf: (launchId: string) => LaunchSlot | undefined },
): Pick<LauncherState, 'takeScreenshot' | 'closeScreenshot' | 'exportEvidence'> {
  function say(what: string, error: unknown): void {
    notify({ tone: 'bad', text: `${what} ${asAppError(error).message}` });
  }

  return {
    async takeScreenshot(launchId) {
      const slot = slotOf(launchId);
      if (slot === undefined) return;
      set({ busy: 'screenshot' });
      try {
        const { dataUrl, message } = await client.call('launches.screenshot', { id: launchId });
        if (dataUrl === null) notify({ tone: 'warn', text: message ?? 'No screenshot could be taken.' });
        else set({ screenshot: { launchId, title: launchTitle(slot.launch), dataUrl } });
      } catch (error) {
        say('The screenshot was not taken.', error);
      } finally {
        set({ busy: null });
      }
    },
    closeScreenshot: () => set({ screenshot: null }),
    async exportEvidence(launchId, as) {
      set({ busy: 'export' });
      try {
        const got = await client.call('launches.export', { id: launchId, as });
        if (got.as === 'html') {
          saveText(got.name, got.html);
          notify({ tone: 'good', text: `Saved ${got.name}. Tokens are masked in it.` });
        } else {
          const { folder } = got;
          notify({
            tone: 'good',
            text: `The evidence is in ${folder}. Tokens are masked in it.`,
            action: { label: 'Copy the path', run: () => startWork(copy(folder).catch(() => undefined)) },
          });
        }
      } catch (error) {
        say('The evidence was not exported.', error);
      } finally {
        set({ busy: null });
      }
    },
  };
}
