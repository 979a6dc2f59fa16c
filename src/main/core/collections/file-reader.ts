import { mostFileBytes, type CollectionRequest, type FolderSettings } from '#shared/collections/model.ts';
import { requestForm, settingsForm, type FileForm, type ReadFile } from './collection-file.ts';
import { tooMuch } from './disk.ts';
import type { FileKind } from './unknown-names.ts';

interface Contents {
  request: CollectionRequest;
  settings: FolderSettings;
}

const forms: { readonly [Kind in FileKind]: FileForm<Contents[Kind]> } = { request: requestForm, settings: settingsForm };

/** Reads and writes the text of a file of a collection. */
export interface FileReader {
  /** Fails with `invalid_input`; `details` is the Place. */
  read<Kind extends FileKind>(kind: Kind, source: string): Promise<ReadFile<Contents[Kind]>>;
  /** The source with what differs written anew; null for a new file. Fails as `read` does, and for what no file can hold. */
  write<Kind extends FileKind>(kind: Kind, source: string | null, value: Contents[Kind]): Promise<string>;
}

export function createFileReader(): FileReader {
  return {
    read: async (kind, source) => forms[kind].read(source),
    async write(kind, source, value) {
      const least = textBytes(value);
      // Printing never makes a text shorter, so that what cannot fit is not printed.
      if (least > mostFileBytes) throw tooMuch(least);
      return source === null ? forms[kind].print(value) : forms[kind].edit(source, value);
    },
  };
}

/** The bytes of all texts in a value. */
function textBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value, 'utf8');
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, inner) => sum + textBytes(inner), 0);
}
