// `npm run dev`: the desktop, whose page is built again at each change and shown again. It is the page that ships, from its own scheme and under
// its own policy: a bundler's server, which needs inline scripts and a socket, would be another one.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { findElectron, noElectronReason } from './electron-binary.mjs';
import { oldNodeMessage } from './node-version.mjs';

const root = path.resolve(import.meta.dirname, '..');
const { optionalDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const against = oldNodeMessage(process.versions.node, process.platform, process.arch, optionalDependencies) ?? electronMessage();
if (against !== null) {
  console.error(against);
  process.exit(1);
}

process.env.NODE_ENV_ELECTRON_VITE = 'production';
const { resolveConfig } = await import('electron-vite');
const { build } = await import('vite');
const { config } = await resolveConfig({ root, logLevel: 'warn' }, 'build', 'production');
console.error('Building…');
await build(config.main);
await build(config.preload);
const watcher = await build({ ...config.renderer, build: { ...config.renderer.build, watch: {} } });
let desktop = null;
watcher.on('event', (event) => {
  if (event.code === 'BUNDLE_END') void event.result.close();
  if (event.code === 'ERROR') console.error(event.error.message);
  if (event.code !== 'END') return;
  if (desktop === null) desktop = start();
  else {
    console.error('The page was built again.');
    desktop.send('page-built');
  }
});

function start() {
  const child = spawn(executable(), [root, ...process.argv.slice(2)], {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  // The terminal sends Ctrl+C to Electron itself; this process ends with it.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.once('error', (error) => {
    console.error(`Electron cannot be started: ${error.message}`);
    process.exit(1);
  });
  child.once('exit', (code) => process.exit(code ?? 1));
  return child;
}

/** Returns the path of Electron's program. `ELECTRON_EXEC_PATH` names another one, such as the double of the tests. */
function executable() {
  return process.env.ELECTRON_EXEC_PATH ?? findElectron(root);
}

function electronMessage() {
  if (process.env.ELECTRON_EXEC_PATH) return null;
  const reason = noElectronReason(process.env, process.platform, process.getuid?.() ?? null);
  if (reason !== null) return `npm run dev needs Electron, which is of no use here: ${reason}.`;
  return findElectron(root) === null ? 'npm run dev needs the binary of Electron. "npm start" fetches it.' : null;
}
