import { X509Certificate } from 'node:crypto';
import type { SecureContext, TLSSocket } from 'node:tls';
import type { Voucher } from '#shared/ipc/calls.ts';
import { readUsersText } from '../files/files.ts';
import type { Reading } from '../untrusted/jobs.ts';

declare module '../untrusted/jobs.ts' {
  interface ReadingJobs {
    'authorities.find': typeof findAuthorities;
  }
}

/** Environment variables that name a file with more authorities. On Linux, the system's own include those of SSL_CERT_FILE. */
const variables = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'] as const;

/** An authority that is trusted beside Node's, in PEM, and the set that it is of. */
export interface Authority {
  readonly pem: string;
  readonly from: Voucher;
}

/** Finds the authorities of this computer that complete a chain; none fit if it is empty. Never fails. */
export type Authorities = (chain: readonly X509Certificate[]) => Promise<readonly Authority[]>;

/**
 * Finds authorities in the system's store and in the files of NODE_EXTRA_CA_CERTS and SSL_CERT_FILE, in a thread: reading the store can
 * take longer than a call. Chains with the same end have the same answer until this program ends, as the system's store has for Node.
 */
export function createAuthorities(reading: Reading): Authorities {
  const known = new Map<string, Promise<readonly Authority[]>>();

  return (chain) => {
    const key = chain.at(-1)?.issuer ?? '';
    const found = known.get(key) ?? find(chain).catch(() => []);
    known.set(key, found);
    return found;
  };

  async function find(chain: readonly X509Certificate[]): Promise<readonly Authority[]> {
    const input = {
      chain: chain.map(({ raw }) => new Uint8Array(raw)),
      files: variables.map((from) => ({ from, text: textOf(process.env[from]) })),
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

/** Returns the authorities of these PEM texts and of the system that vouch for a certificate of the chain, and those that vouch for them. */
export async function findAuthorities({
  chain,
  files,
}: {
  chain: readonly Uint8Array[];
  files: readonly { readonly from: Voucher; readonly text: string }[];
}): Promise<Authority[]> {
  const { getCACertificates } = await import('node:tls');
  const of = (from: Voucher, pems: readonly string[]) => pems.flatMap(readable).map((certificate) => ({ from, certificate }));
  const all = [...files.flatMap(({ from, text }) => of(from, pemBlocks(text))), ...of('system', getCACertificates('system'))];
  const nodes = new Set(
    getCACertificates('bundled')
      .flatMap(readable)
      .map(({ fingerprint256 }) => fingerprint256),
  );
  const wanted = chain.map((der) => new X509Certificate(der));
  const found = new Map<string, Authority>();
  for (const one of wanted) {
    for (const { from, certificate } of all) {
      const { fingerprint256 } = certificate;
      if (found.has(fingerprint256) || !(one.raw.equals(certificate.raw) || one.checkIssued(certificate))) continue;
      found.set(fingerprint256, { pem: certificate.toString(), from: nodes.has(fingerprint256) ? 'node' : from });
      wanted.push(certificate);
    }
  }
  return [...found.values()];
}

/** Returns the set of authorities that vouched for a server: the first of `beside` with one that issued a certificate of its chain, else Node's. */
export function voucherOf(socket: TLSSocket, beside: readonly Authority[]): Voucher {
  if (beside.length === 0) return 'node';
  const chain = chainOf(socket.getPeerX509Certificate());
  const vouches = ({ pem }: Authority) =>
    readable(pem).some((authority) =>
      chain.some((one) => one.raw.equals(authority.raw) || (one.checkIssued(authority) && one.verify(authority.publicKey))),
    );
  return beside.find(vouches)?.from ?? 'node';
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
function chainOf(leaf: X509Certificate | undefined): X509Certificate[] {
  const chain: X509Certificate[] = [];
  for (let at = leaf; at !== undefined && chain.length < 20; at = at.issuerCertificate) {
    const { raw } = at;
    if (chain.some((one) => one.raw.equals(raw))) break;
    chain.push(at);
  }
  return chain;
}

/** The checks that other authorities can change. */
export const authorityCodes: ReadonlySet<string | undefined> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/**
 * Returns a function that returns the chain of a server whose certificate Node refused; empty for one that it took, of which nothing is
 * read, because Node would then find other names in it. With the connection that is refused, the chain goes: it is read before Node looks.
 */
export function watchRefusal(socket: TLSSocket): () => X509Certificate[] {
  let leaf: X509Certificate | undefined;
  socket.prependOnceListener('secure', () => {
    const { _handle } = socket as { _handle?: { verifyError?(): unknown } | null };
    if ((_handle?.verifyError?.() ?? null) !== null) leaf = socket.getPeerX509Certificate();
  });
  return () => chainOf(leaf);
}

/**
 * Returns what trusts the authority of an environment (PEM, empty for none) and others beside the public ones. `own` is what it shows to who asks
 * for a certificate.
 */
export async function trustingAlso(
  ca: string,
  added: readonly Authority[],
  own: { readonly cert: string; readonly key: string } | null = null,
): Promise<SecureContext> {
  const { createSecureContext } = await import('node:tls');
  // A pinned certificate need not be an authority: then the chain ends at it.
  const secureContext = createSecureContext({ minVersion: 'TLSv1.2', allowPartialTrustChain: ca !== '', ...own });
  // What `ca` does (lib/internal/tls/secure-context.js), but beside the public ones, which would be parsed again: 45 ms of a first call.
  const context = secureContext.context as { addCACert(pem: string): void };
  for (const pem of [ca, ...added.map((one) => one.pem)]) if (pem !== '') context.addCACert(pem);
  return secureContext;
}
