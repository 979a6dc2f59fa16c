import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { ownFolder } from '#core/host/own-folder.ts';

type Located = ReturnType<typeof locatePrograms>;
type Threads = 'searchWorker' | 'readingWorker' | 'exportWorker';

/** Croupier's programs and files. */
export type Programs = Omit<Located, Threads> & Readonly<Record<Threads, string | URL>>;

/** Locates the programs, both built and from source. `entry` is the started file: `out/main/<program>.cjs` or `src/main/<host>/main.ts`. */
export function locatePrograms(entry: string) {
  const built = extname(entry) === '.cjs';
  const root = join(dirname(entry), '..', '..', ...(built ? [] : ['..']));
  const program = (name: string, ...source: string[]) =>
    built ? join(root, 'out', 'main', `${name}.cjs`) : join(root, 'src', 'main', 'core', ...source);
  return {
    /** The entry of the key agent process. */
    keyAgent: program('key-agent', 'keys', 'agent.ts'),
    /** The entry of the thread that searches the history. */
    searchWorker: program('search-worker', 'history', 'search-worker.ts'),
    /** The entry of the threads that read untrusted text. */
    readingWorker: program('reading-worker', 'app', 'reading-worker.ts'),
    /** The entry of the thread that writes an export. */
    exportWorker: program('export-worker', 'formats', 'exports', 'export-worker.ts'),
    /** The built page. */
    page: ownFolder(join(root, 'out', 'renderer')),
    /** The starter collections. */
    starters: ownFolder(join(root, 'starter-collections')),
    /** Reads the licences, which the build writes. */
    licences: () => ownFolder(join(root, 'out')).read('licences.txt'),
    /** Returns the version from package.json, which it reads then. */
    version: (): string => (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version,
  };
}
