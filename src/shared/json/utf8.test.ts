import { describe, expect, it } from 'vitest';
import { createJsonGenerator } from '../../testing/random-json.ts';
import { chooseSeed, seededRandom } from '../../testing/seeded-random.ts';
import { decodeUtf8, decodeUtf8Leniently, encodeUtf8, utf8Length } from './utf8.ts';

describe('encodeUtf8', () => {
  it('gives the bytes of the platform for every code point', () => {
    let text = '';
    for (let codePoint = 0; codePoint < 0x30000; codePoint += codePoint < 0x10000 ? 1 : 97)
      text += String.fromCodePoint(codePoint) + 'x';
    expect(Buffer.compare(encodeUtf8(text), new TextEncoder().encode(text))).toBe(0);
    expect(utf8Length(text)).toBe(Buffer.byteLength(text));
  });

  it('writes U+FFFD for half of a surrogate pair', () => {
    for (const text of ['\ud800', 'a\udc00b', '\ud800\ud800\udc00', '\udc00\ud800']) {
      expect([...encodeUtf8(text)]).toEqual([...new TextEncoder().encode(text)]);
      expect(utf8Length(text)).toBe(encodeUtf8(text).length);
    }
  });
});

describe('decodeUtf8', () => {
  it('agrees with the strict decoder of the platform, malformed bytes included', () => {
    const seed = chooseSeed();
    const generator = createJsonGenerator(seededRandom(seed));
    const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    for (let i = 0; i < 5_000; i++) {
      const bytes = generator.bytes();
      const note = `CROUPIER_SEED=${seed}, case ${i}: ${bytes.toString('hex').slice(0, 2_000)}`;
      let native: string | null;
      try {
        native = strict.decode(bytes);
      } catch {
        native = null;
      }
      const result = decodeUtf8(bytes);
      expect(result.ok ? result.text : null, note).toBe(native);
      if (!result.ok) expect(() => strict.decode(bytes.subarray(0, result.offset)), note).not.toThrow();
    }
  });

  it.each([
    ['ff', 0],
    ['61c0af', 1],
    ['61e282', 1],
    ['eda080', 0],
    ['f4908080', 0],
    ['f08080af', 0],
    ['c3a9c3', 2],
  ])('names the first malformed byte of %s', (hex, offset) => {
    expect(decodeUtf8(Buffer.from(hex, 'hex'))).toEqual({ ok: false, offset });
  });

  it('keeps a byte order mark and long texts', () => {
    expect(decodeUtf8(Buffer.from('efbbbf7b7d', 'hex'))).toEqual({ ok: true, text: '\ufeff{}' });
    const long = 'aé中😀'.repeat(10_000);
    expect(decodeUtf8(Buffer.from(long))).toEqual({ ok: true, text: long });
  });
});

describe('decodeUtf8Leniently', () => {
  it('goes on after a malformed byte and says where the first was', () => {
    expect(decodeUtf8Leniently(Buffer.from('c3a961ff62', 'hex'))).toEqual({
      text: 'éa\ufffdb',
      firstFault: { byteOffset: 3, charOffset: 2 },
    });
  });
});
