import { X509Certificate } from 'node:crypto';
import { AppError } from '#shared/errors.ts';
import type { Environment } from '#shared/ipc/index.ts';
import { derContentAt, derElements } from '#shared/json/der.ts';
import { pemOfBase64 } from '#shared/json/file-text.ts';
import { lookOf } from '#shared/json/hidden-characters.ts';
import { isTimeZone } from '#shared/signing/time.ts';
import { pemBlocks } from '../network/authorities.ts';
import { parseAddress } from '../network/connections.ts';
import { proxyAddress } from '../network/proxies.ts';

/** An environment with its addresses in their stored form. Fails with `invalid_input`; `details.field` names the field at fault. */
export function validateEnvironment(environment: Environment): Environment {
  const name = environment.name.trim();
  if (lookOf(name) === '') throw invalid('name', 'The name is empty. Enter one.');
  if (environment.kind === 'sandbox' && environment.id !== sandboxId) {
    throw invalid('kind', `Only the built-in provider's environment can be of the kind "sandbox".`);
  }
  const settings = storedSettings(environment);
  const ca = plainPem(environment.ca);
  certificatesIn(ca);
  const { proxy: given, ...rest } = environment;
  const proxy = storedProxy(given);
  return { ...rest, name, ...settings, ca, ...(proxy === null ? {} : { proxy }) };
}

/** Returns `none`, the address of a proxy in its stored form, or null for what this computer says. Fails as `validateEnvironment` does. */
function storedProxy(proxy: string | undefined): string | null {
  const text = proxy?.trim() ?? '';
  if (text === '' || text === 'system') return null;
  if (text === 'none') return text;
  const found = proxyAddress(text, 'The proxy');
  if ('problem' in found) throw invalid('proxy', found.problem);
  return found.address;
}

type Target = Pick<Environment, 'baseUrl' | 'walletUrl' | 'timeZone'>;

/** Returns URLs and zone in their stored form. Fails as `validateEnvironment` does. */
export function storedSettings({ baseUrl, walletUrl, timeZone }: Target): Target {
  const base = address(baseUrl, 'baseUrl', 'The base URL');
  const wallet = walletUrl.trim() === '' ? '' : address(walletUrl, 'walletUrl', 'The wallet URL');
  if (!isNamedZone(timeZone)) {
    throw invalid('timeZone', `${timeZone} is not a time zone that this machine knows. Use a name such as Europe/Berlin or UTC.`);
  }
  return { baseUrl: base, walletUrl: wallet, timeZone };
}

/** Refuses a base URL that ends in the path which Croupier adds. Files of earlier versions may have one, and are read. */
export function validateServicePath({ baseUrl }: Pick<Environment, 'baseUrl'>): void {
  if (!baseUrl.endsWith(servicePath)) return;
  const rest = baseUrl.slice(0, -servicePath.length);
  throw invalid('baseUrl', `Croupier adds ${servicePath} to the base URL itself. Leave it out: ${rest}`);
}

const servicePath = '/serviceApi.php';

/** ID of the built-in provider's environment. */
export const sandboxId = 'sandbox';

function address(text: string, field: string, what: string): string {
  const check = parseAddress(text, what);
  if (!check.ok) throw invalid(field, check.message);
  return check.address;
}

/** An offset such as +02:00 would be taken too, and be wrong for half of the year. */
function isNamedZone(name: string): boolean {
  return /^[A-Za-z]/.test(name) && isTimeZone(name);
}

/** Blocks of PEM that are no certificate, with what to do. */
const otherBlocks: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN (?:PKCS7|CMS)-----/, 'is PKCS#7 (.p7b) without a readable certificate. Export it again, with the certificates.'],
  [/-----BEGIN TRUSTED CERTIFICATE-----/, "is in OpenSSL's own form. Convert it: openssl x509 -in FILE -out ca.pem"],
  [/-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----/, 'is a certificate request. Enter the issued certificate.'],
  [/-----BEGIN PUBLIC KEY-----/, 'is a public key. Enter the certificate that contains it.'],
];

/** Returns the certificates of a PEM text, in their order; none of an empty one. Fails as `validateEnvironment` does. */
export function certificatesIn(pem: string): X509Certificate[] {
  if (pem.trim() === '') return [];
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem)) {
    throw invalid('ca', 'The CA certificate contains a private key. Enter only the certificate.');
  }
  const blocks = pemBlocks(pem);
  if (blocks.length === 0) {
    const problem = otherBlocks.find(([label]) => label.test(pem))?.[1];
    throw invalid('ca', `The CA certificate ${problem ?? 'is not in PEM form: it must start with -----BEGIN CERTIFICATE-----.'}`);
  }
  return blocks.map((block, index) => {
    try {
      return new X509Certificate(block);
    } catch {
      const which = blocks.length === 1 ? 'The CA certificate' : `Certificate ${index + 1} of ${blocks.length}`;
      throw invalid('ca', `${which} cannot be read. Copy it again, whole, with its first and last line.`);
    }
  });
}

/** Returns a PEM text with the certificates of each PKCS#7 block (.p7b) in its place; a block without any stays. */
export function plainPem(pem: string): string {
  return pem.replaceAll(/-----BEGIN (PKCS7|CMS)-----([^-]*)-----END \1-----/g, (block: string, _, base64: string) => {
    const found = certificatesOfPkcs7(Buffer.from(base64, 'base64'));
    return found.length === 0
      ? block
      : found.map((der) => pemOfBase64(Buffer.from(der).toString('base64'), 'CERTIFICATE')).join('');
  });
}

/** Returns the certificates of a signedData (RFC 2315, section 9.1): its field [0]. */
function certificatesOfPkcs7(der: Uint8Array): Uint8Array[] {
  const signedData = derElements(derContentAt(der, 0, 1, 0));
  return derElements(signedData.find(({ tag }) => tag === 0xa0)?.content ?? new Uint8Array()).map(({ whole }) => whole);
}

function invalid(field: string, message: string): AppError {
  return new AppError('invalid_input', message, { field });
}
