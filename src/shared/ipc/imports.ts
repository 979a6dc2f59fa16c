import { filledTextUpTo, textUpTo, z } from '../model/schema.ts';
import { longestFile } from '../model/limits.ts';

/** One file as it was read. Its name, with `/` and its folders where it is one of many, says where its requests go. */
const ImportFile = z.strictObject({
  name: textUpTo(4_000),
  text: textUpTo(longestFile),
});

const ImportFiles = z.array(ImportFile).check(z.minLength(1), z.maxLength(10_000));

/** Of a thing that is in a file more often, the first places are named. */
export const mostPlaces = 1_000;

/** What a person said of values that look like secrets, by the name that they stand under: into the files, or out of them. */
export const SecretChoices = z.record(textUpTo(1_000), z.enum(['keep', 'out']));
export type SecretChoices = z.infer<typeof SecretChoices>;

/** What a collection can be exported as. */
export const CollectionExportFormat = z.enum(['postman', 'har', 'curl']);
export type CollectionExportFormat = z.infer<typeof CollectionExportFormat>;

const Id = textUpTo(100);

const Path = textUpTo(4_000);

/** Names an import under way, for its progress and for `collections.cancelImport`. */
const Ticket = filledTextUpTo(100);

export const importInputs = {
  /** Reads and writes nothing. Fails with `invalid_input` where a file is none of the formats or is broken. */
  'collections.importPreview': z.strictObject({
    files: ImportFiles,
    into: z._default(z.nullable(z.strictObject({ id: Id, folder: Path })), null),
    secrets: z.prefault(SecretChoices, {}),
    ticket: z.optional(Ticket),
  }),
  /**
   * Makes new files only: names that are taken get a number. All of them or, where one cannot be written or the import is cancelled, none.
   * `secrets` says of the values that stand under these names now: `keep` of all, `out` of those for which no earlier import chose. It is remembered for
   * these values.
   */
  'collections.import': z.strictObject({
    files: ImportFiles,
    id: Id,
    folder: Path,
    secrets: z.prefault(SecretChoices, {}),
    ticket: z.optional(Ticket),
  }),
  /** Stops an import or a preview, which then fails with `cancelled`; files that it made are removed first. Whether there was one. */
  'collections.cancelImport': z.strictObject({ ticket: Ticket }),
  /**
   * A request, a folder or, with an empty path, the whole. Without an environment `postman` leaves its values empty; `har` and `curl`
   * need one. Refused with `refused` where the file would hold a private key.
   */
  'collections.export': z.strictObject({
    id: Id,
    path: Path,
    format: CollectionExportFormat,
    environmentId: z.nullable(textUpTo(100)),
  }),
};
