import { describe, expect, it, vi } from 'vitest';
import { createTreeKeys, keyAction, type TreeKey } from './tree-keys.ts';
import type { TreeRow } from './tree-rows.ts';

function row(change: Partial<TreeRow>): TreeRow {
  return {
    key: `c/${change.name ?? ''}`,
    kind: 'request',
    collectionId: 'c',
    path: change.name ?? '',
    name: '',
    operation: null,
    problem: null,
    warnings: [],
    variables: 0,
    readOnly: false,
    level: 2,
    position: 1,
    siblings: 1,
    expanded: null,
    mark: null,
    marked: 0,
    ...change,
  };
}

const press = (key: string, change: Partial<TreeKey> = {}): TreeKey => ({
  key,
  code: '',
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  ...change,
});

const rows = [
  row({ name: 'team', kind: 'collection', level: 1, expanded: true }),
  row({ name: 'wallet', kind: 'folder', expanded: true }),
  row({ name: 'bet', level: 3 }),
  row({ name: 'win', level: 3 }),
  row({ name: 'empty', kind: 'folder', expanded: false }),
];

function setUp() {
  let time = 1_000;
  const keys = createTreeKeys(() => time);
  return {
    wait: (milliseconds: number) => (time += milliseconds),
    go: (key: string, from: number, filtered = false, change: Partial<TreeKey> = {}) =>
      keys.rowFrom(press(key, change), from, { rows, page: 3, filtered }),
  };
}

describe('the tree’s keys', () => {
  it('go to neighbours, by pages and to both ends', () => {
    const { go } = setUp();
    expect([go('ArrowDown', 0), go('ArrowDown', 4), go('ArrowUp', 4), go('ArrowUp', 0)]).toEqual([1, 4, 3, 0]);
    expect([go('PageDown', 0), go('PageDown', 3), go('PageUp', 4), go('PageUp', 1)]).toEqual([3, 4, 1, 0]);
    expect([go('Home', 3), go('End', 1)]).toEqual([0, 4]);
    expect([go('ArrowDown', 0, false, { altKey: true }), go('a', 0, false, { ctrlKey: true })]).toEqual([null, null]);
  });

  it('go into an open row and out of the one around, which is closed first unless a filter holds it open', () => {
    const { go } = setUp();
    expect([go('ArrowRight', 1), go('ArrowRight', 2), go('ArrowRight', 4)]).toEqual([2, null, null]);
    expect([go('ArrowLeft', 3), go('ArrowLeft', 0), go('ArrowLeft', 1), go('ArrowLeft', 1, true)]).toEqual([1, null, null, 0]);
  });

  it('find a name by its beginning, the next one for the same letter, and another after a pause', () => {
    const { go, wait } = setUp();
    expect(go('w', 0)).toBe(1);
    expect(go('w', 1)).toBe(3);
    expect(go('w', 3)).toBe(1);
    wait(700);
    expect(go('w', 0)).toBe(1);
    expect(go('i', 1)).toBe(3);
    expect(go('x', 3)).toBeNull();
    wait(700);
    expect(go(' ', 3)).toBeNull();
    go('ArrowDown', 0);
    expect(go('b', 0)).toBe(2);
  });
});

describe('what a key does with a row', () => {
  const actions = {
    startMoving: vi.fn(),
    step: vi.fn(() => Promise.resolve()),
    toggle: vi.fn(),
    startRename: vi.fn(),
    forget: vi.fn(() => Promise.resolve()),
    remove: vi.fn(() => Promise.resolve()),
    open: vi.fn(),
  };
  const does = (key: TreeKey, of: TreeRow) => keyAction(key, of, actions);
  const request = row({ name: 'bet' });
  const changing = [
    press('F2'),
    press('Delete'),
    press('µ', { code: 'KeyM', altKey: true }),
    ...['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'].map((key) => press(key, { altKey: true })),
  ];

  it('opens, closes, names, moves and removes', () => {
    const folder = row({ name: 'empty', kind: 'folder', expanded: false });
    for (const key of [press('Enter'), press(' '), ...changing]) does(key, request)?.();
    does(press('ArrowRight'), folder)?.();
    does(press('ArrowLeft'), { ...folder, expanded: true })?.();
    expect(actions.open.mock.calls).toEqual([[request], [request]]);
    expect(actions.startRename.mock.calls).toEqual([['c/bet']]);
    expect(actions.remove.mock.calls).toEqual([[request]]);
    expect(actions.startMoving.mock.calls).toEqual([[request]]);
    expect(actions.step.mock.calls).toEqual(['up', 'down', 'out', 'in'].map((step) => [request, step]));
    expect(actions.toggle.mock.calls).toEqual([
      ['c/empty', true],
      ['c/empty', false],
    ]);
  });

  it('closes a collection, and changes nothing in one that is read-only', () => {
    const team = row({ name: 'team', kind: 'collection', readOnly: true, expanded: true });
    const readOnly = { ...request, readOnly: true };
    expect(changing.map((key) => does(key, readOnly))).toEqual(changing.map(() => null));
    expect(does(press('F2'), team)).toBeNull();
    expect(does(press('Enter', { ctrlKey: true }), request)).toBeNull();
    does(press('Enter'), readOnly)?.();
    does(press('Delete'), team)?.();
    // As keyboards of Apple have no Delete.
    expect(does(press('Backspace'), team)).toBeNull();
    does(press('Backspace', { metaKey: true }), team)?.();
    expect(actions.open).toHaveBeenLastCalledWith(readOnly);
    expect(actions.forget.mock.calls).toEqual([['c'], ['c']]);
  });
});
