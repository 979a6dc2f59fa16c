import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A home and a collection of an earlier version, copied for one test. */
export interface OldData {
  readonly home: string;
  /** The collection that the home has open. */
  readonly directory: string;
  readonly collectionId: string;
}

/** Path of the earlier version's collection, and the ID that it made of this path. */
const oldDirectory = '/tmp/croupier-old/team';
const oldId = idOf(oldDirectory);

/**
 * Copies the files of commit e30ae8c (`src/testing/old-data`) into `folder`. The home names its collection by an absolute path, so
 * the copy names the copied one; nothing else differs.
 */
export function copyOldData(folder: string): OldData {
  const [home, directory] = [join(folder, 'home'), join(folder, 'team')];
  const kept = join(import.meta.dirname, 'old-data');
  cpSync(join(kept, 'home'), home, { recursive: true });
  cpSync(join(kept, 'team'), directory, { recursive: true });
  const collectionId = idOf(directory);
  const reports = readdirSync(join(home, 'collection-runs')).map((name) => join('collection-runs', name));
  for (const name of ['collections.json', 'settings.json', ...reports]) {
    const text = readFileSync(join(home, name), 'utf8');
    writeFileSync(
      join(home, name),
      text.replaceAll(JSON.stringify(oldDirectory), JSON.stringify(directory)).replaceAll(oldId, collectionId),
    );
  }
  return { home, directory, collectionId };
}

function idOf(directory: string): string {
  return createHash('sha256').update(directory).digest('hex').slice(0, 16);
}

/** Returns every file below a folder with a digest of its bytes. */
export function digestsOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(
    paths.map((path) => [path.slice(folder.length + 1), createHash('sha256').update(readFileSync(path)).digest('hex')]),
  );
}
