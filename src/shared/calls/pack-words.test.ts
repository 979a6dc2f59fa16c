import { describe, expect, it } from 'vitest';
import type { Call } from '../ipc/outputs/calls.ts';
import { callNumber, maskedInCall, unexaminable } from './pack-words.ts';

const pack = { id: 'p', name: 'theirs.json', number: 12 };
const signed = { hashInput: { time: '', dataJson: null, dataOffset: 0, dataLength: 0 } } as Call['request'];

describe('a call of a support pack', () => {
  it('is named by its number and its pack, and an own one by its ID', () => {
    expect(callNumber({ id: -3, pack })).toBe('12 of theirs.json');
    expect(callNumber({ id: 7 })).toBe('7');
  });

  it('is examined unless it is unsigned or its hashed bytes are masked', () => {
    const call = { id: -3, pack, request: signed };
    expect(unexaminable(call)).toBeNull();
    expect(unexaminable({ ...call, maskedParts: ['response body'] })).toBeNull();
    expect(unexaminable({ ...call, maskedParts: ['hash input'] })).toMatch(/^Call 12 of theirs\.json can't be examined: /);
    expect(unexaminable({ ...call, request: { ...signed, hashInput: null } })).toBe(
      'Call 12 of theirs.json has no hash input, so there is no hash to examine.',
    );
  });

  it('says what is masked', () => {
    expect(maskedInCall({})).toBeNull();
    expect(maskedInCall({ maskedParts: ['URL', 'overrides'] })).toBe(
      'Masked in the pack: URL, overrides. Values shown as [token] or [secret] may differ.',
    );
  });
});
