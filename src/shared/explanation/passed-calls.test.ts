import { describe, expect, it } from 'vitest';
import { compareCalls } from '../calls/compare-calls.ts';
import { differenceSentence, hashInputLines, keyText } from '../calls/comparison-words.ts';
import { unexaminable } from '../calls/pack-words.ts';
import { describeSent } from '../calls/sent-request.ts';
import { bytesFact, departureText, sentFact, sentProof, sentTitle, wholeStatement } from '../calls/sent-words.ts';
import type { Call } from '../ipc/outputs/calls.ts';
import { Environment } from '../model/environment.ts';
import { someCall } from '#testing/some-call.ts';
import { explainCall } from './explain-call.ts';
import { probablyKey } from '#shared/doctor/words.ts';
import { canExamine, passedHashRule } from './hand-hash.ts';
import { acceptedBefore, canCompare } from './last-accepted.ts';
import { plainText } from './sentence.ts';

const hash = 'ab'.repeat(32);
const data = '{"roundId":1001,"note":"a\\/é"}';
const before = '{"action":"getGameRound","platform":7,"partnerId":31,"time":"20-11-2026 12:00:00","data":';
const environment = Environment.parse({ id: 'e', name: 'Live', baseUrl: 'https://p.example', platform: 5, partnerId: 31 });

/** A call that the gateway passed, as it records one. */
function passed(change: Partial<Call> = {}, request: Partial<Call['request']> = {}): Call {
  return someCall({
    origin: 'backend',
    operation: 'getGameRound',
    code: 8,
    message: 'hash not valid',
    request: {
      headers: [],
      bodyText: `${before}${data},"hash":"${hash}"}`,
      hashInput: { time: '20-11-2026 12:00:00', dataJson: data, dataOffset: before.length, dataLength: data.length + 1 },
      hash,
      keyFingerprint: null,
      ...request,
    },
    ...change,
  });
}

const own = passed({ id: 2, code: 0, operation: 'getGameRound' }, { keyFingerprint: '7f3e-91' });
delete own.origin;
const failure = (phase: NonNullable<Call['failure']>['phase']) =>
  ({
    state: 'failed',
    code: null,
    status: null,
    response: null,
    failure: { kind: 'connect', phase, message: 'm', hint: '' },
  }) as const;

/** Everything that is said of a call without a look at other files. */
function sentencesOf(call: Call): string[] {
  const sent = describeSent(call);
  const accepted = { call: own, comparison: compareCalls(own, call) };
  const explanations = [null, 'Your backend escapes no slashes.'].map((finding) =>
    explainCall({ call, environment, accepted, keys: { fingerprint: '7f3e-91', pair: null }, finding, responseText: '{}' }),
  );
  return [
    departureText(sent) ?? '',
    sentTitle(sent),
    wholeStatement(sentFact(sent)),
    wholeStatement(bytesFact(sent)),
    ...sentProof(sent),
    ...explanations.flatMap((one) =>
      one === null ? [] : [one.title, ...one.facts, ...one.steps.map(({ text }) => text)].map(plainText),
    ),
    ...[compareCalls(own, call), compareCalls(call, passed({ id: 3 }))].flatMap((comparison) => [
      differenceSentence(comparison, 'They'),
      ...hashInputLines(comparison),
      comparison.hashInput.verdict === 'signed' ? keyText(comparison.hashInput.key) : '',
    ]),
  ];
}

const checkTheKey = 'Check the key in your backend: one trailing space or line break changes the hash.';

describe('what is said of a call that the gateway passed', () => {
  it.each<[what: string, call: Call]>([
    ['accepted', passed({ code: 0 })],
    ['with a wrong hash', passed()],
    ['with another hash of the same time and data', passed({}, { hash: 'cd'.repeat(32) })],
    ['without a hash', passed({}, { hash: null })],
    ['with a wrong identity', passed({ code: 9 })],
    ['with a wrong token', passed({ code: 404, operation: 'getLauncherURL' })],
    ['with an unlisted code', passed({ code: 77 })],
    ['without a code', passed({ code: null })],
    ['with a body that is not UTF-8', passed({ requestBytes: 7 })],
    ['that did not leave', passed(failure('connect'))],
    ['that got no response', passed(failure('headers'))],
    ['whose departure is not known', passed({ ...failure('send'), state: 'interrupted' })],
    ['that is under way', passed({ state: 'pending', status: null, response: null, code: null })],
    ['of a wallet method', passed({ operation: 'bet', origin: 'provider', code: null }, { hashInput: null, hash: null })],
    ['that fits no operation', passed({ operation: null }, { hashInput: null, hash: null })],
    ['that fits no operation and has a hash', passed({ operation: null })],
  ])('claims nothing of Croupier that another program did: %s', (_, call) => {
    for (const sentence of sentencesOf(call)) {
      expect(sentence).not.toMatch(
        /Croupier (?:sent|signs|signed|hashed|computed|started|adds|uses)|before sending|would have been sent/,
      );
      expect(sentence).not.toMatch(/signed = |on purpose|by hand|Set the (?:key|serialization)|this call hashed|^hashed as/i);
      expect(sentence).not.toMatch(/[Ss]ame key|[Dd]ifferent keys|the key differs|not signed|Nothing was sent/);
    }
  });

  it('says who sent it and whose hash it is', () => {
    expect(departureText(describeSent(passed(failure('tls'))))).toBe('Nothing was passed on. This is what your backend sent.');
    const { hashOrigin, from } = describeSent(passed());
    expect([hashOrigin, from]).toEqual(['received', 'backend']);
    expect(sentProof(describeSent(passed()))).toEqual([
      "The hash came with the request: Croupier didn't compute it. The hash input shows what it should cover.",
    ]);
    const explanation = explainCall({
      call: passed(),
      environment,
      accepted: null,
      keys: null,
      finding: 'Your backend escapes no slashes.',
      responseText: null,
    });
    expect(plainText(explanation?.title ?? [])).toBe('Your backend escapes no slashes.');
    expect(explanation?.steps.map(({ text }) => plainText(text))).not.toContain(checkTheKey);
  });

  it('says the mistake that the gateway found, and asks the doctor for no other', () => {
    const findings = [{ rule: passedHashRule, severity: 'error', path: '', message: 'Your backend hashes twice.' }] as const;
    const call = passed({ findings: [...findings] });
    expect(canExamine(call)).toBe(false);
    const given = { call, environment, accepted: null, keys: null, finding: null, responseText: null };
    expect(plainText(explainCall(given)?.title ?? [])).toBe('Your backend hashes twice.');
    expect(explainCall(given)?.steps.map(({ text }) => plainText(text))).not.toContain(checkTheKey);
    const unknown = { ...given, call: passed({ findings: findings.map((one) => ({ ...one, message: probablyKey })) }) };
    expect(explainCall(unknown)?.steps.map(({ text }) => plainText(text))).toContain(checkTheKey);
  });

  it('offers the doctor, and the last accepted call of whoever sent it', async () => {
    expect([canExamine(passed()), canExamine(passed({}, { hash: null })), canCompare(passed())]).toEqual([true, false, true]);
    expect(unexaminable(passed({ operation: null }, { hashInput: null }))).toContain('has no hash input');
    const client = { call: () => Promise.resolve({ calls: [own] }) } as never;
    expect(await acceptedBefore(client, passed())).toBe(own);
    expect(await acceptedBefore(client, passed({ operation: null }))).toBeNull();
  });
});
