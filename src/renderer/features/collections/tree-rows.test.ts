import { describe, expect, it } from 'vitest';
import type { CollectionNode } from '#shared/ipc/outputs/collections.ts';
import { dropDestination, rowKey, stepDestination, treeRows, type OpenCollection } from './tree-rows.ts';

function node(path: string): CollectionNode {
  const kind = path.endsWith('.yaml') ? 'request' : 'folder';
  const name = path.slice(path.lastIndexOf('/') + 1).replace('.yaml', '');
  return {
    kind,
    path,
    name,
    operation: kind === 'request' ? 'bet' : null,
    problem: null,
    warnings: [],
    unchecked: false,
    takes: [],
    variables: 0,
  };
}

const nodes = ['a.yaml', 'wallet', 'wallet/inner', 'wallet/inner/deep.yaml', 'wallet/x.yaml', 'wallet/y.yaml', 'z.yaml'].map(
  node,
);
const team: OpenCollection = {
  collection: { id: 'c', directory: '/team', name: 'team', problem: null },
  tree: { state: 'ready', nodes, problem: null, notices: [], readOnly: null, variables: 0 },
};

function shown(open: readonly string[], filter = ''): string[] {
  const rows = treeRows([team], { open: new Set(open.map((path) => rowKey('c', path))), filter, gitMarks: {} });
  return rows.map(({ level, name, position, siblings }) => `${level} ${name} ${position}/${siblings}`);
}

describe('the rows of the tree', () => {
  it('carry the mark of their file, and folders that of the files in them, open or not', () => {
    const files = new Map([
      ['a.yaml', 'new'],
      ['wallet/inner/deep.yaml', 'conflicted'],
      ['wallet/folder.yaml', 'changed'],
    ] as const);
    const below = new Map([
      ['', { files: 3, conflicts: 1 }],
      ['wallet', { files: 2, conflicts: 1 }],
      ['wallet/inner', { files: 1, conflicts: 1 }],
    ]);
    const open = new Set(['', 'wallet'].map((path) => rowKey('c', path)));
    const rows = treeRows([team], { open, filter: '', gitMarks: { c: { files, below, notices: [] } } });
    expect(rows.map(({ name, mark, marked }) => `${name} ${mark} ${marked}`)).toEqual([
      'team conflicted 3',
      'a new 0',
      'wallet conflicted 2',
      'inner conflicted 1',
      'x null 0',
      'y null 0',
      'z null 0',
    ]);
  });

  it('are those in open folders, with level and place', () => {
    expect(shown([])).toEqual(['1 team 1/1']);
    expect(shown(['', 'wallet'])).toEqual([
      '1 team 1/1',
      '2 a 1/3',
      '2 wallet 2/3',
      '3 inner 1/3',
      '3 x 2/3',
      '3 y 3/3',
      '2 z 3/3',
    ]);
    // A folder in one that is closed is out of sight, open or not.
    expect(shown(['', 'wallet/inner'])).toHaveLength(4);
  });

  it('are with a filter what fits and what it lies in, opened', () => {
    expect(shown([], 'DEEP')).toEqual(['1 team 1/1', '2 wallet 1/1', '3 inner 1/1', '4 deep 1/1']);
    expect(shown([], 'wallet x')).toEqual(['1 team 1/1', '2 wallet 1/1', '3 x 1/1']);
    expect(shown([], 'bet')).toHaveLength(8);
    expect(shown([], 'nothing')).toEqual([]);
  });
});

describe('a step by the keyboard', () => {
  it('goes among neighbours, out of a folder at its ends, and into one', () => {
    expect(stepDestination(nodes, 'wallet/x.yaml', 'down')).toEqual({ folder: 'wallet', before: null });
    expect(stepDestination(nodes, 'wallet/x.yaml', 'up')).toEqual({ folder: 'wallet', before: 'inner' });
    expect(stepDestination(nodes, 'wallet/y.yaml', 'down')).toEqual({ folder: '', before: 'z.yaml' });
    expect(stepDestination(nodes, 'wallet/inner', 'up')).toEqual({ folder: '', before: 'wallet' });
    expect(stepDestination(nodes, 'wallet/x.yaml', 'out')).toEqual({ folder: '', before: 'z.yaml' });
    expect(stepDestination(nodes, 'z.yaml', 'in')).toEqual({ folder: 'wallet', before: null });
    expect(stepDestination(nodes, 'a.yaml', 'up')).toBeNull();
    expect(stepDestination(nodes, 'z.yaml', 'down')).toBeNull();
    expect(stepDestination(nodes, 'z.yaml', 'out')).toBeNull();
    expect(stepDestination(nodes, 'wallet', 'in')).toBeNull();
    expect(stepDestination(nodes, 'gone.yaml', 'up')).toBeNull();
  });
});

describe('a drop', () => {
  const target = (path: string, expanded: boolean | null = null) => ({ kind: node(path).kind, path, expanded });

  it('comes before, into or behind what it is dropped on', () => {
    expect(dropDestination(nodes, 'a.yaml', target('wallet/x.yaml'), 0.1)).toMatchObject({ folder: 'wallet', before: 'x.yaml' });
    expect(dropDestination(nodes, 'a.yaml', target('wallet/x.yaml'), 0.9)).toMatchObject({ folder: 'wallet', before: 'y.yaml' });
    expect(dropDestination(nodes, 'a.yaml', target('wallet', false), 0.5)).toMatchObject({ folder: 'wallet', before: null });
    expect(dropDestination(nodes, 'a.yaml', target('wallet', true), 0.9)).toMatchObject({ folder: 'wallet', before: 'inner' });
    expect(dropDestination(nodes, 'z.yaml', target('wallet', false), 0.1)).toMatchObject({ folder: '', before: 'wallet' });
    const top = { kind: 'collection', path: '', expanded: true } as const;
    expect(dropDestination(nodes, 'wallet/x.yaml', top, 0.9)).toMatchObject({ folder: '', before: 'a.yaml' });
  });

  it('is nothing on itself and in what lies in it', () => {
    expect(dropDestination(nodes, 'wallet', target('wallet', true), 0.5)).toBeNull();
    expect(dropDestination(nodes, 'wallet', target('wallet/inner', true), 0.5)).toBeNull();
  });
});
