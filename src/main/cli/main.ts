import { enableCompileCache } from 'node:module';
import { codeCacheFolder } from './code-cache.ts';

// The command that removes the cache must not write it again when it ends.
const isLeaving = process.argv[2] === 'uninstall';
const folder = isLeaving || process.env['NODE_COMPILE_CACHE'] !== undefined ? null : codeCacheFolder(process.env);
if (folder !== null) enableCompileCache(folder);

// Loaded after the cache is on, so that everything else is compiled through it. `run` reports errors and ends the process.
Promise.all([import('./program.ts'), import('../loopback/programs.ts')])
  .then(([{ run }, { locatePrograms }]) => run(process.argv.slice(2), locatePrograms(import.meta.filename)))
  .catch((error: unknown) => {
    // Croupier's own files are missing or damaged, so no further code can be used.
    process.stderr.write(
      `croupier: Croupier can't start (${error instanceof Error ? error.message : String(error)}). Reinstall it.\n`,
    );
    process.exitCode = 70;
  });
