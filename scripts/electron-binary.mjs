// Finds Electron's binary. Never by `require('electron')`, which downloads it.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Returns the executable of the installed Electron, or null: the package, the unpacked version and the path have to agree. */
export function findElectron(root, env = process.env) {
  const folder = path.join(root, 'node_modules', 'electron');
  const told = path.join(folder, 'path.txt');
  try {
    const elsewhere = env.ELECTRON_OVERRIDE_DIST_PATH;
    // As Electron's own package: where nothing was unpacked, it has this name.
    const name = elsewhere && !existsSync(told) ? 'electron' : readFileSync(told, 'utf8').trim();
    if (elsewhere) return existing(path.join(elsewhere, name));
    const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const unpacked = readFileSync(path.join(folder, 'dist', 'version'), 'utf8')
      .trim()
      .replace(/^v/, '');
    return unpacked === version ? existing(path.join(folder, 'dist', name)) : null;
  } catch {
    return null;
  }
}

function existing(file) {
  return existsSync(file) ? file : null;
}

/** Returns why Electron is of no use on this machine, whether or not its binary is here; null if nothing speaks against it. */
export function noElectronReason(env, platform, uid) {
  if (env.CROUPIER_HOST === 'browser') return 'CROUPIER_HOST=browser asks for the browser';
  if (platform !== 'linux') return null;
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return 'there is no display';
  // Electron's sandbox does not work for root, and Croupier never runs without it.
  return uid === 0 ? 'it refuses to run as root with its sandbox on' : null;
}

/** Finds out whether the specs can run on Electron itself here, without fetching anything: `reason` is null if they can. */
export function electronToTest(root, env = process.env, platform = process.platform, uid = process.getuid?.() ?? null) {
  const executable = findElectron(root, env);
  if (executable === null) return { executable, reason: 'its binary is not installed' };
  return { executable, reason: noElectronReason(env, platform, uid) };
}
