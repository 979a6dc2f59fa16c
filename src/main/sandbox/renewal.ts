import { X509Certificate } from 'node:crypto';
import { prepareCertificate, renewBelowDays, type Exclusively, type SandboxCertificate } from './certificate.ts';

export interface KeptCertificateDeps {
  readonly directory: string;
  /** Milliseconds since the epoch. The clock may jump, and does not advance while the process is suspended. */
  readonly now: () => number;
  readonly exclusively: Exclusively;
  /** Host names of the provider. */
  readonly names?: readonly string[];
  readonly onRenewed: (certificate: SandboxCertificate) => void;
  readonly onFault: (error: unknown) => void;
}

const dayMs = 86_400_000;
/** Milliseconds of the monotonic clock between polls: after a sleep or a jump, the wall clock is checked within this time, or at a connection. */
const pollMs = 60_000;

/**
 * Renewal of a certificate, because a provider may run for longer than it is valid. Finds or makes the certificate, and replaces it when
 * less than 7 days are left, as `prepareCertificate` does.
 */
export async function keepCertificate(deps: KeptCertificateDeps) {
  const { directory, now, exclusively, names, onRenewed, onFault } = deps;
  let current = await prepareCertificate(directory, now(), exclusively, names);
  let span = spanOf(current);
  let renewing: Promise<void> | null = null;
  let failed = false;

  async function replace(): Promise<void> {
    try {
      current = await prepareCertificate(directory, now(), exclusively, names);
      span = spanOf(current);
      failed = false;
      onRenewed(current);
    } catch (error) {
      // The next check tries again; the old one may be good for days.
      if (!failed) onFault(error);
      failed = true;
    } finally {
      renewing = null;
    }
  }

  /** Checks the clock: null if the certificate is good, otherwise resolves after it was replaced or that failed. Never fails. */
  function renew(): Promise<void> | null {
    const time = now();
    if (time >= span.from && time < span.to - renewBelowDays * dayMs) return null;
    return (renewing ??= replace());
  }

  const timer = setInterval(() => void renew(), pollMs);
  timer.unref();
  return {
    get current(): SandboxCertificate {
      return current;
    },
    renew,
    close: (): void => clearInterval(timer),
  };
}

function spanOf({ cert }: SandboxCertificate): { readonly from: number; readonly to: number } {
  const { validFrom, validTo } = new X509Certificate(cert);
  return { from: Date.parse(validFrom), to: Date.parse(validTo) };
}
