import { marksIn, maskedText } from '#shared/provider/tokens.ts';
import type { Client, Input, Launch } from '#shared/ipc/index.ts';
import { asAppError, orNull, startWork } from '#renderer/faults/faults.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import type { StorePart } from '#renderer/ui/store-part.ts';
import type { LaunchSlot } from '../tabs/launch-tab.ts';

/** The dialog with the pictures of a launch. */
interface ShownPictures {
  readonly launchId: string;
  /** Number of the picture that is shown large; null for the first one. */
  readonly chosen: number | null;
  /** Pictures that have come, as `data:` URLs by their numbers. */
  readonly urls: ReadonlyMap<number, string>;
}

/** The dialog that exports evidence. */
interface ShownEvidence {
  readonly launchId: string;
  /** The tester's name as it is kept. */
  readonly tester: string;
}

/** Keeps evidence of a launch: pictures, exports, notes, and the user's own verdict. */
export interface EvidenceState {
  readonly pictures: ShownPictures | null;
  readonly evidence: ShownEvidence | null;
  /** A screenshot or an export that is under way. */
  readonly busy: 'screenshot' | 'export' | null;

  /** Takes a picture and shows it among the others. */
  readonly takeScreenshot: (launchId: string) => Promise<void>;
  readonly showPictures: (launchId: string) => Promise<void>;
  /** Returns a picture of a launch as a `data:` URL; null if it is gone. */
  readonly pictureOf: (launchId: string, number: number) => Promise<string | null>;
  readonly choosePicture: (number: number) => void;
  readonly removePicture: (launchId: string, number: number) => Promise<void>;
  readonly closePictures: () => void;
  readonly showEvidence: (launchId: string) => Promise<void>;
  /** Keeps what was typed; equal texts are not written again. */
  readonly keepEvidence: (launchId: string, typed: { readonly tester: string; readonly note: string }) => Promise<void>;
  readonly closeEvidence: () => void;
  readonly exportEvidence: (launchIds: readonly string[], as: Input<'launches.export'>['as']) => Promise<void>;
  /** Hands the network log of the page to the user as a HAR file, or says why there is none. */
  readonly saveNetworkLog: (launchId: string) => Promise<void>;
  /** Replaces a verdict by the user's; null takes that back. */
  readonly overrule: (launchId: string, overruling: Input<'launches.overrule'>['overruling']) => Promise<void>;
}

export interface EvidenceDeps {
  readonly notify: Notify;
  /** Hands a text to the user as a file. */
  readonly saveText: (name: string, text: string, mediaType?: string) => void;
  readonly copy: (text: string) => Promise<void>;
}

