import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CollectionRequest } from '#shared/collections/model.ts';
import { readers } from '#shared/model/readers.ts';
import { createTestApp, type TestApp } from '#testing/app.ts';

let test: TestApp;
let folder = '';
let id = '';

beforeEach(async () => {
  test = await createTestApp();
  folder = mkdtempSync(join(tmpdir(), 'croupier-large-'));
  ({ id } = await test.client.call('collections.open', { directory: folder }));
});

afterEach(async () => {
  await test.close();
  rmSync(folder, { recursive: true, force: true });
});

const mostFileBytes = readers['collection.file'].bytes;

/** Returns a request's file of so many bytes. */
function fileOf(bytes: number): string {
  const head = 'operation: bet\ndata: |\n  ';
  return `${head}${'x'.repeat(bytes - head.length - 1)}\n`;
}

const words = /^The file has 5,000,001 bytes; Croupier reads at most 5,000,000\. Shorten its data/;

describe('A file of a collection', () => {
  it('of 5 MB is read', async () => {
    writeFileSync(join(folder, 'large.yaml'), fileOf(mostFileBytes));
    const { nodes } = await test.client.call('collections.tree', { id });
    expect(nodes).toMatchObject([{ path: 'large.yaml', operation: 'bet', problem: null }]);
    expect((await test.client.call('collections.read', { id, path: 'large.yaml' })).request.data.length).toBeGreaterThan(
      4_900_000,
    );
  });

  it('below more folders than are read costs no other its run in silence', async () => {
    mkdirSync(join(folder, ...Array.from({ length: 40 }, () => 'f')), { recursive: true });
    mkdirSync(join(folder, 'other'));
    writeFileSync(join(folder, 'other', 'a.yaml'), 'operation: bet\n');
    const { id: environmentId } = await test.environment({ baseUrl: 'https://localhost:1' });
    for (const path of ['', 'other'])
      await expect(
        test.client.call('runs.start', { collectionId: id, path, environmentId, options: { unreadable: 'refuse' } }),
      ).rejects.toThrow(
        'Nothing was run. The collection has more than 20,000 files and folders, or is more than 32 folders deep. Open a folder in it instead.',
      );
  });

  it('that is larger is listed with its size, not opened, not run and not exported', async () => {
    const text = fileOf(mostFileBytes + 1);
    writeFileSync(join(folder, 'large.yaml'), text);
    writeFileSync(join(folder, 'other.yaml'), 'operation: bet\n');
    const { nodes } = await test.client.call('collections.tree', { id });
    expect(nodes).toMatchObject([
      { path: 'large.yaml', operation: null, problem: { message: expect.stringMatching(words) as string } },
      { path: 'other.yaml', problem: null },
    ]);
    await expect(test.client.call('collections.read', { id, path: 'large.yaml' })).rejects.toThrow(
      /^large\.yaml: The file has 5,000,001 bytes/,
    );
    const { id: environmentId } = await test.environment({ baseUrl: 'https://localhost:1' });
    await expect(
      test.client.call('runs.start', { collectionId: id, path: '', environmentId, options: { unreadable: 'refuse' } }),
    ).rejects.toThrow(/Nothing was run: A file cannot be read\. large\.yaml: The file has 5,000,001 bytes/);
    const { notCarried } = await test.client.call('collections.export', { id, path: '', format: 'postman', environmentId: null });
    expect(notCarried).toContainEqual({
      where: 'large.yaml',
      what: 'the request',
      why: expect.stringMatching(/^large\.yaml: The file has 5,000,001 bytes/) as string,
      at: [],
    });
    expect(readFileSync(join(folder, 'large.yaml'), 'utf8')).toBe(text);
  });

  it('is not made larger by a save, and a new one is not made', async () => {
    writeFileSync(join(folder, 'bet.yaml'), 'operation: bet\n');
    const { revision } = await test.client.call('collections.read', { id, path: 'bet.yaml' });
    const request = CollectionRequest.parse({ operation: 'bet', data: 'é'.repeat(mostFileBytes / 2) });
    await expect(test.client.call('collections.save', { id, path: 'bet.yaml', request, revision })).rejects.toThrow(
      /^bet\.yaml: Nothing was written: it would have 5,0[\d,]+ bytes, and the limit is 5,000,000\. Shorten its data or its examples in an editor\.$/,
    );
    await expect(test.client.call('collections.create', { id, folder: '', name: 'new', request })).rejects.toThrow(
      /it would have 5,0/,
    );
    await expect(
      test.client.call('collections.create', {
        id,
        folder: '',
        name: 'new',
        request: { ...request, data: 'x'.repeat(5_000_001) },
      }),
    ).rejects.toThrow(/^collections\.create: request\.data: It has more than 5,000,000 characters\. Shorten it\.$/);
    expect(readFileSync(join(folder, 'bet.yaml'), 'utf8')).toBe('operation: bet\n');
    expect((await test.client.call('collections.tree', { id })).nodes).toHaveLength(1);
  });

  it('that is named .yml is called a request by its beginning alone', async () => {
    writeFileSync(join(folder, 'old.yml'), fileOf(mostFileBytes + 1));
    expect((await test.client.call('collections.tree', { id })).notices).toEqual([
      expect.stringContaining('old.yml is not read'),
    ]);
  });
});
