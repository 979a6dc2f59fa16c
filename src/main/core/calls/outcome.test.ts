import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { someOutcome, someOutgoing } from '#testing/some-record.ts';
import { createDatabase } from '../database/database.ts';
import { createSessionLock } from '../files/session-lock.ts';
import { createHistoryStore } from '../history/store.ts';
import type { Failure } from '#shared/ipc/index.ts';
import type { Answers } from '#shared/provider/index.ts';
import { operationByName } from '#shared/provider/operations.ts';
import { cancelledFailure, describeFailure, faultFailure } from './failures.ts';
import { clockOffset, toCall, toOutcome } from './outcome.ts';
import { readResponse } from './read-response.ts';
import type { HeaderList } from '../network/http-message.ts';
import type { Transmitted } from './transmit.ts';

const gameList = operationByName('gameList');
const timings = { dns: null, connect: null, tls: null, firstByte: 1, download: 1, total: 2, reused: true };
const noon = Date.UTC(2026, 10, 20, 12);

function answered(body: string | Buffer, status = 200, headers: HeaderList = []): Transmitted {
  return {
    response: { status, headers, body: Buffer.from(body), truncated: false },
    raw: null,
    findings: [],
    failure: null,
    timings,
    unseenMs: 0,
    respondedAt: noon,
  };
}

function outcomeOf(transmitted: Transmitted, answers: Answers = {}) {
  const { response, failure } = transmitted;
  // A part of a text shows nothing about the whole: nobody reads it.
  if (response === null || failure !== null) return toOutcome(transmitted, null, gameList, answers);
  const { body, status } = response;
  const request = { operation: 'gameList', form: 'default', requestBody: Buffer.from('{}') } as const;
  return toOutcome(transmitted, readResponse({ ...request, body, status, answers }), gameList, answers);
}
const rules = (transmitted: Transmitted) => outcomeOf(transmitted).findings.map(({ rule, severity }) => `${severity} ${rule}`);

it('a passed call is the same as the gateway has it and as the history reads it, masked or not', async () => {
  const home = mkdtempSync(join(tmpdir(), 'croupier-outcome-'));
  const run = createSessionLock(join(home, 'runs'));
  const database = createDatabase(join(home, 'history.sqlite'));
  const history = createHistoryStore(database, run);
  const masked = { ...someOutgoing(), body: Buffer.from('{"x":"[key]"}'), keys: ['Live'], where: ['the body'] };
  for (const outgoing of [
    someOutgoing({ passed: { origin: 'backend', isOperation: false, raw: Buffer.from('GET / HTTP/1.0') } }),
    someOutgoing({ passed: { origin: 'provider', isOperation: true, raw: Buffer.from('{"x":"the key"}') }, masked }),
    someOutgoing({ passed: { origin: 'backend', isOperation: true, raw: null } }),
  ]) {
    const id = await history.begin(outgoing);
    const outcome = someOutcome('{"code":0}');
    await history.finish(id, outcome);
    expect(toCall(id, run.token, outgoing, outcome)).toEqual(history.get(id));
    // Its bytes would hold the key that is masked elsewhere.
    expect(history.body(id, 'sentRaw').length).toBe(outgoing.masked ? 0 : (outgoing.passed?.raw?.length ?? 0));
  }
  for (const one of [history, database, run]) one.close();
  rmSync(home, { recursive: true });
});

