import { describe, expect, it } from 'vitest';
import type { Call } from '#shared/ipc/index.ts';
import { mostValues } from '#shared/json/measure.ts';
import { unreadRule } from '#shared/provider/findings.ts';
import { readJsonBody, refusalOf, summaryOf } from './call-response.ts';

/** Returns a call with only the named fields. */
const callOf = (more: object = {}) => more as unknown as Call;

describe('a summary', () => {
  const names = [
    'id environmentId environmentName operation url sentAt state status code message failure durationMs requestBytes',
    'responseBytes run day pinned note repeats collectionRun',
  ].flatMap((line) => line.split(' '));

  it('has what the list shows, and nothing else', () => {
    const whole = Object.fromEntries(names.map((name) => [name, `its ${name}`]));
    expect(summaryOf(callOf({ ...whole, draft: 1, request: 2, response: 3 }))).toEqual(whole);
    expect(summaryOf(callOf({ ...whole, maskedKeys: ['a'] }))).toEqual({ ...whole, maskedKeys: ['a'] });
    expect(Object.keys(summaryOf(callOf(whole)))).not.toContain('maskedKeys');
  });
});

describe('an answer', () => {
  it('is a tree, or none where it is not JSON in UTF-8', () => {
    expect(readJsonBody(Buffer.from('{"a":1.50}'))).toMatchObject({
      kind: 'object',
      members: [{ key: 'a', value: { text: '1.50' } }],
    });
    for (const body of [Buffer.from([0x22, 0xff, 0x22]), Buffer.from('{'), Buffer.alloc(0)])
      expect(readJsonBody(body)).toBeNull();
  });

  it('is refused where it has too many values', () => {
    const body = Buffer.from(`[${'0,'.repeat(mostValues)}0]`);
    expect(() => readJsonBody(body)).toThrow(expect.objectContaining({ code: 'refused' }) as Error);
  });
});

describe('why a call brought nothing', () => {
  const none = { failure: null, findings: [], message: null, draft: { operation: 'gameList' } };

  it.each<[object, string | RegExp | null]>([
    [{ ...none, code: 0 }, null],
    [{ ...none, code: 0, failure: { message: 'It broke.', hint: 'Mend it.' } }, 'It broke. Mend it.'],
    [{ ...none, code: null }, /no code/],
    [{ ...none, code: null, findings: [{ rule: unreadRule, message: 'Too deep.' }] }, 'Too deep.'],
    [{ ...none, code: 8 }, /^The provider answered code 8\.$/],
    [{ ...none, code: 404, draft: { operation: 'generateNewToken' } }, /^The wallet answered code 404\.$/],
    [{ ...none, code: 8, message: 'hash not valid' }, /code 8: hash not valid\.$/],
  ])('%j', (call, expected) => {
    const found = refusalOf(callOf(call));
    if (expected instanceof RegExp) expect(found).toMatch(expected);
    else expect(found).toBe(expected);
  });
});
