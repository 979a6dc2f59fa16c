import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { median, type Figure } from './measure.ts';

const rounds = 5;
const requests = 1_500;
const atOnce = 16;

/**
 * Measures `bin/croupier import` of a Postman collection, against writing and syncing the same number of files, as many at a time.
 */
export async function measureImport(): Promise<Figure[]> {
  const home = mkdtempSync(path.join(tmpdir(), 'croupier-bench-'));
  const source = path.join(home, 'collection.json');
  const item = Array.from({ length: requests }, (_, at) => ({
    name: `request ${at}`,
    request: { method: 'POST', url: 'https://w.example/bet', body: { mode: 'raw', raw: `{"amount": ${at}}` } },
  }));
  const info = { name: 'a', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' };
  writeFileSync(source, JSON.stringify({ info, item }));
  try {
    const taken: { ours: number; bare: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      const [into, bare] = [path.join(home, `into-${round}`), path.join(home, `bare-${round}`)];
      const start = performance.now();
      const { status, stderr } = spawnSync('bin/croupier', ['import', source, '--into', into], {
        env: { ...process.env, CROUPIER_HOME: path.join(home, 'home') },
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(`The import ended with ${status}: ${stderr}`);
      const between = performance.now();
      await writeBare(bare);
      taken.push({ ours: between - start, bare: performance.now() - between });
    }
    return [
      {
        name: '`bin/croupier import` of 1,500 requests, against 1,500 files that are written and synced',
        ours: median(taken.map(({ ours }) => ours)),
        baseline: median(taken.map(({ bare }) => bare)),
        unit: 'ms',
        goal: 5,
        reason: 'Each file is also given its name only when it is whole, and the program starts and reads the source twice',
      },
      {
        name: 'the same, for itself',
        ours: median(taken.map(({ ours }) => ours)),
        baseline: null,
        unit: 'ms',
        goal: 2_000,
      },
    ];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function writeBare(folder: string): Promise<void> {
  mkdirSync(folder);
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < requests) {
        const file = await open(path.join(folder, `${next++}`), 'wx');
        await file.write('operation: bet\ndata: |\n  {"amount": 1}\n');
        await file.sync();
        await file.close();
      }
    }),
  );
}
