import type { Client } from '#shared/ipc/index.ts';
import { asAppError, startWork } from '#renderer/faults/faults.ts';
import type { MenuAction } from '#renderer/ui/menu.tsx';
import type { Notify } from '#renderer/ui/notice.tsx';

const formats = [
  { as: 'junit', label: 'JUnit XML' },
  { as: 'json', label: 'JSON' },
  { as: 'html', label: 'HTML page' },
] as const;

/** Hands the report of a run to the user as a file, and says so. */
export type RunExport = (runId: string, as: (typeof formats)[number]['as']) => Promise<void>;

/** Creates what exports reports of runs. */
export function createRunExport(
  client: Client,
  { notify, saveText }: { readonly notify: Notify; readonly saveText: (name: string, text: string, mediaType: string) => void },
): RunExport {
  return async (runId, as) => {
    try {
      const { name, text, mediaType } = await client.call('runs.export', { runId, as });
      saveText(name, text, mediaType);
      notify({ tone: 'good', text: `Exported ${name}. Tokens are masked.` });
    } catch (thrown) {
      notify({ tone: 'bad', text: `Nothing was exported. ${asAppError(thrown).message}` });
    }
  };
}

/** Returns the entries of the menu that exports a run. */
export function runExportItems(exportAs: RunExport, runId: string): MenuAction[] {
  return formats.map(({ as, label }) => ({ label, onSelect: () => startWork(exportAs(runId, as)) }));
}
