import { describe, expect, it } from 'vitest';
import { chooseWorkspace, leftOf, spareOf, type Opening } from './workspaces.ts';
import type { Folder } from './folders.ts';

const folderOf = (id: string, turn: number, more: Partial<Folder> & { run?: string; page?: string } = {}): Folder => {
  const { run = '', page = '', ...rest } = more;
  const holder = { run, page, turn };
  return { id, holder, text: null, list: null, newer: false, tabs: ['t'], unsaved: 0, plain: false, ...rest };
};
const opening: Opening = { mine: null, before: undefined, begin: false, run: 'here' };
const ids = (folders: readonly { id: string }[]) => folders.map(({ id }) => id);

describe('a page that opens a workspace', () => {
  const [old, unsaved, newest] = [folderOf('old', 1), folderOf('unsaved', 2, { unsaved: 1 }), folderOf('newest', 3)];
  const all = [old, unsaved, newest];

  it('gets the free one with unsaved text, else the newest, else a new one', () => {
    expect(chooseWorkspace(all, all, opening)?.id).toBe('unsaved');
    expect(chooseWorkspace(all, [old, newest], opening)?.id).toBe('newest');
    expect(chooseWorkspace(all, [folderOf('empty', 4, { tabs: [] })], opening)).toBeUndefined();
    expect(chooseWorkspace(all, all, { ...opening, begin: true })).toBeUndefined();
  });

  it('gets its own where the page before it had it, and not what another program has', () => {
    const mine = { page: 'before', id: 'own' };
    const own = folderOf('own', 1, { run: 'here', page: 'before' });
    expect(chooseWorkspace([own, ...all], all, { ...opening, mine, begin: true })?.id).toBe('own');
    const elsewhere = folderOf('own', 1, { run: 'there', page: 'before' });
    expect(chooseWorkspace([elsewhere, ...all], all, { ...opening, mine })?.id).toBe('unsaved');
    expect(chooseWorkspace([elsewhere, ...all], [elsewhere, ...all], { ...opening, mine })?.id).toBe('own');
    const taken = folderOf('own', 1, { run: 'here', page: 'another' });
    // Nor as one that is left: a page that took it goes on with it.
    expect(chooseWorkspace([taken], [taken], { ...opening, mine })).toBeUndefined();
    const newer = folderOf('own', 1, { run: 'here', page: 'before', newer: true });
    expect(chooseWorkspace([newer], [], { ...opening, mine })).toBeUndefined();
  });

  it('in a host without lines gets that of the page before', () => {
    const own = folderOf('own', 1, { run: 'here', page: 'gone' });
    expect(chooseWorkspace([own, ...all], all, { ...opening, before: 'own' })?.id).toBe('own');
  });

  it('is told of what is left, unsaved text first', () => {
    expect(leftOf([...all, folderOf('empty', 4, { tabs: [] }), folderOf('newer', 5, { newer: true })])).toEqual([
      { id: 'unsaved', tabs: 1, unsaved: 1 },
      { id: 'newest', tabs: 1, unsaved: 0 },
      { id: 'old', tabs: 1, unsaved: 0 },
    ]);
  });
});

it('of what nobody has, what is plain goes, and all but the five newest without unsaved text', () => {
  const clean = [3, 1, 7, 2, 6, 5, 4].map((turn) => folderOf(`clean ${turn}`, turn));
  const kept = [folderOf('unsaved', 0, { unsaved: 1, plain: true }), folderOf('newer', 0, { newer: true, plain: true })];
  expect(ids(spareOf([...clean, ...kept, folderOf('plain', 9, { plain: true })]))).toEqual(['plain', 'clean 2', 'clean 1']);
});
