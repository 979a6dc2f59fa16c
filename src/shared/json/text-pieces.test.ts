import { expect, it } from 'vitest';
import { inPieces } from './text-pieces.ts';

it('a text is changed in pieces as it is in one, and no pair is parted', () => {
  const text = `${'a/'.repeat(40_000)}${'x'.repeat(51_071)}😀${'/é'.repeat(50_000)}😀`;
  const seen: string[] = [];
  const change = (piece: string) => {
    seen.push(piece);
    return piece.replaceAll('/', '\\/');
  };
  expect(text.charCodeAt(131_071) === 0xd83d && text.charCodeAt(131_072) === 0xde00).toBe(true);
  expect(inPieces(text, change)).toBe(text.replaceAll('/', '\\/'));
  expect(seen.length).toBeGreaterThan(3);
  expect(seen.join('')).toBe(text);
  for (const piece of seen) expect(piece.isWellFormed()).toBe(true);
});
