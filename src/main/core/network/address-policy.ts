import { BlockList, isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { AddressVerdict } from '../host/host.ts';
import { directWay, type Way } from './proxies.ts';
import { within } from '../host/within.ts';
import { addressKind, addressKindWords, allowWords, vpnKinds } from '#shared/network/address-kind.ts';

/** Returns every address of a name; rejects if there is none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

export interface AddressPolicyOptions {
  readonly resolve: Resolve;
  /** Returns origins that may be reached wherever they are: the built-in provider's while it runs. Called for each request. */
  readonly ownOrigins: () => readonly string[];
  /**
   * Returns the networks that this computer is on, such as `192.0.2.7/24`, also if their addresses are public. Called for each
   * request.
   */
  readonly ownNetworks?: () => readonly string[];
  /** Returns whether a person allowed a host to lead to a private address. Called for each request. */
  readonly isAllowed?: (host: string) => boolean;
  /** Schemes that may go out, such as `https:`. */
  readonly schemes: readonly string[];
  /** Decides whether an https URL is reached through a proxy; absent: never. */
  readonly wayTo?: (url: URL) => Way | Promise<Way>;
}

/** Returns a name's addresses from the system, within five seconds. */
export const systemResolve: Resolve = async (host) => {
  const { lookup } = await import('node:dns/promises');
  const found = await within(5_000, lookup(host, { all: true, verbatim: true }));
  if (found === null) throw Object.assign(new Error('No response within 5 s'), { code: 'ETIMEDOUT' });
  return found.map(({ address }) => address);
};

/** Addresses of Croupier's own origins, whatever a name server says. */
const loopback = ['127.0.0.1', '::1'];

/** Data that a page made itself and that never touches the network. */
const inertSchemes = ['data:', 'blob:', 'about:'];

/**
 * Judges a request by its address before it leaves: only the given schemes, never to this machine or its network, whatever the
 * spelling. A name is resolved first and every one of its addresses has to be public; a name that does not resolve is refused, unless a proxy
 * looks it up: then only what is known here is judged.
 */
export function createAddressPolicy(options: AddressPolicyOptions) {
  const { resolve, ownOrigins, ownNetworks, isAllowed = () => false, schemes, wayTo = () => directWay } = options;
  return async (address: string): Promise<AddressVerdict> => {
    const url = URL.parse(address);
    if (url === null) return refuse(false, 'It is not a web URL.');
    if (inertSchemes.includes(url.protocol)) return { ok: true, addresses: [] };
    if (!schemes.includes(url.protocol)) {
      const clear = url.protocol === 'http:' || url.protocol === 'ws:';
      return refuse(
        false,
        clear ? `It is ${url.protocol}//, which is not encrypted.` : `The scheme ${url.protocol.slice(0, 40)} is not allowed.`,
      );
    }
    // A page's wss: is the same server as its https:.
    const origin = `${url.protocol === 'wss:' ? 'https:' : url.protocol}//${url.host}`;
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (ownOrigins().includes(origin)) return { ok: true, addresses: isIP(host) === 0 ? loopback : [host] };
    const kind = addressKind(host);
    const allowed = isAllowed(url.hostname);
    const isName = kind === 'name' || (allowed && kind === 'localName');
    const out = isName ? null : problemOf(host, url.hostname, allowed, ownNetworks?.());
    if (out !== null) return refuse(true, `${host} is ${out}`);
    const way = await wayTo(new URL(`${origin}/`));
    if (way.problem !== undefined) return refuse(false, way.problem);
    const through = way.proxy === null ? {} : { proxy: way.proxy };
    if (!isName) return { ok: true, addresses: [host], ...through };
    let addresses: readonly string[] = [];
    try {
      addresses = await resolve(host.replace(/\.$/, ''));
    } catch (error) {
      if (way.proxy === null) return refuse(false, unresolved(url.hostname, error));
    }
    if (addresses.length === 0 && way.proxy === null) return refuse(false, `The name ${url.hostname} does not resolve.`);
    for (const resolved of addresses) {
      const problem = problemOf(resolved, url.hostname, allowed, ownNetworks?.());
      if (problem !== null) return refuse(true, `${url.hostname} resolves to ${resolved}, ${problem}`);
    }
    return { ok: true, addresses, ...through };
  };
}

export type AddressPolicy = ReturnType<typeof createAddressPolicy>;

/** Returns the message about a name. Only a name server's reply proves that there is no such name. */
function unresolved(name: string, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  const unanswered = code === 'ETIMEDOUT' || code === 'EAI_AGAIN';
  return unanswered
    ? `The name ${name} could not be looked up: no name server responded (${code}).`
    : `The name ${name} does not resolve.`;
}

/** Returns the networks that this computer's interfaces are on. */
function systemNetworks(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses) => (addresses ?? []).flatMap(({ cidr }) => cidr ?? []));
}

/**
 * Returns why an address is out of reach, as the end of a sentence that says how to allow it if a person can; null if it may be reached.
 * `allowed`: a person allowed `host` to lead to a private address. This computer's own may not be reached whoever allowed its name.
 */
export function problemOf(
  address: string,
  host: string,
  allowed: boolean,
  networks: readonly string[] = systemNetworks(),
): string | null {
  const kind = addressKind(address);
  const own = networks.map((network) => network.replace(/\/.*$/, '')).map((base) => `${base}/${isIP(base) === 6 ? 128 : 32}`);
  if (allowed && vpnKinds.has(kind)) return isWithin(address, own) ? `${addressKindWords.loopback}.` : null;
  if (kind !== 'public') return `${addressKindWords[kind]}.${allowed ? '' : allowWords(host, kind)}`;
  return isWithin(address, networks) ? "an address on this computer's network." : null;
}

/** Shortest prefixes of a network: an interface of a tunnel may have a shorter one, which stands for all addresses. */
const shortestPrefix = { ipv4: 8, ipv6: 32 } as const;

function isWithin(address: string, networks: readonly string[]): boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [base = '', prefix] = network.split('/');
    const family = isIP(base) === 6 ? 'ipv6' : 'ipv4';
    const bits = Number(prefix);
    if (isIP(base) !== 0 && bits >= shortestPrefix[family]) list.addSubnet(base, bits, family);
  }
  // It reads IPv4 in IPv6 as IPv4.
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

function refuse(local: boolean, message: string): AddressVerdict {
  return { ok: false, local, message };
}

/** Returns the look-up of a name whose addresses are known. */
export function lookupOf(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return (host, wanted, callback) => {
    const [first] = found;
    if (first === undefined) callback(new Error(`The name ${host} does not resolve.`), '', 0);
    else if (wanted.all === true) callback(null, found);
    else callback(null, first.address, first.family);
  };
}

/** Looks a name up at the name servers alone: a hosts file may lead it to this computer. Node gives up after some seconds. */
export const askNameServers: LookupFunction = (hostname, options, callback) => {
  const asked = import('node:dns/promises').then(({ Resolver }) => {
    const resolver = new Resolver({ timeout: 2_000, tries: 2 });
    return Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  });
  asked.then(
    (answers) => {
      const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      const [first] = answers;
      if (found.length === 0 && first?.status === 'rejected') callback(first.reason as NodeJS.ErrnoException, '');
      else lookupOf(found)(hostname, options, callback);
    },
    (error: NodeJS.ErrnoException) => callback(error, ''),
  );
};
