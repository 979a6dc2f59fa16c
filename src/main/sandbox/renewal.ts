import { X509Certificate } from 'node:crypto';
import { prepareCertificate, renewBelowDays, type Exclusively, type SandboxCertificate } from './certificate.ts';

/** The certificate of a provider that may run for longer than it is valid. */
export interface KeptCertificate {
  readonly current: SandboxCertificate;
  /** Looks at the clock: null where the certificate is good, else when there is another one, or none could be made. Never fails. */
  renew(): Promise<void> | null;
  close(): void;
}

export interface KeptCertificateDeps {
  readonly directory: string;
  /** Milliseconds since the epoch. It may jump, and stands still for whoever is suspended. */
  readonly now: () => number;
  readonly exclusively: Exclusively;
  readonly onRenewed: (certificate: SandboxCertificate) => void;
  readonly onFault: (error: unknown) => void;
}

const dayMs = 86_400_000;
/** By the clock that nobody sets: after a sleep or a jump the other one is looked at within this time, or when a connection comes. */
const lookMs = 60_000;

/** Makes or finds the certificate, and another one while less than 7 of its days are left, as `prepareCertificate` does. */
export async function keepCertificate(deps: KeptCertificateDeps): Promise<KeptCertificate> {
  const { directory, now, exclusively, onRenewed, onFault } = deps;
  let current = await prepareCertificate(directory, now(), exclusively);
  let span = spanOf(current);
  let renewing: Promise<void> | null = null;
  let failed = false;

  async function replace(): Promise<void> {
    try {
      current = await prepareCertificate(directory, now(), exclusively);
      span = spanOf(current);
      failed = false;
      onRenewed(current);
    } catch (error) {
      // It is tried again at each look; the old one may be good for days.
      if (!failed) onFault(error);
      failed = true;
    } finally {
      renewing = null;
    }
  }

  function renew(): Promise<void> | null {
    const time = now();
    if (time >= span.from && time < span.to - renewBelowDays * dayMs) return null;
    return (renewing ??= replace());
  }

  const looking = setInterval(() => void renew(), lookMs);
  looking.unref();
  return {
    get current() {
      return current;
    },
    renew,
    close: () => clearInterval(looking),
  };
}

function spanOf({ cert }: SandboxCertificate): { readonly from: number; readonly to: number } {
  const { validFrom, validTo } = new X509Certificate(cert);
  return { from: Date.parse(validFrom), to: Date.parse(validTo) };
}
