import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { createHistoryStore } from '#core/history/store.ts';
import { createDatabase } from '#core/database/database.ts';
import { createSessionLock } from '#core/files/session-lock.ts';
import { createSearchEngine } from '#core/history/search-engine.ts';
import { createSearchThread } from '#core/history/search-thread.ts';
import { callOf, fillHistory, type HistoryQueries } from './history-data.ts';
import type { ProbeResult } from './history-probe.ts';
import { type Figure, median, worstOf } from './measure.ts';

const probe = fileURLToPath(new URL('./history-probe.ts', import.meta.url));
const questions: readonly (readonly [title: string, kinds: Partial<Record<Kind, string>>, warm: number, cold: number])[] = [
  ['page of 50', { page: 'newest and in the middle' }, 1, 10],
  ['opening the history', { open: 'first page and the whole number' }, 10, 50],
  [
    'a word or its beginning',
    {
      word: 'a common word, first page and how many',
      id: 'a whole ID beyond 2^53',
      rare: 'a player with some dozens of calls',
      prefix: 'the first eight characters of an ID',
    },
    5,
    20,
  ],
  [
    'a piece of a word',
    { inside: 'twelve characters inside an ID', player: 'a piece of a name', absent: 'a text that is nowhere' },
    150,
    500,
  ],
  ['a filter', { filtered: 'refused calls of one operation' }, 10, 200],
];
type Kind = keyof HistoryQueries | 'page' | 'open';

