import { expect, it, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { CallName, Client, FileProblem, GitMark } from '#shared/ipc/index.ts';
import { createGitMarks, type GitMarksState } from './git-marks.ts';
import type { OpenCollectionsState } from './open-collections.ts';

type Parts = GitMarksState & OpenCollectionsState;

function node(path: string, problem: FileProblem | null = null) {
  const kind = path.endsWith('.yaml') ? ('request' as const) : ('folder' as const);
  return { kind, path, name: path, operation: null, problem, warnings: [], unchecked: false, takes: [], variables: 0 };
}

function setUp(nodes: readonly ReturnType<typeof node>[]) {
  let marks: GitMark[] = [];
  let text = 'one';
  const asked: string[] = [];
  const told = new Map<string, (change: { id: string }) => void>();
  const client = {
    async call(name: CallName) {
      asked.push(name);
      await Promise.resolve();
      if (name === 'collections.gitMarks') return { marks, notices: [] };
      return { of: 'commit', left: { label: 'Committed', text }, right: { label: 'In the file', text: 'file' } };
    },
    on(name: string, listener: (change: { id: string }) => void) {
      told.set(name, listener);
      return () => told.delete(name);
    },
  } as unknown as Client;
  const store = createStore<Parts>()((_set, _get, api) => ({
    ...createGitMarks(client, api),
    list: { state: 'loading' },
    load: async () => undefined,
  }));
  const ready = () =>
    store.setState({
      list: {
        state: 'ready',
        collections: [
          {
            collection: { id: 'c', directory: '/c', name: 'c', problem: null },
            tree: { state: 'ready', nodes, problem: null, notices: [], readOnly: null, variables: 0 },
          },
        ],
      },
    });
  const files = () => Object.fromEntries(store.getState().gitMarks['c']?.files ?? []);
  return {
    store,
    asked,
    ready,
    files,
    disk: (next: GitMark[]) => (marks = next),
    write: (next: string) => (text = next),
    commit: () => told.get('collections.committed')?.({ id: 'c' }),
  };
}

it('asks when a collection is read, when it is read again, and after a commit', async () => {
  const { store, ready, files, disk, commit } = setUp([node('a.yaml'), node('f'), node('f/b.yaml')]);
  disk([
    { path: 'a.yaml', mark: 'new' },
    { path: 'f/folder.yaml', mark: 'changed' },
    { path: 'f/b.yaml', mark: 'conflicted' },
  ]);
  ready();
  await vi.waitFor(() => expect(files()).toEqual({ 'a.yaml': 'new', 'f/folder.yaml': 'changed', 'f/b.yaml': 'conflicted' }));
  expect([...(store.getState().gitMarks['c']?.below ?? [])]).toEqual([
    ['', { files: 3, conflicts: 1 }],
    ['f', { files: 2, conflicts: 1 }],
  ]);
  disk([{ path: 'a.yaml', mark: 'changed' }]);
  ready();
  await vi.waitFor(() => expect(files()).toEqual({ 'a.yaml': 'changed' }));
  disk([]);
  commit();
  await vi.waitFor(() => expect(files()).toEqual({}));
});

it('asks once more, and not more often, if much changes while it asks', async () => {
  const { asked, ready, files, disk, commit } = setUp([node('a.yaml')]);
  ready();
  for (let time = 0; time < 5; time += 1) commit();
  disk([{ path: 'a.yaml', mark: 'new' }]);
  await vi.waitFor(() => expect(files()).toEqual({ 'a.yaml': 'new' }));
  expect(asked).toEqual(['collections.gitMarks', 'collections.gitMarks']);
});

it('compares what has another version, reads it again when something changes', async () => {
  const conflict = { message: 'both', line: 1, column: 1, excerpt: '', conflict: true } as const;
  const { store, ready, files, disk, write, commit } = setUp([
    node('a.yaml'),
    node('n.yaml'),
    node('torn.yaml', conflict),
    node('f'),
  ]);
  disk([
    { path: 'a.yaml', mark: 'changed' },
    { path: 'n.yaml', mark: 'new' },
    { path: 'f/folder.yaml', mark: 'changed' },
  ]);
  ready();
  await vi.waitFor(() => expect(files()).not.toEqual({}));
  const { comparable, compareVersions, closeVersions } = store.getState();
  const at = (path: string) => ({ collectionId: 'c', path });
  expect(['a.yaml', 'n.yaml', 'torn.yaml', 'f', '', 'other.yaml'].map((path) => comparable(at(path)))).toEqual([
    'a.yaml',
    null,
    'torn.yaml',
    'f/folder.yaml',
    null,
    null,
  ]);
  compareVersions(at('n.yaml'));
  expect(store.getState().versions).toBeNull();
  compareVersions(at('a.yaml'));
  expect(store.getState().versions).toMatchObject({ path: 'a.yaml', found: { state: 'loading' } });
  await vi.waitFor(() => expect(store.getState().versions?.found).toMatchObject({ state: 'ready', left: { text: 'one' } }));
  write('two');
  commit();
  await vi.waitFor(() => expect(store.getState().versions?.found).toMatchObject({ left: { text: 'two' } }));
  closeVersions();
  commit();
  await vi.waitFor(() => expect(store.getState().versions).toBeNull());
});
