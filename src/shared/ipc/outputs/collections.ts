import { CollectionRequest, FolderSettings, RequestExample, VariableName } from '../../collections/model.ts';
import { OperationName } from '../../model/draft.ts';
import { Environment } from '../../model/environment.ts';
import { textUpTo, z } from '../../model/schema.ts';
import { Nothing } from '../nothing.ts';

/** Path below the collection's directory, with `/` on every system; a request's path ends with `.yaml`; empty for the collection itself. */
const Path = textUpTo(4_000);

const Id = textUpTo(100);

/** Identifies the bytes of a file as they were read. */
const Revision = textUpTo(100);

/** An opened directory of requests. Its ID is derived from its path. */
export const Collection = z.strictObject({
  id: Id,
  directory: z.string(),
  /** The directory's own name. */
  name: z.string(),
  /** Says why it cannot be read now; otherwise null. */
  problem: z.nullable(z.string()),
});
export type Collection = z.infer<typeof Collection>;

/** Says why a file cannot be used. Croupier does not change it. Line and column count from 1; null if the problem has no position. */
export const FileProblem = z.strictObject({
  message: z.string(),
  line: z.nullable(z.int()),
  column: z.nullable(z.int()),
  /** That line of the file, shortened. */
  excerpt: z.string(),
  /** True if git left both versions of a change in the file; otherwise absent. */
  conflict: z.optional(z.literal(true)),
  /** True if it is about a check that is not made, because this version does not know its kind; otherwise absent. */
  check: z.optional(z.literal(true)),
});
export type FileProblem = z.infer<typeof FileProblem>;

export const CollectionNode = z.strictObject({
  kind: z.enum(['request', 'folder']),
  path: Path,
  name: z.string(),
  /** Null for a folder and for a request that cannot be read. */
  operation: z.nullable(OperationName),
  /** Problem of a request's file or of a folder's `folder.yaml`. */
  problem: z.nullable(FileProblem),
  /** Fields of the file that Croupier does not know. They do not prevent anything. */
  warnings: z.array(FileProblem),
  /** True for a request whose file has no `expect`. */
  unchecked: z.boolean(),
  /** Names of the variables that a request takes from its response. */
  takes: z.array(VariableName),
  /** Number of variables that a folder defines; 0 for a request. */
  variables: z.int(),
});
export type CollectionNode = z.infer<typeof CollectionNode>;

export const CollectionTree = z.strictObject({
  collection: Collection,
  /** Each folder before its contents, in the order in which they are shown and run. */
  nodes: z.array(CollectionNode),
  /** Problem of `collection.yaml`. */
  problem: z.nullable(FileProblem),
  /** Sentences about limits of the view: not everything is shown, or outside changes do not appear at once. */
  notices: z.array(z.string()),
  /** Says why Croupier neither saves nor runs it (a newer version wrote it); otherwise null. */
  readOnly: z.nullable(z.string()),
  /** Number of variables that `collection.yaml` defines. */
  variables: z.int(),
});
export type CollectionTree = z.infer<typeof CollectionTree>;

/** A file that differs from the last commit: it does not hold the file, holds another, or a merge left both versions. */
export const GitMark = z.strictObject({ path: Path, mark: z.enum(['new', 'changed', 'conflicted']) });
export type GitMark = z.infer<typeof GitMark>;

/** One version of a file, as text. */
const FileVersion = z.strictObject({
  /** Names it for the user. */
  label: z.string(),
  text: z.string(),
});
export type FileVersion = z.infer<typeof FileVersion>;

export const ReadRequest = z.strictObject({
  path: Path,
  name: z.string(),
  request: CollectionRequest,
  revision: Revision,
  /** Fields that this version does not know; a save keeps them. */
  unknown: z.array(z.string()),
  /** One problem for each unknown field, with its position. */
  warnings: z.array(FileProblem),
});
export type ReadRequest = z.infer<typeof ReadRequest>;

/** A field of a saved payload that holds a variable in place of its value: a session token, or an ID that the provider takes once. */
export const StandIn = z.strictObject({ name: z.string(), variable: z.string() });
export type StandIn = z.infer<typeof StandIn>;

