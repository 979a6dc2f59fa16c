import { BlockList, isIP } from 'node:net';
import type { LoginQuestion, Proxy } from '../host/host.ts';
import { addressKind } from '#shared/network/address-kind.ts';
import type { Authorities } from './authorities.ts';
import { createProxyLogin } from './proxy-login.ts';
import type { SystemProxy } from './system-proxy.ts';
import { createProxy, createProxyList } from './tunnel.ts';

/** The way on which connections to a URL leave. */
export interface Way {
  /** Null for a connection without a proxy. */
  readonly proxy: Proxy | null;
  /** A sentence for diagnostics: what decided it. */
  readonly why: string;
  /** A sentence if no connection can leave: what decides cannot be used. */
  readonly problem?: string;
}

/** Asks the script of an automatic configuration (PAC) at an address: what it returned, or a sentence that says why it decided nothing. Never fails. */
export type DecidePac = (address: string, url: URL) => Promise<PacDecision>;
export type PacDecision = { readonly answer: string } | { readonly problem: string };

export interface ProxiesDeps {
  /** Finds authorities for a proxy that speaks TLS itself. */
  readonly authorities: Authorities;
  readonly env: NodeJS.ProcessEnv;
  /** Reads the settings of the system; null where there are none. */
  readonly system: (() => Promise<SystemProxy | null>) | null;
  /** Asks the script of an automatic configuration. */
  readonly pac: DecidePac;
  /** Answers a proxy's question for a login; null without one. `given`: the login in the address that named the proxy. */
  readonly sign: (proxy: string, question: LoginQuestion, given: (() => string) | null) => Promise<string | null>;
}

/** A connection without a proxy where nobody decides. */
export const directWay: Way = { proxy: null, why: 'No proxy is set.' };

/** Creates what decides for each URL whether it goes through a proxy, and through which. */
export function createProxies({ authorities, env, system, pac, sign }: ProxiesDeps) {
  /** By what named them: a proxy remembers what it was asked. */
  const known = new Map<string, Proxy | string>();
  const failedAt = new Map<string, number>();

  function proxyAt(text: string, what: string): Proxy | string {
    const found = known.get(text) ?? readProxy(text, what, sign, authorities);
    known.set(text, found);
    return found;
  }

  function through(text: string, what: string, why: string): Way {
    const proxy = proxyAt(text, what);
    return typeof proxy === 'string' ? { proxy: null, why, problem: proxy } : { proxy, why };
  }

  async function wayOfScript(address: string, url: URL): Promise<Way> {
    const named = `The automatic configuration ${address}`;
    const why = `${named} says so.`;
    const decided = await pac(address, url);
    if ('problem' in decided) return { proxy: null, why, ...decided };
    const found: (Proxy | null)[] = [];
    for (const one of decided.answer.split(';').map((text) => text.trim())) {
      const [, kind = '', place = ''] = /^(\w+)(?:\s+([^\s/@]+))?$/.exec(one) ?? [];
      if (/^direct$/i.test(kind) || decided.answer.trim() === '') found.push(null);
      if (!/^(?:proxy|http|https)$/i.test(kind)) continue;
      const { proxy } = through(`${/^https$/i.test(kind) ? 'https' : 'http'}://${place}`, named, why);
      if (proxy !== null) found.push(proxy);
    }
    const [first, ...others] = found;
    if (first === undefined)
      return { proxy: null, why, problem: `${named} returned no way that Croupier can use, such as PROXY or DIRECT.` };
    if (first === null || others.length === 0) return { proxy: first, why };
    const rest = others.map((one) => one?.address ?? 'directly').join(', ');
    return { proxy: createProxyList(found, first, failedAt), why: `${why} If the proxy can't be reached: ${rest}.` };
  }

  async function wayOfSystem(found: SystemProxy | null, url: URL): Promise<Way> {
    if (found === null || (found.proxy === '' && found.script === '')) return directWay;
    const { named, proxy, script, exceptions } = found;
    const ofVariables = exceptionOf(env, url);
    if (ofVariables !== null) return { proxy: null, why: `${ofVariables[0]} has the entry ${ofVariables[1]}.` };
    if (script !== '') return wayOfScript(script, url);
    const excepted = exceptionIn(exceptions, url);
    if (excepted !== null) return { proxy: null, why: `${named} except ${excepted}.` };
    return through(proxy, named, `${named} name it.`);
  }

  return {
    /** Returns how a connection to an https URL leaves. `setting`: as an environment has it. */
    wayTo(setting: string, url: URL): Way | Promise<Way> {
      if (setting === 'none') return { proxy: null, why: 'The environment uses no proxy.' };
      if (setting.startsWith(scriptMark)) return wayOfScript(setting.slice(scriptMark.length), url);
      if (setting !== 'system') return through(setting, 'The proxy of the environment', 'The environment names it.');
      if (isThisComputer(url.hostname)) return { proxy: null, why: `${url.hostname} is this computer, which needs no proxy.` };
      const [name, text = ''] = variableOf(env) ?? [];
      if (name === undefined) return system === null ? directWay : system().then((found) => wayOfSystem(found, url));
      const [exceptName, excepted] = exceptionOf(env, url) ?? [];
      if (excepted !== undefined) return { proxy: null, why: `${exceptName} has the entry ${excepted}.` };
      return through(text, name, `The environment variable ${name} names it.`);
    },
  };
}

