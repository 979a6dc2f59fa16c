import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Client, Input } from '#shared/ipc/index.ts';
import { createTestApp } from '#testing/app.ts';

let folder: string;
let client: Client;
let close: () => Promise<void>;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'croupier-transfers-'));
  ({ client, close } = await createTestApp());
});
afterEach(async () => {
  await close();
  rmSync(folder, { recursive: true, force: true });
});

/** Files below the test's folder; an open collection for each first part of the paths. */
async function open(files: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const ids: Record<string, string> = {};
  for (const name of new Set(Object.keys(files).map((path) => path.split('/')[0] ?? ''))) {
    ids[name] = (await client.call('collections.open', { directory: join(folder, name) })).id;
  }
  return ids;
}

/** Every file with its text, and every folder that is empty. */
function disk(below = ''): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(folder, below))) {
    const path = below === '' ? name : `${below}/${name}`;
    if (!statSync(join(folder, path)).isDirectory()) found[path] = readFileSync(join(folder, path), 'utf8');
    else if (readdirSync(join(folder, path)).length === 0) found[path] = 'empty folder';
    else Object.assign(found, disk(path));
  }
  return found;
}

const transfer = (input: Input<'collections.transfer'>) => client.call('collections.transfer', input);
const undo = (token: string) => client.call('collections.undoTransfer', { undo: token });

