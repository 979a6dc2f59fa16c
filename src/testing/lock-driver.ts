/**
 * A program that shares a file with others, for tests of their lock. Its one argument is a JSON document.
 *
 * `add`: `times` times, reads the numbers in the file and writes them back with one of its own, and prints each number once it is
 * written. `hold`: takes the lock, prints `held`, and keeps it until data arrives on its standard input; then it adds its number,
 * too. SIGTERM ends its waiting.
 */
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeFileDurably } from '#core/files/files.ts';
import { vouched } from '#core/files/passed.ts';
import { AppError } from '#shared/errors.ts';
import { endLockWaits, withLock } from '#core/files/locks.ts';

export interface LockDriverInput {
  readonly file: string;
  readonly does: 'add' | 'hold';
  /** The first of its numbers; the next ones follow. */
  readonly from: number;
  readonly times: number;
}

const { file, does, from, times } = JSON.parse(process.argv[2] ?? '') as LockDriverInput;
process.on('SIGTERM', () => endLockWaits(dirname(file)));

async function add(number: number): Promise<void> {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  await writeFileDurably(file, vouched('home', 'own', `${before}${number}\n`));
}

for (let number = from; number < from + times; number += 1) {
  process.stdout.write(does === 'hold' ? 'waits\n' : '');
  const work = withLock(file, async () => {
    if (does === 'hold') {
      process.stdout.write('held\n');
      await once(process.stdin, 'data');
    }
    await add(number);
  });
  const outcome = await work.then(
    () => String(number),
    (error: unknown) => {
      if (error instanceof AppError && error.code === 'cancelled') return 'cancelled';
      throw error;
    },
  );
  process.stdout.write(`${outcome}\n`);
}
process.stdin.destroy();
