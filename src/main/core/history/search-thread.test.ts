import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Control } from './find-calls.ts';
import { createSearchThread, type SearchReply, type SearchThread } from './search-thread.ts';

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

/** A program that replies to a search with what its text lists, where null ends it, and that ends what is stopped. */
const echo = `
  import { parentPort, workerData } from 'node:worker_threads';
  parentPort.on('message', ({ id, name, input, stopped, stop, close }) => {
    if (close) return parentPort.close();
    if (stop) return parentPort.postMessage({ id: stop, value: 'stopped' });
    if (stopped) return parentPort.postMessage({ id, value: 'stopped' });
    if (name === 'unindexed') return parentPort.postMessage({ id, value: workerData.historyPath.length });
    for (const reply of JSON.parse(input.text)) {
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
    onFault: (error) => heard.push(['fault', error]),
    onMissing: () => heard.push(['missing']),
  });
  opened.push(thread);
  return thread;
}

/** Asks a search to which the thread replies so. */
const search = ({ work }: SearchThread, replies: readonly (Partial<SearchReply> | null)[], control: Control = {}) =>
  work.findCalls({ text: JSON.stringify(replies) } as never, control);
const three = { value: 3 };
const storage = (message: string) => expect.objectContaining({ code: 'storage', message }) as Error;

describe('the line to the search thread', () => {
  it('reports what the thread notices, and gives each question its own reply', async () => {
    const thread = open();
    const done: unknown[] = [];
    const [one, two] = [
      search(thread, [{ damage: 'it is damaged' }, { done: 1, total: 4 }, three], {
        onProgress: (...progress) => done.push(progress),
      }),
      thread.work.unindexed(),
    ];
    expect(await two).toBe('/home/history.sqlite'.length);
    expect(await one).toBe(3);
    expect(heard).toEqual([['damage', 'it is damaged']]);
    expect(done).toEqual([[1, 4]]);
  });

  it('passes a failure on as it is', async () => {
    const thread = open();
    const error = { code: 'refused', message: 'no such table', details: { state: 'full' } } as const;
    await expect(search(thread, [{ error }])).rejects.toMatchObject(error);
    expect(await search(thread, [three])).toBe(3);
    expect(heard).toEqual([]);
  });

  it('stops what is asked when its caller does, and nothing once it has its reply', async () => {
    const thread = open();
    const stop = new AbortController();
    const asked = search(thread, [], { stop: stop.signal });
    stop.abort();
    expect(await asked).toBe('stopped');
    expect(await search(thread, [], { stop: AbortSignal.abort() })).toBe('stopped');
    const late = new AbortController();
    expect(await search(thread, [three], { stop: late.signal })).toBe(3);
    late.abort();
    expect(await search(thread, [three])).toBe(3);
  });

  it('fails what a thread that ended was asked, and asks another one', async () => {
    const thread = open();
    const unheard = search(thread, [], { background: true });
    const [first, ...others] = await Promise.allSettled([search(thread, [three]), search(thread, []), search(thread, [null])]);
    expect(first).toMatchObject({ status: 'fulfilled' });
    for (const other of others)
      expect(other).toEqual({ status: 'rejected', reason: storage('The search ended unexpectedly. Search again.') });
    expect(await search(thread, [three])).toBe(3);
    expect(await Promise.race([unheard, Promise.resolve('nothing')])).toBe('nothing');
    expect(heard).toEqual([]);
  });

  it('says that there is no thread where it ends before its first word', async () => {
    const thread = open();
    await expect(search(thread, [null])).rejects.toMatchObject({ code: 'storage' });
    expect(heard).toEqual([['missing']]);
    await expect(search(open('throw new Error("broken")'), [three])).rejects.toMatchObject({ code: 'storage' });
    expect(heard.slice(1)).toEqual([['fault', expect.objectContaining({ message: 'broken' })], ['missing']]);
  });

  it('starts no thread to be closed, and none afterwards', async () => {
    const thread = open('throw new Error("started")');
    await thread.close();
    await expect(search(thread, [three])).rejects.toMatchObject({
      code: 'cancelled',
      message: 'Croupier is closing.',
    });
    const running = open();
    expect(await search(running, [three])).toBe(3);
    await running.close();
    await expect(search(running, [three], { background: true })).rejects.toMatchObject({ code: 'cancelled' });
    expect(heard).toEqual([]);
  });
});
