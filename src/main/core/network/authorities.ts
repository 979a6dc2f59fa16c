import { X509Certificate } from 'node:crypto';
import { readUsersText } from '../files/files.ts';
import type { Reading } from '../untrusted/jobs.ts';

declare module '../untrusted/jobs.ts' {
  interface ReadingJobs {
    'authorities.find': typeof findAuthorities;
  }
}

/** Environment variables that name a file with more authorities. On Linux, the system's own include those of SSL_CERT_FILE. */
const variables = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'];

/** Finds the authorities of this computer (PEM) that complete a chain; none fit if it is empty. Never fails. */
export type Authorities = (chain: readonly X509Certificate[]) => Promise<readonly string[]>;

/**
 * Finds authorities in the system's store and in the files of NODE_EXTRA_CA_CERTS and SSL_CERT_FILE, in a thread: reading the store can
 * take longer than a call. Chains with the same end have the same answer until this program ends, as the system's store has for Node.
 */
export function createAuthorities(reading: Reading): Authorities {
  const known = new Map<string, Promise<readonly string[]>>();

  return (chain) => {
    const key = chain.at(-1)?.issuer ?? '';
    const found = known.get(key) ?? find(chain).catch(() => []);
    known.set(key, found);
    return found;
  };

  async function find(chain: readonly X509Certificate[]): Promise<readonly string[]> {
    const input = {
      chain: chain.map(({ raw }) => new Uint8Array(raw)),
      files: variables.map((name) => textOf(process.env[name])),
    };
    // Not in place: reading the store would hold up everything else.
    const options = { subject: 'The certificate chain', bytes: 0, inPlace: false };
    return reading.run('authorities.find', input, options);
  }
}

/** A file that cannot be read has no authority. */
function textOf(path: string | undefined): string {
  try {
    return path === undefined || path === '' ? '' : readUsersText('authorities.file', path);
  } catch {
    return '';
  }
}

/** Returns the authorities of the system and of these PEM texts that vouch for a certificate of the chain, and those that vouch for them. */
export async function findAuthorities({
  chain,
  files,
}: {
  chain: readonly Uint8Array[];
  files: readonly string[];
}): Promise<string[]> {
  const { getCACertificates } = await import('node:tls');
  const all = [...getCACertificates('system'), ...files.flatMap(pemBlocks)].flatMap(readable);
  const wanted = chain.map((der) => new X509Certificate(der));
  const found = new Map<string, string>();
  for (const one of wanted) {
    for (const authority of all) {
      if (found.has(authority.fingerprint256) || !(one.raw.equals(authority.raw) || one.checkIssued(authority))) continue;
      found.set(authority.fingerprint256, authority.toString());
      wanted.push(authority);
    }
  }
  return [...found.values()];
}

function readable(pem: string): X509Certificate[] {
  try {
    return [new X509Certificate(pem)];
  } catch {
    return [];
  }
}

/** Returns the certificates in a PEM text. */
export function pemBlocks(pem: string): string[] {
  return pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
}

/** The error of a chain that nobody known here vouches for, with where it ends by what the server sent. */
export class UntrustedChain extends Error {
  override readonly name = 'UntrustedChain';
  readonly code: string;
  /** Name of the authority at which the chain ends. */
  readonly authority: string;
  /** True if the server sent the certificate of that authority. */
  readonly sent: boolean;
  /** URL at which the chain says that this certificate is; null if it says none. */
  readonly source: string | null;

  constructor(cause: NodeJS.ErrnoException, last: X509Certificate) {
    super(cause.message, { cause });
    this.code = cause.code ?? '';
    this.authority = nameIn(last.issuer);
    this.sent = last.issuer === last.subject;
    this.source = /^CA Issuers - URI:(https?:\/\/[\x21-\x7e]{1,200})$/m.exec(last.infoAccess ?? '')?.[1] ?? null;
  }
}

/** Returns the common name in a distinguished name, else all of it. */
export function nameIn(distinguished: string): string {
  const name = /^CN=(.*)$/m.exec(distinguished)?.[1] ?? distinguished.replaceAll('\n', ', ');
  return name.replaceAll(/\p{Cc}/gu, ' ').slice(0, 100);
}

/** Returns a certificate and those that the server sent to vouch for it, up to the last. */
export function chainOf(leaf: X509Certificate | undefined): X509Certificate[] {
  const chain: X509Certificate[] = [];
  for (let at = leaf; at !== undefined && chain.length < 20; at = at.issuerCertificate) {
    const { raw } = at;
    if (chain.some((one) => one.raw.equals(raw))) break;
    chain.push(at);
  }
  return chain;
}
