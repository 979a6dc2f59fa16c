import { describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import type { CallName, Client, CollectionNode } from '#shared/ipc/index.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import { createCollectionsStore } from './collections-store.ts';
import { rowKey } from './tree-rows.ts';

function node(path: string): CollectionNode {
  const kind = path.endsWith('.yaml') ? 'request' : 'folder';
  return {
    kind,
    path,
    name: path.replace(/^.*\//, '').replace('.yaml', ''),
    operation: null,
    problem: null,
    warnings: [],
    unchecked: false,
    takes: [],
    variables: 0,
  };
}

const team = { id: 'c', directory: '/team', name: 'team', problem: null };

function setUp() {
  let paths = ['a.yaml', 'b.yaml', 'wallet', 'wallet/x.yaml'];
  const asked: { name: string; input: unknown }[] = [];
  const answers: Partial<Record<CallName, (input: never) => unknown>> = {
    'collections.list': () => ({ collections: [team] }),
    'collections.environments': () => ({ environments: [] }),
    'collections.gitMarks': () => ({ marks: [], notices: [] }),
    'collections.tree': () => ({ collection: team, nodes: paths.map(node), problem: null, notices: [] }),
  };
  let listener: (change: { id: string; paths: string[] }) => void = () => undefined;
  const client = {
    async call(name: CallName, input: never) {
      asked.push({ name, input });
      await Promise.resolve();
      return answers[name]?.(input);
    },
    on(name: string, told: typeof listener) {
      const earlier = listener;
      if (name === 'collections.changed')
        listener = (change) => {
          earlier(change);
          told(change);
        };
      return () => undefined;
    },
  } as unknown as Client;
  const notices: Parameters<Notify>[0][] = [];
  const moved = vi.fn<(to: { collectionId: string; path: string } | null) => void>();
  const onMoving = vi.fn(() => moved);
  const store = createCollectionsStore(client, {
    notify: (notice) => notices.push(notice),
    later(run) {
      run();
      return () => undefined;
    },
    onMoving,
  });
  const names = () => {
    const { list } = store.getState();
    const tree = list.state === 'ready' ? list.collections[0]?.tree : undefined;
    return tree?.state === 'ready' ? tree.nodes.map(({ path }) => path) : [];
  };
  return {
    store,
    actions: store.getState(),
    answers,
    asked,
    notices,
    moved,
    onMoving,
    names,
    disk: (next: string[]) => (paths = next),
    change: (id = 'c', paths: string[] = []) => listener({ id, paths }),
  };
}

const at = (path: string) => ({ collectionId: 'c', path });

describe('the open collections', () => {
  it('are read, and read again when something changed', async () => {
    const { actions, names, disk, change } = setUp();
    await actions.load();
    expect(names()).toEqual(['a.yaml', 'b.yaml', 'wallet', 'wallet/x.yaml']);
    disk(['new.yaml']);
    change();
    await vi.waitFor(() => expect(names()).toEqual(['new.yaml']));
  });

  it('are those that another page opened or closed', async () => {
    const { actions, answers, asked, change, store } = setUp();
    const [other, third] = [
      { ...team, id: 'd' },
      { ...team, id: 'e' },
    ];
    const open = (collections: readonly (typeof team)[]) => (answers['collections.list'] = () => ({ collections }));
    open([team, third]);
    answers['collections.tree'] = ({ id }: { id: string }) => ({
      collection: { ...team, id },
      nodes: [],
      problem: null,
      notices: [],
    });
    await actions.load();
    const ids = () => {
      const { list } = store.getState();
      return list.state === 'ready' ? list.collections.map(({ collection, tree }) => `${collection.id} ${tree.state}`) : [];
    };
    open([team, third, other]);
    change('d');
    await vi.waitFor(() => expect(ids()).toEqual(['c ready', 'e ready', 'd ready']));
    open([third, other]);
    change('c');
    await vi.waitFor(() => expect(ids()).toEqual(['e ready', 'd ready']));
    asked.length = 0;
    change('e', ['a.yaml']);
    await vi.waitFor(() => expect(asked.map(({ name }) => name)).toEqual(['collections.tree']));
  });

  it('say why they cannot be read', async () => {
    const { actions, answers, store } = setUp();
    answers['collections.list'] = () => {
      throw new AppError('storage', 'The list is damaged.');
    };
    await actions.load();
    expect(store.getState().list).toEqual({ state: 'failed', message: 'The list is damaged.' });
  });

  it('keep the question open where a directory is not there', async () => {
    const { actions, answers, store } = setUp();
    answers['collections.open'] = () => {
      throw new AppError('not_found', '/nowhere is not there.');
    };
    actions.startOpening();
    await actions.openDirectory('/nowhere', false);
    expect(store.getState().opening).toEqual({ problem: '/nowhere is not there.', busy: false, fresh: false });
    actions.startOpening(true);
    await actions.openDirectory('/nowhere', true);
    expect(store.getState().opening).toEqual({ problem: '/nowhere is not there.', busy: false, fresh: true });
  });

  it('hold the new collection when the question closes', async () => {
    const { actions, answers, store } = setUp();
    answers['collections.open'] = () => team;
    const found: boolean[] = [];
    store.subscribe(({ opening, list }, before) => {
      if (opening === null && before.opening !== null) found.push(list.state === 'ready' && list.collections.length > 0);
    });
    actions.startOpening(true);
    await actions.openDirectory('/team', true);
    expect(found).toEqual([true]);
  });

  it('get a folder by its name, or say why not', async () => {
    const { actions, answers } = setUp();
    await actions.load();
    answers['collections.createFolder'] = () => ({ path: 'wallet/new' });
    expect(await actions.createFolder({ collectionId: 'c', path: 'wallet' }, 'new')).toEqual({ path: 'wallet/new', problem: '' });
    answers['collections.createFolder'] = () => {
      throw new AppError('conflict', 'There is one.');
    };
    expect(await actions.createFolder({ collectionId: 'c', path: 'wallet' }, 'new')).toEqual({
      path: null,
      problem: 'There is one.',
    });
  });
});

describe('changes', () => {
  it('rename a folder with what is open in it, and tell the tabs before and behind', async () => {
    const { actions, answers, store, disk, moved, onMoving } = setUp();
    await actions.load();
    actions.toggle(rowKey('c', 'wallet'), true);
    answers['collections.rename'] = () => {
      expect(onMoving).toHaveBeenCalledWith(at('wallet'));
      expect(moved).not.toHaveBeenCalled();
      disk(['a.yaml', 'purse', 'purse/x.yaml']);
      return { path: 'purse' };
    };
    expect(await actions.rename(at('wallet'), 'purse')).toBe(true);
    expect(moved).toHaveBeenCalledWith(at('purse'));
    expect([...store.getState().open]).toEqual([rowKey('c', 'purse')]);
  });

  it('keep the keyboard on what they rename, also if the tree is read before the reply comes', async () => {
    const { actions, answers, store, disk, names, change } = setUp();
    await actions.load();
    actions.setActive(rowKey('c', 'a.yaml'));
    answers['collections.rename'] = async () => {
      disk(['b.yaml', 'new.yaml', 'wallet', 'wallet/x.yaml']);
      change('c', ['a.yaml', 'new.yaml']);
      await vi.waitFor(() => expect(names()).toContain('new.yaml'));
      // The row is gone from the page, and the keyboard with it.
      actions.setActive(rowKey('c', 'b.yaml'));
      return { path: 'new.yaml' };
    };
    expect(await actions.rename(at('a.yaml'), 'new')).toBe(true);
    expect(store.getState().activeKey).toBe(rowKey('c', 'new.yaml'));
  });

  it('keep the keyboard on what they rename, also if it comes back to the old row before the tree is read', async () => {
    const { actions, answers, store, disk } = setUp();
    await actions.load();
    actions.setActive(rowKey('c', 'a.yaml'));
    const tree = answers['collections.tree'];
    answers['collections.rename'] = () => {
      disk(['b.yaml', 'new.yaml', 'wallet', 'wallet/x.yaml']);
      return { path: 'new.yaml' };
    };
    answers['collections.tree'] = (input) => {
      actions.setActive(rowKey('c', 'a.yaml'));
      return tree?.(input);
    };
    expect(await actions.rename(at('a.yaml'), 'new')).toBe(true);
    expect(store.getState().activeKey).toBe(rowKey('c', 'new.yaml'));
  });

  it('refuse a name that no system takes, without asking', async () => {
    const { actions, asked, notices } = setUp();
    await actions.load();
    expect(await actions.rename(at('a.yaml'), 'a/b')).toBe(false);
    expect(notices).toMatchObject([{ tone: 'warn' }]);
    expect(asked.map(({ name }) => name)).not.toContain('collections.rename');
  });

  it('take turns: a second step goes from where the first one led', async () => {
    const { actions, answers, asked, disk } = setUp();
    await actions.load();
    answers['collections.move'] = () => {
      disk(['b.yaml', 'a.yaml', 'wallet', 'wallet/x.yaml']);
      return { path: 'a.yaml' };
    };
    await Promise.all([actions.step(at('a.yaml'), 'down'), actions.step(at('a.yaml'), 'down')]);
    const moves = asked.filter(({ name }) => name === 'collections.move').map(({ input }) => input);
    expect(moves).toEqual([
      { id: 'c', path: 'a.yaml', folder: '', before: 'wallet' },
      { id: 'c', path: 'a.yaml', folder: '', before: null },
    ]);
  });

  it('are told where they fail, and the tabs stay with their files', async () => {
    const { actions, answers, notices, moved } = setUp();
    await actions.load();
    answers['collections.move'] = () => {
      throw new AppError('conflict', 'There is a b.yaml already.');
    };
    await actions.move(at('a.yaml'), { folder: 'wallet', before: null });
    expect(notices).toMatchObject([{ tone: 'bad', text: '"a" was not moved. There is a b.yaml already.' }]);
    expect(moved).toHaveBeenCalledWith(null);
  });

  it('move to another collection with tabs and open folders, shown in both at once, and a notice takes it back', async () => {
    const { actions, answers, asked, disk, moved, notices, onMoving, store } = setUp();
    const smoke = { id: 'd', directory: '/smoke', name: 'smoke', problem: null };
    let theirs: string[] = ['f'];
    answers['collections.list'] = () => ({ collections: [team, smoke] });
    const trees = answers['collections.tree'];
    answers['collections.tree'] = (input: never) =>
      (input as { id: string }).id === 'd'
        ? { collection: smoke, nodes: theirs.map(node), problem: null, notices: [] }
        : trees?.(input);
    await actions.load();
    actions.toggle(rowKey('c', 'wallet'), true);
    actions.setActive(rowKey('c', 'wallet'));
    answers['collections.transfer'] = () => {
      disk(['a.yaml', 'b.yaml']);
      theirs = ['f', 'f/wallet', 'f/wallet/x.yaml'];
      return { path: 'f/wallet', undo: 'u1' };
    };
    const seen: string[] = [];
    store.subscribe(({ list }) => {
      if (list.state !== 'ready') return;
      const nodes = list.collections.map(({ tree }) => (tree.state === 'ready' ? tree.nodes : []));
      seen.push(nodes.map((all) => (all.some(({ name }) => name === 'wallet') ? 'there' : 'not')).join(' '));
    });
    await actions.transfer(at('wallet'), { collectionId: 'd', folder: 'f' });
    expect(asked.find(({ name }) => name === 'collections.transfer')?.input).toEqual({
      id: 'c',
      path: 'wallet',
      toId: 'd',
      folder: 'f',
    });
    expect(new Set(seen)).toEqual(new Set(['there not', 'not there']));
    expect(onMoving).toHaveBeenCalledWith(at('wallet'));
    expect(moved).toHaveBeenLastCalledWith({ collectionId: 'd', path: 'f/wallet' });
    expect(store.getState().activeKey).toBe(rowKey('d', 'f/wallet'));
    expect([...store.getState().open].sort()).toEqual([rowKey('d', ''), rowKey('d', 'f'), rowKey('d', 'f/wallet')]);
    expect(notices).toMatchObject([{ text: 'Moved "wallet" to smoke/f.', undo: { what: 'moved "wallet" to smoke/f' } }]);
    answers['collections.undoTransfer'] = () => ({ path: 'wallet' });
    expect(await notices[0]?.undo?.run()).toBe(true);
    expect(moved).toHaveBeenLastCalledWith(at('wallet'));
    expect(asked.find(({ name }) => name === 'collections.undoTransfer')?.input).toEqual({ undo: 'u1' });
    expect(store.getState().activeKey).toBe(rowKey('c', 'wallet'));
  });

  it('offer to take a removal back', async () => {
    const { actions, answers, notices, store, asked } = setUp();
    await actions.load();
    answers['collections.remove'] = () => ({ removal: 'r1' });
    answers['collections.restore'] = () => ({ path: 'wallet/x.yaml' });
    await actions.remove(at('wallet/x.yaml'));
    expect(notices).toMatchObject([{ text: 'Deleted "x".', undo: { what: 'deleted "x"' } }]);
    expect(await notices[0]?.undo?.run()).toBe(true);
    expect(store.getState().activeKey).toBe(rowKey('c', 'wallet/x.yaml'));
    expect(asked.find(({ name }) => name === 'collections.restore')?.input).toEqual({ id: 'c', removal: 'r1' });
    expect(store.getState().open.has(rowKey('c', 'wallet'))).toBe(true);
  });

  it('remember which folders are open', () => {
    const { actions, store } = setUp();
    actions.toggle(rowKey('c', 'wallet'), true);
    actions.setPart('collections');
    const text = actions.exportView();
    actions.toggle(rowKey('c', 'wallet'), false);
    actions.restoreView(text);
    expect(store.getState()).toMatchObject({ part: 'collections', open: new Set([rowKey('c', 'wallet')]) });
    actions.restoreView('damaged');
    expect(store.getState()).toMatchObject({ part: 'operations', open: new Set() });
  });
});
