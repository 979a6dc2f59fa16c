import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CallSummary, Client, ExportForm, ExportFormat } from '#shared/ipc/index.ts';
import { readExport, type ExportProgress, type ReadingExport } from '#shared/ipc/read-export.ts';
import { tokensText } from '#renderer/calls/copy-call.ts';
import { asAppError } from '#renderer/faults/faults.ts';
import type { Notify } from '#renderer/ui/notice.tsx';

/** Creates files of recorded calls and hands them over; a refusal is shown in core's words. */
type ExportCalls = (
  calls: readonly CallSummary[],
  as: { readonly format: ExportFormat; readonly form: ExportForm; readonly keepTokens: boolean },
) => Promise<void>;

/** An export that takes longer than a moment, as the page shows it. */
interface ExportShown {
  readonly calls: number;
  readonly text: string;
  /** Share that is done, 0 to 1. */
  readonly share: number;
}

interface CallExportsState {
  readonly shown: ExportShown | null;
  readonly run: ExportCalls;
  readonly cancel: () => void;
}

export type CallExports = StoreApi<CallExportsState>;

/** A file that is gathered piece by piece; only `save` hands it to the user. */
export interface GatheredFile {
  add(text: string): void;
  save(): void;
}

export interface CallExportsDeps {
  readonly notify: Notify;
  readonly gatherFile: (name: string, mediaType: string) => GatheredFile;
  readonly later: (run: () => void, milliseconds: number) => () => void;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
}

/** Milliseconds within which an export ends unshown. */
const momentMs = 300;

/** Creates the exports over one client, one at a time. */
export function createCallExports(client: Client, { notify, gatherFile, later, now }: CallExportsDeps): CallExports {
  return createStore<CallExportsState>()((set) => {
    let going: ReadingExport | null = null;

    async function run(...[calls, { format, form, keepTokens }]: Parameters<ExportCalls>): Promise<void> {
      if (calls.length === 0) return;
      if (going !== null) {
        notify({ tone: 'note', text: 'An export is already running. Wait for it or cancel it.' });
        return;
      }
      const begun = now();
      let names: readonly string[] = [];
      let files: readonly GatheredFile[] = [];
      let progress: ExportProgress = { step: keepTokens ? 'write' : 'read', done: 0, total: calls.length };
      let isShown = false;
      const show = () => set({ shown: { calls: calls.length, ...progressOf(progress, keepTokens, now() - begun) } });
      const stopShowing = later(() => {
        isShown = true;
        show();
      }, momentMs);
      going = readExport(
        client,
        { callIds: calls.map(({ id }) => id), format, form, keepTokens },
        {
          onStart(start) {
            names = start.files.map(({ name }) => name);
            files = start.files.map(({ name, mediaType }) => gatherFile(name, mediaType));
          },
          onText: (file, text) => files[file]?.add(text),
          onProgress(told) {
            progress = told;
            if (isShown) show();
          },
        },
      );
      try {
        const masked = await going.masked;
        for (const file of files) file.save();
        notify({ tone: 'good', text: `Exported ${names.join(' and ')}. ${tokensText(keepTokens, masked)}` });
      } catch (thrown) {
        const error = asAppError(thrown);
        if (error.code === 'cancelled') notify({ tone: 'note', text: 'You cancelled the export. Nothing was saved.' });
        else notify({ tone: 'bad', text: `Nothing was exported. ${error.message}` });
      } finally {
        going = null;
        stopShowing();
        set({ shown: null });
      }
    }

    return { shown: null, run, cancel: () => going?.cancel() };
  });
}

/** Computes the progress. Calls are searched for tokens before they are written, unless tokens are kept. */
function progressOf({ step, done, total }: ExportProgress, keepTokens: boolean, elapsedMs: number): Omit<ExportShown, 'calls'> {
  const count = `${done.toLocaleString('en')} of ${total.toLocaleString('en')} calls`;
  const share = (keepTokens ? done : step === 'read' ? done / 2 : (total + done) / 2) / total;
  // Before that, an estimate would mean nothing.
  const left = elapsedMs < 1_000 || share === 0 ? null : Math.ceil((elapsedMs * (1 - share)) / share / 1_000);
  const words = step === 'read' ? `Looking for tokens in ${count}` : `Writing ${count}`;
  return { share, text: left === null ? words : `${words}, ${left.toLocaleString('en')} s left` };
}
