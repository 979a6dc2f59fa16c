import { lstat, readdir } from 'node:fs/promises';
import { availableParallelism, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { filesText, sizeText } from '#shared/byte-size.ts';
import { listed } from '#shared/listed.ts';
import { addressKind, addressKindWords } from '#shared/network/address-kind.ts';
import type { Host } from '../host/host.ts';
import type { ToldFault } from '../faults.ts';
import type { Resolve } from '../network/address-policy.ts';
import { proxyVariables, type Way } from '../network/proxies.ts';
import { runtimeName } from './runtime.ts';

export interface DiagnosticsDeps {
  readonly home: string;
  readonly host: Pick<Host, 'name' | 'version' | 'engine'>;
  readonly env: NodeJS.ProcessEnv;
  /** A sentence for the user; null if the keychain works. */
  readonly keychainMessage: () => Promise<string | null>;
  /** The URL that was asked about, with the way to it; null if none was. */
  readonly asked: { readonly url: URL; readonly way: Way; readonly loginKept: 'keychain' | 'session' | null } | null;
  readonly resolve: Resolve;
  readonly environments: () => readonly { readonly production: boolean }[];
  /** Fails if the history cannot be opened. */
  readonly calls: () => number;
  readonly faults: () => readonly ToldFault[];
  /** Returns whether a text holds a private key. */
  readonly holdsKey: (text: string) => Promise<boolean>;
}

/** Variables about proxies; of these only the names are told. */
const named = [...proxyVariables, 'no_proxy', 'NO_PROXY', 'http_proxy', 'HTTP_PROXY'];
const hidden = "[left out: contains a private key, or Croupier can't check now]";

/**
 * Returns a text for a report of a fault: versions, host, keychain, proxy, sizes of the home and the last faults. It names no path and no
 * environment but the URL that was asked about, and each line was searched for private keys.
 */
export async function diagnosticsText(deps: DiagnosticsDeps): Promise<string> {
  const { host, env, home } = deps;
  const { sqlite = 'unknown', openssl, v8 } = process.versions;
  const environments = deps.environments();
  const faults = deps.faults();
  const lines = [
    `Croupier ${host.version}, ${host.name}`,
    `Runtime: ${runtimeName()}; V8 ${v8}, OpenSSL ${openssl}, SQLite ${sqlite}`,
    ...(host.engine === undefined ? [] : [`Game views: ${host.engine}`]),
    `System: ${process.platform} ${release()}, ${availableParallelism()} processors, ${sizeText(totalmem())} of memory`,
    `Time zone: ${Intl.DateTimeFormat().resolvedOptions().timeZone}`,
    `Keychain: ${(await deps.keychainMessage()) ?? 'keeps the keys'}`,
    `Proxy variables: ${listed(named.filter((name) => (env[name] ?? '') !== '')) || 'none'}`,
    ...(deps.asked === null ? [] : await wayLines(deps.asked, deps.resolve)),
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

/** Says how calls to a URL leave, what decided it, and what is known of the addresses that a proxy may find. */
async function wayLines({ url, way, loginKept }: NonNullable<DiagnosticsDeps['asked']>, resolve: Resolve): Promise<string[]> {
  const { proxy, problem, why } = way;
  const first = `Way to ${url.origin}: ${problem === undefined ? (proxy === null ? 'directly' : `through ${proxy.address}`) : 'none'}`;
  if (proxy === null) return [first, `  ${problem ?? why}`];
  const logins = { keychain: 'in the keychain', session: 'for this session' };
  const login = proxy.hasLogin ? 'with its address' : loginKept === null ? 'none' : logins[loginKept];
  const kinds = await resolve(url.hostname.replace(/^\[|\]$/g, '')).then(
    (found) => found.map(addressKind),
    () => [],
  );
  const local = kinds.find((kind) => kind !== 'public');
  const seen =
    kinds.length === 0
      ? "This computer can't look it up, so Croupier checks only the spelling of the host."
      : local === undefined
        ? 'Here it has only public addresses.'
        : `Here it has ${addressKindWords[local]}, so games and pictures from there are refused.`;
  return [first, `  ${why}`, `  Login: ${login}`, `  The proxy looks up ${url.hostname}. ${seen}`];
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
