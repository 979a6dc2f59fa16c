import { X509Certificate } from 'node:crypto';
import type { Failure } from '#shared/ipc/index.ts';
import { listed } from '#shared/listed.ts';
import { mostResponseBytes } from '#shared/model/limits.ts';
import { nameIn, UntrustedChain } from '../network/authorities.ts';
import { authorityCodes } from '../network/authorities.ts';
import { mostHeadBytes, type Fault } from '../network/http-message.ts';
import { ProxyFailure } from '../network/proxy-failure.ts';
import { isThisComputer } from '../network/proxies.ts';

type Phase = Failure['phase'];
type Timeouts = { readonly connect: number; readonly headers: number; readonly idle: number; readonly total: number };

/** Progress of a call when it failed. */
export interface FailureContext {
  readonly phase: Phase;
  readonly host: string;
  /** PEM of the environment's client certificate; null for none. */
  readonly clientCertificate?: string | null;
}

/** The certificate checks of OpenSSL and Node, each with what it found. */
const certificateChecks: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  CERT_HAS_EXPIRED: ["The server's certificate has expired.", "Ask the provider to renew it, or check this machine's clock."],
  CERT_NOT_YET_VALID: [
    "The server's certificate is not valid yet.",
    "Check this machine's clock. If it's right, the provider installed the certificate too early.",
  ],
  CERT_REVOKED: ["The server's certificate has been revoked.", "Don't send anything there until the provider explains it."],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    "The server's certificate is for another host name.",
    "Check the host in the base URL. If it's right, the server presents the wrong certificate.",
  ],
  DEPTH_ZERO_SELF_SIGNED_CERT: [
    "The server's certificate is self-signed.",
    'If you expect this, get the certificate from the provider securely and add it to this environment as a CA certificate.',
  ],
  SELF_SIGNED_CERT_IN_CHAIN: [
    "The server's certificate comes from an authority that this machine doesn't know.",
    'If you trust it, add its certificate to this environment as a CA certificate.',
  ],
  UNABLE_TO_GET_ISSUER_CERT: [
    "The authority that issued the server's certificate could not be found.",
    'The server should send the whole chain. Until it does, add the missing certificate to this environment.',
  ],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: [
    "The server's certificate comes from an authority that this machine doesn't know.",
    'If you trust it, add its certificate to this environment as a CA certificate.',
  ],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    "The server's certificate comes from an authority that this machine doesn't know.",
    'The server may send an incomplete chain. If you trust the missing authority, add its certificate to this environment as a CA certificate.',
  ],
  CERT_SIGNATURE_FAILURE: [
    "The signature of the server's certificate is wrong.",
    'Something between here and the server may be replacing it.',
  ],
  ERR_SSL_WRONG_VERSION_NUMBER: [
    'The server did not answer with TLS.',
    'The port may speak plain http. Check the port in the base URL: Croupier uses only https.',
  ],
  ERR_SSL_PACKET_LENGTH_TOO_LONG: [
    'The server did not answer with TLS.',
    'The port may speak plain http. Check the port in the base URL: Croupier uses only https.',
  ],
  ERR_SSL_HTTP_REQUEST: ['The server did not answer with TLS.', 'The port may speak plain http. Check the port in the base URL.'],
};

const protocolVersionCodes = new Set([
  'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
  'ERR_SSL_UNSUPPORTED_PROTOCOL',
  'ERR_SSL_VERSION_TOO_LOW',
  'ERR_SSL_WRONG_SSL_VERSION',
]);

const brokenOffCodes = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);
const unread = 'Croupier keeps the bytes it received.';

type Words = Pick<Failure, 'message' | 'hint'>;

/** Causes to check if a server was not reached, in the order of what is likely in a company. */
const causes = {
  proxy: 'whether this network needs a proxy',
  inspection: 'whether your company inspects TLS',
  vpn: 'the network connection or VPN',
  name: 'the spelling of the base URL',
  firewall: 'firewalls or IP allowlists in between',
  provider: 'the port in the base URL',
} as const;

type Cause = keyof typeof causes;

/** Causes that can be between this computer and one of its own servers, too. */
const localCauses: readonly Cause[] = ['name', 'provider'];

