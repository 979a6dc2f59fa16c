import ipaddr from 'ipaddr.js';

/**
 * Kind of a host, from its spelling alone. `name` must be resolved first; `public` is an address that routers forward;
 * everything else stays on the machine or its network, or is not an address.
 */
export type AddressKind =
  | 'public'
  | 'name'
  | 'localName'
  | 'loopback'
  | 'private'
  | 'linkLocal'
  | 'carrier'
  | 'benchmark'
  | 'multicast'
  | 'unspecified'
  | 'reserved'
  | 'invalid';

/**
 * Returns the kind of a host or an IP address in any spelling that a browser takes: short, octal and hexadecimal numbers, upper case, trailing
 * dots, other scripts' digits and dots, percent-encoding, brackets, zone ids, and IPv4 inside IPv6. What it cannot read is `invalid`.
 */
export function addressKind(host: string): AddressKind {
  const text = plainHost(host);
  if (text === null || text === '') return 'invalid';
  if (text.includes(':') || text.startsWith('[')) {
    const groups = readIpv6(text);
    return groups === null ? 'invalid' : kindOfIpv6(groups);
  }
  const name = text.replace(/\.$/, '');
  const labels = name.split('.');
  const last = labels.at(-1) ?? '';
  // A host whose last label looks like a number is an IPv4 address or invalid (WHATWG URL, "ends in a number").
  if (/^\d+$/.test(last) || /^0x[0-9a-f]*$/.test(last)) {
    const address = readIpv4(labels);
    return address === null ? 'invalid' : kindOfIpv4(address);
  }
  if (labels.some((label) => label === '') || /[\s#/<>?@[\\\]^|]/.test(name)) return 'invalid';
  return isLocalName(labels) ? 'localName' : 'name';
}

/** The kind in words that complete "The game page asked for …". */
export const addressKindWords: Readonly<Record<AddressKind, string>> = {
  public: 'a public address',
  name: 'a name',
  localName: 'a name on the local network',
  loopback: 'an address of this computer',
  private: 'an address on a private network',
  linkLocal: 'a link-local address',
  carrier: "an address on a carrier's own network",
  benchmark: 'an address for tests of networks',
  multicast: 'a multicast address',
  unspecified: 'the unspecified address, which leads to this computer',
  reserved: 'a reserved address',
  invalid: 'something that is not an address',
};

/** Kinds of addresses with which a VPN answers for its hosts: a person may allow them for one. */
export const vpnKinds: ReadonlySet<AddressKind> = new Set(['private', 'carrier', 'benchmark']);

/** Says how to allow a host that leads to an address of a kind, as a sentence behind the refusal; empty if nobody can. */
export function allowWords(host: string, kind: AddressKind): string {
  return vpnKinds.has(kind) || kind === 'localName'
    ? ` If your VPN leads there, add ${host} to the private hosts of the environment.`
    : '';
}

/** Normalises a host as a URL parser does before it reads it; null if that fails. */
function plainHost(host: string): string | null {
  let text = host;
  if (text.includes('%') && !text.includes(':')) {
    try {
      text = decodeURIComponent(text);
    } catch {
      return null;
    }
  }
  // DNS lookups drop soft hyphens, zero-width characters and variation selectors; other scripts' full stops are dots.
  return text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/[\u3002\uff0e\uff61]/g, '.')
    .trim()
    .toLowerCase();
}

const localSuffixes = [
  'localhost',
  'local',
  'localdomain',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
];

/** Returns whether a name belongs to the local network, such as a name without a dot. */
function isLocalName(labels: readonly string[]): boolean {
  if (labels.length === 1) return true;
  const name = labels.join('.');
  return localSuffixes.some((suffix) => name === suffix || name.endsWith(`.${suffix}`));
}

/** Reads labels as an address, with numbers in any notation; null if they are not one. */
function readIpv4(labels: readonly string[]): ipaddr.IPv4 | null {
  // A browser reads `0x` alone as 0.
  const text = labels.map((label) => (label === '0x' ? '0' : label)).join('.');
  return ipaddr.IPv4.isValid(text) ? ipaddr.IPv4.parse(text) : null;
}

/** Returns the address in a text, with or without brackets, or null. A zone id is left out: it names an interface of this machine. */
function readIpv6(text: string): ipaddr.IPv6 | null {
  const inner = /^\[(.*)\]$/.exec(text)?.[1] ?? text;
  const address = inner.replace(/%.*$/, '');
  const last = address.slice(address.lastIndexOf(':') + 1);
  // The package reads 010 at the end as ten and 0x1 as one; a browser refuses both.
  if (last.includes('.') && !ipaddr.IPv4.isValidFourPartDecimal(last)) return null;
  return ipaddr.IPv6.isValid(address) ? ipaddr.IPv6.parse(address) : null;
}

/** Kinds of the ranges that the package names; a range missing here counts as reserved. */
const kindOfRange: Readonly<Record<string, AddressKind>> = {
  unicast: 'public',
  // Routers forward these: name servers for private networks, and relays of multicast.
  amt: 'public',
  as112: 'public',
  as112v6: 'public',
  loopback: 'loopback',
  private: 'private',
  uniqueLocal: 'private',
  deprecatedSiteLocal: 'private',
  // The part that belongs to a network; the other part holds an IPv4 address.
  rfc6052: 'private',
  linkLocal: 'linkLocal',
  carrierGradeNat: 'carrier',
  multicast: 'multicast',
  unspecified: 'unspecified',
};

function kindOfIpv4(address: ipaddr.IPv4): AddressKind {
  // The package counts them as reserved.
  if (address.match(ipaddr.IPv4.parse('198.18.0.0'), 15)) return 'benchmark';
  return kindOfRange[address.range()] ?? 'reserved';
}

function kindOfIpv6(address: ipaddr.IPv6): AddressKind {
  const range = address.range();
  if (range === 'loopback' || range === 'unspecified') return range;
  const inner = ipv4Inside(address.parts);
  if (inner !== null) return kindOfIpv4(inner);
  const kind = kindByPrefix(range, address.parts);
  const behind = ipv4BehindIsatap(address.parts);
  return behind === null || kindOfIpv4(behind) === 'public' ? kind : kindOfIpv4(behind);
}

/** Returns the IPv4 address that an IPv6 address leads to; null if there is none. The package reads only the mapped ones. */
function ipv4Inside(parts: readonly number[]): ipaddr.IPv4 | null {
  const [a, b = 0, c = 0, , e, f, g = 0, h = 0] = parts;
  const zeroTo = (count: number) => parts.slice(0, count).every((part) => part === 0);
  // IPv4-mapped, IPv4-translated and IPv4-compatible.
  if ((zeroTo(5) && f === 0xffff) || (zeroTo(4) && e === 0xffff && f === 0) || zeroTo(6)) return ipv4Of(g, h);
  if (a === 0x64 && b === 0xff9b && parts.slice(2, 6).every((part) => part === 0)) return ipv4Of(g, h);
  return a === 0x2002 ? ipv4Of(b, c) : null;
}

/** Reads the IPv4 address of ISATAP, which follows 0:5efe or 200:5efe. */
function ipv4BehindIsatap(parts: readonly number[]): ipaddr.IPv4 | null {
  const [, , , , e, f, g = 0, h = 0] = parts;
  return (e === 0 || e === 0x200) && f === 0x5efe ? ipv4Of(g, h) : null;
}

function ipv4Of(high: number, low: number): ipaddr.IPv4 {
  return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
}

function kindByPrefix(range: string, [a = 0, b = 0]: readonly number[]): AddressKind {
  const kind = kindOfRange[range] ?? 'reserved';
  if (kind !== 'public') return kind;
  // Only 2000::/3 is assigned, and 2001::/23 is reserved for protocols.
  return (a & 0xe000) === 0x2000 && !(a === 0x2001 && b < 0x200) ? 'public' : 'reserved';
}
