import { CollectionRequest, FolderSettings, RequestExample } from '../../collections/model.ts';
import { OperationName } from '../../model/draft.ts';
import { textUpTo, z } from '../../model/schema.ts';
import { Nothing } from '../nothing.ts';

/** Below the collection's directory, with `/` on every system; of a request with its `.yaml`; empty for the collection itself. */
const Path = textUpTo(4_000);

const Id = textUpTo(100);

/** Names the bytes of a file as they were read. */
const Revision = textUpTo(100);

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
  /** Why Croupier neither saves nor runs it: a newer version wrote it. Null where it does both. */
  readOnly: z.nullable(z.string()),
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

export const collectionOutputs = {
  'collections.list': z.strictObject({ collections: z.array(Collection) }),
  'collections.open': Collection,
  'collections.forget': Nothing,
  'collections.starters': z.strictObject({ starters: z.array(Starter) }),
  'collections.createFromStarter': Collection,
  'collections.tree': CollectionTree,
  'collections.read': ReadRequest,
  'collections.save': ReadRequest,
  'collections.create': ReadRequest,
  'collections.createFolder': Moved,
  'collections.readFolder': ReadSettings,
  'collections.saveFolder': ReadSettings,
  'collections.rename': Moved,
  'collections.move': Moved,
  'collections.transfer': z.strictObject({ path: Path, undo: z.string() }),
  'collections.undoTransfer': Moved,
  'collections.duplicate': Moved,
  'collections.remove': z.strictObject({ removal: z.string() }),
  'collections.restore': Moved,
  'collections.previewExample': z.extend(z.pick(RequestExample, { status: true, body: true }), {
    /** How many tokens and other places that repeat one were masked. */
    masked: z.int(),
  }),
  'collections.addExample': ReadRequest,
  'collections.reorder': Nothing,
};

export const collectionEvents = {
  /** Files were added, changed or removed, here or by another program; no paths where the whole may be another one, was opened or closed. */
  'collections.changed': z.strictObject({ id: Id, paths: z.array(Path) }),
  /** Another program wrote the file at `path` while it was saved: its version is beside it, at `copy`. */
  'collections.kept': z.strictObject({ id: Id, path: Path, copy: Path }),
};