/** Returns a sentence that says which of these causes to check for a host, the likeliest first; empty if none fits. */
function toCheck(host: string, ...fitting: readonly Cause[]): string {
  const isLocal = isThisComputer(host.replace(/:\d+$/, ''));
  const all = (Object.keys(causes) as Cause[]).filter(
    (cause) => fitting.includes(cause) && (!isLocal || localCauses.includes(cause)),
  );
  return all.length === 0 ? '' : `Check ${listed(all.map((cause) => causes[cause]))}. `;
}

/** Adds the proxy that a call went through, if one did, to its failure. */
export function throughProxy(failure: Failure, proxy: string | null): Failure {
  if (proxy === null) return failure;
  if (failure.kind === 'proxy' || failure.kind === 'cancelled' || failure.phase === 'proxy') return { ...failure, proxy };
  return { ...failure, hint: `The call went through the proxy ${proxy}. ${failure.hint}`, proxy };
}

/** Words for each fault of a response. */
const faults: { readonly [Kind in Fault['kind']]: (fault: Extract<Fault, { kind: Kind }>, reused: boolean) => Words } = {
  nothing: (_, reused) => ({
    message: 'The server closed the connection before it answered.',
    hint: reused
      ? 'The server may have closed the idle connection that Croupier reused. Croupier never repeats a call by itself.'
      : 'No byte of a response arrived.',
  }),
  notHttp: () => ({
    message: 'The response is not HTTP.',
    hint: `Check the port in the base URL, and whether a proxy or firewall answers instead of the provider. ${unread}`,
  }),
  noStatus: () => ({
    message: 'The response starts like HTTP, but its first line has no three-digit status.',
    hint: `Tell the provider what their server sent. ${unread}`,
  }),
  switched: () => ({
    message: 'The server switched to another protocol (status 101) without being asked.',
    hint: unread,
  }),
  headTooLong: () => ({
    message: `The response headers are larger than ${mostHeadBytes.toLocaleString('en')} bytes.`,
    hint: `That's the most Croupier reads. ${unread}`,
  }),
  headCut: () => ({
    message: 'The connection ended in the middle of the response headers.',
    hint: unread,
  }),
  chunks: () => ({
    message: "The headers say that the body is chunked, but its chunks can't be read.",
    hint: unread,
  }),
  bodyCut: ({ came, stated }) => ({
    message:
      stated === null
        ? `The connection was lost in the middle of the response, after ${bytesOf(came)} of its body.`
        : `The connection was lost in the middle of the response: ${came.toLocaleString('en')} of ${bytesOf(stated)} arrived.`,
    hint: unread,
  }),
  unmarkedEnd: () => ({
    message: 'The connection ended without a TLS close_notify, and the response has no length. It may be truncated.',
    hint: unread,
  }),
};

/** Returns the failure of a response that could not be read to its end. `reused`: over a connection that carried a call before. */
export function faultFailure(fault: Fault, phase: Phase, reused: boolean): Failure {
  const words = faults[fault.kind] as (fault: Fault, reused: boolean) => Words;
  return { kind: fault.kind === 'headTooLong' ? 'too_large' : 'protocol', phase, ...words(fault, reused) };
}

function bytesOf(count: number): string {
  return count === 1 ? '1 byte' : `${count.toLocaleString('en')} bytes`;
}

