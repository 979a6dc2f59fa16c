import { CollectionRequest, FolderSettings, RequestExample } from '../collections/model.ts';
import { call, event, filledTextUpTo, Nothing, textUpTo, z } from './contract.ts';
import { OperationName } from './calls.ts';
import { SecretChoices } from './imports.ts';

/** Below the collection's directory, with `/` on every system; of a request with its `.yaml`; empty for the collection itself. */
const Path = textUpTo(4_000);
const Id = textUpTo(100);
/** Names the bytes of a file as they were read. */
const Revision = textUpTo(100);
const Name = textUpTo(1_000);

/** A directory of requests that was opened. Its id is made from its path. */
export const Collection = z.strictObject({
  id: Id,
  directory: z.string(),
  /** The directory's own name. */
  name: z.string(),
  /** Why it can't be read now; null where it can. */
  problem: z.nullable(z.string()),
});
export type Collection = z.infer<typeof Collection>;

/** Why a file can't be used. It is left untouched. Line and column count from 1; null where it is no matter of a place. */
export const FileProblem = z.strictObject({
  message: z.string(),
  line: z.nullable(z.int()),
  column: z.nullable(z.int()),
  /** The line as it stands there, shortened. */
  excerpt: z.string(),
});
export type FileProblem = z.infer<typeof FileProblem>;

export const CollectionNode = z.strictObject({
  kind: z.enum(['request', 'folder']),
  path: Path,
  name: z.string(),
  /** Null for a folder and for a request that can't be read. */
  operation: z.nullable(OperationName),
  /** Of a request's file, or of a folder's `folder.yaml`. */
  problem: z.nullable(FileProblem),
  /** Names in the file that nothing reads; they stop nothing. */
  warnings: z.array(FileProblem),
  /** A request whose file has no `expect`. */
  unchecked: z.boolean(),
});
export type CollectionNode = z.infer<typeof CollectionNode>;

export const CollectionTree = z.strictObject({
  collection: Collection,
  /** Each folder before what lies in it, in the order they are shown and run. */
  nodes: z.array(CollectionNode),
  /** Of `collection.yaml`. */
  problem: z.nullable(FileProblem),
  /** What is not as it should be with the whole: not everything is shown, or changes made outside are not seen at once. */
  notices: z.array(z.string()),
});
export type CollectionTree = z.infer<typeof CollectionTree>;

export const ReadRequest = z.strictObject({
  path: Path,
  name: z.string(),
  request: CollectionRequest,
  revision: Revision,
  /** Fields of the file that this version doesn't know; a save keeps them. */
  unknown: z.array(z.string()),
  /** Where they stand, and that nothing reads them. */
  warnings: z.array(FileProblem),
});
export type ReadRequest = z.infer<typeof ReadRequest>;

export const ReadSettings = z.strictObject({
  path: Path,
  settings: FolderSettings,
  /** Null where there is no file yet. */
  revision: z.nullable(Revision),
  unknown: z.array(z.string()),
  /** Where they stand, and that nothing reads them. */
  warnings: z.array(FileProblem),
});
export type ReadSettings = z.infer<typeof ReadSettings>;

/** A collection that ships with the program, to be copied. */
export const Starter = z.strictObject({
  id: z.string(),
  title: z.string(),
  /** One sentence: what it does. */
  summary: z.string(),
  requests: z.int(),
  /** Where its copy could lie: a directory of the user's that is not there yet. */
  directory: z.string(),
});
export type Starter = z.infer<typeof Starter>;

const Moved = z.strictObject({ path: Path });

