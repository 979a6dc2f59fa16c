import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { AppError } from '#shared/errors.ts';
import { derContentAt, derElements } from '#shared/json/der.ts';
import { pemBlocks } from '../network/authorities.ts';

/** A client certificate with what vouches for it, in PEM, the own one first, and its private key (PKCS#8, base64). */
export interface ReadClientCertificate {
  readonly certificate: string;
  readonly key: string;
}

const pemKey = /-----BEGIN ((?:RSA |EC |ENCRYPTED )?PRIVATE KEY)-----[\s\S]{1,50000}?-----END \1-----/;

/**
 * Reads a certificate and its private key from files: PEM, in one or two of them, or PKCS#12. Fails with `invalid_input`, in words that hold
 * nothing of a file.
 */
export function readClientCertificate(files: readonly Uint8Array[], passphrase: string): ReadClientCertificate {
  const [first] = files;
  if (first?.[0] === 0x30 && files.length === 1) return fromPkcs12(Buffer.from(first), passphrase);
  const text = files.map((bytes) => Buffer.from(bytes).toString('latin1')).join('\n');
  const [pem] = pemKey.exec(text) ?? [];
  if (pem === undefined)
    throw invalid('There is no private key in PEM form. Choose the certificate and its key, or a PKCS#12 file.');
  return pairOf(
    pemBlocks(text),
    opened(() => createPrivateKey({ key: pem, passphrase })),
  );
}

function fromPkcs12(der: Buffer, passphrase: string): ReadClientCertificate {
  // OpenSSL checks the passphrase and finds the certificates. No connection is made by this context: it would trust what is in the file.
  const { context } = opened(() => createSecureContext({ pfx: der, passphrase })) as unknown as {
    context: { getCertificate(): Buffer | null; getIssuer(): Buffer | null };
  };
  const certificates = [context.getCertificate(), context.getIssuer()].flatMap((one) =>
    one === null ? [] : [new X509Certificate(one).toString()],
  );
  return pairOf(
    certificates,
    opened(() => createPrivateKey({ key: keyOfPkcs12(der), format: 'der', type: 'pkcs8', passphrase })),
  );
}

const [keyBag, shroudedKeyBag] = [1, 2].map((last) => `2a864886f70d010c0a01${`0${last}`}`);

/** Returns the key of a PKCS#12 file as it is there (RFC 7292, section 4.2); fails if it is not where all programs put it. */
function keyOfPkcs12(der: Uint8Array): Buffer {
  for (const { content: info } of derElements(derContentAt(der, 0, 1, 1, 0, 0))) {
    for (const { content: bag } of derElements(derContentAt(info, 1, 0, 0))) {
      const [id, value] = derElements(bag);
      const kind = Buffer.from(id?.content ?? []).toString('hex');
      if (value !== undefined && (kind === keyBag || kind === shroudedKeyBag)) return Buffer.from(value.content);
    }
  }
  throw invalid('Croupier finds no private key in this PKCS#12 file. Export it with its key.');
}

function pairOf(certificates: readonly string[], key: KeyObject): ReadClientCertificate {
  const all = certificates.map((pem) => {
    try {
      return new X509Certificate(pem);
    } catch {
      throw invalid('A certificate in the file cannot be read. Export it again.');
    }
  });
  if (all.length === 0) throw invalid('There is no certificate in PEM form. Choose the certificate together with its key.');
  const own = all.find((one) => one.checkPrivateKey(key));
  if (own === undefined)
    throw invalid("The private key doesn't belong to the certificate. Choose the key that it was issued for.");
  const others = all.filter((one) => one !== own && one.subject !== one.issuer);
  return {
    certificate: [own, ...others].map(String).join(''),
    key: key.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  };
}

/** Runs work that a passphrase may keep from succeeding. */
function opened<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const words = `${(error as NodeJS.ErrnoException).code ?? ''} ${String(error)}`;
    if (/MISSING_PASSPHRASE|NEED_PASSWORD|bad decrypt|mac verify|INTERRUPTED|cancelled|incorrect password/i.test(words))
      throw invalid('The passphrase is missing or wrong. Nothing was stored.', 'passphrase');
    if (/unsupported/i.test(words) && !/decoder/i.test(words))
      throw invalid('The file is encrypted in an outdated way, such as RC2. Export it again with AES.');
    if (/private key/i.test(words)) throw invalid('There is no private key in the PKCS#12 file. Export it with its key.');
    throw invalid('The file is neither PKCS#12 nor a certificate and key in PEM form, or it is damaged.');
  }
}

function invalid(message: string, field = 'clientCertificate'): AppError {
  return new AppError('invalid_input', message, { field });
}
