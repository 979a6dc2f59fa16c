import { AppError } from '#shared/errors.ts';
import type { CallSummary, Client, ExportedFile, ExportForm, ExportFormat } from '#shared/ipc/index.ts';
import type { Notify } from '#renderer/ui/notice.tsx';

/** Makes files of recorded calls and hands them over; a refusal is said as core words it. */
export type ExportCalls = (
  calls: readonly CallSummary[],
  as: { readonly format: ExportFormat; readonly form: ExportForm; readonly keepTokens: boolean },
) => Promise<void>;

export interface CallExportsDeps {
  readonly notify: Notify;
  /** Hands a text to the user as a file. */
  readonly saveText: (name: string, text: string, mediaType: string) => void;
  readonly copy: (text: string) => Promise<void>;
  /** Whether this host lets its page save files; otherwise they are copied. */
  readonly canSave: () => boolean;
}

/** The exports over one client. */
export function createCallExports(client: Client, { notify, saveText, copy, canSave }: CallExportsDeps): ExportCalls {
  async function hand(files: readonly ExportedFile[], masked: string): Promise<void> {
    if (canSave()) {
      for (const { name, text, mediaType } of files) saveText(name, text, mediaType);
      return notify({ tone: 'good', text: `Saved ${files.map(({ name }) => name).join(' and ')}. ${masked}` });
    }
    // The page to read comes first; the clipboard holds one of them.
    const [first, second] = files;
    if (first === undefined) return;
    const other = second === undefined ? {} : { action: { label: `Copy ${second.name}`, run: () => void put(second, masked) } };
    await put(first, masked, other);
  }

  async function put(file: ExportedFile, masked: string, more = {}): Promise<void> {
    try {
      await copy(file.text);
      notify({ tone: 'good', text: `Copied the text of ${file.name}. ${masked}`, ...more });
    } catch {
      notify({ tone: 'bad', text: 'Nothing was copied: the clipboard could not be written.' });
    }
  }

  return async (calls, { format, form, keepTokens }) => {
    if (calls.length === 0) return;
    try {
      const callIds = calls.map(({ id }) => id);
      const { files, masked } = await client.call('exports.create', { callIds, format, form, keepTokens });
      await hand(files, keepTokens ? 'Tokens are in it as they were sent.' : maskedText(masked));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      notify({ tone: 'bad', text: `Nothing was exported. ${error.message}` });
    }
  };
}

function maskedText(masked: number): string {
  if (masked === 0) return 'It holds no token.';
  return `Tokens are masked in ${masked.toLocaleString('en')} ${masked === 1 ? 'place' : 'places'}.`;
}
