import { describe, expect, it } from 'vitest';
import type { Failure } from '#shared/ipc/index.ts';
import { mostResponseBytes } from '#shared/model/limits.ts';
import {
  cancelledFailure,
  describeFailure,
  encodingFailure,
  timeoutFailure,
  tooLargeFailure,
  unsearchedFailure,
  type FailureContext,
} from './failures.ts';

const errorOf = (code: string | null, message = 'm') => Object.assign(new Error(message), code === null ? {} : { code });

/** Describes a failed call; `more` adds facts. */
const described = (phase: Failure['phase'], error: unknown, more: Partial<FailureContext> = {}) =>
  describeFailure(error, { phase, host: 'a.example', reused: false, ...more });

/** Returns whether the words leave open that the provider acted, or say that nothing was sent. */
const promise = ({ hint }: Failure) =>
  /may have acted/.test(hint) ? 'open' : /nothing was sent/i.test(hint) ? 'unsent' : 'none';

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
    ['CERT_REVOKED', /revoked/, /Do not send/],
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
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', /before 1\.2/, /1\.3/],
    ['ERR_SSL_UNSUPPORTED_PROTOCOL', /before 1\.2/, /1\.3/],
    ['ERR_SSL_VERSION_TOO_LOW', /before 1\.2/, /1\.3/],
    ['ERR_SSL_WRONG_SSL_VERSION', /before 1\.2/, /1\.3/],
    ['ECONNRESET', /closed the connection during/, /firewall/],
    ['EPIPE', /closed the connection during/, /firewall/],
    ['toString', /agreed on \(toString\)/, /certificate/],
    ['ERR_OTHER', /agreed on \(ERR_OTHER\)/, /certificate/],
    [null, /agreed on\./, /certificate/],
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
      expectWords(failure, /\(ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED\)/, /client certificate/);
    }
  });
});

