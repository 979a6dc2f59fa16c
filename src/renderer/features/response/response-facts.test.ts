import { describe, expect, it } from 'vitest';
import type { Call } from '#shared/ipc/outputs/calls.ts';
import { someCall } from '#testing/some-call.ts';
import { announcement, codeFact, duration, phases, size } from './response-facts.ts';

const call = (change: Partial<Call>) =>
  someCall({ operation: 'getGameRound', durationMs: 38, response: null, requestBytes: 1, responseBytes: 1, ...change });

const failure = { kind: 'dns', phase: 'dns', message: 'The host was not found.', hint: 'Check it.' } as const;

describe('the facts of a response', () => {
  it('puts the provider’s code first', () => {
    expect(codeFact(call({}))).toEqual({ text: '0 ok', tone: 'good' });
    expect(codeFact(call({ state: 'pending', code: null }))).toEqual({ text: 'No outcome yet', tone: 'plain' });
    expect(codeFact(call({ code: 8, message: 'hash not valid' }))).toEqual({ text: '8 hash not valid', tone: 'bad' });
    expect(codeFact(call({ code: 9, message: null })).text).toContain('9 platform not valid');
    const signed = { ...call({}).request, hashInput: { time: 't', dataJson: null, dataOffset: 0, dataLength: 0 } };
    expect(codeFact(call({ code: null, message: null, request: signed }))).toEqual({ text: 'No code', tone: 'warn' });
    expect(codeFact(call({ operation: 'playerInfo', code: null, message: null }))).toEqual({ text: 'No code', tone: 'plain' });
    expect(codeFact(call({ state: 'failed', failure }))).toEqual({ text: 'No response', tone: 'bad' });
    const response = { status: 200, headers: [], bodyBytes: 3, truncated: true };
    expect(codeFact(call({ state: 'failed', failure, response })).text).toBe('Incomplete response');
  });

  it('does not show a code that is in doubt as good', () => {
    const finding = (rule: string) => ({
      findings: [{ rule, severity: 'error', path: '', message: 'Why.' }] as Call['findings'],
    });
    expect(codeFact(call({ code: null, ...finding('duplicate-key') }))).toEqual({ text: 'Ambiguous code', tone: 'warn' });
    expect(codeFact(call({ code: null, ...finding('answer.unread') }))).toEqual({ text: 'Not read', tone: 'warn' });
    expect(codeFact(call(finding('answer.unread')))).toEqual({ text: '0 ok', tone: 'warn' });
    expect(codeFact(call({ code: 8, ...finding('duplicate-key') })).tone).toBe('bad');
    expect(announcement(call(finding('answer.unread')))).toBe('getGameRound answered code 0 ok, in 38 ms. Why.');
    expect(announcement(call({ code: null, ...finding('duplicate-key') }))).toBe('getGameRound answered, in 38 ms. Why.');
  });

  it('writes times and sizes in words', () => {
    expect([0.2, 38.4, 999, 1_250, 61_000].map(duration)).toEqual(['<1 ms', '38 ms', '999 ms', '1.25 s', '61.0 s']);
    expect([412, 12_400, 5_200_000].map(size)).toEqual(['412 B', '12.4 kB', '5.2 MB']);
  });

  it('leaves out the phases that did not happen', () => {
    const timings = { dns: null, connect: null, tls: null, firstByte: 4, download: 0.5, total: 5, reused: true };
    expect(phases(timings).map(({ name }) => name)).toEqual(['First byte', 'Download']);
  });

  it('says the outcome aloud', () => {
    expect(announcement(call({}))).toBe('getGameRound answered code 0 ok, in 38 ms');
    expect(announcement(call({ state: 'failed', failure }))).toBe('getGameRound: no response. The host was not found.');
    expect(announcement(call({ repeats: 4 }))).toBe('getGameRound, sent exactly as call 4 answered code 0 ok, in 38 ms');
    expect(announcement(call({ repeats: 4, state: 'failed', failure }))).toBe(
      'getGameRound, an exact repeat of call 4: no response. The host was not found.',
    );
  });
});
