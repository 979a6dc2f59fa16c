/**
 * What a host is, by its spelling alone. `name` has to be resolved before anything can be said; `public` is an address that routers
 * forward; everything else stays on the machine or its network, or is nothing at all.
 */
export type AddressKind =
  | 'public'
  | 'name'
  | 'localName'
  | 'loopback'
  | 'private'
  | 'linkLocal'
  | 'carrier'
  | 'multicast'
  | 'unspecified'
  | 'reserved'
  | 'invalid';

/**
 * The kind of a host or an IP address in any spelling that a browser takes: short, octal and hexadecimal numbers, upper case, trailing
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
  // A host whose last label looks like a number is an IPv4 address or nothing (WHATWG URL, "ends in a number").
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
  localName: 'a name of the local network',
  loopback: 'an address of this computer',
  private: 'an address of a private network',
  linkLocal: 'a link-local address',
  carrier: 'an address of a carrier’s own network',
  multicast: 'a multicast address',
  unspecified: 'the unspecified address, which leads to this computer',
  reserved: 'a reserved address',
  invalid: 'something that is no address',
};

/** What a URL parser makes of a host before it looks at it; null where that cannot be done. */
function plainHost(host: string): string | null {
  let text = host;
  if (text.includes('%') && !text.includes(':')) {
    try {
      text = decodeURIComponent(text);
    } catch {
      return null;
    }
  }
  // Soft hyphens, zero-width characters and variation selectors vanish on the way to DNS; other scripts' full stops are dots.
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

/** A name without a dot is searched for on the local network. */
function isLocalName(labels: readonly string[]): boolean {
  if (labels.length === 1) return true;
  const name = labels.join('.');
  return localSuffixes.some((suffix) => name === suffix || name.endsWith(`.${suffix}`));
}

function readIpv4(labels: readonly string[]): number | null {
  if (labels.length > 4) return null;
  const numbers = labels.map(readNumber);
  const last = numbers.pop();
  if (last === undefined || last === null) return null;
  let value = 0;
  for (const [index, number] of numbers.entries()) {
    if (number === null || number > 255) return null;
    value += number * 256 ** (3 - index);
  }
  if (last >= 256 ** (4 - numbers.length)) return null;
  return value + last;
}

function readNumber(text: string): number | null {
  if (text === '') return null;
  if (/^0x[0-9a-f]*$/.test(text)) return text === '0x' ? 0 : Number.parseInt(text.slice(2), 16);
  if (/^0[0-7]*$/.test(text)) return Number.parseInt(text, 8);
  return /^[1-9]\d*$/.test(text) ? Number(text) : null;
}

/** Network, prefix length, kind: the special ranges of IANA's registry that matter here; the first that holds counts. */
const ipv4Ranges: readonly (readonly [network: number, bits: number, kind: AddressKind])[] = [
  [0x00000000, 8, 'unspecified'],
  [0x0a000000, 8, 'private'],
  [0x64400000, 10, 'carrier'],
  [0x7f000000, 8, 'loopback'],
  [0xa9fe0000, 16, 'linkLocal'],
  [0xac100000, 12, 'private'],
  [0xc0000000, 24, 'reserved'],
  [0xc0000200, 24, 'reserved'],
  [0xc0586300, 24, 'reserved'],
  [0xc0a80000, 16, 'private'],
  [0xc6120000, 15, 'reserved'],
  [0xc6336400, 24, 'reserved'],
  [0xcb007100, 24, 'reserved'],
  [0xe0000000, 4, 'multicast'],
  [0xf0000000, 4, 'reserved'],
];

function kindOfIpv4(address: number): AddressKind {
  for (const [network, bits, kind] of ipv4Ranges) {
    const size = 2 ** (32 - bits);
    if (address >= network && address < network + size) return kind;
  }
  return 'public';
}

/** Eight groups of 16 bits, or null. A zone id is left out: it names an interface of this machine. */
function readIpv6(text: string): number[] | null {
  const inner = /^\[(.*)\]$/.exec(text)?.[1] ?? text;
  const address = inner.replace(/%.*$/, '');
  if (!/^[0-9a-f:.]+$/.test(address)) return null;
  const halves = address.split('::');
  if (halves.length > 2) return null;
  const [head, tail] = halves.map(readGroups);
  if (head === null || head === undefined || tail === null) return null;
  if (tail === undefined) return head.length === 8 ? head : null;
  const missing = 8 - head.length - tail.length;
  return missing < 1 ? null : [...head, ...Array.from({ length: missing }, () => 0), ...tail];
}

function readGroups(text: string): number[] | null {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    if (part.includes('.') && index === parts.length - 1) {
      const labels = part.split('.');
      const address = labels.length === 4 ? readIpv4(labels) : null;
      if (address === null) return null;
      groups.push(Math.floor(address / 65_536), address % 65_536);
    } else if (/^[0-9a-f]{1,4}$/.test(part)) groups.push(Number.parseInt(part, 16));
    else return null;
  }
  return groups;
}

function kindOfIpv6(groups: readonly number[]): AddressKind {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups;
  const inner = (high: number, low: number) => kindOfIpv4(high * 65_536 + low);
  const zeroTo = (count: number) => groups.slice(0, count).every((group) => group === 0);
  if (zeroTo(7) && h <= 1) return h === 1 ? 'loopback' : 'unspecified';
  // IPv4-mapped, IPv4-translated and IPv4-compatible.
  if ((zeroTo(5) && f === 0xffff) || (zeroTo(4) && e === 0xffff && f === 0) || zeroTo(6)) return inner(g, h);
  if (a === 0x64 && b === 0xff9b) return c === 0 && d === 0 && e === 0 && f === 0 ? inner(g, h) : 'private';
  if (a === 0x2002) return inner(b, c);
  // ISATAP has the IPv4 address behind 0:5efe or 200:5efe.
  if ((e === 0 || e === 0x200) && f === 0x5efe) return inner(g, h) === 'public' ? kindByPrefix(a, b) : inner(g, h);
  return kindByPrefix(a, b);
}

function kindByPrefix(a: number, b: number): AddressKind {
  if ((a & 0xfe00) === 0xfc00) return 'private';
  if ((a & 0xffc0) === 0xfe80) return 'linkLocal';
  if ((a & 0xffc0) === 0xfec0) return 'private';
  if ((a & 0xff00) === 0xff00) return 'multicast';
  // Teredo, benchmarking, ORCHID and the rest of 2001::/23 lead elsewhere than they say; 2001:db8::/32 and 3fff::/20 are for documents.
  if (a === 0x2001 && (b < 0x200 || b === 0xdb8)) return 'reserved';
  if (a === 0x3fff && b < 0x1000) return 'reserved';
  // Only 2000::/3 is given out.
  return (a & 0xe000) === 0x2000 ? 'public' : 'reserved';
}
