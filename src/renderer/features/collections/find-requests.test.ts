import { describe, expect, it } from 'vitest';
import type { CollectionNode } from '#shared/ipc/outputs/collections.ts';
import { paletteScore } from '#renderer/app/palette-score.ts';
import { directoryIn } from './directory-picker.ts';
import { findRequests } from './find-requests.ts';
import type { OpenCollection } from './tree-rows.ts';

const problem = { message: 'broken', line: 1, column: 1, excerpt: '' };

function opened(name: string, paths: readonly string[]): OpenCollection {
  const nodes = paths.map((path): CollectionNode => {
    const isRequest = path.endsWith('.yaml');
    const title = path.replace(/^.*\//, '').replace('.yaml', '');
    return {
      kind: isRequest ? 'request' : 'folder',
      path,
      name: title,
      operation: isRequest ? 'getGameRound' : null,
      problem: title === 'broken' ? problem : null,
      warnings: [],
      unchecked: false,
      takes: [],
      variables: 0,
    };
  });
  return {
    collection: { id: `id-${name}`, directory: `/${name}`, name, problem: null },
    tree: { state: 'ready', nodes, problem: null, notices: [], readOnly: null, variables: 0 },
  };
}

const collections = [
  opened('team', ['stake.yaml', 'wallet', 'wallet/first bet.yaml', 'wallet/broken.yaml', 'bet.yaml']),
  opened('smoke', ['wallet', 'wallet/win.yaml']),
  { ...opened('late', ['bet.yaml']), tree: { state: 'loading' as const } },
];

const find = (text: string, limit = 10) =>
  findRequests(collections, text, limit, paletteScore).map(({ collection, path }) => `${collection}/${path}`);

describe('requests of open collections', () => {
  it('are found by name before path, folder, operation and collection', () => {
    expect(find('bet')).toEqual(['team/bet.yaml', 'team/wallet/first bet.yaml']);
    expect(find('wallet/fi')).toEqual(['team/wallet/first bet.yaml']);
    expect(find('wallet bet')).toEqual(['team/wallet/first bet.yaml']);
    expect(find('smoke win')).toEqual(['smoke/wallet/win.yaml']);
    expect(find('ggr')).toHaveLength(4);
    expect(find('ggr', 2)).toHaveLength(2);
  });

  it('are none for no text, and none whose file cannot be read', () => {
    expect(find(' ')).toEqual([]);
    expect(find('broken')).toEqual([]);
  });
});

describe('a directory in another one', () => {
  it.each([
    ['/home/you', '/home/you/new'],
    ['/', '/new'],
    ['/odd\\name', '/odd\\name/new'],
    ['C:\\Users\\you', 'C:\\Users\\you\\new'],
    ['C:\\', 'C:\\new'],
    ['\\\\server\\share', '\\\\server\\share\\new'],
  ])('%s', (parent, whole) => {
    expect(directoryIn(parent, 'new')).toBe(whole);
  });
});