describe('toOutcome', () => {
  it('reads code and message of a response', () => {
    expect(outcomeOf(answered('{"code":8,"message":"hash not valid","data":null}'))).toMatchObject({
      state: 'answered',
      code: 8,
      message: 'hash not valid',
      failure: null,
      findings: [],
    });
  });

  it('calls an answer that is not JSON, or not the envelope, answered, and says so', () => {
    const notJson = outcomeOf(answered('<html>', 502));
    expect(notJson).toMatchObject({ state: 'answered', code: null, failure: null });
    expect(notJson.findings).toContainEqual(expect.objectContaining({ severity: 'error', rule: 'json' }));
    expect(rules(answered('[]'))).toContain('error envelope');
  });

  it('says that an answer is not UTF-8, and where', () => {
    const { findings } = outcomeOf(answered(Buffer.from([0x7b, 0xff, 0x7d])));
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ rule: 'answer.utf8', severity: 'error' });
    expect(findings[0]?.message).toContain('byte 1 is');
  });

  it('shows a redirect as an answer with a warning that names the target', () => {
    const { findings, state } = outcomeOf(answered('', 307, [['Location', 'https://other.example/']]));
    expect(state).toBe('answered');
    expect(findings[0]).toMatchObject({ rule: 'answer.redirect', severity: 'warning' });
    expect(findings[0]?.message).toContain('https://other.example/');
  });

  it('of a request that the gateway passed, says of a redirect what the gateway does, and nothing of a clock that Croupier does not use', () => {
    const headers: HeaderList = [
      ['Location', 'https://other.example/'],
      ['date', new Date(noon + 90_000).toUTCString()],
    ];
    const { findings } = toOutcome(answered('', 307, headers), null, gameList, {}, true);
    expect(findings.map(({ rule }) => rule)).not.toContain('answer.clock');
    expect(findings.map(({ message }) => message).join()).toContain('https://other.example/. The gateway passes a redirect on:');
  });

  it('does not judge a part of a response', () => {
    const broken: Transmitted = { ...answered('{"code":0'), failure: cancelledFailure('body') };
    expect(outcomeOf(broken)).toMatchObject({ state: 'cancelled', code: null, findings: [] });
  });

  it('warns of a clock that is off by more than a few seconds', () => {
    const at = (ms: number) =>
      rules(answered('{"code":0,"message":"ok","data":{"slots":[]}}', 200, [['date', new Date(noon + ms).toUTCString()]]));
    expect(at(0)).toEqual([]);
    expect(at(4_000)).toEqual([]);
    // The middle of the range is beyond the tolerance, and the nearest moment of it is not.
    expect(at(5_000)).toEqual([]);
    expect(at(6_000)).toEqual(['warning answer.clock']);
    expect(at(-90_000)).toEqual(['warning answer.clock']);
  });

  it('says between what the clock is off, and nothing that the wait for the response explains', () => {
    const found = (seconds: number, firstByte: number) => {
      const headers: HeaderList = [['date', new Date(noon + seconds * 1_000).toUTCString()]];
      return outcomeOf({ ...answered('{}', 200, headers), timings: { ...timings, firstByte } }).findings.find(
        ({ rule }) => rule === 'answer.clock',
      )?.message;
    };
    expect(found(31, 900)).toMatch(
      /^The server's clock is between 30 and 33 s ahead of this machine's, which Croupier uses for `time`\. /,
    );
    expect(found(-31, 900)).toContain('between 29 and 32 s behind this machine');
    expect(found(31, 60_000)).toBeUndefined();
  });

  it('takes the tolerance of the clock, the codes and their HTTP status from the recorded answers', () => {
    const headers: HeaderList = [['date', new Date(noon + 90_000).toUTCString()]];
    const sent = answered('{"code":17,"message":"no","data":null}', 400, headers);
    const found = (id: string, value: string) =>
      outcomeOf(sent, { [id]: { value } }).findings.map(({ rule, message }) => [rule, message]);
    expect(found('time.tolerance', '5 minutes').map(([rule]) => rule)).toEqual(['code-not-listed']);
    expect(found('time.tolerance', '10 seconds')[0]?.[1]).toContain('The recorded tolerance is 10 seconds.');
    expect(found('codes.complete', '{"17": "Insufficient balance"}').map(([rule]) => rule)).toEqual(['answer.clock']);
    expect(found('http.status', '{"*": 200}')).toContainEqual([
      'http-status',
      'HTTP 400 came with code 17; the recorded HTTP status is 200.',
    ]);
  });
});

describe('clockOffset', () => {
  it('takes the middle of the second that the server names', () => {
    expect(clockOffset('Fri, 20 Nov 2026 12:00:00 GMT', noon + 500)).toBe(0);
    expect(clockOffset('Fri, 20 Nov 2026 12:00:10 GMT', noon + 500)).toBe(10_000);
    expect(clockOffset('Fri, 20 Nov 2026 12:00:00 GMT', noon + 500.4)).toBe(0);
  });

  it('is unknown without a readable date', () => {
    expect(clockOffset(null, noon)).toBeNull();
    expect(clockOffset('yesterday', noon)).toBeNull();
    expect(clockOffset('Fri, 20 Nov 2026 12:00:00 GMT', null)).toBeNull();
  });
});

describe('words about a call to a wallet', () => {
  const bet = operationByName('bet');
  const failedWith = (failure: Failure): Transmitted => ({ ...answered(''), response: null, failure });
  const wordsOf = (transmitted: Transmitted) => {
    const { failure, findings } = toOutcome(transmitted, null, bet);
    return [failure?.message, failure?.hint, ...findings.map(({ message }) => message)].join(' ');
  };
  const codes = [
    'CERT_HAS_EXPIRED',
    'CERT_NOT_YET_VALID',
    'CERT_REVOKED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'SELF_SIGNED_CERT_IN_CHAIN',
  ];
  const others = ['ECONNREFUSED', 'ENOTFOUND', 'EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_UNSUPPORTED_PROTOCOL'];
  const failed = [...codes, ...others].map((code) =>
    describeFailure(Object.assign(new Error(code), { code }), { phase: 'tls', host: 'wallet.example' }),
  );
  const told = [
    ...[...failed, cancelledFailure('connect'), faultFailure({ kind: 'notHttp' }, 'headers', false)].map(failedWith),
    ...[300, 304, 400, 401, 403, 404, 408, 413, 415, 500, 502, 504].map((status) => answered('', status)),
  ].map(wordsOf);

  it('are never about the provider or its base URL', () => {
    expect(told.filter((words) => /provider|base URL|players/.test(words) || !/^ *\S.*\.\s*$/.test(words))).toEqual([]);
    expect(told[0]).toContain('Ask whoever runs the wallet to renew it');
    expect(told.join('\n')).toContain('a proxy or firewall answers instead of the wallet');
  });
});
