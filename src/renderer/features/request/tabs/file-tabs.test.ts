import { describe, expect, it } from 'vitest';
import { CollectionRequest } from '#shared/collections/model.ts';
import { AppError } from '#shared/errors.ts';
import { Environment, type ReadRequest } from '#shared/ipc/index.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import { createFakeClient, createPlainRequests, savedOf } from '#testing/fake-client.ts';

/** Creates a file on a disk that other programs write to as well. */
function setUp() {
  const fake = createFakeClient();
  let ids = 0;
  let data: string | null = 'one';
  const read = (path: string): ReadRequest => {
    if (data === null) throw new AppError('not_found', 'It is not there.');
    const request = CollectionRequest.parse({ operation: 'bet', data, expect: [{ code: '0' }] });
    return { path, name: 'bet', request, revision: data, unknown: [], warnings: [] };
  };
  fake.answer('collections.read', ({ path }) => read(path));
  fake.answer('collections.save', ({ path, request, revision }) => {
    if (revision !== data) throw new AppError('conflict', 'It changed.', { revision: data });
    data = request.data ?? '';
    return { ...read(path), replaced: null };
  });
  const notices: Parameters<Notify>[0][] = [];
  const create = () =>
    createPlainRequests(fake.client, {
      newId: () => `id-${++ids}`,
      environment: () =>
        Environment.parse({ id: 'staging', name: 'Staging', baseUrl: 'https://api.example.com', platform: 1, partnerId: 2 }),
      notify: (notice) => void notices.push(notice),
    });
  const store = create();
  const actions = store.getState();
  const tab = () => {
    const one = store.getState().tabs.at(-1);
    if (one === undefined) throw new Error('No tab is open.');
    return one;
  };
  const write = async (text: string | null, path = 'bet.yaml') => {
    data = text;
    fake.emit('collections.changed', { id: 'c', paths: [path] });
    await settled();
  };
  return { ...fake, notices, store, actions, tab, write, create, disk: () => data };
}

