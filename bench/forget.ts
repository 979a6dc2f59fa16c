import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createDatabase } from '#core/database/database.ts';
import { createSessionLock } from '#core/files/session-lock.ts';
import { createPlayerSearch } from '#core/history/find-calls.ts';
import { eraseLogs, eraseSteps } from '#core/history/erase.ts';
import { createRemoval } from '#core/history/removal.ts';
import { createSearchEngine } from '#core/history/search-engine.ts';
import { fillHistory } from './history-data.ts';
import { type Figure, percentile } from './measure.ts';

const batch = 100;

/**
 * Measures removing every other of `calls` calls of 4 kB from a history for good: searching for a player, removing a batch with and
 * without overwriting the old bytes, and taking the words out of the index. The longest step counts: calls are sent between two of
 * them.
 */
export async function measureForget(calls: number): Promise<Figure[]> {
  const home = mkdtempSync(path.join(tmpdir(), 'croupier-bench-forget-'));
  const files = { historyPath: path.join(home, 'history.sqlite'), indexPath: path.join(home, 'history-index.sqlite') };
  try {
    await fillHistory(home, calls);
    const engine = createSearchEngine({ ...files, write: true });
    while (engine.index());

    const search = createPlayerSearch(files.historyPath, { player: 'player-7', tokenFields: [] });
    const found = timed(() => search.step());
    search.close();

    const run = createSessionLock(path.join(home, 'runs'));
    const database = createDatabase(files.historyPath, { run });
    const removal = createRemoval(database, run);
    const purges: Record<'ON' | 'OFF', number[]> = { ON: [], OFF: [] };
    for (let from = 1; from <= calls; from += 2 * batch) {
      // Alternates, so that a busy moment of the machine or of the log hits both.
      const kind = (from / batch) % 4 < 2 ? 'ON' : 'OFF';
      database.connection().exec(`PRAGMA secure_delete = ${kind}`);
      const ids = Array.from({ length: batch }, (_, at) => from + 2 * at);
      const start = performance.now();
      removal.purge(ids);
      purges[kind].push(performance.now() - start);
    }
    const indexBytes = statSync(files.indexPath).size;
    const erased = timed(eraseSteps(engine, 'all'));
    engine.close();
    const start = performance.now();
    await eraseLogs(files, 'much');
    const logs = performance.now() - start;
    database.close();
    run.close();
    const inSeconds = (list: readonly number[]) => sum(list) / 1_000;
    return [
      figure('looking for a player, all of it (in the search thread)', inSeconds(found), 's', calls / 5_000),
      figure('its longest step', percentile(found, 1), 'ms', 100),
      {
        ...figure(
          `removing ${batch} calls, the old bytes overwritten, against left where they are`,
          sum(purges.ON) / purges.ON.length,
          'ms',
          3,
        ),
        baseline: sum(purges.OFF) / purges.OFF.length,
      },
      figure('its longest step', percentile(purges.ON, 1), 'ms', 100),
      figure(
        `taking their words out of an index of ${Math.round(indexBytes / 1e6)} MB (in the search thread)`,
        inSeconds(erased),
        's',
        calls / 2_000,
      ),
      figure('its longest step', percentile(erased, 1), 'ms', 250),
      figure('truncating both logs (in the search thread)', logs, 'ms', 1_000),
    ];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Returns the milliseconds of each step. */
function timed(step: () => boolean): number[] {
  const taken: number[] = [];
  for (let more = true; more;) {
    const start = performance.now();
    more = step();
    taken.push(performance.now() - start);
  }
  return taken;
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

function figure(name: string, ours: number, unit: string, goal: number): Figure {
  return { name, ours, baseline: null, unit, goal };
}
