import type { CollectionRequest, FolderSettings } from '#shared/collections/model.ts';
import type { EnvironmentFile } from '#shared/collections/environment-file.ts';
import { collectionForm, requestForm, settingsForm, type FileForm, type ReadFile } from './collection-file.ts';
import { environmentForm } from './environment-form.ts';
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
  environment: EnvironmentFile;
}

/** The kinds of files that have a form. */
export type FormKind = FileKind | 'environment';

const forms: { readonly [Kind in FormKind]: FileForm<Contents[Kind]> } = {
  request: requestForm,
  collection: collectionForm,
  settings: settingsForm,
  environment: environmentForm,
};

/** Reads the text of a file. */
export function readFileJob<Kind extends FormKind>({ kind, source }: { kind: Kind; source: string }): ReadFile<Contents[Kind]> {
  return forms[kind].read(source);
}

/** The text of a file that says a value: the source with what differs rewritten, or a new one. */
export function writeFileJob<Kind extends FormKind>(input: { kind: Kind; source: string | null; value: Contents[Kind] }): string {
  const { kind, source, value } = input;
  return source === null ? forms[kind].print(value) : forms[kind].edit(source, value);
}
