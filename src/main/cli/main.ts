import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

// Only this user's own folder: code is read back from there.
if (process.env['NODE_COMPILE_CACHE'] === undefined) enableCompileCache(join(cacheFolder(), 'croupier', 'compiled'));

// Loaded after the cache is on, so that everything else is compiled through it. `run` reports what goes wrong and ends the process.
void import('./program.ts').then(({ run }) => run(process.argv.slice(2), { entry: import.meta.filename }));

function cacheFolder(): string {
  if (process.platform === 'win32') return process.env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  return process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
}
