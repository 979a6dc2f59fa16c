import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { spoilTable } from '#testing/spoiled-table.ts';
import { writeCalls } from '#testing/written-calls.ts';
import { createDatabase } from '../database/database.ts';
import { createSearchThread, type SearchThread } from './search-thread.ts';

let folder: string;
let thread: SearchThread;
let heard: unknown[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'croupier-worker-'));
  heard = [];
  thread = createSearchThread({
    program: fileURLToPath(new URL('./search-worker.ts', import.meta.url)),
    historyPath: join(folder, 'history.sqlite'),
    indexPath: join(folder, 'history-index.sqlite'),
    onDamage: (message) => heard.push(message),
    onFault: (error) => heard.push(error),
    onMissing: () => heard.push('missing'),
  });
});
afterEach(async () => {
  await thread.close();
  rmSync(folder, { recursive: true, force: true });
});

function fill(count: number): void {
  const database = createDatabase(join(folder, 'history.sqlite'));
  writeCalls(database.connection(), count, 600);
  database.close();
}

const query = { text: 'needle', match: 'anywhere', filter: {}, limit: 5 } as const;
const question = { player: 'p', tokenFields: [] };

describe('the search thread', () => {
  it('does what it is asked, says how far it is, and stops', async () => {
    fill(300);
    const { work } = thread;
    await work.index(undefined, { background: true });
    expect(await work.unindexed()).toBe(0);
    const progress: unknown[] = [];
    const found = work.findCalls(question, { onProgress: (...given) => progress.push(given) });
    const stopped = work.findCalls(question, { stop: AbortSignal.abort() });
    expect(await stopped).toBeNull();
    expect(await found).toEqual({ calls: [], elsewhere: 0, sharedTokens: 0 });
    expect(progress.at(-1)).toEqual([300, 300]);
    expect(await work.erase('all', { stop: AbortSignal.abort() })).toEqual({ blocked: [], stopped: true });
    expect((await work.search({ ...query, text: 'bet' })).calls).toHaveLength(5);
    expect(heard).toEqual([]);
  });

  it('says of a damaged history what failed, and goes on', async () => {
    fill(20);
    spoilTable(join(folder, 'history.sqlite'), 'call_requests');
    await expect(thread.work.search(query)).rejects.toMatchObject({
      code: 'storage',
      message: expect.stringMatching(/^The history .* cannot be used: it is damaged\./) as string,
      details: { state: 'damaged' },
    });
    expect(heard).toEqual(['it is damaged']);
    expect(await thread.work.unindexed()).toBe(20);
  });

  it('ends in the middle of its work', async () => {
    fill(3_000);
    void thread.work.index(undefined, { background: true });
    expect(await thread.work.unindexed()).toBeGreaterThan(0);
    await thread.close();
    expect(heard).toEqual([]);
  });
});
