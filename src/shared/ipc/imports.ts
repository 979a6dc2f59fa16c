import { CollectionRequest, Variables } from '../collections/model.ts';
import { call, event, filledTextUpTo, longestFile, textUpTo, z } from './contract.ts';
import { ExportedFile } from './exports.ts';

/** What files of other tools can be. `opencollection` is the YAML form of Bruno. */
export const ImportFormat = z.enum(['curl', 'postman', 'postman-environment', 'har', 'bruno', 'opencollection']);
export type ImportFormat = z.infer<typeof ImportFormat>;

/** One file as it was read. Its name, with `/` and its folders where it is one of many, says where its requests go. */
const ImportFile = z.strictObject({ name: textUpTo(4_000), text: textUpTo(longestFile) });
const ImportFiles = z.array(ImportFile).check(z.minLength(1), z.maxLength(10_000));

/** Of a thing that is in a file more often, the first places are named. */
export const mostPlaces = 1_000;

/** Something of the input or of the collection that is not in the result. It holds names, never values. */
export const NotCarried = z.strictObject({
  /** For a person: the file, the folder and the request. */
  where: z.string(),
  what: z.string(),
  why: z.string(),
  /** Where it stands in the file, each time up to `mostPlaces`: a JSON Pointer, or `line 12`; empty where it stands nowhere alone. */
  at: z.array(z.string()),
});
export type NotCarried = z.infer<typeof NotCarried>;

/** What was found out about the hash that a request of the input holds. */
export const SigningCheck = z.strictObject({
  path: z.string(),
  /** `match`: a stored key gives it. `none`: no stored key does. `unknown`: it cannot be computed again. */
  outcome: z.enum(['match', 'none', 'unknown']),
  environmentId: z.nullable(z.string()),
  /** How `data` was written when it was hashed; null but for a match. */
  form: z.nullable(z.string()),
  message: z.string(),
});
export type SigningCheck = z.infer<typeof SigningCheck>;

/** What a person said of values that look like secrets, by the name that they stand under: into the files, or out of them. */
export const SecretChoices = z.record(textUpTo(1_000), z.enum(['keep', 'out']));
export type SecretChoices = z.infer<typeof SecretChoices>;

/** A value that looks like a secret. */
const LikeSecret = z.strictObject({
  name: z.string(),
  where: z.string(),
  /** What it was known by. */
  by: z.enum(['name', 'value']),
  /** Whether it is written all the same. */
  kept: z.boolean(),
  /** Nobody chose yet for this value: it stays out. */
  asked: z.boolean(),
});

/** What an import makes. Paths are below the collection where it is named, else below wherever it goes. */
export const ImportPlan = z.strictObject({
  formats: z.array(ImportFormat),
  requests: z.array(z.strictObject({ path: z.string(), name: z.string(), request: CollectionRequest })),
  folders: z.array(z.strictObject({ path: z.string(), variables: Variables, notes: z.string() })),
  /** Of the folder that the import goes into. */
  variables: Variables,
  notes: z.string(),
  notCarried: z.array(NotCarried),
  secrets: z.array(LikeSecret),
  signing: z.array(SigningCheck),
});
export type ImportPlan = z.infer<typeof ImportPlan>;

/** What a collection can be exported as. */
export const CollectionExportFormat = z.enum(['postman', 'har', 'curl']);
export type CollectionExportFormat = z.infer<typeof CollectionExportFormat>;

const Id = textUpTo(100);
const Path = textUpTo(4_000);
/** Names an import under way, for its progress and for `collections.cancelImport`. */
const Ticket = filledTextUpTo(100);

/** `read`: the files are read. `hashes`: hashes in them are looked at. `secrets`: keys and secrets are taken out. `write`: files are made. */
export const ImportStep = z.enum(['read', 'hashes', 'secrets', 'write']);
export type ImportStep = z.infer<typeof ImportStep>;

export const importCalls = {
  /** Reads and writes nothing. Fails with `invalid_input` where a file is none of the formats or is broken. */
  'collections.importPreview': call(
    z.strictObject({
      files: ImportFiles,
      into: z._default(z.nullable(z.strictObject({ id: Id, folder: Path })), null),
      secrets: z.prefault(SecretChoices, {}),
      ticket: z.optional(Ticket),
    }),
    ImportPlan,
  ),
  /**
   * Makes new files only: names that are taken get a number. All of them or, where one cannot be written or the import is cancelled, none.
   * `secrets` says of the values that stand under these names now: `keep` of all, `out` of those for which no earlier import chose. It is remembered for
   * these values.
   */
  'collections.import': call(
    z.strictObject({
      files: ImportFiles,
      id: Id,
      folder: Path,
      secrets: z.prefault(SecretChoices, {}),
      ticket: z.optional(Ticket),
    }),
    ImportPlan,
  ),
  /** Stops an import or a preview, which then fails with `cancelled`; files that it made are removed first. Whether there was one. */
  'collections.cancelImport': call(z.strictObject({ ticket: Ticket }), z.strictObject({ cancelled: z.boolean() })),
  /**
   * A request, a folder or, with an empty path, the whole. Without an environment `postman` leaves its values empty; `har` and `curl`
   * need one. Refused with `refused` where the file would hold a private key.
   */
  'collections.export': call(
    z.strictObject({ id: Id, path: Path, format: CollectionExportFormat, environmentId: z.nullable(textUpTo(100)) }),
    z.strictObject({ files: z.array(ExportedFile), notCarried: z.array(NotCarried) }),
  ),
};

export const importEvents = {
  /** Of an import or a preview with a ticket, about ten times a second. `total` is 0 where it is not known. */
  'collections.importing': event(z.strictObject({ ticket: Ticket, step: ImportStep, done: z.int(), total: z.int() })),
};
