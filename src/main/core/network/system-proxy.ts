import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startDeadline } from '../host/deadline.ts';
import { readers } from '#shared/model/readers.ts';

/** The proxy that the system's own settings name for https URLs, with the hosts that are reached without it. */
export interface SystemProxy {
  /** Name of the settings, for a sentence: `GNOME's settings`. */
  readonly named: string;
  /** Address of the proxy, as it is written there; empty for none. */
  readonly proxy: string;
  /** Address of an automatic configuration, which goes first; empty for none. */
  readonly script: string;
  readonly exceptions: string;
}

/** Reads the settings of a system from what its own program prints. */
interface SettingsReader {
  readonly program: string;
  readonly given: readonly string[];
  readonly read: (printed: string) => SystemProxy;
}

const settings = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Internet Settings';
/** Desktops that keep their proxy where GNOME does. */
const gnomes = /gnome|unity|cinnamon|mate|budgie|pantheon|pop/i;

/** Returns the reader of the system's settings; null where there are none. Programs are named whole: one of that name elsewhere is not asked. */
function readerOf(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): SettingsReader | null {
  if (platform === 'darwin') return { program: '/usr/sbin/scutil', given: ['--proxy'], read: readMacSettings };
  if (platform === 'win32') {
    const program = join(env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'reg.exe');
    return { program, given: ['query', settings], read: readWindowsSettings };
  }
  const program = '/usr/bin/gsettings';
  if (!gnomes.test(env['XDG_CURRENT_DESKTOP'] ?? '') || !existsSync(program)) return null;
  return { program, given: ['list-recursively', 'org.gnome.system.proxy'], read: readGnomeSettings };
}

/** Milliseconds for which settings count as read. */
const freshMs = 60_000;

/** Creates the reader of this system's settings; null if it has none. What it returns never fails: settings that cannot be read name no proxy. */
export function createSystemProxy(
  env: NodeJS.ProcessEnv,
  { platform = process.platform, now = () => performance.now(), run = printedBy } = {},
): (() => Promise<SystemProxy | null>) | null {
  const reader = readerOf(platform, env);
  if (reader === null) return null;
  let last: { readonly at: number; readonly found: Promise<SystemProxy | null> } | null = null;
  return () => {
    if (last === null || now() - last.at > freshMs) {
      const found = run(reader.program, reader.given, env).then(reader.read, () => null);
      last = { at: now(), found };
    }
    return last.found;
  };
}

async function printedBy(program: string, given: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  // A command that asks nobody does not load what starts programs.
  const { runProgram } = await import('../host/run-program.ts');
  const late = new AbortController();
  const deadline = startDeadline(readers['proxy.settings'].ms, () => late.abort(new Error('No response')), { unref: true });
  try {
    const { output } = await runProgram(program, given, { cwd: '/', env, kind: 'proxy.settings', signal: late.signal });
    return output.toString();
  } finally {
    deadline.clear();
  }
}

/** Reads lines as `org.gnome.system.proxy.https host 'proxy.example'`. A login that stands there is not used. */
export function readGnomeSettings(printed: string): SystemProxy {
  const found = new Map(
    [...printed.matchAll(/^org\.gnome\.system\.proxy(?:\.(\w+))? ([\w-]+) (.*)$/gm)].map(
      ([, part = '', name = '', value = '']) => [`${part}.${name}`, value.replace(/^'(.*)'$/, '$1')],
    ),
  );
  const of = (name: string) => found.get(name) ?? '';
  const mode = of('.mode');
  const host = of('https.host');
  return {
    named: "GNOME's settings",
    proxy: mode === 'manual' && host !== '' ? `${inBrackets(host)}:${of('https.port')}` : '',
    script: mode === 'auto' ? of('.autoconfig-url') : '',
    exceptions: [...of('.ignore-hosts').matchAll(/'([^']*)'/g)].map(([, one = '']) => one).join(','),
  };
}

/** Reads lines as `HTTPSProxy : proxy.example`, and the array of exceptions. */
export function readMacSettings(printed: string): SystemProxy {
  const [, list = ''] = /ExceptionsList : <array> \{([^}]*)\}/.exec(printed) ?? [];
  const of = (name: string) => new RegExp(`^\\s*${name} : (.*)$`, 'm').exec(printed)?.[1]?.trim() ?? '';
  const exceptions = [...list.matchAll(/^\s*\d+ : (.*)$/gm)].map(([, one = '']) => one.trim());
  return {
    named: "macOS's settings",
    proxy: of('HTTPSEnable') === '1' ? `${inBrackets(of('HTTPSProxy'))}:${of('HTTPSPort') || '443'}` : '',
    script: of('ProxyAutoConfigEnable') === '1' ? of('ProxyAutoConfigURLString') : '',
    exceptions: [...exceptions, ...(of('ExcludeSimpleHostnames') === '1' ? ['<local>'] : [])].join(','),
  };
}

/** Reads lines as `    ProxyServer    REG_SZ    http=a:80;https=b:8080`. */
export function readWindowsSettings(printed: string): SystemProxy {
  const of = (name: string) => new RegExp(`^\\s+${name}\\s+REG_\\w+\\s+(.*)$`, 'm').exec(printed)?.[1]?.trim() ?? '';
  const servers = of('ProxyServer').split(';');
  const ofHttps = servers.find((one) => /^https=/i.test(one))?.slice('https='.length);
  const ofAll = servers.find((one) => one !== '' && !one.includes('='));
  return {
    named: "Windows's settings",
    proxy: Number(of('ProxyEnable') || 0) === 1 ? (ofHttps ?? ofAll ?? '') : '',
    script: of('AutoConfigURL'),
    exceptions: of('ProxyOverride'),
  };
}

function inBrackets(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
