import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';

/** Paths of Croupier's programs and files, both built and from source. */
export type Programs = ReturnType<typeof locatePrograms>;

/** Locates the programs. `entry` is the started file: `out/main/<program>.cjs` or `src/main/<host>/main.ts`. */
export function locatePrograms(entry: string) {
  const built = extname(entry) === '.cjs';
  const root = join(dirname(entry), '..', '..', ...(built ? [] : ['..']));
  return {
    /** The entry of the key agent process. */
    keyAgent: built ? join(root, 'out', 'main', 'key-agent.cjs') : join(root, 'src', 'main', 'core', 'keys', 'agent.ts'),
    /** The entry of the thread that searches the history. */
    searchWorker: built
      ? join(root, 'out', 'main', 'search-worker.cjs')
      : join(root, 'src', 'main', 'core', 'history', 'search-worker.ts'),
    /** The entry of the threads that read untrusted text. */
    readingWorker: built
      ? join(root, 'out', 'main', 'reading-worker.cjs')
      : join(root, 'src', 'main', 'core', 'app', 'reading-worker.ts'),
    /** The entry of the thread that writes an export. */
    exportWorker: built
      ? join(root, 'out', 'main', 'export-worker.cjs')
      : join(root, 'src', 'main', 'core', 'exports', 'export-worker.ts'),
    /** The folder of the built page. */
    page: join(root, 'out', 'renderer'),
    /** The folder of the starter collections. */
    starters: join(root, 'starter-collections'),
    /** The file with the licences, which the build writes. */
    licences: join(root, 'out', 'licences.txt'),
    /** Returns the version from package.json, which it reads then. */
    version: (): string => (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version,
  };
}
