import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApp } from '#core/app/app.ts';
import { createClient } from '#shared/ipc/client.ts';
import { testHost } from './app.ts';
import type { CollectionDriverInput } from './collection-driver.ts';

const driver = fileURLToPath(new URL('./collection-driver.ts', import.meta.url));

/** Findings over all rounds. Everything but the first two should be empty. */
export interface SaveKillReport {
  readonly rounds: number;
  readonly acknowledged: number;
  /** Files that were neither the whole old nor the whole new one. */
  readonly torn: string[];
  /** Acknowledged saves that are missing. */
  readonly lost: string[];
  /** Entries that a tree shows and should not. */
  readonly leftovers: string[];
}

/** Kills a program that saves files of a collection, again and again below `folder`, at moments that its own output sets. */
export async function killSaves(
  folder: string,
  rounds: number,
  onRound: (round: number) => void = () => undefined,
): Promise<SaveKillReport> {
  const [home, directory] = [join(folder, 'home'), join(folder, 'collection')];
  mkdirSync(join(directory, 'f'), { recursive: true });
  writeFileSync(join(directory, 'a.yaml'), '# kept\noperation: bet\nowner: me # kept too\n');
  writeFileSync(join(directory, 'f', 'b.yaml'), 'operation: win\r\n');
  const torn: string[] = [];
  const lost: string[] = [];
  const leftovers: string[] = [];
  let acknowledged = 0;
  const looking = await createApp({ home, host: testHost() });
  const client = createClient(looking.transport);
  const { id } = await client.call('collections.open', { directory });

  for (let round = 0; round < rounds; round += 1) {
    const input: CollectionDriverInput = { home, directory, does: 'save' };
    const child = spawn(process.execPath, [driver, JSON.stringify(input)], { stdio: ['ignore', 'pipe', 'inherit'] });
    const after = 1 + Math.floor(Math.random() * 8);
    const last = new Map<string, string>();
    let lines = 0;
    let rest = '';
    child.stdout.on('data', (chunk: Buffer) => {
      const parts = (rest + chunk.toString()).split('\n');
      rest = parts.pop() ?? '';
      for (const part of parts) {
        const { path, mark } = JSON.parse(part) as { path: string; mark: string };
        last.set(path, mark);
        lines += 1;
      }
      // A moment later than the line, so that not every kill meets the same step.
      if (lines >= after) setTimeout(() => child.kill('SIGKILL'), Math.random() * 6);
    });
    await once(child, 'close');
    acknowledged += lines;

    const { nodes, problem } = await client.call('collections.tree', { id });
    for (const node of nodes) {
      if (node.problem !== null) torn.push(`round ${round}: ${node.path}: ${node.problem.message}`);
      else if (!/^(?:a\.yaml|f|f\/b\.yaml|(?:a|f) copy.*|r\d+(?:\/.*|\.yaml)?)$/.test(node.path))
        leftovers.push(`round ${round}: ${node.path}`);
    }
    if (problem !== null) torn.push(`round ${round}: collection.yaml: ${problem.message}`);
    for (const path of ['a.yaml', 'f/b.yaml']) {
      const { data } = (await client.call('collections.read', { id, path })).request;
      const marks = new Set(data.match(/[0-9a-f]{16}/g));
      if (data !== '' && (marks.size !== 1 || !data.endsWith('}')))
        torn.push(`round ${round}: ${path} holds parts of ${marks.size} saves`);
      const expected = last.get(path);
      // A save that was under way may be there, too: it is then another whole one.
      if (expected !== undefined && marks.size === 0) lost.push(`round ${round}: ${path} lost ${expected}`);
    }
    const text = readFileSync(join(directory, 'a.yaml'), 'utf8');
    if (!text.startsWith('# kept\noperation: bet\n') || !text.includes('owner: me # kept too\n'))
      torn.push(`round ${round}: a.yaml lost others' lines`);
    // Removes what the kills left half done, as a person would.
    for (const node of nodes) {
      if (/^(?:(?:a|f) copy|r\d+)/.test(node.path) && !node.path.includes('/'))
        await client.call('collections.remove', { id, path: node.path });
    }
    onRound(round);
  }
  for (const name of readdirSync(directory)) {
    if (!name.startsWith('.') && !['a.yaml', 'f', 'collection.yaml'].includes(name)) leftovers.push(name);
  }
  await looking.close();
  return { rounds, acknowledged, torn, lost, leftovers };
}
