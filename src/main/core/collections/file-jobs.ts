import type { CollectionRequest, FolderSettings } from '#shared/collections/model.ts';
import { collectionForm, requestForm, settingsForm, type FileForm, type ReadFile } from './collection-file.ts';
import type { FileKind } from './unknown-names.ts';

declare module '../untrusted/jobs.ts' {
  interface ReadingJobs {
    'collections.readFile': typeof readFileJob;
    'collections.writeFile': typeof writeFileJob;
  }
}

/** Contents of each kind of file. */
export interface Contents {
  request: CollectionRequest;
  collection: FolderSettings;
  settings: FolderSettings;
}

const forms: { readonly [Kind in FileKind]: FileForm<Contents[Kind]> } = {
  request: requestForm,
  collection: collectionForm,
  settings: settingsForm,
};

/** Reads the text of a file. */
export function readFileJob<Kind extends FileKind>({ kind, source }: { kind: Kind; source: string }): ReadFile<Contents[Kind]> {
  return forms[kind].read(source);
}

/** The text of a file that says a value: the source with what differs rewritten, or a new one. */
export function writeFileJob<Kind extends FileKind>(input: { kind: Kind; source: string | null; value: Contents[Kind] }): string {
  const { kind, source, value } = input;
  return source === null ? forms[kind].print(value) : forms[kind].edit(source, value);
}
