import type { Client, Environment } from '#shared/ipc/index.ts';
import type { collectionExportFormats } from '#shared/model/formats.ts';
import { asAppError } from '#renderer/faults/faults.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import type { Place } from './tree-rows.ts';

export type CollectionFormat = (typeof collectionExportFormats)[number];

export interface ExportRequestsDeps {
  readonly client: Client;
  readonly notify: Notify;
  /** Hands a text to the user as a file. */
  readonly saveText: (name: string, text: string, mediaType?: string) => void;
}

/**
 * Exports a request, a folder or a collection as a file of another tool, with the values of the environment. A notice says what the
 * format cannot hold, or why there is no file.
 */
export async function exportRequests(
  { client, notify, saveText }: ExportRequestsDeps,
  place: Place,
  { name: format, title, needsEnvironment }: CollectionFormat,
  environment: Environment | null,
): Promise<void> {
  if (needsEnvironment && environment?.production === true) {
    const text = `${title} holds requests that are signed for ${environment.name}, which is marked as production. The command line exports them, and asks for its name: croupier export.`;
    return notify({ tone: 'warn', text });
  }
  try {
    const environmentId = environment?.id ?? null;
    const { files, notCarried } = await client.call('collections.export', {
      id: place.collectionId,
      path: place.path,
      format,
      environmentId,
    });
    for (const { name, text, mediaType } of files) saveText(name, text, mediaType);
    const [first] = notCarried;
    if (first === undefined) return notify({ tone: 'good', text: `Exported as ${title}.` });
    const more = notCarried.length === 1 ? '' : ` and ${(notCarried.length - 1).toLocaleString('en')} more`;
    notify({
      tone: 'warn',
      text: `Exported as ${title}. It cannot hold ${first.where === '' ? '' : `${first.where}: `}${first.what}${more}. ${first.why}`,
    });
  } catch (thrown) {
    notify({ tone: 'bad', text: `Nothing was exported. ${asAppError(thrown).message}` });
  }
}
