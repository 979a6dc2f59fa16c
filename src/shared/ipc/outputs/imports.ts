import { CollectionRequest, Variables } from '../../collections/model.ts';
import { filledTextUpTo, z } from '../../model/schema.ts';
import { ExportedFile } from './exports.ts';

/** Names an import under way, for its progress and for `collections.cancelImport`. */
const Ticket = filledTextUpTo(100);

/** What files of other tools can be. `opencollection` is the YAML form of Bruno. */
export const ImportFormat = z.enum(['curl', 'postman', 'postman-environment', 'har', 'bruno', 'opencollection']);
export type ImportFormat = z.infer<typeof ImportFormat>;

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
  requests: z.array(
    z.strictObject({
      path: z.string(),
      name: z.string(),
      request: CollectionRequest,
    }),
  ),
  folders: z.array(
    z.strictObject({
      path: z.string(),
      variables: Variables,
      notes: z.string(),
    }),
  ),
  /** Of the folder that the import goes into. */
  variables: Variables,
  notes: z.string(),
  notCarried: z.array(NotCarried),
  secrets: z.array(LikeSecret),
  signing: z.array(SigningCheck),
});
export type ImportPlan = z.infer<typeof ImportPlan>;

/** `read`: the files are read. `hashes`: hashes in them are looked at. `secrets`: keys and secrets are taken out. `write`: files are made. */
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
  /** Of an import or a preview with a ticket, about ten times a second. `total` is 0 where it is not known. */
  'collections.importing': z.strictObject({
    ticket: Ticket,
    step: ImportStep,
    done: z.int(),
    total: z.int(),
  }),
};
