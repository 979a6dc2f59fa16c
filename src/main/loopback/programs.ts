import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';

/** Paths of Croupier's programs and files, both built and from source. */
export interface Programs {
  /** The entry of the key agent process. */
  readonly keyAgent: string;
  /** The entry of the thread that searches the history. */
  readonly searchWorker: string;
  /** The entry of the threads that read untrusted text. */
  readonly readingWorker: string;
  /** The entry of the thread that writes an export. */
  readonly exportWorker: string;
  /** The folder of the built page. */
  readonly page: string;
  /** The folder of the starter collections. */
  readonly starters: string;
  /** The file with the licences, which the build writes. */
  readonly licences: string;
  /** Returns the version from package.json, which it reads then. */
  version(): string;
}

/** Locates the programs. `entry` is the started file: `out/main/<program>.cjs` or `src/main/<host>/main.ts`. */
export function locatePrograms(entry: string): Programs {
  const built = extname(entry) === '.cjs';
  const root = join(dirname(entry), '..', '..', ...(built ? [] : ['..']));
  return {
    keyAgent: built ? join(root, 'out', 'main', 'key-agent.cjs') : join(root, 'src', 'main', 'core', 'keys', 'agent.ts'),
    searchWorker: built
      ? join(root, 'out', 'main', 'search-worker.cjs')
      : join(root, 'src', 'main', 'core', 'history', 'search-worker.ts'),
    readingWorker: built
      ? join(root, 'out', 'main', 'reading-worker.cjs')
      : join(root, 'src', 'main', 'core', 'app', 'reading-worker.ts'),
    exportWorker: built
      ? join(root, 'out', 'main', 'export-worker.cjs')
      : join(root, 'src', 'main', 'core', 'exports', 'export-worker.ts'),
    page: join(root, 'out', 'renderer'),
    starters: join(root, 'starter-collections'),
    licences: join(root, 'out', 'licences.txt'),
    version: () => (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version,
  };
}
