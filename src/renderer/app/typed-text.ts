import type { RequestTab } from '#renderer/features/request/tabs/request-tab.ts';
import { newId } from '#renderer/features/environments/environment-list.ts';
import type { EnvironmentsState } from '#renderer/features/environments/environments-store.ts';

/**
 * Returns everything that was typed in this page and may exist only here, as one plain text: the payload of each tab exactly as it
 * is, and the forms of environments that were not saved. Keys are in neither.
 */
export function typedText(tabs: readonly RequestTab[], editing: EnvironmentsState['editing']): string {
  const requests = tabs.map(({ operation, file, text }) =>
    section(file === null ? operation : `${file.path} (${operation})`, text),
  );
  const forms = Object.entries(editing).map(([id, { edited }]) =>
    section(`Environment ${edited.name || (id === newId ? 'without a name' : id)}, not saved`, JSON.stringify(edited, null, 2)),
  );
  return [...requests, ...forms].join('\n');
}

function section(title: string, text: string): string {
  return `===== ${title} =====\n${text}\n`;
}
