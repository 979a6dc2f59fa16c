import { describe, expect, it } from 'vitest';
import { findInPieces, mostAtOnce } from './key-use.ts';

const accounts = [{ account: 'croupier/one', version: '1' }];

/** Searches a text in which each byte 0x2a is a key, and notes the lengths of the pieces. */
async function search(text: Uint8Array) {
  const lengths: number[] = [];
  const found = await findInPieces(
    {
      find({ bytes }) {
        lengths.push(bytes.length);
        const places = Array.from(bytes.entries(), ([start, byte]) => (byte === 0x2a ? [start, start + 1] : [])).flat();
        return Promise.resolve({ found: places.length === 0 ? [] : [{ account: 'croupier/one', places }], unknown: [] });
      },
    },
    accounts,
    text,
  );
  return { found, lengths };
}

describe('findInPieces', () => {
  it('names each place once, also where neighbouring pieces share it', async () => {
    const text = new Uint8Array(3 * mostAtOnce).fill(0x61);
    const at = [0, 131_071, 131_072, 150_000, mostAtOnce - 1, mostAtOnce, text.length - 1];
    for (const place of at) text[place] = 0x2a;
    const { found } = await search(text);
    expect(found).toEqual([{ environmentId: 'one', places: at.map((start) => ({ start, end: start + 1 })) }]);
  });

  it('cuts between characters, and of bytes that are none at most three bytes earlier', async () => {
    const characters = new TextEncoder().encode('中'.repeat(100_000));
    const { lengths } = await search(characters);
    expect(lengths.every((length) => length % 3 === 0)).toBe(true);
    const { lengths: ofNone } = await search(new Uint8Array(2 * mostAtOnce).fill(0x80));
    expect(Math.max(...ofNone)).toBeLessThanOrEqual(mostAtOnce + 3);
    expect(ofNone).toHaveLength(3);
  });

  it('searches a text from its first byte, though that begins no character', async () => {
    const { found } = await search(Uint8Array.of(0x80, 0x80, 0x2a, 0x61));
    expect(found).toEqual([{ environmentId: 'one', places: [{ start: 2, end: 3 }] }]);
  });
});
