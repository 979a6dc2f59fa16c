import { collectionExportFormats } from '../model/formats.ts';
import { filledTextUpTo, textUpTo, z } from '../model/schema.ts';
import { longestFile } from '../model/limits.ts';

/** One file as it was read. Its name, with `/` and folders if it is one of many, decides where its requests go. */
const ImportFile = z.strictObject({
  name: textUpTo(4_000),
  text: textUpTo(longestFile),
});

const ImportFiles = z.array(ImportFile).check(z.minLength(1), z.maxLength(10_000));

/** Most positions to report of something that occurs more often in a file. */
export const mostPlaces = 1_000;

/** The user's choices for values that look like secrets, by field name: into the files, or out of them. */
export const SecretChoices = z.record(textUpTo(1_000), z.enum(['keep', 'out']));
export type SecretChoices = z.infer<typeof SecretChoices>;

/** Formats in which a collection can be exported. */
export const CollectionExportFormat = z.enum(collectionExportFormats.map(({ name }) => name));
export type CollectionExportFormat = z.infer<typeof CollectionExportFormat>;

const Id = textUpTo(100);

const Path = textUpTo(4_000);

/** Identifies an import for its progress and for `collections.cancelImport`. */
const Ticket = filledTextUpTo(100);

export const importInputs = {
  /** Returns the plan and writes nothing. Fails with `invalid_input` if a file is broken or in an unknown format. */
  'collections.importPreview': z.strictObject({
    files: ImportFiles,
    into: z._default(z.nullable(z.strictObject({ id: Id, folder: Path })), null),
    secrets: z.prefault(SecretChoices, {}),
    ticket: z.optional(Ticket),
  }),
  /**
   * Creates new files only; if a name is taken, it adds a number. Creates all of them, or none if one cannot be written or the import is cancelled.
   * `secrets` chooses for the present values of these names: `keep` for all, `out` for those without an earlier choice. Croupier remembers the
   * choice for these values.
   */
  'collections.import': z.strictObject({
    files: ImportFiles,
    id: Id,
    folder: Path,
    secrets: z.prefault(SecretChoices, {}),
    ticket: z.optional(Ticket),
  }),
  /** Stops an import or a preview, which removes the files it created and fails with `cancelled`. Returns whether there was one. */
  'collections.cancelImport': z.strictObject({ ticket: Ticket }),
  /**
   * Exports a request, a folder or, with an empty path, the whole collection. Without an environment a format
   * that needs none leaves its values empty. Refused with `refused` if the file would hold a private key.
   */
  'collections.export': z.strictObject({
    id: Id,
    path: Path,
    format: CollectionExportFormat,
    environmentId: z.nullable(textUpTo(100)),
  }),
};
