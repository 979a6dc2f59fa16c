import { lstat, readdir } from 'node:fs/promises';
import { availableParallelism, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { filesText, sizeText } from '#shared/byte-size.ts';
import type { Host } from '../host/host.ts';
import type { ToldFault } from '../faults.ts';
import { runtimeName } from './runtime.ts';

interface DiagnosticsDeps {
  readonly home: string;
  readonly host: Pick<Host, 'name' | 'version' | 'engine'>;
  readonly env: NodeJS.ProcessEnv;
  /** A sentence for the user; null if the keychain works. */
  readonly keychainMessage: () => Promise<string | null>;
  readonly environments: () => readonly { readonly production: boolean }[];
  /** Fails if the history cannot be opened. */
  readonly calls: () => number;
  readonly faults: () => readonly ToldFault[];
  /** Returns whether a text holds a private key. */
  readonly holdsKey: (text: string) => Promise<boolean>;
}

/** Variables that people expect a program to follow; of these only the names are told. */
const proxyVariables = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];
const hidden = "[left out: contains a private key, or Croupier can't check now]";

/**
 * Returns a text for a report of a fault: versions, host, keychain, proxy, sizes of the home and the last faults. It names no path and no
 * environment, and each line was searched for private keys.
 */
export async function diagnosticsText(deps: DiagnosticsDeps): Promise<string> {
  const { host, env, home } = deps;
  const { sqlite = 'unknown', openssl, v8 } = process.versions;
  const environments = deps.environments();
  const proxies = proxyVariables.filter((name) => (env[name] ?? '') !== '');
  const faults = deps.faults();
  const lines = [
    `Croupier ${host.version}, ${host.name}`,
    `Runtime: ${runtimeName()}; V8 ${v8}, OpenSSL ${openssl}, SQLite ${sqlite}`,
    ...(host.engine === undefined ? [] : [`Game views: ${host.engine}`]),
    `System: ${process.platform} ${release()}, ${availableParallelism()} processors, ${sizeText(totalmem())} of memory`,
    `Time zone: ${Intl.DateTimeFormat().resolvedOptions().timeZone}`,
    `Keychain: ${(await deps.keychainMessage()) ?? 'keeps the keys'}`,
    `Proxy: Calls go directly to the provider.${proxies.length === 0 ? '' : ` They ignore ${proxies.join(', ')}.`}`,
    `Environments: ${environments.length}, ${environments.filter(({ production }) => production).length} of them production`,
    `History: ${callsText(deps.calls)}`,
    `Home: ${(env['CROUPIER_HOME'] ?? '') === '' ? 'the default' : 'set by CROUPIER_HOME'}`,
    ...(await sizesIn(home)).map(({ name, bytes, files }) => `  ${name}: ${filesText(bytes, files)}`),
    `Faults of this session: ${faults.length === 0 ? 'none' : `the newest ${faults.length}`}`,
    ...faults.flatMap(({ at, details }) => [
      `  ${new Date(at).toISOString()}`,
      ...details.split('\n').map((line) => `  ${line}`),
    ]),
  ];
  const holdsKey = (text: string) => deps.holdsKey(text).catch(() => true);
  // One question in place of forty, where none holds a key.
  const checked = (await holdsKey(lines.join('\n')))
    ? await Promise.all(lines.map(async (line) => ((await holdsKey(line)) ? hidden : line)))
    : lines;
  return `${checked.join('\n')}\n`;
}

function callsText(calls: () => number): string {
  try {
    return `${calls()} calls`;
  } catch {
    return 'cannot be opened';
  }
}

/** Returns what each entry of a directory takes, by name; nothing for what goes away or cannot be read meanwhile. */
export async function sizesIn(directory: string): Promise<{ name: string; bytes: number; files: number }[]> {
  const names = (await readdir(directory).catch((): string[] => [])).sort();
  return Promise.all(names.map(async (name) => ({ name, ...(await sizeOf(join(directory, name))) })));
}

/** Returns the bytes and files below a path, or of the file there; links are not followed. */
export async function sizeOf(path: string): Promise<{ bytes: number; files: number }> {
  const below = await readdir(path, { recursive: true }).catch(() => null);
  const stats = await Promise.all((below ?? ['']).map((name) => lstat(join(path, name)).catch(() => null)));
  const files = stats.filter((found) => found !== null && !found.isDirectory());
  return { bytes: files.reduce((sum, found) => sum + (found?.size ?? 0), 0), files: files.length };
}
