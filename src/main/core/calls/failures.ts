import type { Failure } from '#shared/ipc/index.ts';
import { mostResponseBytes } from '#shared/model/limits.ts';
import { mostHeadBytes, type Fault } from '../network/http-response.ts';

type Phase = Failure['phase'];
type Timeouts = { readonly connect: number; readonly headers: number; readonly idle: number; readonly total: number };

/** Progress of a call when it failed. */
export interface FailureContext {
  readonly phase: Phase;
  readonly host: string;
}

/** The certificate checks of OpenSSL and Node, each with what it found. */
const certificateChecks: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  CERT_HAS_EXPIRED: [
    "The server's certificate has expired.",
    'Ask the provider to renew it, or check the clock of this machine.',
  ],
  CERT_NOT_YET_VALID: [
    "The server's certificate is not valid yet.",
    'Check the clock of this machine; else the provider installed a certificate too early.',
  ],
  CERT_REVOKED: [
    "The server's certificate has been revoked.",
    'Do not send anything there before the provider has explained it.',
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    "The server's certificate is for another host name.",
    'Check the host in the base URL. If it is right, the server shows the wrong certificate.',
  ],
  DEPTH_ZERO_SELF_SIGNED_CERT: [
    "The server's certificate is self-signed.",
    'If you expect this, get the certificate from the provider securely and add it to this environment as the extra certificate.',
  ],
  SELF_SIGNED_CERT_IN_CHAIN: [
    "The server's certificate comes from an authority that this machine does not know.",
    "Put the authority's certificate into this environment as the extra certificate, if you trust it.",
  ],
  UNABLE_TO_GET_ISSUER_CERT: [
    "The authority behind the server's certificate could not be found.",
    'The server should send the whole chain. Until it does, put the missing certificate into this environment.',
  ],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: [
    "The server's certificate comes from an authority that this machine does not know.",
    "Put the authority's certificate into this environment as the extra certificate, if you trust it.",
  ],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    "The server's certificate comes from an authority that this machine does not know.",
    'The server may send an incomplete chain. Put the missing certificate into this environment as the extra certificate, if you trust it.',
  ],
  CERT_SIGNATURE_FAILURE: [
    "The signature of the server's certificate is wrong.",
    'Something between here and the server may be replacing it.',
  ],
  ERR_SSL_WRONG_VERSION_NUMBER: [
    'The server did not answer with TLS.',
    'The port may speak plain http. Check the port in the base URL: only https is used.',
  ],
  ERR_SSL_PACKET_LENGTH_TOO_LONG: [
    'The server did not answer with TLS.',
    'The port may speak plain http. Check the port in the base URL: only https is used.',
  ],
  ERR_SSL_HTTP_REQUEST: ['The server did not answer with TLS.', 'The port may speak plain http. Check the port in the base URL.'],
};

/** The checks that an extra authority of the environment can change. */
const authorityCodes = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

const protocolVersionCodes = new Set([
  'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
  'ERR_SSL_UNSUPPORTED_PROTOCOL',
  'ERR_SSL_VERSION_TOO_LOW',
  'ERR_SSL_WRONG_SSL_VERSION',
]);

const brokenOffCodes = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);
const unread = 'The bytes that came are kept.';

type Words = Pick<Failure, 'message' | 'hint'>;

