import { mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { spoilTable } from '#testing/spoiled-table.ts';
import { writeCalls } from '#testing/written-calls.ts';
import { createDatabase } from '../database/database.ts';
import { mayHoldCopies } from '../database/rewrite.ts';
import { createSearchEngine } from './search-engine.ts';
import { createSearchWork } from './search-work.ts';

let home: string;
let historyPath: string;
let indexPath: string;
let damages: string[];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'croupier-here-'));
  historyPath = join(home, 'history.sqlite');
  indexPath = join(home, 'history-index.sqlite');
  damages = [];
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const open = (write = false) => createSearchWork({ historyPath, indexPath, write, onDamage: (message) => damages.push(message) });
const query = { text: 'bet', match: 'anywhere', filter: {}, limit: 5 } as const;
const find = (search: ReturnType<typeof open>) => search.findCalls({ player: 'p', tokenFields: [] });

/** Makes a history of so many calls, each with a request of so many bytes. */
function fill(count = 3, bytes?: number): void {
  const database = createDatabase(historyPath);
  writeCalls(database.connection(), count, bytes);
  database.close();
}

describe('a search without a thread', () => {
  it('finds, counts and erases, also after it was closed, and leaves the thread to others first', async () => {
    fill();
    const engine = createSearchEngine({ historyPath, indexPath, write: true });
    while (engine.index());
    engine.close();
    const search = open();
    search.close();
    const order: string[] = [];
    setImmediate(() => order.push('another'));
    expect((await search.search(query)).calls).toHaveLength(3);
    order.push('search');
    expect(order).toEqual(['another', 'search']);
    expect(await search.unindexed()).toBe(0);
    expect(await search.held()).toMatchObject({ gone: 0, copies: false });
    expect(await search.erase('all')).toEqual({ blocked: [], stopped: false });
    expect(await find(search)).toEqual({ calls: [], elsewhere: 0, sharedTokens: 0 });
    search.close();
    search.close();
    expect(await search.unindexed()).toBe(0);
    search.close();
    expect(damages).toEqual([]);
  });

  it('writes the history again where all or its copies are to go, and not for words alone', async () => {
    fill();
    const holdsCopies = () => {
      const database = createDatabase(historyPath);
      const holds = database.run(mayHoldCopies);
      database.close();
      return holds;
    };
    const search = open();
    for (const [extent, holds] of [
      ['words', true],
      ['much', true],
      ['copies', false],
      ['all', false],
    ] as const) {
      const database = createDatabase(historyPath);
      database.connection().exec('UPDATE history_identity SET erases = 0');
      database.close();
      expect(await search.erase(extent)).toEqual({ blocked: [], stopped: false });
      expect(holdsCopies(), extent).toBe(holds);
    }
    search.close();
  });

  it('says of each question that the history cannot be used', async () => {
    writeFileSync(historyPath, 'no database at all, and long enough to be looked at'.repeat(50));
    const search = open();
    const refused = {
      code: 'storage',
      message: expect.stringContaining(`The history ${historyPath} cannot be used: `) as string,
    };
    await expect(search.search(query)).rejects.toMatchObject(refused);
    await expect(search.unindexed()).rejects.toMatchObject(refused);
    await expect(search.held()).rejects.toMatchObject(refused);
    await expect(search.erase('all')).rejects.toMatchObject(refused);
    await expect(find(search)).rejects.toMatchObject(refused);
    mkdirSync(indexPath);
    await expect(search.erase('words')).rejects.toMatchObject({
      message: expect.stringContaining(`The search index ${indexPath} is a folder.`) as string,
    });
    expect(damages).toEqual([]);
  });

  it('reports a history that is damaged', async () => {
    fill();
    spoilTable(historyPath, 'call_requests');
    const search = open();
    await expect(search.search(query)).rejects.toMatchObject({ code: 'storage' });
    await expect(find(search)).rejects.toMatchObject({ code: 'storage' });
    expect(damages).toEqual(['it is damaged', 'it is damaged']);
    search.close();
  });
});