describe('a move from one collection to another', () => {
  const files = {
    'a/collection.yaml': '# ours\norder:\n  - w\n  - x.yaml\n  - y.yaml\nmine: kept\n',
    'a/w/.hidden': 'also',
    'a/w/bet.yaml': '# kept byte for byte\r\noperation: bet\r\n',
    'a/x.yaml': 'operation: win\n',
    'a/y.yaml': 'operation: gameList\n',
    'b/f/one.yaml': 'operation: bet\n',
    'b/two.yaml': 'operation: bet\n',
  };

  it('takes the bytes along, leaves the old order and comes where it was put; taken back, nothing is left of it', async () => {
    const { a = '', b = '' } = await open(files);
    const before = disk();
    const changed: string[] = [];
    client.on('collections.changed', ({ id }) => changed.push(id));
    const moved = await transfer({ id: a, path: 'w', toId: b, folder: '', before: 'two.yaml' });
    expect(moved.path).toBe('w');
    expect(disk()).toEqual({
      'a/collection.yaml': '# ours\norder:\n  - x.yaml\n  - y.yaml\nmine: kept\n',
      'a/x.yaml': 'operation: win\n',
      'a/y.yaml': 'operation: gameList\n',
      'b/collection.yaml': 'format: 1\norder:\n  - f\n  - w\n  - two.yaml\n',
      'b/f/one.yaml': 'operation: bet\n',
      'b/two.yaml': 'operation: bet\n',
      'b/w/.hidden': 'also',
      'b/w/bet.yaml': '# kept byte for byte\r\noperation: bet\r\n',
    });
    expect(await undo(moved.undo)).toEqual({ path: 'w' });
    expect(disk()).toEqual(before);
    await expect(undo(moved.undo)).rejects.toMatchObject({ code: 'not_found' });
    expect(disk()).toEqual(before);
    expect(new Set(changed)).toEqual(new Set([a, b]));
  });

  it('writes no order where no place is asked for', async () => {
    const { a = '', b = '' } = await open(files);
    const before = disk();
    const moved = await transfer({ id: a, path: 'w/bet.yaml', toId: b, folder: 'f' });
    const { ['a/w/bet.yaml']: bet = '', ...rest } = before;
    expect(disk()).toEqual({ ...rest, 'b/f/bet.yaml': bet });
    await undo(moved.undo);
    expect(disk()).toEqual(before);
  });

  it('keeps what was changed since when it is taken back', async () => {
    const { a = '', b = '' } = await open({ ...files, 'b/collection.yaml': 'order:\n  - two.yaml\n' });
    const moved = await transfer({ id: a, path: 'x.yaml', toId: b, folder: '', before: null });
    await client.call('collections.reorder', { id: b, folder: '', order: ['x.yaml', 'f', 'two.yaml'] });
    writeFileSync(join(folder, 'b', 'x.yaml'), 'operation: win\nnotes: edited there\n');
    await undo(moved.undo);
    expect(disk()).toEqual({
      ...files,
      'a/x.yaml': 'operation: win\nnotes: edited there\n',
      // The order that was meant brought the format.
      'b/collection.yaml': 'format: 1\norder:\n  - f\n  - two.yaml\n',
    });
  });

  it('never goes over what is there, on its way or back', async () => {
    const { a = '', b = '' } = await open({ ...files, 'b/X.yaml': 'operation: gameList\n' });
    const before = disk();
    await expect(transfer({ id: a, path: 'x.yaml', toId: b, folder: '', before: null })).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(transfer({ id: a, path: 'none.yaml', toId: b, folder: '' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(transfer({ id: a, path: '', toId: b, folder: '' })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(transfer({ id: a, path: 'x.yaml', toId: b, folder: 'none' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(transfer({ id: a, path: 'x.yaml', toId: b, folder: '../a/w' })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(transfer({ id: a, path: 'x.yaml', toId: 'none', folder: '' })).rejects.toMatchObject({ code: 'not_found' });
    expect(disk()).toEqual(before);
    const moved = await transfer({ id: a, path: 'y.yaml', toId: b, folder: '' });
    writeFileSync(join(folder, 'a', 'y.yaml'), 'operation: bet\n');
    const after = disk();
    await expect(undo(moved.undo)).rejects.toMatchObject({ code: 'conflict' });
    expect(disk()).toEqual(after);
    // It can be tried again when its place is free.
    rmSync(join(folder, 'a', 'y.yaml'));
    await undo(moved.undo);
    expect(disk()).toEqual(before);
  });

  const elsewhere = statSync('/dev/shm', { throwIfNoEntry: false });
  const oneDisk = elsewhere === undefined || elsewhere.dev === statSync(tmpdir()).dev;
  it.skipIf(oneDisk)('goes from one file system to another and back', async () => {
    const { a = '' } = await open(files);
    const before = disk();
    const other = mkdtempSync('/dev/shm/croupier-transfers-');
    try {
      const { id } = await client.call('collections.open', { directory: other });
      const moved = await transfer({ id: a, path: 'w', toId: id, folder: '', before: null });
      expect(readdirSync(join(other, 'w')).sort()).toEqual(['.hidden', 'bet.yaml']);
      expect(readFileSync(join(other, 'w', 'bet.yaml'), 'utf8')).toBe(files['a/w/bet.yaml']);
      expect(readdirSync(join(folder, 'a')).sort()).toEqual(['collection.yaml', 'x.yaml', 'y.yaml']);
      await undo(moved.undo);
      expect(disk()).toEqual(before);
      expect(readdirSync(other)).toEqual([]);
    } finally {
      rmSync(other, { recursive: true, force: true });
    }
  });

  it('of a folder around the other collection is refused, and one within a collection has a way back too', async () => {
    const { a = '' } = await open(files);
    const { id: inner } = await client.call('collections.open', { directory: join(folder, 'a', 'w') });
    const before = disk();
    await expect(transfer({ id: a, path: 'w', toId: inner, folder: '' })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(transfer({ id: a, path: 'w/bet.yaml', toId: inner, folder: '' })).rejects.toMatchObject({ code: 'conflict' });
    expect(disk()).toEqual(before);
    const moved = await transfer({ id: a, path: 'x.yaml', toId: a, folder: 'w' });
    expect(disk()['a/w/x.yaml']).toBe('operation: win\n');
    await undo(moved.undo);
    expect(disk()).toEqual(before);
  });

  it('in both directions at once comes to an end', async () => {
    const many = Array.from({ length: 10 }, (_, at) => at);
    const request = 'operation: bet\n';
    const { a = '', b = '' } = await open(
      Object.fromEntries(
        many.flatMap((at) => [
          [`a/left ${at}.yaml`, request],
          [`b/right ${at}.yaml`, request],
        ]),
      ),
    );
    await Promise.all(
      many.flatMap((at) => [
        transfer({ id: a, path: `left ${at}.yaml`, toId: b, folder: '', before: null }),
        transfer({ id: b, path: `right ${at}.yaml`, toId: a, folder: '', before: null }),
      ]),
    );
    const paths = async (id: string) => (await client.call('collections.tree', { id })).nodes.map(({ path }) => path).sort();
    expect(await paths(a)).toEqual(many.map((at) => `right ${at}.yaml`));
    expect(await paths(b)).toEqual(many.map((at) => `left ${at}.yaml`));
  });
});
