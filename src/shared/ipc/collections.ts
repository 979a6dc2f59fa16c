import { CollectionRequest, FolderSettings, RequestExample } from '../collections/model.ts';
import { filledTextUpTo, textUpTo, z } from '../model/schema.ts';
import { Nothing } from './nothing.ts';
import { SecretChoices } from './imports.ts';

/** Below the collection's directory, with `/` on every system; of a request with its `.yaml`; empty for the collection itself. */
const Path = textUpTo(4_000);

const Id = textUpTo(100);

/** Names the bytes of a file as they were read. */
const Revision = textUpTo(100);

const Name = textUpTo(1_000);

export const collectionInputs = {
  'collections.list': Nothing,
  /** An absolute path; with `create` it is made where it is missing, with a `collection.yaml`. Nothing is written otherwise. */
  'collections.open': z.strictObject({
    directory: filledTextUpTo(4_000),
    create: z._default(z.boolean(), false),
  }),
  /** Forgets that it was opened. The files stay. */
  'collections.forget': z.strictObject({ id: Id }),
  /** In the order in which they are offered; none where the host ships none. */
  'collections.starters': Nothing,
  /**
   * Copies a starter into a directory, made where it is missing, and opens that. Fails with `conflict` where something lies there
   * already: nothing is written then.
   */
  'collections.createFromStarter': z.strictObject({
    starter: filledTextUpTo(100),
    directory: filledTextUpTo(4_000),
  }),
  'collections.tree': z.strictObject({ id: Id }),
  /** Fails with `invalid_input` where the file can't be used; `details` is a FileProblem. */
  'collections.read': z.strictObject({ id: Id, path: Path }),
  /**
   * A save asks before it writes values that look like secrets: refused with `refused`, the reason `secrets_unconfirmed` and their names as `secrets`,
   * until they are among those to keep. Fails with `conflict` where the file changed since; `details.revision` is that on disk now, null where it
   * is gone.
   */
  'collections.save': z.strictObject({
    id: Id,
    path: Path,
    request: CollectionRequest,
    revision: Revision,
    secrets: z.prefault(SecretChoices, {}),
  }),
  'collections.create': z.strictObject({
    id: Id,
    folder: Path,
    name: Name,
    request: CollectionRequest,
    secrets: z.prefault(SecretChoices, {}),
  }),
  'collections.createFolder': z.strictObject({
    id: Id,
    folder: Path,
    name: Name,
  }),
  'collections.readFolder': z.strictObject({ id: Id, path: Path }),
  /** `revision` is null for a file that isn't there yet. Fails as `collections.save` does. */
  'collections.saveFolder': z.strictObject({
    id: Id,
    path: Path,
    settings: FolderSettings,
    revision: z.nullable(Revision),
    secrets: z.prefault(SecretChoices, {}),
  }),
  'collections.rename': z.strictObject({ id: Id, path: Path, name: Name }),
  /** Into another folder or to another place of its own: before the named file or folder there, last for null; by name without it. */
  'collections.move': z.strictObject({
    id: Id,
    path: Path,
    folder: Path,
    before: z.optional(z.nullable(textUpTo(255))),
  }),
  /** Into a folder of any open collection, placed as by `collections.move`; `undo` is for `collections.undoTransfer`. */
  'collections.transfer': z.strictObject({
    id: Id,
    path: Path,
    toId: Id,
    folder: Path,
    before: z.optional(z.nullable(textUpTo(255))),
  }),
  /** Back to where it was, with its place in the order; once, in the same run of the program. */
  'collections.undoTransfer': z.strictObject({ undo: textUpTo(100) }),
  /** A copy beside it, byte for byte, under a name that is free. */
  'collections.duplicate': z.strictObject({ id: Id, path: Path }),
  /** Put aside in the home until the program ends; `collections.restore` takes it back. */
  'collections.remove': z.strictObject({ id: Id, path: Path }),
  'collections.restore': z.strictObject({ id: Id, removal: textUpTo(100) }),
  /**
   * What would be kept of a call's answer: its tokens masked as in an export. Fails with `refused` where the private key of an environment is in it in
   * any form, with `key_unavailable` where that cannot be told now, and with `invalid_input` for what is no text, was cut or is too long.
   */
  'collections.previewExample': z.strictObject({
    callId: z.int().check(z.positive()),
  }),
  /** Adds that to the examples in a request's file. Fails as `collections.previewExample` and `collections.save` do, and for a name that is taken. */
  'collections.addExample': z.strictObject({
    id: Id,
    path: Path,
    revision: Revision,
    callId: z.int().check(z.positive()),
    name: RequestExample.shape.name,
  }),
  /** File and folder names; what is left out follows by name. */
  'collections.reorder': z.strictObject({
    id: Id,
    folder: Path,
    order: z.array(textUpTo(255)).check(z.maxLength(10_000)),
  }),
};
