import { enableCompileCache } from 'node:module';
import { codeCacheFolder } from './code-cache.ts';

const folder = process.env['NODE_COMPILE_CACHE'] === undefined ? codeCacheFolder(process.env) : null;
if (folder !== null) enableCompileCache(folder);

// Loaded after the cache is on, so that everything else is compiled through it. `run` reports what goes wrong and ends the process.
void import('./program.ts').then(({ run }) => run(process.argv.slice(2), { entry: import.meta.filename }));
