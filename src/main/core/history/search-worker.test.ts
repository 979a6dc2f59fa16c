import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { spoilTable } from '#testing/spoiled-table.ts';
import { writeCalls } from '#testing/written-calls.ts';
import { createDatabase } from '../database/database.ts';
import type { SearchReply, SearchRequest } from './search-messages.ts';

let folder: string;
let historyPath: string;
let indexPath: string;
const ended: (() => unknown)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'croupier-worker-'));
  historyPath = join(folder, 'history.sqlite');
  indexPath = join(folder, 'history-index.sqlite');
});
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
  rmSync(folder, { recursive: true, force: true });
});

/** Makes a history of so many calls, each with a request of some pages. */
function fill(count: number): void {
  const database = createDatabase(historyPath);
  writeCalls(database.connection(), count, 600);
  database.close();
}

/** The thread itself, as its line speaks to it. */
function start() {
  const program = fileURLToPath(new URL('./search-worker.ts', import.meta.url));
  const worker = new Worker(program, { workerData: { historyPath, indexPath }, execArgv: [] });
  ended.push(() => worker.terminate());
  const replies: SearchReply[] = [];
  let changed = Promise.withResolvers<void>();
  worker.on('message', (reply: SearchReply) => {
    replies.push(reply);
    changed.resolve();
    changed = Promise.withResolvers<void>();
  });
  return {
    tell: (request: SearchRequest) => worker.postMessage(request),
    /** Resolves to the next reply of the kind, which is then taken. */
    async next(kind: SearchReply['kind']): Promise<SearchReply> {
      for (;;) {
        const at = replies.findIndex((reply) => reply.kind === kind);
        const [found] = at === -1 ? [] : replies.splice(at, 1);
        if (found !== undefined) return found;
        await changed.promise;
      }
    },
    replies,
  };
}

const search = (id: number, text: string): SearchRequest => ({
  kind: 'search',
  id,
  query: { text, match: 'anywhere', filter: {}, limit: 5 },
});
const broken = () => expect.stringContaining(`The history ${historyPath} cannot be used: it is damaged.`) as string;

