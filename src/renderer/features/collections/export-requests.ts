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
  readonly saveBytes: (name: string, bytes: Uint8Array) => void;
}

/**
 * Exports a request, a folder or a collection as a file of another tool, with the values of the environment. A directory is saved as a ZIP archive. A notice says what the
 * format cannot hold, or why there is no file.
 */
export async function exportRequests(
  { client, notify, saveText, saveBytes }: ExportRequestsDeps,
  place: Place,
  { name: format, title, needsEnvironment, directory }: CollectionFormat,
  environment: Environment | null,
): Promise<void> {
  if (needsEnvironment && environment?.production === true) {
    const text = `${title} would contain requests signed for ${environment.name}, a production environment. Use croupier export, which asks for its name.`;
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
    if (directory) saveBytes(`${files[0]?.name.split('/')[0] ?? format}.zip`, await archiveOf(files));
    else for (const { name, text, mediaType } of files) saveText(name, text, mediaType);
    const unpack = directory ? ' Unpack the archive, then open its folder in that app.' : '';
    const [first] = notCarried;
    if (first === undefined) return notify({ tone: 'good', text: `Exported as ${title}.${unpack}` });
    const more = notCarried.length === 1 ? '' : ` and ${(notCarried.length - 1).toLocaleString('en')} more`;
    notify({
      tone: 'warn',
      text: `Exported as ${title}.${unpack} Left out: ${first.where === '' ? '' : `${first.where}: `}${first.what}${more}. ${first.why}`,
    });
  } catch (thrown) {
    notify({ tone: 'bad', text: `Nothing was exported. ${asAppError(thrown).message}` });
  }
}

/** Returns a ZIP archive; `/` divides a name into folders. */
async function archiveOf(files: readonly { readonly name: string; readonly text: string }[]): Promise<Uint8Array> {
  const { strToU8, zipSync } = await import('fflate');
  // The first date that the format can say: an archive of the same files has the same bytes.
  return zipSync(Object.fromEntries(files.map(({ name, text }) => [name, strToU8(text)])), { mtime: new Date(1980, 0, 1) });
}