/** Lets the client's replies come back. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

describe('a tab of a file', () => {
  it('is opened once, and is changed where it differs from the file', async () => {
    const { actions, store, tab, disk } = setUp();
    expect(await actions.openFile('c', 'bet.yaml')).toBe(true);
    expect(await actions.openFile('c', 'bet.yaml')).toBe(true);
    expect(store.getState().tabs).toHaveLength(1);
    expect(tab()).toMatchObject({ text: 'one', dirty: false, extras: { expect: [{ code: '0' }] } });
    actions.setText(tab().id, 'two');
    expect(tab().dirty).toBe(true);
    actions.setText(tab().id, 'one');
    expect(tab().dirty).toBe(false);
    actions.setText(tab().id, 'two');
    await actions.save();
    expect(disk()).toBe('two');
    expect(tab()).toMatchObject({ dirty: false, file: { revision: 'two' } });
  });

  it('asks where another program has written it by the time that it is saved', async () => {
    const { actions, tab, answer } = setUp();
    await actions.openFile('c', 'bet.yaml');
    actions.setText(tab().id, 'two');
    const theirs = {
      path: 'bet.yaml',
      name: 'bet',
      request: CollectionRequest.parse({ operation: 'bet', data: 'theirs' }),
      revision: 'theirs',
      unknown: [],
      warnings: [],
      replaced: null,
    };
    answer('collections.save', () => theirs);
    await actions.save();
    expect(tab()).toMatchObject({ text: 'two', dirty: true, file: { revision: 'one', theirs: { revision: 'theirs' } } });
  });

  it('takes over what its file holds in place of a token, says so once, and can take it back', async () => {
    const { actions, tab, answer, asked, notices } = setUp();
    await actions.openFile('c', 'bet.yaml');
    actions.setText(tab().id, 'with a token');
    const standIns = [{ name: 'externalToken', variable: '{{externalToken}}' }];
    let typed = '';
    answer('collections.save', ({ path, request, secrets }) => {
      const kept = secrets?.['externalToken'] === 'keep';
      const read = CollectionRequest.parse({ ...request, data: kept ? request.data : 'with a variable' });
      if (typed !== '') actions.setText(tab().id, typed);
      return {
        path,
        name: 'bet',
        request: read,
        revision: read.data,
        unknown: [],
        warnings: [],
        replaced: kept ? null : { standIns, request: read },
      };
    });
    await actions.save();
    expect(tab()).toMatchObject({ text: 'with a variable', dirty: false, file: { revision: 'with a variable', theirs: null } });
    expect(asked.at(-1)?.input).toMatchObject({ environmentId: 'staging' });
    expect(notices.map(({ text }) => text)).toEqual(['externalToken is saved as {{externalToken}}.']);
    expect(await notices[0]?.undo?.run()).toBe(true);
    expect(tab()).toMatchObject({ text: 'with a token', dirty: false, file: { revision: 'with a token' } });
    // What is typed meanwhile stays.
    actions.setText(tab().id, 'with another');
    typed = 'typed meanwhile';
    await actions.save();
    expect(tab()).toMatchObject({ text: 'typed meanwhile', dirty: true, file: { theirs: null } });
  });

  it('takes what others wrote silently while it is as it was', async () => {
    const { actions, tab, write } = setUp();
    await actions.openFile('c', 'bet.yaml');
    await write('theirs');
    expect(tab()).toMatchObject({ text: 'theirs', dirty: false, file: { theirs: null, revision: 'theirs' } });
  });

  it('asks where both changed it, and does what is answered', async () => {
    const { actions, tab, write, disk } = setUp();
    await actions.openFile('c', 'bet.yaml');
    actions.setText(tab().id, 'mine');
    await write('theirs');
    expect(tab()).toMatchObject({ text: 'mine', dirty: true, file: { theirs: { revision: 'theirs' } } });
    // Nothing is written while the question is open.
    await actions.save();
    expect(disk()).toBe('theirs');
    actions.keepMine(tab().id);
    expect(tab()).toMatchObject({ text: 'mine', dirty: true, file: { theirs: null } });
    await actions.save();
    expect(disk()).toBe('mine');

    actions.setText(tab().id, 'mine again');
    await write('theirs again');
    actions.takeTheirs(tab().id);
    expect(tab()).toMatchObject({ text: 'theirs again', dirty: false, file: { theirs: null } });
  });

  it('asks the same where a save meets another file', async () => {
    const { actions, tab, answer, write } = setUp();
    await actions.openFile('c', 'bet.yaml');
    actions.setText(tab().id, 'mine');
    // Written without an event, as if nothing can be watched.
    await write('theirs', 'other.yaml');
    expect(tab().file?.theirs).toBeNull();
    await actions.save();
    expect(tab()).toMatchObject({ text: 'mine', file: { theirs: { revision: 'theirs' } } });
    answer('collections.read', () => Promise.reject(new AppError('invalid_input', 'Line 2 is not a YAML.')));
    await write('broken');
    expect(tab().file?.problem).toContain('Line 2 is not a YAML.');
  });

  it('stays as unsaved where the file was removed, and finds it again', async () => {
    const { actions, store, tab, write } = setUp();
    await actions.openFile('c', 'bet.yaml');
    await write(null);
    expect(tab()).toMatchObject({ text: 'one', dirty: true, file: { gone: true } });
    await actions.save();
    expect(store.getState().savingId).toBe(tab().id);
    await write('one');
    expect(tab()).toMatchObject({ text: 'one', dirty: false, file: { gone: false } });
  });

  it('goes with a file that gets another path', async () => {
    const { actions, tab, write, emit } = setUp();
    await actions.openFile('c', 'wallet/bet.yaml');
    const moved = actions.holdFiles('c', 'wallet');
    emit('collections.changed', { id: 'c', paths: ['wallet/bet.yaml', 'purse/bet.yaml'] });
    await settled();
    moved({ collectionId: 'c', path: 'purse' });
    expect(tab().file).toMatchObject({ path: 'purse/bet.yaml', gone: false });
    await write('theirs', 'purse/bet.yaml');
    expect(tab().text).toBe('theirs');
  });

  it('goes with a file into another collection, and back', async () => {
    const { actions, tab, emit } = setUp();
    await actions.openFile('c', 'wallet/bet.yaml');
    actions.setText(tab().id, 'mine');
    const moved = actions.holdFiles('c', 'wallet/bet.yaml');
    emit('collections.changed', { id: 'c', paths: ['wallet/bet.yaml'] });
    await settled();
    moved({ collectionId: 'd', path: 'bet.yaml' });
    await settled();
    expect(tab()).toMatchObject({ text: 'mine', file: { collectionId: 'd', path: 'bet.yaml', gone: false } });
    actions.holdFiles('d', 'bet.yaml')({ collectionId: 'c', path: 'wallet/bet.yaml' });
    await settled();
    expect(tab()).toMatchObject({ text: 'mine', file: { collectionId: 'c', path: 'wallet/bet.yaml', gone: false } });
  });

  it('is remembered with its file and looks at it again', async () => {
    const { store, actions, tab, create, write } = setUp();
    await actions.openFile('c', 'bet.yaml');
    actions.setText(tab().id, 'mine');
    const saved = savedOf(store);
    await write('theirs', 'nobody.yaml');
    const later = create();
    later.getState().restoreWorkspace(saved);
    await settled();
    expect(later.getState().tabs[0]).toMatchObject({
      text: 'mine',
      dirty: true,
      extras: { expect: [{ code: '0' }] },
      file: { path: 'bet.yaml', theirs: { revision: 'theirs' } },
    });
  });

  it('takes an example into its file, asks nobody about that, and leaves what was typed unsaved', async () => {
    const { store, actions, tab, answer, asked, emit } = setUp();
    await actions.openFile('c', 'bet.yaml');
    const { id } = tab();
    actions.setText(id, 'typed');
    expect(await actions.keepExample(id, 'ok')).toMatch(/closed/);
    store.setState(({ tabs }) => ({ tabs: tabs.map((one) => ({ ...one, callId: 7 })) }));
    actions.startKeeping(id);
    expect(store.getState().keepingId).toBe(id);
    const example = { name: 'ok', status: '200', body: '{}' };
    const request = CollectionRequest.parse({ operation: 'bet', data: 'one', expect: [{ code: '0' }], examples: [example] });
    const next = { path: 'bet.yaml', name: 'bet', request, revision: 'next', unknown: [], warnings: [] };
    answer('collections.addExample', () => {
      // The event comes before the reply.
      emit('collections.changed', { id: 'c', paths: ['bet.yaml'] });
      return next;
    });
    answer('collections.read', () => next);
    expect(await actions.keepExample(id, 'ok')).toBeNull();
    await settled();
    expect(asked.find(({ name }) => name === 'collections.addExample')?.input).toEqual({
      id: 'c',
      path: 'bet.yaml',
      revision: 'one',
      callId: 7,
      name: 'ok',
    });
    expect(store.getState().keepingId).toBeNull();
    expect(tab()).toMatchObject({
      text: 'typed',
      dirty: true,
      extras: { examples: [example] },
      file: { revision: 'next', theirs: null },
    });
    actions.setText(id, 'one');
    expect(tab().dirty).toBe(false);
  });

  it('says why an example was not taken, and stays as it was', async () => {
    const { store, actions, tab, answer } = setUp();
    await actions.openFile('c', 'bet.yaml');
    store.setState(({ tabs }) => ({ tabs: tabs.map((one) => ({ ...one, callId: 7 })) }));
    actions.startKeeping(tab().id);
    answer('collections.addExample', () => {
      throw new AppError('refused', 'The key is in it.');
    });
    expect(await actions.keepExample(tab().id, 'ok')).toBe('The key is in it.');
    expect(store.getState().keepingId).toBe(tab().id);
    expect(tab()).toMatchObject({ dirty: false, extras: { examples: [] } });
  });
});