/** Words for each fault of a response. */
const faults: { readonly [Kind in Fault['kind']]: (fault: Extract<Fault, { kind: Kind }>, reused: boolean) => Words } = {
  nothing: (_, reused) => ({
    message: 'The server closed the connection before it answered.',
    hint: reused
      ? 'The connection was open from an earlier call and the server may have been closing it as unused. A signed call is never repeated by itself.'
      : 'No byte of a response came.',
  }),
  notHttp: () => ({
    message: 'The response is not HTTP.',
    hint: `Check the port in the base URL, and whether a proxy or a firewall answers in place of the provider. ${unread}`,
  }),
  noStatus: () => ({
    message: 'The response begins as HTTP does, but its first line has no status of three digits.',
    hint: `Tell the provider what their server sent. ${unread}`,
  }),
  switched: () => ({
    message: "The server switched to another protocol (status 101), which wasn't asked for.",
    hint: unread,
  }),
  headTooLong: () => ({
    message: `The headers of the response are larger than ${mostHeadBytes.toLocaleString('en')} bytes.`,
    hint: `Croupier takes no more. ${unread}`,
  }),
  headCut: () => ({
    message: 'The connection ended in the middle of the headers of the response.',
    hint: unread,
  }),
  chunks: () => ({
    message: 'The body of the response is not in chunks as its headers say.',
    hint: unread,
  }),
  bodyCut: ({ came, stated }) => ({
    message:
      stated === null
        ? `The connection broke off in the middle of the response, after ${bytesOf(came)} of its body.`
        : `The connection broke off in the middle of the response: ${came.toLocaleString('en')} of ${bytesOf(stated)} came.`,
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
export function describeFailure(error: unknown, { phase, host }: FailureContext): Failure {
  const code = errorCode(error);
  const detail = code === null ? '' : ` (${code})`;

  if (phase === 'tls' || (code !== null && Object.hasOwn(certificateChecks, code))) return { ...tlsFailure(code), phase: 'tls' };
  if (code === 'ENOTFOUND' || code === 'EAI_NODATA' || code === 'EAI_NONAME') {
    return {
      kind: 'dns',
      phase: 'dns',
      message: `No address was found for the host name ${host}.`,
      hint: 'Check the spelling of the base URL, and whether it needs a VPN.',
    };
  }
  if (phase === 'dns' || code === 'EAI_AGAIN') {
    return {
      kind: 'dns',
      phase: 'dns',
      message: `The host name ${host} could not be looked up${detail}.`,
      hint: 'The name server did not answer. Check the network connection and the VPN, then send again.',
    };
  }
  if (phase === 'connect') return { ...connectFailure(code, host), phase };
  if (code?.startsWith('ERR_SSL_') === true) {
    // After the handshake: TLS 1.3 lets a server refuse the client only then.
    return {
      kind: 'tls',
      phase,
      message: `The server ended the safe connection${detail}.`,
      hint: 'It may ask for a client certificate, which the workbench does not have.',
    };
  }
  if (code !== null && brokenOffCodes.has(code)) {
    return { kind: 'protocol', phase, message: `The connection to ${host} broke off${detail}.`, hint: unread };
  }
  return { kind: 'protocol', phase, message: `The exchange with ${host} failed${detail}.`, hint: unread };
}

/** Returns the failure of a phase that took longer than allowed; `given`: by the call itself, not by its environment. */
export function timeoutFailure(
  phase: Phase,
  limit: 'connect' | 'headers' | 'idle' | 'total',
  timeouts: Timeouts,
  host: string,
  given = false,
): Failure {
  const ms = timeouts[limit];
  const whose = given ? 'The limit was given for this call alone.' : 'The limit is a setting of the environment.';
  const sent = phase === 'headers' || phase === 'body' || phase === 'send';
  const messages = {
    connect:
      { dns: `The name of ${host} was not looked up`, tls: `${host} did not finish the TLS handshake` }[phase as 'dns' | 'tls'] ??
      `${host} did not accept a connection`,
    headers: `${host} did not start to answer`,
    idle: `${host} stopped in the middle of its response`,
    total: 'The whole call took longer than allowed: no end',
  } as const;
  return {
    kind: 'timeout',
    phase,
    message: `${messages[limit]} within ${ms.toLocaleString('en')} ms.`,
    hint: sent ? whose : `Nothing was sent. ${whose}`,
  };
}

/** Returns the failure of a response beyond the environment's limit; what arrived up to the limit is kept. */
export function tooLargeFailure(maxBytes: number, how: 'size' | 'ratio'): Failure {
  const limit = maxBytes.toLocaleString('en');
  return {
    kind: 'too_large',
    phase: 'body',
    message:
      how === 'size'
        ? `The response is larger than ${limit} bytes.`
        : 'The response unpacks to more than 100 times its size on the wire.',
    hint:
      maxBytes < mostResponseBytes
        ? `The first part is kept and the rest was not read. The limit of ${limit} bytes is a setting of the environment.`
        : 'The first part is kept and the rest was not read. Croupier takes no larger responses.',
  };
}

/** Returns the failure of a response whose compression cannot be undone. `codings`: known names alone, for a header may hold anything. */
export function encodingFailure(codings: readonly string[], what: 'several' | 'unknown' | 'damaged'): Failure {
  const named = codings.join(', ');
  const messages = {
    several: `The response is compressed ${codings.length} times (${named}).`,
    unknown: `The response is compressed in a way that Croupier can't undo (${named}).`,
    damaged: `The response says that it is compressed (${named}), and it cannot be unpacked.`,
  };
  return {
    kind: 'protocol',
    phase: 'body',
    message: messages[what],
    hint: `${unread} This call asked for a response without compression: tell the provider what their server sent.`,
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
    hint: sent ? '' : 'The provider knows nothing of this call.',
  };
}

/** Returns the failure of a call that the user stopped while its response was searched for private keys. */
export function unsearchedFailure(): Failure {
  return {
    kind: 'cancelled',
    phase: 'body',
    message: 'The call was cancelled while Croupier searched its response for private keys. The body is not kept.',
    hint: '',
  };
}

function tlsFailure(code: string | null): Pick<Failure, 'kind' | 'message' | 'hint' | 'untrusted'> {
  const known = code !== null && Object.hasOwn(certificateChecks, code) ? certificateChecks[code] : undefined;
  if (known !== undefined) {
    const failure = { kind: 'tls', message: known[0], hint: `${known[1]} Nothing was sent.` } as const;
    return code !== null && authorityCodes.has(code) ? { ...failure, untrusted: true } : failure;
  }
  if (code !== null && protocolVersionCodes.has(code)) {
    return {
      kind: 'tls',
      message: 'The server offers only TLS versions before 1.2.',
      hint: 'They are not safe and are not used. Ask the provider to switch on TLS 1.2 or 1.3. Nothing was sent.',
    };
  }
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    return {
      kind: 'tls',
      message: 'The server closed the connection during the TLS handshake.',
      hint: 'A firewall, a list of allowed addresses or a port that is not https can be behind this. Nothing was sent.',
    };
  }
  return {
    kind: 'tls',
    message: `No safe connection could be agreed on${code === null ? '' : ` (${code})`}.`,
    hint: 'The certificate or the TLS settings of the server are refused, and there is no way around it. Nothing was sent.',
  };
}

const connectReasons: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  ECONNREFUSED: ['refused the connection', 'Check the port in the base URL: nothing listens there, or a firewall refuses it.'],
  ECONNRESET: ['reset the connection', 'A firewall or a list of allowed addresses may be in the way.'],
  EHOSTUNREACH: ['cannot be reached from here', 'Check the network connection and the VPN.'],
  ENETUNREACH: ['cannot be reached from here', 'Check the network connection and the VPN.'],
};

function connectFailure(code: string | null, host: string): Pick<Failure, 'kind' | 'message' | 'hint'> {
  const [what, hint] = (code === null ? undefined : connectReasons[code]) ?? [
    `did not take a connection${code === null ? '' : ` (${code})`}`,
    'Check the network connection and the VPN.',
  ];
  return { kind: 'connect', message: `${host} ${what}.`, hint: `${hint} Nothing was sent.` };
}

/** Returns the code of an error, of its cause, or of the first of several attempts. */
function errorCode(error: unknown): string | null {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 4; depth++) {
    if ('code' in at && typeof at.code === 'string') return at.code;
    at = at instanceof AggregateError && at.errors.length > 0 ? at.errors[0] : at.cause;
  }
  return null;
}
