import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { createSearchEngine } from '#core/history/search-engine.ts';
import type { HistoryDriverInput } from './history-driver.ts';

const driver = fileURLToPath(new URL('./history-driver.ts', import.meta.url));

/** Findings after all rounds. Everything but the two counts should be empty or zero. */
export interface KillReport {
  readonly rounds: number;
  readonly acknowledged: number;
  /** Acknowledged calls that are missing, or not as they were acknowledged. */
  readonly lost: string[];
  /** Results of `integrity_check` other than `ok`, by round. */
  readonly damaged: string[];
  /** Calls with an outcome that the index does not find. */
  readonly unindexed: number[];
}

/**
 * Kills a program that writes a history, again and again on the same home, at moments that its own output sets and no clock does,
 * and checks the database after each.
 */
export async function killRounds(
  home: string,
  rounds: number,
  onRound: (round: number) => void = () => undefined,
): Promise<KillReport> {
  const path = join(home, 'history.sqlite');
  const begun = new Map<number, string>();
  const finished = new Set<number>();
  const lost: string[] = [];
  const damaged: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const input: HistoryDriverInput = { home, does: 'write', mark: `round-${round}` };
    const child = spawn(process.execPath, [driver, JSON.stringify(input)], { stdio: ['ignore', 'pipe', 'inherit'] });
    const after = 1 + Math.floor(Math.random() * 50);
    let lines = 0;
    let rest = '';
    child.stdout.on('data', (chunk: Buffer) => {
      const parts = (rest + chunk.toString()).split('\n');
      rest = parts.pop() ?? '';
      for (const part of parts) {
        lines += 1;
        const line = JSON.parse(part) as { begun?: number[]; finished?: number[]; names: string[] };
        line.begun?.forEach((id, at) => begun.set(id, line.names[at] ?? ''));
        line.finished?.forEach((id) => finished.add(id));
      }
      if (lines >= after) child.kill('SIGKILL');
    });
    await once(child, 'close');

    const database = new DatabaseSync(path);
    const check = database.prepare('PRAGMA integrity_check').get();
    if (check?.['integrity_check'] !== 'ok') damaged.push(`round ${round}: ${JSON.stringify(check)}`);
    // Only what this round added; the end looks at the rest once more.
    lost.push(...missing(database, begun, finished, `round-${round}-`));
    database.close();
    onRound(round);
  }
  const database = new DatabaseSync(path);
  lost.push(...missing(database, begun, finished, ''));
  const answered = database.prepare("SELECT id FROM calls WHERE state = 'answered'").all();
  // The index ends before a call that has no outcome; whoever reads the history next gives one to those of dead runs.
  database.exec("UPDATE calls SET state = 'interrupted' WHERE state = 'pending'");
  const engine = createSearchEngine({ historyPath: path, indexPath: join(home, 'history-index.sqlite'), write: true });
  while (engine.index());
  engine.close();
  const index = new DatabaseSync(join(home, 'history-index.sqlite'), { readOnly: true });
  const found = new Set<unknown>();
  const pieces = new Set<unknown>();
  const all = (table: string, what: string) => index.prepare(`SELECT rowid AS id FROM ${table} WHERE ${table} MATCH ?`).all(what);
  for (const { id } of all('words', '"answer"')) found.add(id);
  for (const { id } of all('pieces', '"ans"')) pieces.add(id);
  index.close();
  database.close();
  const unindexed = answered.map(({ id }) => Number(id)).filter((id) => !found.has(id) || !pieces.has(id));
  return { rounds, acknowledged: begun.size, lost, damaged, unindexed };
}

function missing(
  database: DatabaseSync,
  begun: ReadonlyMap<number, string>,
  finished: ReadonlySet<number>,
  start: string,
): string[] {
  const read = database.prepare(
    'SELECT c.state, q.body AS request, r.body AS response FROM calls c JOIN call_requests q ON q.call_id = c.id ' +
      'LEFT JOIN call_responses r ON r.call_id = c.id WHERE c.id = ?',
  );
  const text = (value: unknown) => Buffer.from((value ?? new Uint8Array()) as Uint8Array).toString();
  return [...begun].flatMap(([id, name]) => {
    if (!name.startsWith(start)) return [];
    const row = read.get(id);
    if (row === undefined) return [`${name} (${id}) is not there`];
    if (!text(row['request']).startsWith(`{"name":"${name}"`)) return [`${name} (${id}) is another call`];
    if (!finished.has(id)) return [];
    return row['state'] === 'answered' && text(row['response']) === `answer of ${name}`
      ? []
      : [`${name} (${id}) lost its outcome`];
  });
}
