import { describe, expect, it } from 'vitest';
import { keepUnknown } from './keep-unknown.ts';

describe('keepUnknown', () => {
  it('gives what was read where nothing changed, and keeps beside a change what is not understood', () => {
    const raw = { a: 1, view: 'table', new: [1], inner: { b: 2, more: { x: 1 } } };
    const known = { a: 1, view: 'form', inner: { b: 2 } };
    expect(keepUnknown(raw, known, { ...known })).toBe(raw);
    expect(keepUnknown(raw, known, { a: 2, view: 'form', inner: { b: 3 } })).toEqual({
      a: 2,
      view: 'table',
      new: [1],
      inner: { b: 3, more: { x: 1 } },
    });
    expect(keepUnknown(raw, known, { a: 1, view: 'data', inner: { b: 2 } })).toEqual({ ...raw, view: 'data' });
  });

  it('releases what was understood and removed, and adds what is new', () => {
    expect(keepUnknown({ a: 1, b: 2, c: 3 }, { a: 1, b: 2 }, { a: 1, d: 4 })).toEqual({ a: 1, c: 3, d: 4 });
    expect(keepUnknown([1, 2], [1], [1, 3])).toEqual([1, 3]);
    expect(keepUnknown(undefined, undefined, { a: 1 })).toEqual({ a: 1 });
  });
});