/** Puts an error of the network into words: which check or phase failed, and what to do. */
export function describeFailure(error: unknown, { phase, host, clientCertificate = null }: FailureContext): Failure {
  if (error instanceof ProxyFailure) {
    return { kind: 'proxy', phase: 'proxy', message: error.message, hint: `${error.hint} Nothing was sent to the provider.` };
  }
  const code = errorCode(error);
  const client = clientFailure(code, phase, clientCertificate);
  if (client !== null) return { kind: 'tls', phase, ...client };
  const detail = code === null ? '' : ` (${code})`;

  if (error instanceof UntrustedChain && error.code !== 'DEPTH_ZERO_SELF_SIGNED_CERT')
    return { ...inspected(untrustedFailure(error), host), phase: 'tls' };
  if (phase === 'tls' || (code !== null && Object.hasOwn(certificateChecks, code)))
    return { ...inspected(tlsFailure(code, host), host), phase: 'tls' };
  if (code === 'ENOTFOUND' || code === 'EAI_NODATA' || code === 'EAI_NONAME') {
    return {
      kind: 'dns',
      phase: 'dns',
      message: `No address was found for the host name ${host}.`,
      hint: toCheck(host, 'proxy', 'vpn', 'name').trim(),
    };
  }
  if (phase === 'dns' || code === 'EAI_AGAIN') {
    return {
      kind: 'dns',
      phase: 'dns',
      message: `The host name ${host} could not be looked up${detail}.`,
      hint: toCheck(host, 'proxy', 'vpn').trim(),
    };
  }
  if (phase === 'connect') return { ...connectFailure(code, host), phase };
  if (code?.startsWith('ERR_SSL_') === true) {
    // After the handshake: TLS 1.3 lets a server refuse the client only then.
    return {
      kind: 'tls',
      phase,
      message: `The server ended the TLS connection${detail}.`,
      hint: clientCertificate === null ? 'It may require a client certificate, and this environment has none.' : unread,
    };
  }
  if (code !== null && brokenOffCodes.has(code)) {
    return { kind: 'protocol', phase, message: `The connection to ${host} was lost${detail}.`, hint: unread };
  }
  return { kind: 'protocol', phase, message: `The exchange with ${host} failed${detail}.`, hint: unread };
}

/** Returns the failure of a phase that took longer than allowed; `given`: by the call itself, not by its environment. */
export function timeoutFailure(
  phase: Phase,
  limit: 'connect' | 'headers' | 'idle' | 'total',
  timeouts: Timeouts,
  host: string,
  { given = false, proxy = '' }: { readonly given?: boolean; readonly proxy?: string | undefined } = {},
): Failure {
  const ms = timeouts[limit];
  const whose = given ? 'This limit was set for this call only.' : 'The limit is set in the environment.';
  const sent = phase === 'headers' || phase === 'body' || phase === 'send';
  const messages = {
    connect:
      {
        dns: `The DNS lookup of ${host} did not finish`,
        proxy: `The proxy ${proxy} did not connect to ${host}`,
        tls: `${host} did not finish the TLS handshake`,
      }[phase as 'dns' | 'proxy' | 'tls'] ?? `${host} did not accept a connection`,
    headers: `${host} did not start its response`,
    idle: `${host} sent no more of its response`,
    total: 'The call did not finish',
  } as const;
  const unreached = phase === 'dns' || phase === 'connect' ? `${toCheck(host, 'proxy', 'vpn', 'firewall')}` : '';
  return {
    kind: 'timeout',
    phase,
    message: `${messages[limit]} within ${ms.toLocaleString('en')} ms.`,
    hint: sent ? whose : `${unreached}Nothing was sent. ${whose}`,
  };
}

/** Returns the failure of a response beyond the environment's limit; what arrived up to the limit is kept. */
export function tooLargeFailure(maxBytes: number, how: 'size' | 'ratio'): Failure {
  const limit = maxBytes.toLocaleString('en');
  const whose =
    maxBytes < mostResponseBytes
      ? ` The limit of ${limit} bytes is set in the environment.`
      : ' Croupier accepts no larger responses.';
  return {
    kind: 'too_large',
    phase: 'body',
    message:
      how === 'size'
        ? `The response is larger than ${limit} bytes.`
        : 'The response decompresses to more than 100 times its size on the wire.',
    hint: `Croupier kept the first part and didn't read the rest.${how === 'ratio' ? '' : whose}`,
  };
}

/** Returns the failure of a response whose compression cannot be undone. `codings`: known names alone, for a header may hold anything. */
export function encodingFailure(codings: readonly string[], what: 'several' | 'unknown' | 'damaged'): Failure {
  const named = codings.join(', ');
  const messages = {
    several: `The response is compressed ${codings.length} times (${named}).`,
    unknown: `The response is compressed in a way that Croupier can't undo (${named}).`,
    damaged: `The headers say that the response is compressed (${named}), but it can't be decompressed.`,
  };
  return {
    kind: 'protocol',
    phase: 'body',
    message: messages[what],
    hint: `${unread} The call asked for no compression: tell the provider what their server sent.`,
  };
}

