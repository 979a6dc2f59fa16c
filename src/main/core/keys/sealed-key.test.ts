import { describe, expect, it } from 'vitest';
import { fc } from '#testing/fast-check.ts';
import { createKeyOpeners, sealKey } from './sealed-key.ts';

describe('a sealed key', () => {
  it('is opened once, by the one for whom it was sealed, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300, unit: 'binary' }), (key) => {
        const openers = createKeyOpeners();
        const [one, other] = [openers.make(), openers.make()];
        const sealed = sealKey(one, key);
        const bytes = sealKey(other, Buffer.from(key, 'utf8'));
        expect(Buffer.from(openers.open(bytes)).equals(Buffer.from(key, 'utf8'))).toBe(true);
        expect(Buffer.from(openers.open(structuredClone(sealed))).equals(Buffer.from(key, 'utf8'))).toBe(true);
        expect(() => openers.open(sealed)).toThrow('not encrypted for this process');
        expect(() => createKeyOpeners().open(sealed)).toThrow('not encrypted for this process');
      }),
      { numRuns: 50 },
    );
  });

  it('has nothing of the key, and differs each time', () => {
    const key = 'the-private-key '.repeat(8);
    const openers = createKeyOpeners();
    const to = openers.make();
    const [one, other] = [sealKey(to, key), sealKey(to, key)].map(({ bytes }) => Buffer.from(bytes));
    expect(one?.length).toBe(key.length);
    expect(one?.equals(other ?? Buffer.alloc(0))).toBe(false);
    // No block of the stream is used twice.
    expect(one?.subarray(0, 32).equals(one.subarray(32, 64))).toBe(false);
    expect(one?.includes('private')).toBe(false);
  });

  it('leaves the bytes that it was made of', () => {
    const key = Buffer.from('the-private-key');
    sealKey(createKeyOpeners().make(), key);
    expect(key.toString()).toBe('the-private-key');
  });
});
