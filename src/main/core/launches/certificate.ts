import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

/**
 * Returns whether a server's certificate (PEM) was issued for the host by one of the environment's own authorities (PEM, any
 * number), or is itself one of them. Checks signature, names and dates; does not follow longer chains. `now` is in milliseconds
 * since the epoch.
 */
export function isIssuedByOwn(certificate: string, hostname: string, authorities: string, now: number): boolean {
  try {
    const leaf = new X509Certificate(certificate);
    const host = hostname.replace(/^\[|\]$/g, '');
    const named = isIP(host) === 0 ? leaf.checkHost(host) : leaf.checkIP(host);
    if (named === undefined || !isValidAt(leaf, now)) return false;
    return (authorities.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).some((pem) => {
      const authority = new X509Certificate(pem);
      if (authority.raw.equals(leaf.raw)) return true;
      return authority.ca && isValidAt(authority, now) && leaf.checkIssued(authority) && leaf.verify(authority.publicKey);
    });
  } catch {
    return false;
  }
}

function isValidAt({ validFromDate, validToDate }: X509Certificate, now: number): boolean {
  return validFromDate.getTime() <= now && now <= validToDate.getTime();
}