/** Creates the part of the store that keeps evidence; `refresh` fetches a launch again. */
export function createLaunchEvidence(
  client: Client,
  { notify, saveText, copy }: EvidenceDeps,
  { getState: get, setState: set }: StorePart<EvidenceState>,
  slotOf: (launchId: string) => LaunchSlot | undefined,
  refresh: (launchId: string) => Promise<void>,
): EvidenceState {
  function say(what: string, error: unknown): void {
    notify({ tone: 'bad', text: `${what} ${asAppError(error).message}` });
  }

  async function pictureOf(id: string, number: number): Promise<string | null> {
    return (await orNull(client.call('launches.picture', { id, number })))?.dataUrl ?? null;
  }

  /** Fetches the pictures of the dialog that have not come yet, one after the other. */
  async function loadPictures({ id, pictures }: Launch): Promise<void> {
    for (const { number } of pictures) {
      if (get().pictures?.launchId !== id) return;
      if (get().pictures?.urls.has(number) === true) continue;
      const url = await pictureOf(id, number);
      const shown = get().pictures;
      if (shown?.launchId === id && url !== null) set({ pictures: { ...shown, urls: new Map([...shown.urls, [number, url]]) } });
    }
  }

  async function openPictures(launchId: string, chosen: number | null): Promise<void> {
    await refresh(launchId);
    const launch = slotOf(launchId)?.launch;
    if (launch === undefined) return;
    set({ pictures: { launchId, chosen: chosen ?? launch.pictures.at(-1)?.number ?? null, urls: new Map() } });
    await loadPictures(launch);
  }

  async function keep(launchId: string, tester: string | null, note: string): Promise<void> {
    try {
      if (tester !== null) await client.call('settings.write', { name: 'tester', value: tester });
      if (slotOf(launchId)?.launch.note !== note) {
        await client.call('launches.setNote', { id: launchId, note });
        await refresh(launchId);
      }
    } catch (error) {
      say('The tester or the note was not saved.', error);
    }
  }
  // The dialog that opens next waits for it: else it would show an older note, and keep that one over the newer.
  let keeping: Promise<void> = Promise.resolve();

  return {
    pictures: null,
    evidence: null,
    busy: null,
    async takeScreenshot(launchId) {
      if (slotOf(launchId) === undefined) return;
      set({ busy: 'screenshot' });
      try {
        const { picture, message } = await client.call('launches.screenshot', { id: launchId });
        if (picture === null) notify({ tone: 'warn', text: message ?? 'No screenshot could be taken.' });
        else startWork(openPictures(launchId, picture.number));
      } catch (error) {
        say('The screenshot was not taken.', error);
      } finally {
        set({ busy: null });
      }
    },
    showPictures: (launchId) => openPictures(launchId, null),
    pictureOf,
    choosePicture(number) {
      const shown = get().pictures;
      if (shown !== null) set({ pictures: { ...shown, chosen: number } });
    },
    async removePicture(launchId, number) {
      const before = slotOf(launchId)?.launch.pictures ?? [];
      try {
        await client.call('launches.removePicture', { id: launchId, number });
      } catch (error) {
        return say('The picture was not removed.', error);
      }
      await refresh(launchId);
      const at = before.findIndex((one) => one.number === number);
      const next = before[at + 1] ?? before[at - 1];
      if (next !== undefined) get().choosePicture(next.number);
    },
    closePictures: () => set({ pictures: null }),
    async showEvidence(launchId) {
      await keeping;
      const settings = await orNull(client.call('settings.read', {}));
      if (slotOf(launchId) !== undefined) set({ evidence: { launchId, tester: settings?.values['tester'] ?? '' } });
    },
    keepEvidence(launchId, { tester, note }) {
      const changed = get().evidence?.tester === tester ? null : tester;
      keeping = keeping.then(() => keep(launchId, changed, note));
      return keeping;
    },
    closeEvidence: () => set({ evidence: null }),
    async overrule(launchId, overruling) {
      try {
        await client.call('launches.overrule', { id: launchId, overruling });
      } catch (error) {
        say('The verdict was not overruled.', error);
      }
    },
    async saveNetworkLog(launchId) {
      try {
        const { name, har, message } = await client.call('launches.networkLog', { id: launchId });
        if (name === null || har === null) return notify({ tone: 'warn', text: message ?? 'There is no network log.' });
        saveText(name, har, 'application/json');
        notify({ tone: 'good', text: `Saved ${name}. ${maskedText(marksIn([har]))}` });
      } catch (error) {
        say('The network log was not saved.', error);
      }
    },
    async exportEvidence(launchIds, as) {
      set({ busy: 'export' });
      try {
        const got = await client.call('launches.export', { ids: [...launchIds], as });
        if (got.as === 'file') {
          saveText(got.name, got.text, got.name.endsWith('.csv') ? 'text/csv' : undefined);
          notify({ tone: 'good', text: `Saved ${got.name}. ${maskedText(marksIn([got.text]))}` });
        } else {
          const { folder, masked } = got;
          notify({
            tone: 'good',
            text: `The evidence is in ${folder}. ${maskedText(masked)}`,
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
