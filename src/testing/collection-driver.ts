/**
 * A program that uses a collection, for tests of what a kill leaves behind and of what another user of the machine may do. Its one argument
 * is a JSON document.
 *
 * `save`: saves requests and settings, renames, moves and duplicates until it is killed, and prints a line for each save that was
 * acknowledged: the path and the text. `once`: tries one save and prints what came of it.
 */
import { randomBytes } from 'node:crypto';
import { flushCompileCache } from 'node:module';
import { createApp } from '#core/app/app.ts';
import { AppError } from '#shared/errors.ts';
import { createClient } from '#shared/ipc/client.ts';
import { testHost } from './app.ts';

export interface CollectionDriverInput {
  readonly home: string;
  readonly directory: string;
  readonly does: 'save' | 'once';
}

const input = JSON.parse(process.argv[2] ?? '') as CollectionDriverInput;
const app = await createApp({ home: input.home, host: testHost() });
const client = createClient(app.transport);
const { id } = await client.call('collections.open', { directory: input.directory });

/** Long enough that a file torn in its middle shows. */
const marked = (mark: string) => `{\n${`  "mark": "${mark}",\n`.repeat(400)}  "end": "${mark}"\n}`;

async function save(path: string): Promise<void> {
  const { request, revision } = await client.call('collections.read', { id, path });
  const mark = randomBytes(8).toString('hex');
  await client.call('collections.save', { id, path, revision, request: { ...request, data: marked(mark) } });
  process.stdout.write(`${JSON.stringify({ path, mark })}\n`);
}

async function work(): Promise<void> {
  for (let round = 0; ; round += 1) {
    for (const path of ['a.yaml', 'f/b.yaml']) await save(path);
    // Writes the compile cache now: a killed process would leave none for the next ones.
    if (round === 0) flushCompileCache();
    await client.call('collections.reorder', { id, folder: '', order: round % 2 === 0 ? ['f', 'a.yaml'] : ['a.yaml', 'f'] });
    const { path } = await client.call('collections.duplicate', { id, path: round % 2 === 0 ? 'a.yaml' : 'f' });
    const renamed = await client.call('collections.rename', { id, path, name: `r${round}` });
    await client.call('collections.remove', { id, path: renamed.path });
  }
}

if (input.does === 'save') await work();
else {
  try {
    await save('a.yaml');
  } catch (error) {
    const { code, message } = error instanceof AppError ? error : new AppError('internal', String(error));
    process.stdout.write(`${JSON.stringify({ code, message })}\n`);
  }
  await app.close();
}