/** Measures a history of `calls` calls of 4 kB: insert, pages, searches warm and cold, memory, and bytes on disk. */
export async function measureHistory(calls: number): Promise<Figure[]> {
  const home = mkdtempSync(path.join(tmpdir(), 'croupier-bench-history-'));
  try {
    const { queries, indexMs } = await filled(home, calls);
    const inserts = await measureInserts(home);
    // The index also needs the inserted rows.
    const rest = createSearchEngine({ ...paths(home), write: true });
    while (rest.index());
    rest.close();
    const sizes = [paths(home).historyPath, paths(home).indexPath].map((file) => statSync(file).size);
    const figures: Figure[] = [
      {
        name: 'one row on the send path, fully synced, against the same row in bare SQLite (index kept out of it)',
        ours: inserts.ours,
        baseline: inserts.bare,
        unit: 'ms',
        goal: 1.5,
        reason: 'a second table for the answer to come, and four indexes for the filters',
      },
      {
        name: 'the same with the search thread indexing meanwhile',
        ours: inserts.busy,
        baseline: inserts.bare,
        unit: 'ms',
        goal: 2,
      },
      { name: 'indexing one call in the background', ours: indexMs / calls, unit: 'ms', goal: 1.5 },
    ];
    for (const [title, kinds, warmGoal, coldGoal] of questions) {
      const answers = Object.entries(kinds).map(([kind, name]) => {
        const warm = runProbe(home, kind, queries, 40);
        // Three times a new process, after the pages of these files were dropped; it has opened them before the first question.
        const cold = Array.from({ length: 3 }, () => {
          dropPages(home);
          return runProbe(home, kind, queries, 1).first;
        });
        if (kind === 'player')
          figures.push({ name: 'memory of a process that searched', ours: warm.rssMb, unit: 'MB', goal: 200 });
        return [
          { name, ours: warm.median, unit: 'ms', goal: warmGoal },
          { name, ours: median(cold), unit: 'ms', goal: coldGoal },
        ] as const;
      });
      figures.push(
        worstOf(
          `${title}, warm`,
          answers.map(([warm]) => warm),
        ),
        worstOf(
          `${title}, cold`,
          answers.map(([, cold]) => cold),
        ),
      );
    }
    const [database = 0, index = 0] = sizes;
    figures.push(
      { name: 'bytes on disk per call, database', ours: database / (calls + inserts.rows), unit: 'B', goal: 5_500 },
      { name: 'bytes on disk per call, index', ours: index / (calls + inserts.rows), unit: 'B', goal: 3_000 },
    );
    return figures;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Fills and indexes the history of a home. Returns texts to search, and the milliseconds for indexing all of it. */
async function filled(home: string, calls: number): Promise<{ readonly queries: HistoryQueries; readonly indexMs: number }> {
  const { queries } = await fillHistory(home, calls);
  const engine = createSearchEngine({ ...paths(home), write: true });
  const started = performance.now();
  while (engine.index());
  const indexMs = performance.now() - started;
  engine.close();
  return { queries, indexMs };
}

function paths(home: string) {
  return { historyPath: path.join(home, 'history.sqlite'), indexPath: path.join(home, 'history-index.sqlite') };
}

/**
 * Returns milliseconds from `begin` until the row is on the disk, against the same three values in bare SQLite; medians of
 * interleaved rounds.
 */
async function measureInserts(home: string): Promise<{ ours: number; busy: number; bare: number; rows: number }> {
  const run = createSessionLock(path.join(home, 'runs'));
  const database = createDatabase(paths(home).historyPath);
  const history = createHistoryStore(database, run);
  const bare = new DatabaseSync(path.join(home, 'bare.sqlite'));
  bare.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE calls (id INTEGER PRIMARY KEY, head TEXT, body BLOB)',
  );
  const insert = bare.prepare('INSERT INTO calls (head, body) VALUES (?, ?)');
  const engine = createSearchEngine({ ...paths(home), write: true });
  const taken: { ours: number[]; busy: number[]; bare: number[] } = { ours: [], busy: [], bare: [] };
  const report = (error: unknown) => console.error(error);
  const thread = createSearchThread({
    program: fileURLToPath(new URL('../src/main/core/history/search-worker.ts', import.meta.url)),
    ...paths(home),
    onDamage: report,
    onFault: report,
    onMissing: () => report('There is no thread.'),
  });
  try {
    // Its start takes longer than all that is measured here.
    await thread.work.index(undefined, { background: true });
    const time = async (work: () => unknown) => {
      const start = performance.now();
      await work();
      return performance.now() - start;
    };
    for (let round = 0; round < 6; round += 1) {
      for (let at = 0; at < 150; at += 1) {
        const { outgoing, outcome } = callOf(1e7 + round * 1_000 + at);
        const head = JSON.stringify([outgoing.draft, outgoing.headers, outgoing.url]);
        taken.bare.push(await time(() => insert.run(head, outgoing.body)));
        let id = 0;
        taken[round % 2 === 0 ? 'ours' : 'busy'].push(await time(async () => (id = await history.begin(outgoing))));
        await history.finish(id, outcome);
        if (round % 2 === 1) void thread.work.index(undefined, { background: true });
      }
    }
    return {
      ours: median(taken.ours),
      busy: median(taken.busy),
      bare: median(taken.bare),
      rows: taken.ours.length + taken.busy.length,
    };
  } finally {
    await thread.close();
    engine.close();
    bare.close();
    history.close();
    database.close();
    run.close();
    for (const suffix of ['', '-wal', '-shm']) rmSync(path.join(home, `bare.sqlite${suffix}`), { force: true });
  }
}

function runProbe(home: string, kind: string, queries: HistoryQueries, rounds: number): ProbeResult {
  const input = JSON.stringify({ ...paths(home), kind, queries, rounds });
  const { stdout, stderr, status } = spawnSync(process.execPath, [probe, input], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as ProbeResult;
}

/** Asks the kernel to drop its cached pages of these files (posix_fadvise DONTNEED through `dd`), and of no others. */
function dropPages(home: string): void {
  for (const file of Object.values(paths(home))) {
    const { status, stderr } = spawnSync('dd', [`of=${file}`, 'oflag=nocache', 'conv=notrunc,fdatasync', 'count=0'], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`The page cache could not be dropped: ${stderr}`);
  }
}
