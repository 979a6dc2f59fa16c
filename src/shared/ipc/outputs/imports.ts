import { CollectionRequest, Variables } from '../../collections/model.ts';
import { importFormats } from '../../model/formats.ts';
import { filledTextUpTo, z } from '../../model/schema.ts';
import { ExportedFile } from './exports.ts';

/** Identifies an import for its progress and for `collections.cancelImport`. */
const Ticket = filledTextUpTo(100);

/** Formats of other tools' files. `opencollection` is the YAML form of Bruno. */
export const ImportFormat = z.enum(importFormats.map(({ name }) => name));
export type ImportFormat = z.infer<typeof ImportFormat>;

/** A part of the input or of the collection that the result lacks. It holds names, never values. */
export const NotCarried = z.strictObject({
  /** File, folder and request, for people. */
  where: z.string(),
  what: z.string(),
  why: z.string(),
  /** Its positions in the file, at most `mostPlaces`: JSON Pointers, or `line 12`; empty if it has no single position. */
  at: z.array(z.string()),
});
export type NotCarried = z.infer<typeof NotCarried>;

/** Result of checking the hash of a request in the input. */
export const SigningCheck = z.strictObject({
  path: z.string(),
  /** `match`: a stored key gives it. `none`: no stored key does. `unknown`: it cannot be computed. */
  outcome: z.enum(['match', 'none', 'unknown']),
  environmentId: z.nullable(z.string()),
  /** The serialization of `data` that was hashed; null unless it matches. */
  form: z.nullable(z.string()),
  message: z.string(),
});
export type SigningCheck = z.infer<typeof SigningCheck>;

/** A value that looks like a secret. */
const LikeSecret = z.strictObject({
  name: z.string(),
  where: z.string(),
  /** The evidence: its name, or the form of its value. */
  by: z.enum(['name', 'value']),
  /** True if it is written into the files. */
  kept: z.boolean(),
  /** True if the user has not chosen yet for this value; it stays out. */
  asked: z.boolean(),
});

/** The files that an import creates. Paths are below the collection if the import names one, otherwise below its target. */
export const ImportPlan = z.strictObject({
  formats: z.array(ImportFormat),
  requests: z.array(
    z.strictObject({
      path: z.string(),
      name: z.string(),
      request: CollectionRequest,
      /** Lines for a comment at the end of its file: tests that were not understood. Empty for none. */
      comment: z.string(),
    }),
  ),
  folders: z.array(
    z.strictObject({
      path: z.string(),
      variables: Variables,
      notes: z.string(),
    }),
  ),
  /** Variables of the folder that the import goes into. */
  variables: Variables,
  notes: z.string(),
  notCarried: z.array(NotCarried),
  secrets: z.array(LikeSecret),
  signing: z.array(SigningCheck),
});
export type ImportPlan = z.infer<typeof ImportPlan>;

/** `read`: the files are read. `hashes`: their hashes are checked. `secrets`: keys and secrets are removed. `write`: files are written. */
export const ImportStep = z.enum(['read', 'hashes', 'secrets', 'write']);
export type ImportStep = z.infer<typeof ImportStep>;

export const importOutputs = {
  'collections.importPreview': ImportPlan,
  'collections.import': ImportPlan,
  'collections.cancelImport': z.strictObject({ cancelled: z.boolean() }),
  'collections.export': z.strictObject({
    files: z.array(ExportedFile),
    notCarried: z.array(NotCarried),
  }),
};

export const importEvents = {
  /** Progress of an import or a preview with a ticket, about ten times a second. `total` is 0 if it is not known. */
  'collections.importing': z.strictObject({
    ticket: Ticket,
    step: ImportStep,
    done: z.int(),
    total: z.int(),
  }),
};
