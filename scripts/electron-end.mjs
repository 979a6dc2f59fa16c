// Decides why Electron ended: somebody wanted it to, or it cannot run here.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** Seconds within which an Electron that cannot run on this system (a library is missing, no display responds) ends. */
const atOnceSeconds = 5;
/** Exit code of the desktop if it has said itself why it cannot start. No other host could start on the same home. */
const saidWhy = 70;
/** Signals by which people and systems end a program. */
const wished = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGKILL', 'SIGTERM'];

/** Returns why Electron cannot be used, or null if somebody wanted its end. `asked`: a signal was passed on to it. */
export function faultOf({ code, signal, asked, seconds }) {
  if (asked || code === 0 || code === saidWhy || wished.includes(signal)) return null;
  if (signal !== null) return `Electron crashed (${signal})`;
  return seconds <= atOnceSeconds ? `it ended at once with code ${code}` : null;
}

/**
 * Returns the obstacle that keeps Electron's sandbox from starting on this Linux, with the command that helps; null if none is
 * found. Chromium makes user namespaces, which Ubuntu since 23.10 and others restrict (electron/electron#42510,
 * electron/electron#41066), or has a helper that belongs to root.
 */
export function sandboxObstacle(executable, system = { read: readSetting, stat: statOf }) {
  const restricting = [
    ['kernel/apparmor_restrict_unprivileged_userns', '1'],
    ['kernel/unprivileged_userns_clone', '0'],
    ['user/max_user_namespaces', '0'],
  ].find(([name, value]) => system.read(name) === value);
  const helper = path.join(path.dirname(executable), 'chrome-sandbox');
  const found = system.stat(helper);
  if (restricting === undefined || found === null || (found.uid === 0 && (found.mode & 0o4755) === 0o4755)) return null;
  const [name, value] = restricting;
  const quoted = `'${helper.replaceAll("'", String.raw`'\''`)}'`;
  return (
    `${name.replaceAll('/', '.')} is ${value} on this system: programs without rights may not make the namespaces that Electron's sandbox needs.\n` +
    `Allow it the sandbox's own helper instead, once after each "npm ci":\n\n` +
    `  sudo chown root:root ${quoted} && sudo chmod 4755 ${quoted}\n\n` +
    `Other ways are in docs/security.md.`
  );
}

function readSetting(name) {
  try {
    return readFileSync(`/proc/sys/${name}`, 'utf8').trim();
  } catch {
    return null;
  }
}

function statOf(file) {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? null : { uid: found.uid, mode: found.mode };
}
