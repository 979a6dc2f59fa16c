import { AppError } from '#shared/errors.ts';
import type { CallSummary, Client, ExportForm, ExportFormat } from '#shared/ipc/index.ts';
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
}

/** The exports over one client. */
export function createCallExports(client: Client, { notify, saveText }: CallExportsDeps): ExportCalls {
  return async (calls, { format, form, keepTokens }) => {
    if (calls.length === 0) return;
    try {
      const callIds = calls.map(({ id }) => id);
      const { files, masked } = await client.call('exports.create', { callIds, format, form, keepTokens });
      for (const { name, text, mediaType } of files) saveText(name, text, mediaType);
      const tokens = keepTokens ? 'Tokens are in it as they were sent.' : maskedText(masked);
      notify({ tone: 'good', text: `Exported ${files.map(({ name }) => name).join(' and ')}. ${tokens}` });
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
