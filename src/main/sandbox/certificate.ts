import { KeyObject, randomBytes, webcrypto, X509Certificate } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { AppError, reasonAndAdvice } from '#shared/errors.ts';
import { beyond } from '#shared/model/readers.ts';

/** Certificate and key of the provider, as PEM. */
export interface SandboxCertificate {
  readonly ca: string;
  readonly caFile: string;
  readonly cert: string;
  readonly key: string;
}

const dayMs = 86_400_000;
const validDays = 30;
/** Days before expiry at which a certificate is replaced. */
export const renewBelowDays = 7;

/** Runs the work while no other process of the same home does such work. */
export type Exclusively = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Returns the certificate for `names` that is kept in `directory`, and makes a new one if there is none, if it cannot be used,
 * or when less than 7 of its 30 days are left. The authority's own key is thrown away after it has signed this one certificate,
 * so whoever trusts the authority trusts nothing else. Several processes may ask at the same time: `exclusively` lets one of them make it.
 */
export async function prepareCertificate(
  directory: string,
  now: number,
  exclusively: Exclusively,
  names: readonly string[] = ['localhost'],
): Promise<SandboxCertificate> {
  const bundleFile = join(directory, 'certificate.pem');
  const caFile = join(directory, 'ca.pem');
  await makeFolder(directory);
  const find = () => readBundle(bundleFile, caFile, now, names);
  const kept = await find();
  if (kept !== null) return kept;
  return exclusively(async () => {
    // Between the check and the lock another process may have made one.
    const found = await find();
    if (found !== null) return found;
    const made = await makeCertificate(now, names);
    await replaceFile(caFile, made.ca);
    await replaceFile(bundleFile, `${made.key}${made.cert}${made.ca}`);
    return { ...made, caFile };
  });
}

async function makeFolder(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await chmod(directory, 0o700);
  } catch (error) {
    throw storageError(directory, error);
  }
}

/** Reads the kept certificate; null if there is no file, or it is foreign, damaged, soon to expire or without one of the names. */
async function readBundle(
  bundleFile: string,
  caFile: string,
  now: number,
  names: readonly string[],
): Promise<SandboxCertificate | null> {
  const bundle = await readText(bundleFile);
  const ca = await readText(caFile);
  const parts =
    /^(-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----\n)(-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n)(-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n)$/.exec(
      bundle ?? '',
    );
  const [, key, cert, authority] = parts ?? [];
  if (!key || !cert || !authority || authority !== ca) return null;
  if (!isUsable(cert, authority, now, names)) return null;
  await chmod(bundleFile, 0o600);
  await chmod(caFile, 0o600);
  return { ca, caFile, cert, key };
}

function isUsable(cert: string, ca: string, now: number, names: readonly string[]): boolean {
  try {
    const leaf = new X509Certificate(cert);
    const left = Date.parse(leaf.validTo) - now;
    const isNow = left >= renewBelowDays * dayMs && Date.parse(leaf.validFrom) <= now;
    return (
      isNow &&
      names.every((name) => (isIP(name) === 0 ? leaf.checkHost(name) : leaf.checkIP(name))) &&
      leaf.verify(new X509Certificate(ca).publicKey)
    );
  } catch {
    return false;
  }
}

async function makeCertificate(now: number, names: readonly string[]): Promise<{ ca: string; cert: string; key: string }> {
  // Loaded only when a certificate has to be made, which is about once in three weeks.
  const x509 = await import('@peculiar/x509');
  const { X509CertificateGenerator: generator, KeyUsageFlags, KeyUsagesExtension } = x509;
  const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const makeKeys = () => webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
  const [authorityKeys, keys] = [await makeKeys(), await makeKeys()];
  const usual = {
    // A minute of grace for a client whose clock is a little behind.
    notBefore: new Date(now - 60_000),
    notAfter: new Date(now + validDays * dayMs),
    signingAlgorithm,
  };
  // Python looks for the names of both keys from 3.13 on.
  const authority = await generator.createSelfSigned({
    ...usual,
    name: `CN=Croupier sandbox ${randomBytes(6).toString('hex')}`,
    keys: authorityKeys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  });
  const leaf = await generator.create({
    ...usual,
    subject: 'CN=localhost',
    issuer: authority.subject,
    publicKey: keys.publicKey,
    signingKey: authorityKeys.privateKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        [...names, '127.0.0.1', '::1'].map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value })),
      ),
      await x509.AuthorityKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  });
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString();
  return { ca: endLine(authority.toString('pem')), cert: endLine(leaf.toString('pem')), key: endLine(key) };
}

function endLine(pem: string): string {
  return `${pem.replaceAll('\r', '').trimEnd()}\n`;
}

async function readText(file: string): Promise<string | null> {
  try {
    // A foreign file is replaced like a damaged one; opening a pipe would wait for a writer.
    const found = await stat(file);
    return found.isFile() && beyond('provider.certificate', { bytes: found.size }) === null ? await readFile(file, 'utf8') : null;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw storageError(file, error);
  }
}

async function replaceFile(file: string, text: string): Promise<void> {
  // One process at a time writes it. Where Windows holds it for a moment, the next try finds it.
  const temporary = `${file}.new`;
  try {
    await rm(temporary, { force: true });
    await writeFile(temporary, text, { mode: 0o600, flag: 'wx', flush: true });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw storageError(file, error);
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function storageError(file: string, cause: unknown): AppError {
  const message = `The built-in provider's certificate cannot be kept in ${file}: ${reasonAndAdvice(cause)}`;
  return new AppError('storage', message, undefined, { cause });
}
