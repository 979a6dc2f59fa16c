import type { Client, Input } from '#shared/ipc/index.ts';
import { asAppError, startWork } from '#renderer/faults/faults.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import type { StorePart } from '#renderer/ui/store-part.ts';
import type { LaunchSlot } from './launch-tab.ts';
import { launchTitle } from './launch-words.ts';

interface Screenshot {
  readonly launchId: string;
  readonly title: string;
  readonly dataUrl: string;
}

/** Keeps evidence of a launch: screenshots, exports, and the user's own verdict. */
export interface EvidenceState {
  readonly screenshot: Screenshot | null;
  /** A screenshot or an export that is under way. */
  readonly busy: 'screenshot' | 'export' | null;

  readonly takeScreenshot: (launchId: string) => Promise<void>;
  readonly closeScreenshot: () => void;
  readonly exportEvidence: (launchId: string, as: 'folder' | 'html') => Promise<void>;
  /** Replaces a verdict by the user's; null takes that back. */
  readonly overrule: (launchId: string, overruling: Input<'launches.overrule'>['overruling']) => Promise<void>;
}

export interface EvidenceDeps {
  readonly notify: Notify;
  /** Hands a text to the user as a file. */
  readonly saveText: (name: string, text: string) => void;
  readonly copy: (text: string) => Promise<void>;
}

/** Creates the part of the store that keeps evidence. */
export function createLaunchEvidence(
  client: Client,
  { notify, saveText, copy }: EvidenceDeps,
  { setState: set }: Pick<StorePart<EvidenceState>, 'setState'>,
  slotOf: (launchId: string) => LaunchSlot | undefined,
): EvidenceState {
  function say(what: string, error: unknown): void {
    notify({ tone: 'bad', text: `${what} ${asAppError(error).message}` });
  }

  return {
    screenshot: null,
    busy: null,
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
    async overrule(launchId, overruling) {
      try {
        await client.call('launches.overrule', { id: launchId, overruling });
      } catch (error) {
        say('The verdict was not overruled.', error);
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
