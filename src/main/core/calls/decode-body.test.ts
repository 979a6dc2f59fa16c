import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeBody } from './decode-body.ts';

const mebibyte = 1_048_576;

describe('decodeBody', () => {
  it('passes what is not packed through as the same bytes', async () => {
    const raw = Buffer.from('{}');
    for (const encoding of ['', 'identity', ' Identity ']) expect((await decodeBody(raw, encoding, 10)).body).toBe(raw);
  });

  it('ends a bomb at a hundred times its size, once it is over a mebibyte', async () => {
    const bomb = gzipSync(Buffer.alloc(40 * mebibyte));
    const { body, truncated, failure } = await decodeBody(bomb, 'gzip', 268_435_456);
    expect(failure).toMatchObject({ kind: 'too_large' });
    expect(failure?.message).toContain('100 times');
    expect(truncated).toBe(true);
    expect(body.length).toBe(bomb.length * 100);
  });

  it('takes a small answer however well it packs', async () => {
    const text = Buffer.alloc(mebibyte - 1, ' ');
    const { body, failure } = await decodeBody(brotliCompressSync(text), 'br', 20 * mebibyte);
    expect(failure).toBeNull();
    expect(body.equals(text)).toBe(true);
  });

  it('takes an answer of exactly the limit', async () => {
    const text = Buffer.alloc(5_000, 'ab');
    expect((await decodeBody(gzipSync(text), 'gzip', 5_000)).failure).toBeNull();
    expect((await decodeBody(gzipSync(text), 'gzip', 4_999)).failure).toMatchObject({ kind: 'too_large' });
  });

  it.each<[string, Buffer]>([
    ['gzip', gzipSync('text')],
    ['x-gzip', gzipSync('text')],
    [' GZip , identity,', gzipSync('text')],
    ['br', brotliCompressSync('text')],
    ['deflate', deflateSync('text')],
    ['deflate', deflateRawSync('text')],
  ])('unpacks %s', async (encoding, raw) => {
    const { body, truncated, failure } = await decodeBody(raw, encoding, 4);
    expect([body.toString(), truncated, failure]).toEqual(['text', false, null]);
  });

  it.each([
    ['compress', "can't undo (compress)"],
    ['gzip, gzip, gzip, gzip', 'compressed 4 times'],
    ['gzip, br', "can't be decompressed"],
  ])('leaves %s as it came, and says why', async (encoding, words) => {
    const raw = gzipSync('text');
    const { body, truncated, failure } = await decodeBody(raw, encoding, 100);
    expect(body).toBe(raw);
    expect(truncated).toBe(false);
    expect(failure?.message).toContain(words);
  });

  it.each([
    ['a word that names no compression', 'UTF-8', '{"code":0}', 'names no compression'],
    ['several words', 'none, utf8', '{"code":0}', 'names no compression'],
    ['gzip, and is not', 'gzip', '{"code":0}', "isn't. Croupier read it"],
    ['br, and is not', 'br', '{"code":0}', "isn't. Croupier read it"],
    ['deflate, and is not', 'deflate', '\n<html>ü', "isn't. Croupier read it"],
    ['what nobody can undo, and is a text', 'compress', '{"code":0}', "isn't. Croupier read it"],
  ])('reads a text as it came whose header says %s', async (_, encoding, text, words) => {
    const { body, failure, findings } = await decodeBody(Buffer.from(text), encoding, 100);
    expect([body.toString(), failure]).toEqual([text, null]);
    expect(findings.map(({ rule, severity }) => [rule, severity])).toEqual([['http.encoding', 'warning']]);
    expect(findings[0]?.message).toContain(words);
    // A header may hold anything, also a private key.
    expect(findings[0]?.message).not.toMatch(/utf/i);
  });

  it('undoes several compressions, and says that nobody asked for them', async () => {
    const { body, findings } = await decodeBody(brotliCompressSync(gzipSync('text')), 'gzip, br', 100);
    expect(body.toString()).toBe('text');
    expect(findings).toMatchObject([{ rule: 'http.unasked', severity: 'note' }]);
    expect((await decodeBody(zstdCompressSync('text'), 'zstd', 100)).body.toString()).toBe('text');
  });

  it('keeps what came where it is damaged, and has nothing to unpack where nothing came', async () => {
    const nothing = Buffer.alloc(0);
    expect(await decodeBody(nothing, 'gzip', 100)).toEqual({ body: nothing, truncated: false, failure: null, findings: [] });
    const packed = gzipSync('{"code":0,"message":"ok"}');
    for (const damaged of [packed.subarray(0, -9), packed.subarray(0, 20), Buffer.from('1f8b0800ff', 'hex')]) {
      const { body, truncated, failure } = await decodeBody(damaged, 'gzip', 1_000_000);
      expect(failure?.message).toContain("can't be decompressed");
      expect([body, truncated]).toEqual([damaged, false]);
    }
  });

  it('gives what came up to the limit, and says which limit it was', async () => {
    const text = Buffer.alloc(300_000, 'ab');
    const { body, truncated, failure } = await decodeBody(gzipSync(text), 'gzip', 100_001);
    expect(body.equals(text.subarray(0, 100_001))).toBe(true);
    expect(truncated).toBe(true);
    expect(failure?.message).toContain('larger than 100,001 bytes');
    const big = Buffer.alloc(2 * mebibyte, 'a');
    expect((await decodeBody(gzipSync(big), 'gzip', mebibyte)).failure?.message).toContain('larger than');
  });
});