/** A request as its file has it now; `replaced` is the request as it was written, if it is not the given one. */
export const SavedRequest = z.extend(ReadRequest, {
  replaced: z.nullable(z.strictObject({ standIns: z.array(StandIn), request: CollectionRequest })),
});
export type SavedRequest = z.infer<typeof SavedRequest>;

export const ReadSettings = z.strictObject({
  path: Path,
  settings: FolderSettings,
  /** Null if there is no file yet. */
  revision: z.nullable(Revision),
  unknown: z.array(z.string()),
  /** One problem for each unknown field, with its position. */
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
  /** A suggested directory for the copy, which does not exist yet. */
  directory: z.string(),
});
export type Starter = z.infer<typeof Starter>;

/** A setting that differs between an environment of the home and the file of a collection; empty where one lacks it. */
const SharedDifference = z.strictObject({
  /** Its name in the file, such as `baseUrl` or `answers.amounts.unit`. A certificate authority is shown by its fingerprints. */
  field: z.string(),
  home: z.string(),
  file: z.string(),
  /** True if a person is asked before it is taken over. */
  asks: z.boolean(),
});
export type SharedDifference = z.infer<typeof SharedDifference>;

/** An environment in a collection. */
const CollectionEnvironment = z.strictObject({
  name: z.string(),
  path: Path,
  /**
   * `new`: the home has none of that name. `followed`: one of the home follows it, and is the same. `asks`: one of the home follows it, and something
   * changed about which a person is asked; until then it stays as it was. `own`: the home has one of that name, which counts.
   */
  state: z.enum(['new', 'followed', 'asks', 'own', 'unreadable']),
  /** That of the home that follows it or has its name; otherwise null. */
  environmentId: z.nullable(z.string()),
  /** For `collections.useEnvironment`; empty if it cannot be read. */
  revision: Revision,
  problem: z.nullable(FileProblem),
  /** Differences from that of the home; for a new one everything that the file says. */
  differences: z.array(SharedDifference),
});
export type CollectionEnvironment = z.infer<typeof CollectionEnvironment>;

const Moved = z.strictObject({ path: Path });

export const collectionOutputs = {
  'collections.list': z.strictObject({ collections: z.array(Collection) }),
  'collections.open': Collection,
  'collections.forget': Nothing,
  'collections.directories': z.strictObject({
    directory: z.string(),
    /** Null for the user's own directory. */
    parent: z.nullable(z.string()),
    names: z.array(z.string()),
    /** True if there are more than the list holds. */
    more: z.boolean(),
    /** A directory that is not there yet, for a new collection. */
    suggested: z.string(),
  }),
  'collections.starters': z.strictObject({ starters: z.array(Starter) }),
  'collections.createFromStarter': Collection,
  'collections.tree': CollectionTree,
  'collections.gitMarks': z.strictObject({
    marks: z.array(GitMark),
    /** Sentences about files that cannot be marked. */
    notices: z.array(z.string()),
  }),
  'collections.versions': z.strictObject({ of: z.enum(['commit', 'conflict']), left: FileVersion, right: FileVersion }),
  'collections.read': ReadRequest,
  'collections.save': SavedRequest,
  'collections.create': SavedRequest,
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
    /** Number of masked tokens, including repetitions. */
    masked: z.int(),
  }),
  'collections.addExample': ReadRequest,
  'collections.environments': z.strictObject({ environments: z.array(CollectionEnvironment) }),
  'collections.useEnvironment': Environment,
  'collections.shareEnvironment': z.strictObject({ path: Path, isNew: z.boolean() }),
  'collections.reorder': Nothing,
};

export const collectionEvents = {
  /** The last commit of the repository that a collection is in may be another one. */
  'collections.committed': z.strictObject({ id: Id }),
  /** Files were added, changed or removed, here or by another program; no paths if anything may have changed, or if it was opened or closed. */
  'collections.changed': z.strictObject({ id: Id, paths: z.array(Path) }),
  /** Another program wrote the file at `path` during a save. Its version is beside it, at `copy`. */
  'collections.kept': z.strictObject({ id: Id, path: Path, copy: Path }),
};
