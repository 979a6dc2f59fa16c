import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SearchReply, SearchRequest } from './search-messages.ts';
import { createSearchThread, type SearchThread } from './search-thread.ts';

let folder: string;
let heard: unknown[];
const opened: SearchThread[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'croupier-thread-'));
  heard = [];
});
afterEach(async () => {
  for (const thread of opened.splice(0)) await thread.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A program that replies to a search with what its text lists, where null ends it, and that tells of each stop. */
const echo = `
  import { parentPort, workerData } from 'node:worker_threads';
  parentPort.on('message', ({ kind, id, query, path }) => {
    if (kind === 'close') return parentPort.close();
    if (kind === 'recover') return parentPort.postMessage({ kind: 'fault', message: path });
    if (kind === 'unindexed') return parentPort.postMessage({ kind: 'count', id, count: workerData.historyPath.length });
    if (kind === 'stop') return [{ kind: 'recovered' }, { kind: 'found', id, found: null }].forEach((reply) => parentPort.postMessage(reply));
    for (const reply of JSON.parse(query.text)) {
      if (reply === null) process.exit();
      parentPort.postMessage({ id, ...reply });
    }
  });`;

function open(program = echo): SearchThread {
  const path = join(folder, 'thread.mjs');
  writeFileSync(path, program);
  const thread = createSearchThread({
    program: path,
    historyPath: '/home/history.sqlite',
    indexPath: '/home/history-index.sqlite',
    onDamage: (message) => heard.push(['damage', message]),
    onRecovered: () => heard.push(['recovered']),
    onFault: (error) => heard.push(['fault', error]),
    onMissing: () => heard.push(['missing']),
  });
  opened.push(thread);
  return thread;
}

/** A search to which the thread replies so. */
const search =
  (...replies: (Partial<SearchReply> | null)[]) =>
  (id: number): SearchRequest => ({
    kind: 'search',
    id,
    query: { text: JSON.stringify(replies), match: 'anywhere', filter: {}, limit: 1 },
  });
const count = { kind: 'count', count: 3 } as const;
const storage = (message: string) => expect.objectContaining({ code: 'storage', message }) as Error;

describe('the line to the search thread', () => {
  it('reports what the thread notices, and gives each question its own reply', async () => {
    const thread = open();
    const done: unknown[] = [];
    const news = [
      { kind: 'damage', message: 'it is damaged' },
      { kind: 'fault', message: 'a step failed' },
      { kind: 'recovered' },
      { kind: 'indexed' },
      { kind: 'finding', done: 1, total: 4 },
    ] as const;
    const [one, two] = [
      thread.ask(search(...news, count), { onProgress: (...progress) => done.push(progress) }),
      thread.ask((id) => ({ kind: 'unindexed', id })),
    ];
    expect(await two).toMatchObject({ kind: 'count', count: '/home/history.sqlite'.length });
    expect(await one).toMatchObject(count);
    expect(heard).toEqual([['damage', 'it is damaged'], ['fault', storage('a step failed')], ['recovered']]);
    expect(done).toEqual([[1, 4]]);
  });

  it('passes a failure on, and reports a history that is damaged', async () => {
    const thread = open();
    const failed = { kind: 'failed', message: 'no such table', damaged: false } as const;
    const refused = storage('no such table');
    await expect(thread.ask(search(failed))).rejects.toThrow(refused);
    expect(heard).toEqual([]);
    await expect(thread.ask(search({ ...failed, damaged: true }))).rejects.toThrow(refused);
    expect(heard).toEqual([['damage', 'it is damaged']]);
    expect(await thread.ask(search(count))).toMatchObject(count);
  });

  it('stops what is asked when its caller does, and nothing once it has its reply', async () => {
    const thread = open();
    const stop = new AbortController();
    const asked = thread.ask(search(), { stop: stop.signal });
    stop.abort();
    expect(await asked).toMatchObject({ kind: 'found', found: null });
    const late = new AbortController();
    expect(await thread.ask(search(count), { stop: late.signal })).toMatchObject(count);
    late.abort();
    expect(await thread.ask(search(count))).toMatchObject({ ...count, id: 3 });
    expect(heard).toEqual([['recovered']]);
  });

  it('fails what a thread that ended was asked, and asks another one', async () => {
    const thread = open();
    const [first, ...others] = await Promise.allSettled([
      thread.ask(search(count)),
      thread.ask(search()),
      thread.ask(search(null)),
    ]);
    expect(first).toMatchObject({ status: 'fulfilled' });
    for (const other of others)
      expect(other).toEqual({
        status: 'rejected',
        reason: storage('The search ended unexpectedly. Search again.'),
      });
    expect(await thread.ask(search(count))).toMatchObject(count);
    expect(heard).toEqual([]);
  });

  it('says that there is no thread where it ends before its first word', async () => {
    const thread = open();
    await expect(thread.ask(search(null))).rejects.toMatchObject({ code: 'storage' });
    expect(heard).toEqual([['missing']]);
    await expect(open('throw new Error("broken")').ask(search(count))).rejects.toMatchObject({ code: 'storage' });
    expect(heard.slice(1)).toEqual([['fault', expect.objectContaining({ message: 'broken' })], ['missing']]);
  });

  it('starts no thread to be closed, and none afterwards', async () => {
    const thread = open('throw new Error("started")');
    await thread.close();
    thread.tell({ kind: 'index' });
    await expect(thread.ask(search(count))).rejects.toMatchObject({
      code: 'cancelled',
      message: 'The workbench is closing.',
    });
    const running = open();
    running.tell({ kind: 'recover', path: 'told' });
    expect(await running.ask(search(count))).toMatchObject(count);
    await running.close();
    running.tell({ kind: 'recover', path: 'too late' });
    expect(heard).toEqual([['fault', storage('told')]]);
  });
});
