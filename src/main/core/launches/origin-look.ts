import { isIP } from 'node:net';

/** The outcome of a connection to a game's origin. `untrusted`: its certificate did not pass; `reason` completes a sentence. */
export type OriginLook =
  | { readonly outcome: 'reached' }
  | { readonly outcome: 'untrusted' | 'unreached'; readonly reason: string };

/** Milliseconds for the connection and its certificate. */
const lookMs = 5_000;

/** The certificate checks that fail most often, in words that complete a sentence. */
const certificateWords: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'comes from an authority that this machine does not know',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'comes from an authority that this machine does not know',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'comes from an authority that this machine does not know',
};

/**
 * Connects to the origin of a launcher URL and checks its certificate by the public authorities, as a browser does that knows none of
 * the environment's own. It asks for nothing: a launch token may be good only once. `addresses` have been judged. Never fails.
 */
export async function lookAtOrigin(origin: string, addresses: readonly string[]): Promise<OriginLook> {
  // A command that sends nothing does not load it.
  const { connect } = await import('node:tls');
  const { hostname, port } = new URL(origin);
  const name = hostname.replace(/^\[|\]$/g, '');
  const { promise, resolve } = Promise.withResolvers<OriginLook>();
  const socket = connect({
    host: addresses[0] ?? name,
    port: Number(port || 443),
    // A server name is never an address (RFC 6066, 3); the certificate is then checked for the address.
    ...(isIP(name) === 0 ? { servername: name } : {}),
    ALPNProtocols: ['http/1.1'],
  });
  const end = (look: OriginLook) => {
    resolve(look);
    socket.destroy();
  };
  socket.setTimeout(lookMs, () => end({ outcome: 'unreached', reason: `no response within ${lookMs / 1_000} s` }));
  socket.once('secureConnect', () => end({ outcome: 'reached' }));
  socket.once('error', (error: NodeJS.ErrnoException) => {
    const words = certificateWords[error.code ?? ''];
    if (words !== undefined) end({ outcome: 'untrusted', reason: words });
    else end({ outcome: 'unreached', reason: error.code ?? error.message });
  });
  return promise;
}