/** Returns the failure of a call that the user stopped. */
export function cancelledFailure(phase: Phase): Failure {
  const sent = phase === 'headers' || phase === 'body' || phase === 'send';
  return {
    kind: 'cancelled',
    phase,
    message: sent
      ? 'The call was cancelled before the response was complete.'
      : 'The call was cancelled before anything was sent.',
    hint: sent ? '' : 'The provider never received this call.',
  };
}

/** Returns the outcome of a call whose connection a wallet case ended on purpose, after so many bytes of its body. */
export function cutFailure(sentBytes: number, bodyBytes: number, phase: Phase): Failure {
  const message =
    sentBytes < bodyBytes
      ? `This case ended the connection after ${sentBytes.toLocaleString('en')} of ${bodyBytes.toLocaleString('en')} bytes of the body.`
      : 'This case ended the connection and read no response.';
  return { kind: 'cancelled', phase, message, hint: '' };
}

/** Returns the failure of a call that the user stopped while its response was searched for private keys. */
export function unsearchedFailure(): Failure {
  return {
    kind: 'cancelled',
    phase: 'body',
    message: "The call was cancelled while Croupier searched its response for private keys. The body wasn't kept.",
    hint: '',
  };
}

/** Alerts about the certificate of a client (RFC 8446, section 6.2), as what the server found. */
const clientAlerts: Readonly<Record<string, string>> = {
  CERTIFICATE_REQUIRED: 'it accepts none of its authority',
  UNKNOWN_CA: "it doesn't know the authority that issued it",
  BAD_CERTIFICATE: 'it finds it invalid',
  UNSUPPORTED_CERTIFICATE: "it doesn't support its type",
  CERTIFICATE_REVOKED: 'it was revoked',
  CERTIFICATE_EXPIRED: 'it has expired or is not valid yet',
  CERTIFICATE_UNKNOWN: 'it gives no reason',
  ACCESS_DENIED: 'access is denied to it',
};

/** Returns the alert in a code of OpenSSL, which names the version before it in several ways; null for another error. */
function alertIn(code: string | null): string | null {
  return /^ERR_SSL_.*_ALERT_(\w+)$/.exec(code ?? '')?.[1] ?? null;
}

/** Returns what an alert says about the certificate of the client; null for another error. */
function clientFailure(code: string | null, phase: Phase, pem: string | null): Words | null {
  const alert = alertIn(code) ?? '';
  const found = Object.hasOwn(clientAlerts, alert) ? clientAlerts[alert] : undefined;
  if (found === undefined || (pem === null && alert !== 'CERTIFICATE_REQUIRED')) return null;
  const nothingSent = phase === 'tls' ? ' Nothing was sent.' : '';
  if (pem === null) {
    return {
      message: 'The server requires a client certificate, and this environment has none.',
      hint: `Get one from the provider and choose it in the environment.${nothingSent}`,
    };
  }
  const expired = expiryOf(pem);
  const name = nameIn(new X509Certificate(pem).subject);
  const reason = expired === null ? `: ${found}` : `, which expired on ${expired}`;
  return {
    message: `The server rejected the client certificate “${name}”${reason}.`,
    hint: `Ask the provider which certificate they expect, and choose that one in the environment.${nothingSent}`,
  };
}

/** Returns the day on which a certificate expired, as 2026-01-31; null if it has not. */
function expiryOf(pem: string): string | null {
  const { validToDate } = new X509Certificate(pem);
  return validToDate.getTime() < Date.now() ? validToDate.toISOString().slice(0, 10) : null;
}

/** Adds to a failure without a response that the client certificate (PEM, null for none) has expired: a server need not say so. */
export function withExpiry(failure: Failure | null, pem: string | null): Failure | null {
  const expired = failure === null || pem === null || failure.message.includes('client certificate') ? null : expiryOf(pem);
  if (failure === null || expired === null || (failure.kind !== 'tls' && failure.kind !== 'protocol')) return failure;
  return { ...failure, hint: `The client certificate of this environment expired on ${expired}. ${failure.hint}` };
}

