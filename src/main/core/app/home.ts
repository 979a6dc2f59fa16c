import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

/** The home of this user: CROUPIER_HOME, else the platform's usual place for an application's data. */
export function resolveHome(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  const own = env['CROUPIER_HOME'];
  if (own !== undefined && own !== '') return resolve(own);
  // An empty or relative one counts as none, as the XDG specification has it: the history belongs in no folder of a project.
  const named = (variable: string, ...usual: string[]) => {
    const folder = env[variable] ?? '';
    return isAbsolute(folder) ? folder : join(homedir(), ...usual);
  };
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Croupier');
  if (platform !== 'win32') return join(named('XDG_DATA_HOME', '.local', 'share'), 'croupier');
  // Where profiles roam, Windows copies APPDATA at each login and logoff: no place for a history. A home that is there stays.
  const roaming = join(named('APPDATA', 'AppData', 'Roaming'), 'Croupier');
  const isThere = homeEntries.some((name) => existsSync(join(roaming, name)));
  return isThere ? roaming : join(named('LOCALAPPDATA', 'AppData', 'Local'), 'Croupier');
}

/** Names of everything that Croupier makes in its home. A table says what becomes of each that is damaged (`home-troubles.test.ts`). */
export const homeEntries = [
  'history.sqlite',
  'history-index.sqlite',
  'settings.json',
  'keys.json',
  'collections.json',
  'token-commands.json',
  'environment-links.json',
  'browser-host.json',
  'evidence-key.json',
  'environments',
  'workspaces',
  'runs',
  'collection-runs',
  'collections',
  'evidence',
  'cache',
  'desktop',
  'sandbox',
  'removed',
  'locks',
] as const;

const folders = new Set<string>(homeEntries.filter((name) => !name.includes('.')));
/** With what stands beside a file for a moment: its log, a half-written one, one that was set aside. */
const files = new RegExp(
  `^\\.?(?:${homeEntries
    .filter((name) => name.includes('.'))
    .join('|')
    .replaceAll('.', '\\.')})`,
);

/** Returns whether Croupier makes a file or folder of that name in its home. It never changes or removes anything else there. */
export function isOfCroupier(name: string): boolean {
  return folders.has(name) || files.test(name);
}