/** Begins a setting that names the script of an automatic configuration in place of a proxy. */
const scriptMark = 'pac+';

/** Variables that name a proxy for https URLs, the first one first: as curl reads them. */
export const proxyVariables = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'] as const;

function variableOf(env: NodeJS.ProcessEnv): [name: string, text: string] | null {
  for (const name of proxyVariables) {
    const text = env[name]?.trim() ?? '';
    if (text !== '') return [name, text];
  }
  return null;
}

function exceptionOf(env: NodeJS.ProcessEnv, url: URL): [name: string, entry: string] | null {
  for (const name of ['no_proxy', 'NO_PROXY']) {
    const entry = exceptionIn(env[name] ?? '', url);
    if (entry !== null) return [name, entry];
  }
  return null;
}

/** Returns the address of a proxy in its stored form, or a sentence that says why it is none. `what` names it in the sentence. */
export function proxyAddress(text: string, what: string): { readonly address: string } | { readonly problem: string } {
  if (text.trim().startsWith(scriptMark)) {
    const url = URL.parse(text.trim().slice(scriptMark.length));
    if (url !== null && /^https?:$/.test(url.protocol) && url.username === '') return { address: `${scriptMark}${url.href}` };
    return { problem: `${what} is no address of an automatic configuration, such as pac+http://wpad.example/proxy.pac.` };
  }
  const found = readProxy(
    text.trim(),
    what,
    async () => null,
    async () => [],
  );
  if (typeof found === 'string') return { problem: found };
  return found.hasLogin ? { problem: `${what} contains a user name. Set the login apart from it.` } : { address: found.address };
}

/** Reads the address of a proxy; returns a sentence without the address, which may hold a password, if it is none. */
function readProxy(text: string, what: string, sign: ProxiesDeps['sign'], authorities: Authorities): Proxy | string {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (url === null || url.hostname === '') return `${what} is not an address of a proxy, such as http://proxy.example:8080.`;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return `${what} names a ${url.protocol.slice(0, 12)}// proxy. Croupier uses only http:// and https:// proxies.`;
  }
  const { username, password } = url;
  const given = username === '' ? null : () => `${decoded(username)}:${decoded(password)}`;
  const address = `${url.protocol}//${url.host}`;
  return createProxy(
    new URL(address),
    given !== null,
    createProxyLogin((question) => sign(address, question, given)),
    authorities,
  );
}

/** Undoes percent-encoding; a text that has none of it stays. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns whether a host is this computer, by its spelling alone. */
export function isThisComputer(host: string): boolean {
  const name = host.replace(/^\[|\]$|\.$/g, '');
  return name === 'localhost' || name.endsWith('.localhost') || addressKind(name) === 'loopback';
}

/**
 * Returns the entry of a list of exceptions that a URL matches; null without one. An entry is `*`, a name with all names below it, a name with
 * stars, `<local>` for names without a dot, an address or a network (`10.0.0.0/8`), each but the first with a port if it has one.
 */
export function exceptionIn(list: string, url: URL): string | null {
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '');
  const port = url.port || '443';
  return list.split(/[\s,;|]+/).find((entry) => entry !== '' && matches(entry.toLowerCase(), host, port)) ?? null;
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  if (entry === '<local>') return !host.includes('.') && !host.includes(':');
  const [, bracketed, plain = entry, ofPort = port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  if (ofPort !== port) return false;
  const text = (bracketed ?? plain).replace(/\.$/, '');
  const [base = '', prefix] = text.split('/');
  if (prefix !== undefined) return isWithin(host, base, Number(prefix));
  if (isIP(text) !== 0) return isWithin(host, text, isIP(text) === 6 ? 128 : 32);
  const name = text.replace(/^\*?\./, '');
  if (name.includes('*')) return new RegExp(`^${name.replace(/[^\w*]/g, '\\$&').replace(/\*+/g, '.*')}$`).test(host);
  return name !== '' && (host === name || host.endsWith(`.${name}`));
}

/** Returns whether a host is an address of a network. macOS shortens `169.254.0.0` to `169.254`. */
function isWithin(host: string, base: string, prefix: number): boolean {
  const whole = base.includes(':') ? base.replace(/^\[|\]$/g, '') : [...base.split('.'), '0', '0', '0'].slice(0, 4).join('.');
  const family = isIP(whole) === 6 ? 'ipv6' : 'ipv4';
  if (isIP(host) === 0 || isIP(whole) === 0 || !(prefix >= 0 && prefix <= (family === 'ipv6' ? 128 : 32))) return false;
  const network = new BlockList();
  network.addSubnet(whole, prefix, family);
  return network.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4');
}