export const collectionCalls = {
  'collections.list': call(Nothing, z.strictObject({ collections: z.array(Collection) })),
  /** An absolute path; with `create` it is made where it is missing, with a `collection.yaml`. Nothing is written otherwise. */
  'collections.open': call(
    z.strictObject({ directory: filledTextUpTo(4_000), create: z._default(z.boolean(), false) }),
    Collection,
  ),
  /** Forgets that it was opened. The files stay. */
  'collections.forget': call(z.strictObject({ id: Id }), Nothing),
  /** In the order in which they are offered; none where the host ships none. */
  'collections.starters': call(Nothing, z.strictObject({ starters: z.array(Starter) })),
  /**
   * Copies a starter into a directory, made where it is missing, and opens that. Fails with `conflict` where something lies there
   * already: nothing is written then.
   */
  'collections.createFromStarter': call(
    z.strictObject({ starter: filledTextUpTo(100), directory: filledTextUpTo(4_000) }),
    Collection,
  ),
  'collections.tree': call(z.strictObject({ id: Id }), CollectionTree),
  /** Fails with `invalid_input` where the file can't be used; `details` is a FileProblem. */
  'collections.read': call(z.strictObject({ id: Id, path: Path }), ReadRequest),
  /**
   * A save asks before it writes values that look like secrets: refused with `refused`, the reason `secrets_unconfirmed` and their names as `secrets`,
   * until they are among those to keep. Fails with `conflict` where the file changed since; `details.revision` is that on disk now, null where it
   * is gone.
   */
  'collections.save': call(
    z.strictObject({
      id: Id,
      path: Path,
      request: CollectionRequest,
      revision: Revision,
      secrets: z.prefault(SecretChoices, {}),
    }),
    ReadRequest,
  ),
  'collections.create': call(
    z.strictObject({ id: Id, folder: Path, name: Name, request: CollectionRequest, secrets: z.prefault(SecretChoices, {}) }),
    ReadRequest,
  ),
  'collections.createFolder': call(z.strictObject({ id: Id, folder: Path, name: Name }), Moved),
  'collections.readFolder': call(z.strictObject({ id: Id, path: Path }), ReadSettings),
  /** `revision` is null for a file that isn't there yet. Fails as `collections.save` does. */
  'collections.saveFolder': call(
    z.strictObject({
      id: Id,
      path: Path,
      settings: FolderSettings,
      revision: z.nullable(Revision),
      secrets: z.prefault(SecretChoices, {}),
    }),
    ReadSettings,
  ),
  'collections.rename': call(z.strictObject({ id: Id, path: Path, name: Name }), Moved),
  /** Into another folder or to another place of its own: before the named file or folder there, last for null; by name without it. */
  'collections.move': call(
    z.strictObject({ id: Id, path: Path, folder: Path, before: z.optional(z.nullable(textUpTo(255))) }),
    Moved,
  ),
  /** Into a folder of any open collection, placed as by `collections.move`; `undo` is for `collections.undoTransfer`. */
  'collections.transfer': call(
    z.strictObject({ id: Id, path: Path, toId: Id, folder: Path, before: z.optional(z.nullable(textUpTo(255))) }),
    z.strictObject({ path: Path, undo: z.string() }),
  ),
  /** Back to where it was, with its place in the order; once, in the same run of the program. */
  'collections.undoTransfer': call(z.strictObject({ undo: textUpTo(100) }), Moved),
  /** A copy beside it, byte for byte, under a name that is free. */
  'collections.duplicate': call(z.strictObject({ id: Id, path: Path }), Moved),
  /** Put aside in the home until the program ends; `collections.restore` takes it back. */
  'collections.remove': call(z.strictObject({ id: Id, path: Path }), z.strictObject({ removal: z.string() })),
  'collections.restore': call(z.strictObject({ id: Id, removal: textUpTo(100) }), Moved),
  /**
   * What would be kept of a call's answer: its tokens masked as in an export. Fails with `refused` where the private key of an environment is in it in
   * any form, with `key_unavailable` where that cannot be told now, and with `invalid_input` for what is no text, was cut or is too long.
   */
  'collections.previewExample': call(
    z.strictObject({ callId: z.int().check(z.positive()) }),
    z.extend(z.pick(RequestExample, { status: true, body: true }), {
      /** How many tokens and other places that repeat one were masked. */
      masked: z.int(),
    }),
  ),
  /** Adds that to the examples in a request's file. Fails as `collections.previewExample` and `collections.save` do, and for a name that is taken. */
  'collections.addExample': call(
    z.strictObject({
      id: Id,
      path: Path,
      revision: Revision,
      callId: z.int().check(z.positive()),
      name: RequestExample.shape.name,
    }),
    ReadRequest,
  ),
  /** File and folder names; what is left out follows by name. */
  'collections.reorder': call(
    z.strictObject({ id: Id, folder: Path, order: z.array(textUpTo(255)).check(z.maxLength(10_000)) }),
    Nothing,
  ),
};

export const collectionEvents = {
  /** Files were added, changed or removed, here or by another program; no paths where the whole may be another one, was opened or closed. */
  'collections.changed': event(z.strictObject({ id: Id, paths: z.array(Path) })),
  /** Another program wrote the file at `path` while it was saved: its version is beside it, at `copy`. */
  'collections.kept': event(z.strictObject({ id: Id, path: Path, copy: Path })),
};
