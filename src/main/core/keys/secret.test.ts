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
    expect([key.equals('clé'), key.equals('cle'), key.equals('clé ')]).toEqual([true, false, false]);
    let seen = new Uint8Array();
    key.use((bytes) => (seen = bytes as Uint8Array<ArrayBuffer>));
    key.clear();
    expect([...seen]).toEqual([0, 0, 0, 0]);
    expect(key.length).toBe(0);
  });
});