/** Names the certificate that would have to be known. */
function untrustedFailure({ authority, sent, source }: UntrustedChain): Omit<Failure, 'phase'> {
  const known = { kind: 'tls', untrusted: true } as const;
  if (sent) {
    return {
      ...known,
      message: `The server's certificate comes from “${authority}”, an authority that this machine doesn't know.`,
      hint: 'If you trust it, add its certificate to this environment as a CA certificate. Nothing was sent.',
    };
  }
  const place = source === null ? '' : ` The server's chain says that it is at ${source}.`;
  return {
    ...known,
    message: `The server doesn't send the certificate of “${authority}”, which its chain needs, and this machine doesn't have it.`,
    hint: `If you trust it, add it to this environment as a CA certificate.${place} An intermediate certificate should come from the server. Nothing was sent.`,
  };
}

/** Adds to the failure of a chain that nobody vouches for that somebody between may have replaced it. */
function inspected<T extends Pick<Failure, 'hint' | 'untrusted'>>(failure: T, host: string): T {
  return failure.untrusted === true ? { ...failure, hint: `${toCheck(host, 'inspection')}${failure.hint}` } : failure;
}

function tlsFailure(code: string | null, host: string): Pick<Failure, 'kind' | 'message' | 'hint' | 'untrusted'> {
  const known = code !== null && Object.hasOwn(certificateChecks, code) ? certificateChecks[code] : undefined;
  if (known !== undefined) {
    const failure = { kind: 'tls', message: known[0], hint: `${known[1]} Nothing was sent.` } as const;
    return code !== null && authorityCodes.has(code) ? { ...failure, untrusted: true } : failure;
  }
  if (alertIn(code) === 'HANDSHAKE_FAILURE') {
    return {
      kind: 'tls',
      message: 'The server refused the TLS handshake.',
      hint: 'It may require a client certificate, or TLS settings that Croupier lacks. Nothing was sent.',
    };
  }
  if (code !== null && protocolVersionCodes.has(code)) {
    return {
      kind: 'tls',
      message: 'The server offers only TLS versions older than 1.2.',
      hint: "Croupier doesn't use them because they are insecure. Ask the provider to turn on TLS 1.2 or 1.3. Nothing was sent.",
    };
  }
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    return {
      kind: 'tls',
      message: 'The server closed the connection during the TLS handshake.',
      hint: `${toCheck(host, 'firewall', 'provider')}Nothing was sent.`,
    };
  }
  return {
    kind: 'tls',
    message: `The TLS handshake failed${code === null ? '' : ` (${code})`}.`,
    hint: "Check the server's certificate and TLS settings: Croupier sends only over a verified TLS connection. Nothing was sent.",
  };
}

const connectReasons: Readonly<Record<string, readonly [what: string, ...toCheck: Cause[]]>> = {
  ECONNREFUSED: ['refused the connection', 'proxy', 'firewall', 'provider'],
  ECONNRESET: ['reset the connection', 'proxy', 'firewall'],
  EHOSTUNREACH: ['cannot be reached from here', 'proxy', 'vpn'],
  ENETUNREACH: ['cannot be reached from here', 'proxy', 'vpn'],
};

function connectFailure(code: string | null, host: string): Pick<Failure, 'kind' | 'message' | 'hint'> {
  const [what, ...fitting] = (code === null ? undefined : connectReasons[code]) ?? [
    `did not accept a connection${code === null ? '' : ` (${code})`}`,
    'proxy',
    'vpn',
    'firewall',
  ];
  return { kind: 'connect', message: `${host} ${what}.`, hint: `${toCheck(host, ...fitting)}Nothing was sent.` };
}

/** Returns the code of an error, of its cause, or of the first of several attempts. */
function errorCode(error: unknown): string | null {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 4; depth++) {
    if ('code' in at && typeof at.code === 'string') return at.code;
    at = at instanceof AggregateError && at.errors.length > 0 ? at.errors[0] : at.cause;
  }
  return null;
}
