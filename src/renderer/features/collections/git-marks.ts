import { folderOf, nameOf, pathIn, requestOfFile, settingsNames } from '#shared/collections/file-names.ts';
import type { Client, GitMark, Output } from '#shared/ipc/index.ts';
import { loaded, startWork, type Loaded } from '#renderer/faults/faults.ts';
import type { StorePart } from '#renderer/ui/store-part.ts';
import { openCollection, type OpenCollectionsState } from './open-collections.ts';
import type { CollectionMarks, OpenCollection, Place } from './tree-rows.ts';

/** Two versions of a file that the user compares. */
interface Versions {
  readonly collectionId: string;
  /** Path of the file. */
  readonly path: string;
  readonly found: Loaded<Output<'collections.versions'>>;
}

/** The part of the store that knows what differs from the last commit. */
export interface GitMarksState {
  /** By the ID of the collection; none until they are read. */
  readonly gitMarks: Readonly<Record<string, CollectionMarks>>;
  readonly versions: Versions | null;
  /** Asks again for every open collection. */
  readonly refreshGitMarks: () => void;
  /** Returns the file of a request, a folder or a collection that has another version to compare with; null if there is none. */
  readonly comparable: (place: Place) => string | null;
  /** Compares the file of a request, a folder or a collection with its other version, if there is one. */
  readonly compareVersions: (place: Place) => void;
  readonly closeVersions: () => void;
}

type Parts = GitMarksState & OpenCollectionsState;

/** Creates the part of the store that marks what differs from the last commit, again after each change of a file and each commit. */
export function createGitMarks(
  client: Client,
  store: StorePart<Parts> & { readonly subscribe: (listener: (state: Parts, before: Parts) => void) => () => void },
): GitMarksState {
  const { getState, setState } = store;
  /** Collections that are asked about now; true if something changed meanwhile. */
  const asking = new Map<string, boolean>();

  store.subscribe(({ list }, before) => {
    if (list === before.list) return;
    for (const { collection, tree } of collectionsIn(list)) {
      if (tree.state === 'ready' && tree !== openCollection(before.list, collection.id)?.tree) refresh(collection.id);
    }
  });
  client.on('collections.committed', ({ id }) => refresh(id));

  function refresh(id: string): void {
    if (asking.has(id)) asking.set(id, true);
    else startWork(ask(id));
  }

  async function ask(id: string): Promise<void> {
    do {
      asking.set(id, false);
      const found = await client.call('collections.gitMarks', { id }).then(marksOf, () => noMarks);
      setState(({ gitMarks }) => ({ gitMarks: { ...gitMarks, [id]: found } }));
    } while (asking.get(id) === true);
    asking.delete(id);
    const { versions } = getState();
    if (versions?.collectionId === id) await read(versions);
  }

  async function read({ collectionId, path }: Pick<Versions, 'collectionId' | 'path'>): Promise<void> {
    const found = await loaded(client.call('collections.versions', { id: collectionId, path }));
    const { versions } = getState();
    if (versions?.collectionId === collectionId && versions.path === path) setState({ versions: { ...versions, found } });
  }

  return {
    gitMarks: {},
    versions: null,
    refreshGitMarks() {
      for (const { collection } of collectionsIn(getState().list)) refresh(collection.id);
    },
    comparable(place) {
      const { list, gitMarks } = getState();
      return comparableFile(openCollection(list, place.collectionId), gitMarks[place.collectionId], place.path);
    },
    compareVersions(place) {
      const path = getState().comparable(place);
      if (path === null) return;
      const { collectionId } = place;
      setState({ versions: { collectionId, path, found: { state: 'loading' } } });
      startWork(read({ collectionId, path }));
    },
    closeVersions: () => setState({ versions: null }),
  };
}

function collectionsIn(list: OpenCollectionsState['list']): readonly OpenCollection[] {
  return list.state === 'ready' ? list.collections : [];
}

const noMarks: CollectionMarks = { files: new Map(), below: new Map(), notices: [] };

function marksOf({ marks, notices }: Output<'collections.gitMarks'>): CollectionMarks {
  const files = new Map<string, GitMark['mark']>();
  const below = new Map<string, { readonly files: number; readonly conflicts: number }>();
  for (const { path, mark } of marks) {
    files.set(path, mark);
    for (let at = path; at !== '';) {
      at = folderOf(at);
      const { files: count, conflicts } = below.get(at) ?? { files: 0, conflicts: 0 };
      below.set(at, { files: count + 1, conflicts: conflicts + (mark === 'conflicted' ? 1 : 0) });
    }
  }
  return { files, below, notices };
}

/** Returns the path of the file of a row: its own, or that of its settings. */
function fileOf(path: string): string {
  if (path === '') return settingsNames.collection;
  return requestOfFile(nameOf(path)) === null ? pathIn(path, settingsNames.folder) : path;
}

/** Returns the file of a row that has another version: git left both in it, or it differs from that of the last commit. */
function comparableFile(open: OpenCollection | undefined, marks: CollectionMarks | undefined, path: string): string | null {
  if (open?.tree.state !== 'ready') return null;
  const problem = path === '' ? open.tree.problem : open.tree.nodes.find((node) => node.path === path)?.problem;
  const file = fileOf(path);
  const mark = marks?.files.get(file);
  return problem?.conflict === true || mark === 'changed' || mark === 'conflicted' ? file : null;
}
