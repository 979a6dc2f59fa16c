import type { collectionInputs, Handlers, importInputs } from '#shared/ipc/index.ts';
import type { CollectionEnvironments } from '../collection-environments/collection-environments.ts';
import type { Imports } from '../imports/imports.ts';
import type { Answers } from '../collections/answers.ts';
import type { Collections } from '../collections/collections.ts';
import type { Examples } from '../collections/examples.ts';
import type { SaveSecrets } from '../collections/save-secrets.ts';
import type { DirectoryList } from '../collections/directory-list.ts';
import type { Starters } from '../collections/starters.ts';

type CollectionHandlers = Pick<Handlers, keyof typeof collectionInputs | keyof typeof importInputs>;

/** Returns the handlers of the contract's calls about collections. */
export function collectionHandlers(
  collections: Collections,
  imports: () => Promise<Imports>,
  starters: Starters,
  directories: DirectoryList,
  examples: Examples,
  exports: () => Promise<CollectionHandlers['collections.export']>,
  saveSecrets: SaveSecrets,
  keep: Answers['keep'],
  environments: CollectionEnvironments,
): CollectionHandlers {
  return {
    'collections.list': async () => ({ collections: await collections.list() }),
    'collections.open': (input) => collections.open(input),
    'collections.forget': async ({ id }) => {
      await collections.forget(id);
      return {};
    },
    'collections.directories': ({ directory }) => directories.list(directory),
    'collections.starters': async () => ({ starters: await starters.list() }),
    'collections.createFromStarter': async ({ starter, directory }) => {
      await starters.copy(starter, directory);
      return collections.open({ directory });
    },
    'collections.tree': ({ id }) => collections.tree(id),
    'collections.gitMarks': ({ id }) => collections.gitMarks(id),
    'collections.versions': ({ id, path }) => collections.versions(id, path),
    'collections.read': ({ id, path }) => collections.read(id, path),
    async 'collections.save'({ secrets, environmentId, ...input }) {
      const before = async () => (await collections.read(input.id, input.path)).request;
      const { request, replaced, values } = await saveSecrets.request(input.request, before, secrets);
      const saved = await collections.save({ ...input, request });
      keep(input.id, environmentId, saved.path, values);
      return { ...saved, replaced };
    },
    async 'collections.create'({ secrets, environmentId, ...input }) {
      const { request, replaced, values } = await saveSecrets.request(input.request, null, secrets);
      const saved = await collections.create({ ...input, request });
      keep(input.id, environmentId, saved.path, values);
      return { ...saved, replaced };
    },
    'collections.createFolder': (input) => collections.createFolder(input),
    'collections.readFolder': ({ id, path }) => collections.readFolder(id, path),
    async 'collections.saveFolder'({ secrets, ...input }) {
      const before = async () => (await collections.readFolder(input.id, input.path)).settings;
      await saveSecrets.folder(input.settings, before, secrets);
      return collections.saveFolder(input);
    },
    'collections.rename': (input) => collections.rename(input),
    'collections.move': (input) => collections.move(input),
    'collections.transfer': (input) => collections.transfer(input),
    'collections.undoTransfer': ({ undo }) => collections.undoTransfer(undo),
    'collections.duplicate': ({ id, path }) => collections.duplicate(id, path),
    'collections.remove': ({ id, path }) => collections.remove(id, path),
    'collections.restore': ({ id, removal }) => collections.restore(id, removal),
    'collections.reorder': async (input) => {
      await collections.reorder(input);
      return {};
    },
    'collections.environments': (where) => environments.list(where),
    'collections.useEnvironment': async (input) => structuredClone(await environments.use(input)),
    'collections.shareEnvironment': (input) => environments.share(input),
    'collections.previewExample': ({ callId }) => examples.preview(callId),
    'collections.addExample': (input) => examples.add(input),
    'collections.importPreview': async (input) => (await imports()).preview(input),
    'collections.import': async (input) => (await imports()).write(input),
    'collections.cancelImport': async ({ ticket }) => ({ cancelled: (await imports()).cancel(ticket) }),
    'collections.export': async (input) => (await exports())(input),
  };
}
