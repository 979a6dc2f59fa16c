import { CollectionRequest, FolderSettings, RequestExample } from '../collections/model.ts';
import { filledTextUpTo, textUpTo, z } from '../model/schema.ts';
import { Nothing } from './nothing.ts';
import { SecretChoices } from './imports.ts';

/** Path below the collection's directory, with `/` on every system; a request's path ends with `.yaml`; empty for the collection itself. */
const Path = textUpTo(4_000);

const Id = textUpTo(100);

/** Identifies the bytes of a file as they were read. */
const Revision = textUpTo(100);

const Name = textUpTo(1_000);

/** An open collection, or the absolute path of a collection's directory, which need not be open. */
const Where = { collectionId: z.optional(Id), directory: z.optional(textUpTo(4_000)) };

/** `environmentId`: session tokens that became variables stay their values in this environment until the session ends. */
const Saving = { secrets: z.prefault(SecretChoices, {}), environmentId: z.optional(textUpTo(200)) };

export const collectionInputs = {
  'collections.list': Nothing,
  /** An absolute path; with `create`, a missing directory is created with a `collection.yaml`. Otherwise nothing is written. */
  'collections.open': z.strictObject({
    directory: filledTextUpTo(4_000),
    create: z._default(z.boolean(), false),
  }),
  /** Removes the collection from the list. Its files stay. */
  'collections.forget': z.strictObject({ id: Id }),
  /**
   * Lists the directories in one of the user's directories, null for the user's own, for a host without the system's dialog: names alone.
   * Fails with `refused` for a place outside of the user's directory, `not_found` and `storage`.
   */
  'collections.directories': z.strictObject({ directory: z.nullable(textUpTo(4_000)) }),
  /** Starters in the order of the dialog; none if the host ships none. */
  'collections.starters': Nothing,
  /**
   * Copies a starter into a new or empty directory and opens that. Fails with `conflict` if the directory is not empty, and then
   * writes nothing.
   */
  'collections.createFromStarter': z.strictObject({
    starter: filledTextUpTo(100),
    directory: filledTextUpTo(4_000),
  }),
  'collections.tree': z.strictObject({ id: Id }),
  /**
   * Compares the files of a collection with the last commit of the git repository that it is in. No marks and no notices outside of a
   * repository and on a machine without git.
   */
  'collections.gitMarks': z.strictObject({ id: Id }),
  /**
   * Returns two versions of a file: both that git left in it at a conflict, or else that of the last commit and the one on the disk. Fails with
   * `not_found` if there is no other version, and with `refused` if one of the two holds a private key.
   */
  'collections.versions': z.strictObject({ id: Id, path: Path }),
  /** Fails with `invalid_input` if the file cannot be used; `details` is a FileProblem. */
  'collections.read': z.strictObject({ id: Id, path: Path }),
  /**
   * A save writes a variable in place of a session token, and of a new file's transactions and references, and says so in `replaced`. It asks before it writes values that look like secrets: it is refused with `refused`, the reason `secrets_unconfirmed` and their names
   * as `secrets`, until the caller names them as kept. Fails with `conflict` if the file changed since; `details.revision` is that on disk now,
   * null if the file was removed.
   */
  'collections.save': z.strictObject({
    id: Id,
    path: Path,
    request: CollectionRequest,
    revision: Revision,
    ...Saving,
  }),
  'collections.create': z.strictObject({
    id: Id,
    folder: Path,
    name: Name,
    request: CollectionRequest,
    ...Saving,
  }),
  'collections.createFolder': z.strictObject({
    id: Id,
    folder: Path,
    name: Name,
  }),
  'collections.readFolder': z.strictObject({ id: Id, path: Path }),
  /** `revision` is null for a file that does not exist yet. Fails as `collections.save` does. */
  'collections.saveFolder': z.strictObject({
    id: Id,
    path: Path,
    settings: FolderSettings,
    revision: z.nullable(Revision),
    secrets: z.prefault(SecretChoices, {}),
  }),
  'collections.rename': z.strictObject({ id: Id, path: Path, name: Name }),
  /** Moves to another folder or position: before the named file or folder there, last for null, sorted by name if absent. */
  'collections.move': z.strictObject({
    id: Id,
    path: Path,
    folder: Path,
    before: z.optional(z.nullable(textUpTo(255))),
  }),
  /** Moves into a folder of any open collection, at a position as in `collections.move`; `undo` is for `collections.undoTransfer`. */
  'collections.transfer': z.strictObject({
    id: Id,
    path: Path,
    toId: Id,
    folder: Path,
    before: z.optional(z.nullable(textUpTo(255))),
  }),
  /** Moves it back to where it was, with its position in the order; once, in the same session. */
  'collections.undoTransfer': z.strictObject({ undo: textUpTo(100) }),
  /** Makes a copy beside it, byte for byte, under a free name. */
  'collections.duplicate': z.strictObject({ id: Id, path: Path }),
  /** Sets it aside in the home until the session ends; `collections.restore` takes it back. */
  'collections.remove': z.strictObject({ id: Id, path: Path }),
  'collections.restore': z.strictObject({ id: Id, removal: textUpTo(100) }),
  /**
   * Returns the example that `collections.addExample` would keep, its tokens masked as in an export. Fails with `refused` if the response holds
   * the private key of an environment in any form, with `key_unavailable` if Croupier cannot find out, and with `invalid_input` for a response
   * that is not text, was truncated or is too long.
   */
  'collections.previewExample': z.strictObject({
    callId: z.int().check(z.positive()),
  }),
  /** Adds a call's response to the examples of a request. Fails as `collections.previewExample` and `collections.save` do, and if the name is taken. */
  'collections.addExample': z.strictObject({
    id: Id,
    path: Path,
    revision: Revision,
    callId: z.int().check(z.positive()),
    name: RequestExample.shape.name,
  }),
  /**
   * Lists the environments in `environments` of a collection. An environment of the home that follows one of them takes over what changed in the
   * file, but for base and wallet URL, certificate authority and production mark: if one of these differs, it stays as it is until
   * `collections.useEnvironment`.
   */
  'collections.environments': z.strictObject(Where),
  /**
   * Takes an environment of a collection into the home, or over one of the home that follows it or has its name. `revision` is that of the
   * list: fails with `conflict` if the files have changed since. Key, player, token command, colour and limits are those of the home.
   */
  'collections.useEnvironment': z.strictObject({ ...Where, name: textUpTo(255), revision: Revision }),
  /**
   * Writes an environment of the home into `environments` of a collection, of an existing file the lines that differ. It follows that file from
   * then on: `environments.save` writes there, too. Fails with `refused` for the built-in provider's, and with `invalid_input` for texts that
   * look like a key, a login or a token.
   */
  'collections.shareEnvironment': z.strictObject({ ...Where, environmentId: textUpTo(200) }),
  /** File and folder names; others follow by name. */
  'collections.reorder': z.strictObject({
    id: Id,
    folder: Path,
    order: z.array(textUpTo(255)).check(z.maxLength(10_000)),
  }),
};