describe('whoever keeps the index', () => {
  const cannot = (why: string) => ({ code: 'storage', message: `The history ${historyPath} cannot be used: ${why}.` });
  const damage = expect.stringContaining('a check of the whole file found damage. Restart the workbench') as string;

  it('says of a damaged history that it was not indexed, and goes on', async () => {
    fill(20, 600);
    spoilTable(historyPath, 'call_requests');
    const keeper = open(true);
    await expect(keeper.index()).rejects.toMatchObject({
      message: expect.stringContaining(`The history ${historyPath} cannot be used: it is damaged.`) as string,
    });
    expect(damages).toEqual([]);
    await keeper.check(false);
    expect(damages).toEqual([damage]);
    expect(await keeper.unindexed()).toBe(20);
    keeper.close();
  });

  it('checks a large history a step at a time', async () => {
    fill(20, 600);
    spoilTable(historyPath, 'call_requests');
    // Larger than what is checked in one statement; the pages behind the last one are no part of it.
    truncateSync(historyPath, 80 * 1_048_576);
    const keeper = open(true);
    await keeper.check(true);
    expect(damages).toEqual([damage]);
    await keeper.check(true, { stop: AbortSignal.abort() });
    expect(damages).toHaveLength(1);
  });

  it('finds no damage in a sound history, however often it looks, and indexes it once', async () => {
    fill(20);
    const keeper = open(true);
    for (let again = 0; again < 2; again += 1) {
      await Promise.all([keeper.check(true), keeper.index(), keeper.index()]);
      expect(await keeper.unindexed()).toBe(0);
    }
    expect(damages).toEqual([]);
    keeper.close();
  });

  it('says that it cannot check, index, search, find or erase where there is no history', async () => {
    const keeper = open(true);
    const missing = cannot('it cannot be opened; check the folder and its permissions');
    await expect(keeper.check(true)).rejects.toMatchObject(missing);
    await expect(keeper.search(query)).rejects.toMatchObject(missing);
    await expect(find(keeper)).rejects.toMatchObject(missing);
    // Each of several at once.
    const both = await Promise.allSettled([keeper.erase('all'), keeper.erase('all')]);
    expect(both).toMatchObject([
      { status: 'rejected', reason: missing },
      { status: 'rejected', reason: missing },
    ]);
    await expect(keeper.index()).rejects.toMatchObject({
      message: expect.stringMatching(/^The search index .* could not be updated: it cannot be opened/) as string,
    });
    expect(damages).toEqual([]);
  });

  it('says that an erasure failed whose last step did', async () => {
    writeFileSync(historyPath, 'no database at all, and long enough to be looked at'.repeat(50));
    await expect(open(true).erase('copies')).rejects.toMatchObject(cannot('it is not a database; move it away and keep it'));
  });

  it('stops an erasure that is at its steps or waits for its turn, and goes on with the others', async () => {
    fill(20);
    const keeper = open(true);
    const stops = Array.from({ length: 3 }, () => new AbortController());
    const erased = stops.map(({ signal }) => keeper.erase('all', { stop: signal }));
    stops[0]?.abort();
    stops[2]?.abort();
    const done = { blocked: [], stopped: false };
    const stopped = { blocked: [], stopped: true };
    expect(await Promise.all(erased)).toEqual([stopped, done, stopped]);
    expect(await Promise.all([keeper.erase('words'), keeper.erase('words')])).toEqual([done, done]);
    expect(await keeper.held()).toMatchObject({ gone: 0 });
    keeper.close();
  });

  it('looks for several players at once, says how far it is, and leaves one that nobody wants any more', async () => {
    fill(300);
    const keeper = open(true);
    const progress: unknown[] = [];
    const stop = new AbortController();
    const question = { player: 'p', tokenFields: [] };
    const found = [stop.signal, undefined].map((signal, at) =>
      keeper.findCalls(question, { stop: signal, onProgress: (...given) => progress.push([at, ...given]) }),
    );
    stop.abort();
    expect(await Promise.all(found)).toEqual([null, { calls: [], elsewhere: 0, sharedTokens: 0 }]);
    expect(progress.filter((one) => (one as number[])[0] === 1)).toEqual([
      [1, 200, 300],
      [1, 300, 300],
    ]);
  });

  it('reads out a history that was set aside, and says where it cannot', async () => {
    fill(20);
    const keeper = open(true);
    const missing = join(home, 'missing', 'history.sqlite');
    await expect(keeper.recover(missing)).rejects.toMatchObject({
      code: 'storage',
      message: expect.stringContaining(`${missing} could not be recovered: it no longer exists.`) as string,
    });
    await keeper.recover(historyPath);
    expect(readdirSync(home).filter((name) => name.endsWith('.recovered.jsonl'))).toHaveLength(1);
  });

  it('lets a search of several steps and an erasure go first, and ends where it is stopped', async () => {
    fill(1_200);
    const keeper = open(true);
    const page = await keeper.search({ ...query, text: 'nowhere' });
    expect(page).toMatchObject({ calls: [], rest: { looked: 1_000 } });
    const done: string[] = [];
    const indexed = keeper.index().then(() => done.push('index'));
    const erased = keeper.erase('words').then(() => done.push('erase'));
    const searched = keeper.search({ ...query, text: 'nowhere', before: page.rest?.before }).then(() => done.push('search'));
    await Promise.all([indexed, erased, searched]);
    expect(done.at(-1)).toBe('index');
    expect(await keeper.unindexed()).toBe(0);
    keeper.close();
    rmSync(indexPath);
    await keeper.index(undefined, { stop: AbortSignal.abort() });
    expect(await keeper.unindexed()).toBe(1_200);
    keeper.close();
  });
});