describe('a provider that is not reached', () => {
  it.each<[phase: 'dns' | 'connect' | 'send', code: string | null, kind: string, says: RegExp, advises: RegExp]>([
    ['dns', 'ENOTFOUND', 'dns', /No address.*a\.example/, /spelling/],
    ['dns', 'EAI_NODATA', 'dns', /No address.*a\.example/, /spelling/],
    ['connect', 'EAI_NONAME', 'dns', /No address.*a\.example/, /spelling/],
    ['connect', 'ENOTFOUND', 'dns', /No address.*a\.example/, /spelling/],
    ['connect', 'EAI_AGAIN', 'dns', /a\.example.*looked up \(EAI_AGAIN\)/, /name server/],
    ['dns', 'ERR_OTHER', 'dns', /a\.example.*looked up \(ERR_OTHER\)/, /name server/],
    ['dns', null, 'dns', /a\.example.*looked up\./, /name server/],
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

describe('a response that does not come whole', () => {
  it.each<[phase: 'send' | 'headers' | 'body', code: string | null, kind: string, says: RegExp, more?: Partial<FailureContext>]>([
    ['send', 'ERR_OTHER', 'protocol', /a\.example failed \(ERR_OTHER\)/],
    ['headers', null, 'protocol', /a\.example failed\./],
    ['body', null, 'protocol', /a\.example failed\./],
    ['headers', 'ECONNRESET', 'protocol', /closed the connection before/],
    ['send', 'EPIPE', 'protocol', /closed the connection before/],
    ['headers', 'UND_ERR_SOCKET', 'protocol', /closed the connection before/],
    ['headers', 'ECONNABORTED', 'protocol', /closed the connection before/],
    ['send', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'protocol', /closed the connection before/],
    ['body', 'ECONNRESET', 'protocol', /close_notify/],
    ['body', 'EPIPE', 'protocol', /close_notify/, { delimited: false }],
    ['body', 'UND_ERR_SOCKET', 'protocol', /in the middle/, { delimited: true }],
    ['body', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'protocol', /in the middle/, { delimited: true }],
  ])('%s: %s', (phase, code, kind, says, more) => {
    const failure = described(phase, errorOf(code), more);
    expect(failure).toMatchObject({ kind, phase });
    expect(promise(failure)).toBe('open');
    expectWords(failure, says, phase === 'body' && code !== null ? /What arrived is kept/ : /Look it up/);
  });

  it('may have come to an end of a connection that was open before', () => {
    expectWords(
      described('headers', errorOf('EPIPE'), { reused: true }),
      /closed/,
      /earlier call.*never repeated.*may have acted/,
    );
    expect(described('headers', errorOf('EPIPE')).hint).not.toContain('earlier call');
    expect(described('body', errorOf('EPIPE'), { reused: true }).hint).not.toContain('earlier call');
  });

  it('has too many headers', () => {
    for (const phase of ['send', 'headers'] as const) {
      const failure = described(phase, errorOf('UND_ERR_HEADERS_OVERFLOW'));
      expect(failure).toMatchObject({ kind: 'too_large', phase: 'headers' });
      expectWords(failure, /16 KiB/, /not read further.*may have acted/);
    }
  });

  it('is not HTTP, or not in chunks', () => {
    const parser = (message: string) => Object.assign(errorOf('HPE_OTHER', message), { name: 'HTTPParserError' });
    const notHttp = described('headers', parser('EOF'));
    expect(notHttp).toMatchObject({ kind: 'protocol', phase: 'headers' });
    expectWords(notHttp, /The response is not HTTP/, /proxy/);
    expect(described('send', parser('m'))).toEqual({ ...notHttp, phase: 'send' });
    const headers = described('headers', errorOf('UND_ERR_RES_CONTENT_LENGTH_MISMATCH'));
    expect(headers).toMatchObject({ kind: 'protocol', phase: 'headers', hint: notHttp.hint });
    expectWords(headers, /headers are not HTTP/, /port/);
    const chunks = described('body', parser('Invalid character in chunk size'));
    expect(chunks).toMatchObject({ kind: 'protocol', phase: 'body' });
    expectWords(chunks, /chunks/, /mistake is kept.*may have acted/);
    expect(described('body', parser('Invalid EOF state'))).toEqual(described('body', errorOf('EPIPE'), { delimited: true }));
    expect(described('body', { name: 'HTTPParserError' }).message).toContain('failed');
  });

  it('switches to another protocol', () => {
    const failure = described('headers', errorOf(null, 'bad upgrade'));
    expect(failure).toMatchObject({ kind: 'protocol', phase: 'headers' });
    expectWords(failure, /101/, /not read further.*may have acted/);
    expect(described('body', errorOf(null, 'bad upgrade')).message).not.toContain('101');
    expect(described('headers', { message: 'bad upgrade' }).message).not.toContain('101');
  });
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
  ['dns', 'connect', /name of a\.example was not looked up within 1,000 ms/, false],
  ['tls', 'connect', /^a\.example.* handshake within 1,000 ms/, false],
  ['connect', 'connect', /^a\.example did not accept.* 1,000 ms/, false],
  ['headers', 'headers', /^a\.example did not start.* 2,000 ms/, true],
  ['body', 'idle', /^a\.example stopped.* 3,000 ms/, true],
  ['send', 'total', /whole call.* 40,000 ms/, true],
  ['connect', 'total', /whole call.* 40,000 ms/, false],
])('too long in %s, by the limit %s', (phase, limit, says, sent) => {
  const failure = timeoutFailure(phase, limit, { connect: 1_000, headers: 2_000, idle: 3_000, total: 40_000 }, 'a.example');
  expect(failure).toMatchObject({ kind: 'timeout', phase });
  expect(promise(failure)).toBe(sent ? 'open' : 'unsent');
  expectWords(failure, says, /setting of the environment/);
});

it('too large says which limit it was, and whether it can be raised', () => {
  const size = tooLargeFailure(1_000, 'size');
  expect(size).toMatchObject({ kind: 'too_large', phase: 'body' });
  expectWords(size, /larger than 1,000 bytes/, /1,000 bytes is a setting/);
  expectWords(tooLargeFailure(1_000, 'ratio'), /100 times/, /setting/);
  expect(tooLargeFailure(mostResponseBytes - 1, 'size').hint).toContain('setting');
  expectWords(tooLargeFailure(mostResponseBytes, 'size'), /larger than/, /takes no larger/);
});

it('a compression is named where it is one, and only there: a header may hold anything', () => {
  for (const [what, says] of [
    ['several', /more than once/],
    ['unknown', /not asked for/],
    ['damaged', /cannot be unpacked/],
  ] as const) {
    for (const known of ['gzip', 'x-gzip', 'br', 'deflate', 'zstd', 'compress', 'x-compress', 'dcb', 'dcz', 'aes128gcm', 'exi']) {
      const failure = encodingFailure([known], what);
      expect(failure).toMatchObject({ kind: 'protocol', phase: 'body' });
      expectWords(failure, says, /without compression/);
      expect(failure.message).toContain(` (${known})`);
    }
    expect(encodingFailure(['gzip', 'br'], what).message).toContain(' (gzip, br)');
    expect(encodingFailure(['gzip', 'a-private-key'], what).message).not.toMatch(/[()]|key/);
  }
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
    failure,
    sent ? /before the response was complete/ : /before anything was sent/,
    sent ? /may have acted/ : /knows nothing/,
  );
});

it('a call that was cancelled while its response was searched', () => {
  expect(unsearchedFailure()).toMatchObject({ kind: 'cancelled', phase: 'body' });
  expectWords(unsearchedFailure(), /private keys.*not kept/, /may have acted/);
});
