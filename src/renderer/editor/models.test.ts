import { describe, expect, it } from 'vitest';
import { hasMixedLineEnds } from './models.ts';

describe('hasMixedLineEnds', () => {
  it('is true only where lines end in more than one way', () => {
    for (const text of ['', 'a', 'a\nb\nc', 'a\r\nb\r\nc', 'a\rb']) expect(hasMixedLineEnds(text)).toBe(false);
    for (const text of ['a\r\nb\nc', 'a\rb\n', 'a\r\r\nb']) expect(hasMixedLineEnds(text)).toBe(true);
  });
});
