/**
 * Asks a history one kind of question, in a process of its own: prints how long the first took, the median of the others, and the
 * memory.
 */
import { createHistoryStore } from '#core/history/store.ts';
import { createDatabase } from '#core/database/database.ts';
import { createSearchEngine, type SearchQuery } from '#core/history/search-engine.ts';
import type { HistoryQueries } from './history-data.ts';
import { median } from './measure.ts';

interface ProbeInput {
  readonly historyPath: string;
  readonly indexPath: string;
  readonly kind: keyof HistoryQueries | 'page' | 'open';
  readonly queries: HistoryQueries;
  readonly rounds: number;
}

export interface ProbeResult {
  readonly first: number;
  readonly median: number;
  readonly rssMb: number;
  readonly found: number;
}

const { historyPath, indexPath, kind, queries, rounds } = JSON.parse(process.argv[2] ?? '') as ProbeInput;
const database = createDatabase(historyPath);
const nobody = {
  token: 'bench',
  hold: () => undefined,
  isAlive: () => true,
  hasOthers: () => false,
  exclusively: <T>(work: () => T) => work(),
  forget: () => undefined,
  close: () => undefined,
};
const history = createHistoryStore(database, nobody);
const engine = createSearchEngine({ historyPath, indexPath, write: true });
const connection = database.connection();
const newest = Number(connection.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'calls'").get()?.['seq']);

function ask(round: number): number {
  if (kind === 'open') {
    return history.page({ limit: 50 }).total;
  }
  if (kind === 'page') {
    const before = round % 2 === 0 ? undefined : Math.floor((newest * ((round * 7) % 19)) / 19) + 60;
    return history.page({ before, limit: 50 }).calls.length;
  }
  const words: SearchQuery['match'] = ['word', 'id', 'rare', 'prefix'].includes(kind) ? 'words' : 'anywhere';
  const filtered = kind === 'filtered';
  const page = engine.search({
    text: filtered ? '' : queries[kind],
    match: words,
    filter: filtered ? { operations: ['getGameRound'], outcomes: ['refused'] } : {},
    limit: 50,
  });
  return page.calls.length;
}

// A starting program does this before the first question: it opens both files and counts the calls.
if (kind !== 'open') {
  history.count();
  engine.unindexed();
}

const taken: number[] = [];
let found = 0;
for (let round = 0; round < rounds; round += 1) {
  const start = performance.now();
  found = ask(round);
  taken.push(performance.now() - start);
}
const [first = 0, ...others] = taken;
const result: ProbeResult = {
  first,
  median: median(others.length === 0 ? taken : others),
  rssMb: process.memoryUsage().rss / 1e6,
  found,
};
console.log(JSON.stringify(result));
