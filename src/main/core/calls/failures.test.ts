import { describe, expect, it } from 'vitest';
import type { Failure } from '#shared/ipc/index.ts';
import { withActing } from '#shared/calls/acting.ts';
import { mostResponseBytes } from '#shared/model/limits.ts';
import type { Fault } from '../network/http-message.ts';
import {
  cancelledFailure,
  describeFailure,
  encodingFailure,
  faultFailure,
  timeoutFailure,
  tooLargeFailure,
  unsearchedFailure,
} from './failures.ts';

const errorOf = (code: string | null, message = 'm') => Object.assign(new Error(message), code === null ? {} : { code });

const described = (phase: Failure['phase'], error: unknown) => describeFailure(error, { phase, host: 'a.example' });

/** Returns whether the words, of a call that pays, leave open that the provider acted, or say that nothing was sent. */
function promise(failure: Failure): 'open' | 'unsent' | 'none' {
  const { hint } = withActing(failure, 'pays');
  expect(withActing(failure, 'reads').hint).not.toContain('may have acted');
  return /may have acted/.test(hint) ? 'open' : /nothing was sent/i.test(hint) ? 'unsent' : 'none';
}

function expectWords({ message, hint }: Failure, says: RegExp, advises: RegExp): void {
  expect(message).toMatch(says);
  expect(message).toMatch(/^\S.*\.$/);
  expect(hint).toMatch(advises);
  expect(hint).toMatch(/^\S.*\.$/);
  expect(`${message} ${hint}`).not.toMatch(/ {2}|undefined|null/);
}

describe('a connection that is not safe', () => {
  it.each<[code: string | null, says: RegExp, advises: RegExp]>([
    ['CERT_HAS_EXPIRED', /expired/, /renew/],
    ['CERT_NOT_YET_VALID', /not valid yet/, /clock/],
    ['CERT_REVOKED', /revoked/, /Don't send/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /another host/, /base URL/],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /self-signed/, /environment/],
    ['SELF_SIGNED_CERT_IN_CHAIN', /authority/, /trust/],
    ['UNABLE_TO_GET_ISSUER_CERT', /could not be found/, /whole chain/],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', /authority/, /trust/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /authority/, /chain/],
    ['CERT_SIGNATURE_FAILURE', /signature/, /replac/],
    ['ERR_SSL_WRONG_VERSION_NUMBER', /not answer with TLS/, /plain http.*only https/],
    ['ERR_SSL_PACKET_LENGTH_TOO_LONG', /not answer with TLS/, /plain http.*only https/],
    ['ERR_SSL_HTTP_REQUEST', /not answer with TLS/, /plain http/],
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', /refused/, /client certificate/],
    ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', /refused/, /client certificate/],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', /older than 1\.2/, /1\.3/],
    ['ERR_SSL_UNSUPPORTED_PROTOCOL', /older than 1\.2/, /1\.3/],
    ['ERR_SSL_VERSION_TOO_LOW', /older than 1\.2/, /1\.3/],
    ['ERR_SSL_WRONG_SSL_VERSION', /older than 1\.2/, /1\.3/],
    ['ECONNRESET', /closed the connection during/, /firewall/],
    ['EPIPE', /closed the connection during/, /firewall/],
    ['toString', /handshake failed \(toString\)/, /certificate/],
    ['ERR_OTHER', /handshake failed \(ERR_OTHER\)/, /certificate/],
    [null, /handshake failed\./, /certificate/],
  ])('%s', (code, says, advises) => {
    const failure = described('tls', errorOf(code));
    expect(failure).toMatchObject({ kind: 'tls', phase: 'tls' });
    expect(promise(failure)).toBe('unsent');
    expectWords(failure, says, advises);
    // What an extra authority of the environment can change.
    expect(failure.untrusted).toBe(/self-signed|authority|could not be found/.test(failure.message) ? true : undefined);
  });

  it('is one by its certificate in whatever phase that is noticed, and by its end after the handshake', () => {
    for (const phase of ['dns', 'connect', 'send', 'headers', 'body'] as const)
      expect(described(phase, errorOf('CERT_HAS_EXPIRED'))).toEqual(described('tls', errorOf('CERT_HAS_EXPIRED')));
    for (const phase of ['send', 'headers', 'body'] as const) {
      const failure = described(phase, errorOf('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'));
      expect(failure).toMatchObject({ kind: 'tls', phase });
      expect(promise(failure)).toBe('open');
      expectWords(failure, /requires a client certificate.*has none/, /choose it in the environment/);
    }
  });
});

