import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { spoilTable } from '#testing/spoiled-table.ts';
import { writeCalls } from '#testing/written-calls.ts';
import { createDatabase } from '../database/database.ts';
import { mayHoldCopies } from '../database/rewrite.ts';
import { createSearchEngine } from './search-engine.ts';
import { createSearchHere } from './search-here.ts';

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

const open = () => createSearchHere({ historyPath, indexPath, onDamage: (message) => damages.push(message) });
const query = { text: 'bet', match: 'anywhere', filter: {}, limit: 5 } as const;
const find = (search: ReturnType<typeof open>) =>
  search.findCalls({ player: 'p', tokenFields: [] }, () => undefined, new AbortController().signal);

/** Makes a history of three calls. */
function fill(): void {
  const database = createDatabase(historyPath);
  writeCalls(database.connection(), 3);
  database.close();
}

describe('a search without a thread', () => {
  it('finds, counts and erases, also after it was closed, and leaves the thread to others first', async () => {
    fill();
    const engine = createSearchEngine({ historyPath, indexPath, write: true });
    while (engine.index());
    engine.close();
    const search = open();
    await search.close();
    const order: string[] = [];
    setImmediate(() => order.push('another'));
    expect((await search.search(query)).calls).toHaveLength(3);
    order.push('search');
    expect(order).toEqual(['another', 'search']);
    expect(await search.unindexed()).toBe(0);
    expect(await search.held()).toMatchObject({ gone: 0, copies: false });
    expect(await search.erase('all')).toEqual({ blocked: [], stopped: false });
    expect(await find(search)).toEqual({ calls: [], elsewhere: 0, sharedTokens: 0 });
    await search.close();
    await search.close();
    expect(await search.unindexed()).toBe(0);
    await search.close();
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
    await search.close();
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
    expect(damages).toEqual(['it is damaged']);
    await search.close();
  });
});
