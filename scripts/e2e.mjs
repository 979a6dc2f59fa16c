// `npm run e2e -- NAME…`: builds, and runs the end-to-end specs whose file names contain one of the names, each on every host that
// it is for. Other arguments go to Playwright: `npm run e2e -- history -g 'exports'`.
import { spawnSync } from 'node:child_process';
import { programOf } from './program-of.mjs';
import { findChromium, provision } from './provision.mjs';

const missing = provision();
for (const tool of missing) console.error(`Missing: ${tool.name} (${tool.packages.join(', ')}), for ${tool.use}`);
findChromium();
process.env.CROUPIER_ALL_HOSTS = '1';
const run = (name, args) => spawnSync(...programOf(name, args), { stdio: 'inherit' }).status ?? 1;
process.exitCode =
  run('electron-vite', ['build', '--logLevel', 'warn']) ||
  run('playwright', ['test', '--reporter=list', ...process.argv.slice(2)]);