describe('the search thread', () => {
  it('says of a damaged history what failed, and goes on', async () => {
    fill(20);
    spoilTable(historyPath, 'call_requests');
    const { tell, next, replies } = start();
    tell(search(1, 'needle'));
    expect(await next('failed')).toEqual({ kind: 'failed', id: 1, message: broken(), damaged: true });
    tell({ kind: 'find', id: 2, question: { player: 'p', tokenFields: [] } });
    expect(await next('finding')).toEqual({ kind: 'finding', id: 2, done: 0, total: 20 });
    expect(await next('failed')).toEqual({ kind: 'failed', id: 2, message: broken(), damaged: true });
    tell({ kind: 'index' });
    expect(await next('fault')).toEqual({ kind: 'fault', message: broken() });
    tell({ kind: 'check', thorough: false });
    const damage = { kind: 'damage', message: expect.stringContaining('is damaged, as a check of the whole file found') };
    expect(await next('damage')).toEqual(damage);
    // Nothing of it is tried again by itself.
    tell({ kind: 'unindexed', id: 3 });
    expect(await next('count')).toEqual({ kind: 'count', id: 3, count: 20 });
    expect(replies).toEqual([]);
  });

  it('checks a large history a step at a time', async () => {
    fill(20);
    spoilTable(historyPath, 'call_requests');
    // Larger than what is checked in one statement; the pages behind the last one are no part of it.
    truncateSync(historyPath, 80 * 1_048_576);
    const { tell, next } = start();
    tell({ kind: 'check', thorough: true });
    expect(await next('damage')).toMatchObject({ message: expect.stringContaining('Start the workbench again') });
  });

  it('finds no damage in a sound history, however often it looks', async () => {
    fill(20);
    const { tell, next, replies } = start();
    for (const id of [1, 2]) {
      tell({ kind: 'check', thorough: true });
      tell({ kind: 'index' });
      await next('indexed');
      tell({ kind: 'unindexed', id });
      expect(await next('count')).toMatchObject({ id, count: 0 });
    }
    expect(replies).toEqual([]);
  });

  it('says that it cannot check, search, find or erase where there is no history', async () => {
    const { tell, next } = start();
    const message = `The history ${historyPath} cannot be used: it cannot be opened; check the folder and its permissions.`;
    tell({ kind: 'check', thorough: true });
    expect(await next('fault')).toEqual({ kind: 'fault', message });
    tell(search(1, 'x'));
    expect(await next('failed')).toMatchObject({ id: 1, damaged: false });
    tell({ kind: 'find', id: 2, question: { player: 'p', tokenFields: [] } });
    expect(await next('failed')).toEqual({ kind: 'failed', id: 2, message, damaged: false });
    // Each of several at once.
    for (const id of [3, 4]) tell({ kind: 'erase', id, extent: 'all' });
    for (const id of [3, 4]) expect(await next('failed')).toMatchObject({ id, damaged: false });
    expect(await next('fault')).toEqual({ kind: 'fault', message });
    tell({ kind: 'unindexed', id: 5 });
    expect(await next('failed')).toMatchObject({ id: 5 });
  });

  it('says that an erasure failed whose last step did', async () => {
    writeFileSync(historyPath, 'no database at all, and long enough to be looked at'.repeat(50));
    const { tell, next, replies } = start();
    tell({ kind: 'erase', id: 1, extent: 'copies' });
    expect(await next('failed')).toEqual({
      kind: 'failed',
      id: 1,
      message: `The history ${historyPath} cannot be used: it is not a database; move it away and keep it.`,
      damaged: false,
    });
    expect(replies).toEqual([]);
  });

  it('stops an erasure that is at its steps or waits for its turn, and goes on with the others', async () => {
    fill(20);
    const { tell, next, replies } = start();
    // All of them are there when the thread begins to read.
    for (const id of [1, 2, 3]) tell({ kind: 'erase', id, extent: 'all' });
    for (const id of [1, 3, 9]) tell({ kind: 'stop', id });
    const stopped = { blocked: [], stopped: true };
    expect(await next('erased')).toEqual({ kind: 'erased', id: 1, erased: stopped });
    expect(await next('erased')).toEqual({ kind: 'erased', id: 3, erased: stopped });
    expect(await next('erased')).toEqual({ kind: 'erased', id: 2, erased: { blocked: [], stopped: false } });
    for (const id of [4, 5]) tell({ kind: 'erase', id, extent: 'words' });
    for (const id of [4, 5]) expect(await next('erased')).toMatchObject({ id, erased: { stopped: false } });
    tell({ kind: 'held', id: 6 });
    expect(await next('held')).toMatchObject({ id: 6, held: { gone: 0 } });
    expect(replies).toEqual([]);
  });

  it('looks for several players at once, says how far it is, and leaves one that nobody wants any more', async () => {
    fill(300);
    const { tell, next, replies } = start();
    for (const id of [1, 2]) tell({ kind: 'find', id, question: { player: 'p', tokenFields: [] } });
    tell({ kind: 'stop', id: 1 });
    for (const id of [1, 2]) expect(await next('finding')).toEqual({ kind: 'finding', id, done: 0, total: 300 });
    expect(await next('found')).toEqual({ kind: 'found', id: 1, found: null });
    expect(await next('found')).toEqual({ kind: 'found', id: 2, found: { calls: [], elsewhere: 0, sharedTokens: 0 } });
    expect(replies).toEqual([200, 300].map((done) => ({ kind: 'finding', id: 2, done, total: 300 })));
    tell({ kind: 'stop', id: 2 });
    tell({ kind: 'unindexed', id: 3 });
    expect(await next('count')).toMatchObject({ id: 3, count: 300 });
    expect(replies).toHaveLength(2);
  });

  it('reads out a history that was set aside, and says where it cannot', async () => {
    fill(20);
    const { tell, next } = start();
    tell({ kind: 'recover', path: join(folder, 'missing', 'history.sqlite') });
    expect(await next('fault')).toMatchObject({
      message: expect.stringContaining(
        `${join(folder, 'missing', 'history.sqlite')} could not be read out: it is not there any more.`,
      ),
    });
    expect(await next('recovered')).toEqual({ kind: 'recovered' });
    tell({ kind: 'recover', path: historyPath });
    expect(await next('recovered')).toEqual({ kind: 'recovered' });
    expect(readdirSync(folder).filter((name) => name.endsWith('.recovered.jsonl'))).toHaveLength(1);
  });

  it('lets a search of several looks go first, and indexes once nobody asks for the next one', async () => {
    fill(1_200);
    const { tell, next, replies } = start();
    tell(search(1, 'nowhere'));
    tell({ kind: 'index' });
    expect(await next('page')).toMatchObject({ id: 1, page: { calls: [], rest: { looked: 1_000 } } });
    tell({ kind: 'unindexed', id: 2 });
    expect(await next('count')).toEqual({ kind: 'count', id: 2, count: 1_200 });
    expect(await next('indexed')).toEqual({ kind: 'indexed' });
    tell({ kind: 'unindexed', id: 3 });
    expect(await next('count')).toEqual({ kind: 'count', id: 3, count: 0 });
    expect(replies).toEqual([]);
  });
});
