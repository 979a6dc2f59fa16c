import { enableCompileCache } from 'node:module';
import { codeCacheFolder } from './code-cache.ts';

const folder = process.env['NODE_COMPILE_CACHE'] === undefined ? codeCacheFolder(process.env) : null;
if (folder !== null) enableCompileCache(folder);

// Loaded after the cache is on, so that everything else is compiled through it. `run` reports errors and ends the process.
import('./program.ts')
  .then(({ run }) => run(process.argv.slice(2), { entry: import.meta.filename }))
  .catch((error: unknown) => {
    // Croupier's own files are missing or damaged, so no further code can be used.
    process.stderr.write(
      `croupier: Croupier cannot start (${error instanceof Error ? error.message : String(error)}). Install it again.\n`,
    );
    process.exitCode = 70;
  });
