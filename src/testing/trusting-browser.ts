import { createHash, X509Certificate } from 'node:crypto';
import { type Browser, chromium } from '@playwright/test';

/** Starts a Chromium that trusts one certificate, given as PEM, by its public key, and no other that nobody vouches for. */
export function launchTrusting(executablePath: string, certificate: string): Promise<Browser> {
  const key = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' });
  const pin = createHash('sha256').update(key).digest('base64');
  return chromium.launch({ executablePath, args: ['--no-sandbox', `--ignore-certificate-errors-spki-list=${pin}`] });
}
