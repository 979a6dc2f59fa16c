// `npm start`: Electron where its binary is here or can be had within a bounded time, else the browser host, with one message why.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { needsBuild } from './build-state.mjs';
import { findElectron, noElectronReason } from './electron-binary.mjs';

const root = path.resolve(import.meta.dirname, '..');
const fetchSeconds = 30;
/** An Electron that cannot run on this system (a library is missing, no display answers) ends at once. */
const startSeconds = 5;

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(`Croupier needs Node 24 or newer; this is ${process.version}. Run it with "npm start" after "npm ci".`);
  process.exit(1);
}

if (needsBuild(root)) {
  console.error('Building…');
  const script = path.join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js');
  const { code } = await run(process.execPath, [script, 'build', '--logLevel', 'warn'], { stdio: ['ignore', 2, 2] });
  if (code !== 0) process.exit(code ?? 1);
}

const { executable, reason } = await obtainElectron();
if (executable !== null) {
  const started = Date.now();
  const { code, signal } = await run(executable, [root, ...process.argv.slice(2)], { stdio: 'inherit', forward: true });
  if (code === 0 || signal !== null || Date.now() - started > startSeconds * 1000) process.exit(code ?? 0);
  await startBrowserHost(`it ended with code ${code}`);
} else {
  await startBrowserHost(reason);
}

async function obtainElectron() {
  const against = noElectronReason(process.env, process.platform, process.getuid?.() ?? null);
  if (against !== null) return { executable: null, reason: against };
  const here = findElectron(root);
  if (here !== null) return { executable: here, reason: '' };
  // Not `npx install-electron`: without the electron package that is the name of another one, which npx would fetch and run.
  const script = path.join(root, 'node_modules', 'electron', 'install.js');
  if (!existsSync(script)) return { executable: null, reason: 'the electron package is not installed' };
  if (process.env.ELECTRON_SKIP_BINARY_DOWNLOAD) return { executable: null, reason: 'ELECTRON_SKIP_BINARY_DOWNLOAD is set' };
  console.error(`Electron's binary is not here yet. Fetching it, for at most ${fetchSeconds} seconds…`);
  const { code } = await run(process.execPath, [script], { stdio: 'ignore', seconds: fetchSeconds });
  const fetched = findElectron(root);
  if (fetched !== null) return { executable: fetched, reason: '' };
  return {
    executable: null,
    reason: code === null ? `no answer within ${fetchSeconds} seconds` : 'its binary could not be fetched',
  };
}

async function startBrowserHost(reason) {
  console.error(`Starting Croupier for your browser, since Electron is not used here: ${reason}.`);
  await import(pathToFileURL(path.join(root, 'out', 'main', 'loopback.cjs')).href);
}

/** Runs a program to its end. `seconds`: it is killed after that long and its code is null. `forward`: our signals reach it. */
function run(command, args, { stdio, seconds, forward = false }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio });
    const timer = seconds === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), seconds * 1000);
    if (forward) for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
    child.once('error', () => resolve({ code: 127, signal: null }));
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal });
    });
  });
}
