import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { hide } from './secret.ts';

describe('hide', () => {
  it('prints as [hidden] whichever way it is printed', () => {
    const key = hide('the-private-key');
    const nested = { environment: 'a', key };
    const printed = [
      String(key),
      `${key as unknown as string}`,
      JSON.stringify(nested),
      inspect(nested, { depth: 9, showHidden: true }),
      inspect(new Error('x', { cause: nested }), { depth: 9 }),
      Object.entries(key).join(),
    ];
    for (const text of printed) expect(text).not.toContain('the-private-key');
    expect(printed.slice(0, 3)).toEqual(['[hidden]', '[hidden]', '{"environment":"a","key":"[hidden]"}']);
    expect(printed[3]).toContain('key: [hidden]');
  });

  it('cannot be sent to another process', () => {
    expect(() => structuredClone(hide('the-private-key'))).toThrow('could not be cloned');
  });

  it('gives its UTF-8 bytes to use, compares, and is empty once cleared', () => {
    const key = hide('clé');
    expect(key.length).toBe(4);
    expect(key.use((bytes) => Buffer.from(bytes).toString('utf8'))).toBe('clé');
    const same = ['clé', 'cle', 'clé '].map((other) => key.equals(hide(other)));
    expect(same).toEqual([true, false, false]);
    key.clear();
    expect(key.length).toBe(0);
    expect(key.use((bytes) => bytes.length)).toBe(0);
    expect(() => key.clear()).not.toThrow();
  });

  it('has its bytes for as long as they are used, also where that fails, and none of those it was made of', () => {
    const given = Buffer.from('the-private-key');
    const key = hide(given);
    expect(given.every((byte) => byte === 0)).toBe(true);
    let seen = new Uint8Array();
    const keep = (bytes: Uint8Array) => {
      seen = bytes as Uint8Array<ArrayBuffer>;
      return Buffer.from(bytes).toString();
    };
    expect(key.use(keep)).toBe('the-private-key');
    expect([...seen]).toEqual(Array.from('the-private-key', () => 0));
    const fail = () => {
      throw new Error('no');
    };
    expect(() => key.use(fail)).toThrow('no');
    expect([...seen]).toEqual(Array.from('the-private-key', () => 0));
    expect(key.use(keep)).toBe('the-private-key');
    // Not on V8's heap, where a collection moves small objects and leaves copies behind.
    expect(seen.buffer.byteLength).toBe(seen.length);
    key.clear();
  });
});
