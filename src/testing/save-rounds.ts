import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createReplacing } from '#core/collections/replace-file.ts';
import { vouched } from '#core/files/passed.ts';
import { revisionOf } from '#core/collections/disk.ts';
import { AppError } from '#shared/errors.ts';
import type { WriterCommand } from './other-writer.ts';
import { seededRandom } from './seeded-random.ts';

/** Starts another program that writes files; `tell` fulfils when it has done so. */
export function startWriter() {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./other-writer.ts', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async tell(command: WriterCommand): Promise<void> {
      child.stdin.write(`${JSON.stringify(command)}\n`);
      if ((await lines.next()).done === true) throw new Error('The writer ended.');
    },
    async close(): Promise<void> {
      const closed = once(child, 'close');
      child.stdin.end();
      await closed;
    },
  };
}

/** Results for the versions that another program wrote while a file was saved. */
export interface SaveReport {
  readonly rounds: number;
  /** Number of saves that were refused with `conflict`. */
  readonly conflicts: number;
  /** Number of versions of the other program that were kept beside the file. */
  readonly kept: number;
  /** Number of rounds in which the other program wrote before or after the save. */
  readonly apart: number;
  /** Rounds after which a version was nowhere. */
  readonly lost: readonly string[];
}

/**
 * Saves a file below `folder` again and again while another process writes it, each time in one of these ways, at a random moment.
 * The other version has to be in the file, known to the save, or beside it; and so has the saved one, unless the other program
 * overwrote it.
 */
export async function saveRounds(
  folder: string,
  rounds: number,
  seed: number,
  ways: readonly ('rename' | 'truncate')[],
  longestUs = 6_000,
): Promise<SaveReport> {
  const random = seededRandom(seed);
  const writer = startWriter();
  let [conflicts, keptCount, apart] = [0, 0, 0];
  const lost: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const directory = join(folder, String(round));
    mkdirSync(directory);
    const path = join(directory, 'a.yaml');
    const [before, ours, theirs] = ['before', 'ours', 'theirs'].map((who) => `# ${who} ${round}\n`.repeat(50)) as [
      string,
      string,
      string,
    ];
    writeFileSync(path, before);
    const kept: string[] = [];
    const replacing = createReplacing({
      onKept: (_, copy) => kept.push(readFileSync(copy, 'utf8')),
      onFault(error) {
        throw error;
      },
    });
    const does = ways[Math.floor(random() * ways.length)] ?? 'truncate';
    const other = writer.tell({ does, path, text: theirs, after: Math.round(random() * longestUs) });
    const outcome = await replacing
      .replace(path, vouched('team', 'own', Buffer.from(ours)), revisionOf(Buffer.from(before)))
      .then(
        () => 'saved',
        (error: unknown) => (error instanceof AppError ? error.code : String(error)),
      );
    await other;
    await replacing.close();
    const now = readFileSync(path, 'utf8');
    const left = readdirSync(directory).filter((name) => name.startsWith('.'));
    if (outcome === 'conflict') conflicts += 1;
    else if (kept.length > 0) keptCount += 1;
    else apart += 1;
    const isSafe = outcome === 'conflict' ? now === theirs : [now, ...kept].includes(theirs) && [ours, theirs].includes(now);
    if (!isSafe || left.length > 0 || !['saved', 'conflict'].includes(outcome)) {
      lost.push(`round ${round}, ${does}: ${outcome}, in the file ${now.slice(2, 10)}, kept ${kept.length}, left ${left.join()}`);
    }
    rmSync(directory, { recursive: true });
  }
  await writer.close();
  return { rounds, conflicts, kept: keptCount, apart, lost };
}
