// `npm start`: Electron if its binary is here or can be fetched, else the browser host, with one message why.
import { goOnWithoutDebugger } from './no-debugger.mjs';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildArguments, needsBuild } from './build-state.mjs';
import { findElectron, noElectronReason } from './electron-binary.mjs';
import { faultOf, sandboxObstacle } from './electron-end.mjs';
import { fetchElectron } from './fetch-electron.mjs';
import { oldNodeMessage } from './node-version.mjs';

const root = path.resolve(import.meta.dirname, '..');
const { optionalDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const tooOld = oldNodeMessage(process.versions.node, process.platform, process.arch, optionalDependencies);
if (tooOld !== null) {
  console.error(tooOld);
  process.exit(1);
}
// An old Node would end with "bad option" and no word of what to do.
await goOnWithoutDebugger();

if (needsBuild(root)) {
  console.error('Building…');
  const { code } = await run(process.execPath, buildArguments(root), { stdio: ['ignore', 2, 2] });
  if (code !== 0) process.exit(code ?? 1);
}

const { executable, reason } = await obtainElectron();
if (executable === null) await startBrowserHost(reason);
else {
  const started = Date.now();
  const ended = await run(executable, [root, ...process.argv.slice(2)], { stdio: 'inherit', forward: true });
  const fault = faultOf({ ...ended, seconds: (Date.now() - started) / 1000 });
  if (fault === null) process.exit(ended.code ?? 128 + constants.signals[ended.signal]);
  const obstacle = ended.signal === null ? null : sandboxObstacle(executable);
  if (obstacle !== null) console.error(obstacle);
  await startBrowserHost(obstacle === null ? `${fault}; its output above may say why` : fault);
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
  const reason = await fetchIt();
  if (reason !== null) return { executable: null, reason };
  await run(process.execPath, [script], { stdio: 'ignore' });
  return { executable: findElectron(root), reason: 'it could not be unpacked' };
}

/** Fetches Electron's binary and shows how far it is. Enter on a terminal ends it. Returns why it is not here; null if it is. */
async function fetchIt() {
  const isTerminal = process.stdin.isTTY && process.stderr.isTTY;
  const orEnter = isTerminal ? ' Press Enter to start in the browser now; the next start continues the download.' : '';
  console.error(`Downloading Electron…${orEnter}`);
  const stopped = new AbortController();
  const onEnter = () => stopped.abort();
  if (isTerminal) process.stdin.once('data', onEnter);
  let shown = '';
  const onProgress = (here, all) => {
    // On a terminal each whole megabyte, elsewhere each tenth.
    const words = `${Math.floor(here / 1e6)}${all === null ? '' : ` of ${Math.round(all / 1e6)}`} MB`;
    const step = isTerminal || all === null ? words : String(Math.floor((here / all) * 10));
    if (step !== shown) process.stderr.write(isTerminal ? `\r${words}` : `${words}\n`);
    shown = step;
  };
  try {
    await fetchElectron(root, { onProgress, stop: stopped.signal });
    return null;
  } catch (error) {
    if (stopped.signal.aborted) return 'you pressed Enter during its download';
    const proxy = error?.cause?.name === 'ProxyFailure' ? `: ${error.cause.message.replace(/\.$/, '')}` : '';
    return `it could not be downloaded${proxy}`;
  } finally {
    if (isTerminal && shown !== '') process.stderr.write('\n');
    process.stdin.off('data', onEnter);
    process.stdin.pause();
  }
}

async function startBrowserHost(reason) {
  console.error(`Starting Croupier in your browser, without Electron: ${reason}.`);
  // It is a command, which reads its arguments where a shell puts them.
  process.argv.splice(2, 0, 'serve');
  await import(pathToFileURL(path.join(root, 'out', 'main', 'cli.cjs')).href);
}

/**
 * Runs a program to its end. `forward`: passes our signals on, each once. A program that got Ctrl+C both from the terminal and from us
 * would not quit in order, as the second signal ends Electron at once.
 */
function run(command, args, { stdio, forward = false }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio, detached: forward && process.platform !== 'win32' });
    let asked = false;
    const pass = (signal) => {
      asked = true;
      child.kill(signal);
    };
    const signals = forward ? ['SIGINT', 'SIGTERM', 'SIGHUP'] : [];
    for (const signal of signals) process.on(signal, pass);
    const end = (code, signal) => {
      // The browser host has its own way to end.
      for (const name of signals) process.off(name, pass);
      resolve({ code, signal, asked });
    };
    child.once('error', () => end(127, null));
    child.once('close', end);
  });
}
