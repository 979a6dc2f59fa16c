/**
 * Another program that writes a file, for tests of a simultaneous save. Each line of its standard input is a JSON document; it
 * prints a line when it has done that.
 *
 * `rename`: writes a file of its own and renames it over the path. `truncate`: writes as most programs do. `open` opens the file
 * for writing, and `write` writes into that one. Before each command it waits for `after` microseconds.
 */
import { closeSync, ftruncateSync, openSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

export interface WriterCommand {
  readonly does: 'rename' | 'truncate' | 'open' | 'write';
  readonly path: string;
  readonly text: string;
  readonly after?: number;
}

let opened = -1;

for await (const line of createInterface({ input: process.stdin })) {
  const { does, path, text, after = 0 } = JSON.parse(line) as WriterCommand;
  if (does === 'rename') writeFileSync(`${path}.theirs`, text);
  const until = performance.now() + after / 1_000;
  while (performance.now() < until);
  if (does === 'rename') renameSync(`${path}.theirs`, path);
  else if (does === 'truncate') writeFileSync(path, text);
  else if (does === 'open') opened = openSync(path, 'r+');
  else {
    ftruncateSync(opened);
    writeSync(opened, text);
    closeSync(opened);
  }
  process.stdout.write('done\n');
}
