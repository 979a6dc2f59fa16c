import { brotliCompressSync, gzipSync } from 'node:zlib';
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
});
