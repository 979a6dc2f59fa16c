import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

/** The home of this user: CROUPIER_HOME, else the platform's usual place for an application's data. */
export function resolveHome(env: NodeJS.ProcessEnv): string {
  const own = env['CROUPIER_HOME'];
  if (own !== undefined && own !== '') return resolve(own);
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Croupier');
  if (process.platform === 'win32') return join(env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'), 'Croupier');
  // An empty or relative one counts as none, as the XDG specification has it: the history belongs in no folder of a project.
  const data = env['XDG_DATA_HOME'] ?? '';
  return join(isAbsolute(data) ? data : join(homedir(), '.local', 'share'), 'croupier');
}

const ours =
  /^(?:history(?:-index)?\.sqlite.*|\.?(?:settings|keys|collections|token-commands|environment-links|browser-host)\.json.*|environments|workspaces|runs|collection-runs|collections|evidence|cache|desktop|sandbox|removed|locks)$/;

/** Returns whether Croupier makes a file or folder of that name in its home. It never changes or removes anything else there. */
export function isOfCroupier(name: string): boolean {
  return ours.test(name);
}