describe('a provider that is not reached', () => {
  it.each<[phase: 'dns' | 'connect' | 'send', code: string | null, kind: string, says: RegExp, advises: RegExp]>([
    ['dns', 'ENOTFOUND', 'dns', /No address.*a\.example/, /spelling/],
    ['dns', 'EAI_NODATA', 'dns', /No address.*a\.example/, /spelling/],
    ['connect', 'EAI_NONAME', 'dns', /No address.*a\.example/, /spelling/],
    ['connect', 'ENOTFOUND', 'dns', /No address.*a\.example/, /spelling/],
    ['connect', 'EAI_AGAIN', 'dns', /a\.example.*looked up \(EAI_AGAIN\)/, /connection or VPN/],
    ['dns', 'ERR_OTHER', 'dns', /a\.example.*looked up \(ERR_OTHER\)/, /connection or VPN/],
    ['dns', null, 'dns', /a\.example.*looked up\./, /connection or VPN/],
    ['connect', 'ECONNREFUSED', 'connect', /^a\.example refused/, /port/],
    ['connect', 'ECONNRESET', 'connect', /^a\.example reset/, /firewall/],
    ['connect', 'EHOSTUNREACH', 'connect', /^a\.example cannot be reached/, /VPN/],
    ['connect', 'ENETUNREACH', 'connect', /^a\.example cannot be reached/, /VPN/],
    ['connect', 'ERR_OTHER', 'connect', /^a\.example .*\(ERR_OTHER\)/, /VPN/],
    ['connect', null, 'connect', /^a\.example [^(]*$/, /VPN/],
  ])('%s: %s', (phase, code, kind, says, advises) => {
    const failure = described(phase, errorOf(code));
    expect(failure).toMatchObject({ kind, phase: kind });
    expect(promise(failure)).toBe(kind === 'dns' ? 'none' : 'unsent');
    expectWords(failure, says, advises);
  });
});

describe('what is to be checked, likeliest first', () => {
  const advice = (phase: Failure['phase'], code: string | null, host: string) =>
    describeFailure(errorOf(code), { phase, host }).hint.replace(/ Nothing was sent\.$/, '');
  it.each<[phase: Failure['phase'], code: string, far: string, here: string]>([
    [
      'dns',
      'ENOTFOUND',
      'Check whether this network needs a proxy, the network connection or VPN and the spelling of the base URL.',
      'Check the spelling of the base URL.',
    ],
    [
      'connect',
      'ECONNREFUSED',
      'Check whether this network needs a proxy, firewalls or IP allowlists in between and the port in the base URL.',
      'Check the port in the base URL.',
    ],
    [
      'connect',
      'EHOSTUNREACH',
      'Check whether this network needs a proxy and the network connection or VPN.',
      'Nothing was sent.',
    ],
    [
      'tls',
      'ECONNRESET',
      'Check firewalls or IP allowlists in between and the port in the base URL.',
      'Check the port in the base URL.',
    ],
  ])('%s: %s', (phase, code, far, here) => {
    expect(advice(phase, code, 'a.example:8443')).toBe(far);
    for (const host of ['localhost:8443', '127.0.0.1:8443', '[::1]:8443']) expect(advice(phase, code, host)).toBe(here);
  });

  it('begins with inspection where nobody vouches for the certificate', () => {
    const code = 'SELF_SIGNED_CERT_IN_CHAIN';
    expect(advice('tls', code, 'a.example')).toMatch(/^Check whether your company inspects TLS\. If you trust it, /);
    expect(advice('tls', code, 'localhost:1')).toMatch(/^If you trust it, /);
  });
});

it.each<[phase: 'send' | 'headers' | 'body', code: string | null, says: RegExp]>([
  ['send', 'ERR_OTHER', /a\.example failed \(ERR_OTHER\)/],
  ['headers', null, /a\.example failed\./],
  ['headers', 'ECONNRESET', /a\.example was lost \(ECONNRESET\)/],
  ['body', 'EPIPE', /a\.example was lost \(EPIPE\)/],
  ['body', 'ECONNABORTED', /was lost/],
])('a connection that ends with an error in %s: %s', (phase, code, says) => {
  const failure = described(phase, errorOf(code));
  expect(failure).toMatchObject({ kind: 'protocol', phase });
  expect(promise(failure)).toBe('open');
  expectWords(failure, says, /keeps the bytes it received/);
});

it.each<[fault: Fault, says: RegExp, advises: RegExp]>([
  [{ kind: 'nothing' }, /closed the connection before/, /No byte/],
  [{ kind: 'notHttp' }, /not HTTP/, /port.*proxy/],
  [{ kind: 'noStatus' }, /no three-digit status/, /keeps/],
  [{ kind: 'switched' }, /101/, /keeps the bytes/],
  [{ kind: 'headTooLong' }, /headers.*262,144 bytes/, /most Croupier reads/],
  [{ kind: 'headCut' }, /in the middle of the response headers/, /keeps the bytes/],
  [{ kind: 'chunks' }, /chunks can't be read/, /keeps the bytes/],
  [{ kind: 'bodyCut', came: 1_000, stated: 1_001 }, /1,000 of 1,001 bytes arrived/, /keeps the bytes/],
  [{ kind: 'bodyCut', came: 1, stated: null }, /after 1 byte of its body/, /keeps the bytes/],
  [{ kind: 'unmarkedEnd' }, /close_notify.*truncated/, /keeps the bytes/],
])('a response that is not read to its end: $kind', (fault, says, advises) => {
  const failure = faultFailure(fault, 'body', false);
  expect(failure.kind).toBe(fault.kind === 'headTooLong' ? 'too_large' : 'protocol');
  expect(promise(failure)).toBe('open');
  expectWords(failure, says, advises);
  // Only a connection that was open before may have been closing as unused.
  expect(/never repeats/.test(faultFailure(fault, 'body', true).hint)).toBe(fault.kind === 'nothing');
});

it('the code of an error is its own, that of its causes, or of the first of several attempts', () => {
  const refused = errorOf('ECONNREFUSED');
  const wrapped = (error: unknown, times: number): unknown =>
    times === 0 ? error : wrapped(new Error('m', { cause: error }), times - 1);
  for (const error of [refused, wrapped(refused, 1), wrapped(refused, 3), new AggregateError([refused, errorOf('EPIPE')])])
    expect(described('connect', error).message).toContain('refused');
  for (const error of [
    wrapped(refused, 4),
    { code: 'ECONNREFUSED' },
    new AggregateError([]),
    Object.assign(new Error('m'), { code: 111 }),
    'ECONNREFUSED',
  ])
    expect(described('connect', error).message).toBe(described('connect', errorOf(null)).message);
  expect(described('connect', new AggregateError([], 'm', { cause: refused })).message).toContain('refused');
});

it.each<[phase: Failure['phase'], limit: 'connect' | 'headers' | 'idle' | 'total', says: RegExp, sent: boolean]>([
  ['dns', 'connect', /DNS lookup of a\.example did not finish within 1,000 ms/, false],
  ['tls', 'connect', /^a\.example.* handshake within 1,000 ms/, false],
  ['connect', 'connect', /^a\.example did not accept.* 1,000 ms/, false],
  ['headers', 'headers', /^a\.example did not start.* 2,000 ms/, true],
  ['body', 'idle', /^a\.example sent no more.* 3,000 ms/, true],
  ['send', 'total', /^The call did not finish.* 40,000 ms/, true],
  ['connect', 'total', /^The call did not finish.* 40,000 ms/, false],
])('too long in %s, by the limit %s', (phase, limit, says, sent) => {
  const failure = timeoutFailure(phase, limit, { connect: 1_000, headers: 2_000, idle: 3_000, total: 40_000 }, 'a.example');
  expect(failure).toMatchObject({ kind: 'timeout', phase });
  expect(promise(failure)).toBe(sent ? 'open' : 'unsent');
  expectWords(failure, says, /set in the environment/);
});

it('too large says which limit it was, and whether it can be raised', () => {
  const size = tooLargeFailure(1_000, 'size');
  expect(size).toMatchObject({ kind: 'too_large', phase: 'body' });
  expectWords(size, /larger than 1,000 bytes/, /1,000 bytes is set in/);
  expectWords(tooLargeFailure(1_000, 'ratio'), /100 times/, /didn't read the rest\.$/);
  expect(tooLargeFailure(mostResponseBytes - 1, 'size').hint).toContain('set in the environment');
  expectWords(tooLargeFailure(mostResponseBytes, 'size'), /larger than/, /accepts no larger/);
});

it.each([
  ['several', /compressed 2 times \(gzip, br\)/],
  ['unknown', /can't undo \(gzip, br\)/],
  ['damaged', /can't be decompressed/],
] as const)('a compression that is %s', (what, says) => {
  expectWords(encodingFailure(['gzip', 'br'], what), says, /keeps the bytes.*no compression/);
});

it.each<[Failure['phase'], boolean]>([
  ['dns', false],
  ['connect', false],
  ['tls', false],
  ['send', true],
  ['headers', true],
  ['body', true],
])('a call that was cancelled in %s', (phase, sent) => {
  const failure = cancelledFailure(phase);
  expect(failure).toMatchObject({ kind: 'cancelled', phase });
  expectWords(
    withActing(failure, 'pays'),
    sent ? /before the response was complete/ : /before anything was sent/,
    sent ? /may have acted/ : /never received/,
  );
});

it('a call that was cancelled while its response was searched', () => {
  expect(unsearchedFailure()).toMatchObject({ kind: 'cancelled', phase: 'body' });
  expectWords(withActing(unsearchedFailure(), 'pays'), /private keys.*wasn't kept/, /may have acted/);
});
