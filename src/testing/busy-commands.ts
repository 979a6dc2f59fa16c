// Each command once beside as many processes that burn the CPU as there are cores: `busy-commands.ts unlocked|none`, in `with-keyring.sh` of that
// name, over a built program. Ends with 1 if a status is not the usual one, or a sentence speaks of the keychain or of the process that holds the keys.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { groundOfRows, outcomeOf, wordsOf } from './command-rows.ts';

const key = 'a key of twenty-four bytes';
/** Words that nobody should read because a computer is busy. */
const keyWords = /keychain|process that holds the keys|key process/i;

const isKeychainOpen = process.argv[2] === 'unlocked';
const folder = await mkdtemp(join(tmpdir(), 'croupier-busy-'));
const { server, rows } = await groundOfRows(folder, isKeychainOpen, key);
const burners = Array.from({ length: availableParallelism() }, () => spawn(process.execPath, ['-e', 'for (;;);']));
try {
  for (const [command, row] of Object.entries(rows)) {
    const { status, err } = await outcomeOf(wordsOf(row.line), row, folder, { KEY: key });
    const isUsual = status === row.status;
    const said = isUsual && status === 5 ? [] : err.split('\n').filter((line) => !isUsual || keyWords.test(line));
    process.stdout.write(`${command.padEnd(16)} ${status}${isUsual ? '' : `, usually ${row.status}`} ${said.join(' | ')}\n`);
    if (!isUsual || said.length > 0) process.exitCode = 1;
  }
} finally {
  for (const burner of burners) burner.kill('SIGKILL');
  await server.close();
  await rm(folder, { recursive: true });
}
