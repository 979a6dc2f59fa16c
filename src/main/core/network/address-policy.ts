import { isIP } from 'node:net';
import type { AddressVerdict } from '../host.ts';
import { addressKind, addressKindWords, type AddressKind } from '#shared/network/address-kind.ts';

/** Gives every address of a name; rejects where there is none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

export interface AddressPolicyOptions {
  readonly resolve: Resolve;
  /** Origins that may be reached wherever they are: the built-in provider's while it runs. Asked for each request. */
  readonly ownOrigins: () => readonly string[];
  /** Schemes that may go out, as `https:`. */
  readonly schemes: readonly string[];
}

/** A name's addresses from the system, within five seconds. */
export const systemResolve: Resolve = async (host) => {
  const { lookup } = await import('node:dns/promises');
  const found = await Promise.race([
    lookup(host, { all: true, verbatim: true }),
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('No response within 5 s')), 5_000).unref()),
  ]);
  return found.map(({ address }) => address);
};

/** Where the name of an own origin leads, whatever a name server says. */
const loopback = ['127.0.0.1', '::1'];

/** Data that a page made itself and that never touches the network. */
const inertSchemes = ['data:', 'blob:', 'about:'];

/**
 * Judges a request by its address before it leaves: only the given schemes, never to this machine or its network, whatever the spelling.
 * A name is resolved first and every one of its addresses has to be public; a name that does not resolve is refused.
 */
export function createAddressPolicy({ resolve, ownOrigins, schemes }: AddressPolicyOptions) {
  return async (address: string): Promise<AddressVerdict> => {
    const url = URL.parse(address);
    if (url === null) return refuse(false, 'It is not a web address.');
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
    if (kind !== 'name') return verdictOf(kind, host);
    let addresses: readonly string[];
    try {
      addresses = await resolve(host.replace(/\.$/, ''));
    } catch {
      return refuse(false, `The name ${url.hostname} does not resolve.`);
    }
    if (addresses.length === 0) return refuse(false, `The name ${url.hostname} does not resolve.`);
    for (const resolved of addresses) {
      const found = isIP(resolved.replace(/%.*$/, '')) === 0 ? 'invalid' : addressKind(resolved);
      if (found !== 'public') return verdictOf(found, `${url.hostname}, which is ${resolved}`);
    }
    return { ok: true, addresses };
  };
}

export type AddressPolicy = ReturnType<typeof createAddressPolicy>;

function verdictOf(kind: AddressKind, host: string): AddressVerdict {
  return kind === 'public' ? { ok: true, addresses: [host] } : refuse(true, `${host} is ${addressKindWords[kind]}.`);
}

function refuse(local: boolean, message: string): AddressVerdict {
  return { ok: false, local, message };
}
