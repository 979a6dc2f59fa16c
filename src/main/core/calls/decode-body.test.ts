import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
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
    ['zstd', 'not asked for'],
    ['gzip, br', 'more than once'],
    ['gzip,unknown', 'more than once'],
  ])('leaves %s as it is', async (encoding, words) => {
    const raw = gzipSync('text');
    const { body, truncated, failure } = await decodeBody(raw, encoding, 100);
    expect(body).toBe(raw);
    expect(truncated).toBe(false);
    expect(failure?.message).toContain(words);
  });

  it('has nothing to unpack where nothing came, and keeps what came before a fault', async () => {
    const nothing = Buffer.alloc(0);
    expect(await decodeBody(nothing, 'gzip', 100)).toEqual({ body: nothing, truncated: false, failure: null });
    expect((await decodeBody(nothing, 'unknown', 100)).failure).not.toBeNull();
    const text = Buffer.from(Array.from({ length: 200_000 }, (_, at) => (at * 7_919) % 251));
    const { body, truncated, failure } = await decodeBody(gzipSync(text).subarray(0, -9), 'gzip', 1_000_000);
    expect(failure?.message).toContain('cannot be unpacked');
    expect(truncated).toBe(false);
    expect(body.length).toBeGreaterThan(0);
    expect(text.subarray(0, body.length).equals(body)).toBe(true);
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
