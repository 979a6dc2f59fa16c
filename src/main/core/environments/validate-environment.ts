import { X509Certificate } from 'node:crypto';
import { AppError } from '#shared/errors.ts';
import type { Environment } from '#shared/ipc/index.ts';
import { lookOf } from '#shared/json/hidden-characters.ts';
import { isTimeZone } from '#shared/signing/time.ts';
import { parseAddress } from '../network/connections.ts';

/** An environment with its addresses in their stored form. Fails with `invalid_input`; `details.field` names the field at fault. */
export function validateEnvironment(environment: Environment): Environment {
  const name = environment.name.trim();
  if (lookOf(name) === '') throw invalid('name', 'The name is empty. Enter one.');
  if (environment.kind === 'sandbox' && environment.id !== sandboxId) {
    throw invalid('kind', `Only the built-in provider's environment can be of the kind "sandbox".`);
  }
  const settings = storedSettings(environment);
  certificatesIn(environment.ca);
  return { ...environment, name, ...settings };
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
  [/-----BEGIN (?:PKCS7|CMS)-----/, 'is PKCS#7 (.p7b). Convert it: openssl pkcs7 -in FILE -print_certs -out ca.pem'],
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
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g);
  if (blocks === null) {
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

function invalid(field: string, message: string): AppError {
  return new AppError('invalid_input', message, { field });
}
