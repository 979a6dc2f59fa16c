import { describe, expect, it } from 'vitest';
import type { Call } from '#shared/ipc/index.ts';
import { ageText, outcomeText, repeatedText, repeatFacts } from './repeat-words.ts';

const now = Date.UTC(2026, 10, 21, 12);

function call(change: Partial<Call>, request: Partial<Call['request']> = {}): Call {
  const hashInput = { time: '20-11-2026 12:00:00', dataJson: null, dataOffset: 0, dataLength: 0 };
  return {
    id: 5,
    state: 'answered',
    failure: null,
    response: { status: 200, headers: [], bodyBytes: 0, truncated: false },
    operation: 'gameList',
    requestBytes: 1_312,
    sentAt: now - 86_400_000,
    request: { headers: [], bodyText: '', hashInput, hash: 'a'.repeat(64), keyFingerprint: null, ...request },
    ...change,
  } as Call;
}

describe('what an exact repeat means', () => {
  it('is the same bytes with the old time and hash', () => {
    expect(repeatFacts(call({}), now)).toEqual({
      bytes: 'Sends the same 1,312 bytes again. Nothing is re-signed, and no key is needed.',
      old: [
        'time stays "20-11-2026 12:00:00", created 1 day ago.',
        'The hash stays "aaaaaaaaaaaa…". The provider may reject the call if it checks time or has a new key.',
      ],
      again: null,
      otherwise: 'For a new time and hash, or any change, use Edit and re-sign.',
    });
    expect(repeatFacts(call({}, { hash: null }), now).old[1]).toBe('No hash is sent.');
  });

  it('names the ids that go out again where the operation changes something', () => {
    const bodyText = '{"transactionId":"t-9007199254740993 Zo\\u00eb","amount":1.50,"playerId":"p"}';
    const facts = repeatFacts(call({ operation: 'bet' }, { bodyText, hashInput: null, hash: null }), now);
    expect(facts.again).toBe(
      '/bet changes money or data on the other side. It sends the same IDs again: transactionId "t-9007199254740993 Zoë". ' +
        'The other side may do it twice, or recognise the repeat.',
    );
    expect(facts.old).toEqual(['The body was created 1 day ago. The method has no time or hash.']);
    expect(facts.otherwise).toBe('To change anything, use Edit and re-sign.');
    const dataJson = '{"freeRounds":[],"externalReferenceIds":["r-1","r-2"]}';
    const hashInput = { time: 't', dataJson, dataOffset: 0, dataLength: 0 };
    expect(repeatFacts(call({ operation: 'freeRoundsByBet' }, { hashInput }), now).again).toContain('["r-1","r-2"]');
    expect(repeatFacts(call({ operation: 'win' }, { bodyText: 'no JSON', hashInput: null }), now).again).toMatch(
      /^\/win changes money or data on the other side\. The other side may/,
    );
  });

  it('says of a repeat what is known of its bytes', () => {
    const hashInput = { time: 't', dataJson: null, dataOffset: 0, dataLength: 0 };
    const repeated = { ...call({}, { hashInput }), repeats: 4 };
    const failed = (phase: 'dns' | 'headers') =>
      ({ ...repeated, state: 'failed', response: null, failure: { kind: 'timeout', phase, message: 'm', hint: 'h' } }) as const;
    const response = { status: 200, headers: [], bodyBytes: 0, truncated: false };
    expect(repeatedText({ ...repeated, response })).toBe('Exact repeat of call 4: the same bytes, with the old time and hash.');
    expect(repeatedText(failed('dns'))).toBe('Exact repeat of call 4. Nothing was sent.');
    expect(repeatedText(failed('headers'))).toContain("Croupier doesn't know whether they arrived.");
    const bet = { ...failed('dns'), operation: 'bet' } as const;
    expect(repeatFacts(bet, now).bytes).toContain('bytes. Nothing');
    expect(repeatFacts(bet, now).again).toBe('/bet changes money or data on the other side.');
    expect(outcomeText(4, { ...failed('dns'), id: 5 })).not.toContain('sent');
  });

  it('says how old it is by the largest unit', () => {
    expect([0, 400, 1_000, 59_000, 3_599_000, 7_200_000, 200_000_000, -5].map(ageText)).toEqual([
      'just now',
      'just now',
      '1 second ago',
      '59 seconds ago',
      '59 minutes ago',
      '2 hours ago',
      '2 days ago',
      'just now',
    ]);
  });
});
