import { fc } from '#testing/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { minimalEdit } from './minimal-edit.ts';

function apply(text: string, change: { start: number; end: number; text: string } | null): string {
  return change === null ? text : text.slice(0, change.start) + change.text + text.slice(change.end);
}

describe('minimalEdit', () => {
  it('replaces only what differs', () => {
    expect(minimalEdit('{"a":1,"b":2}', '{"a":12,"b":2}')).toEqual({ start: 6, end: 6, text: '2' });
    expect(minimalEdit('13:59:59', '14:00:00')).toEqual({ start: 1, end: 8, text: '4:00:00' });
    expect(minimalEdit('aaa', 'aa')).toEqual({ start: 2, end: 3, text: '' });
    expect(minimalEdit('same', 'same')).toBeNull();
  });

  it('never parts a surrogate pair or a line end of two characters', () => {
    // Both begin with the same high surrogate, and both end with the same low one.
    expect(minimalEdit('x😀', 'x😁')).toEqual({ start: 1, end: 3, text: '😁' });
    expect(minimalEdit('\u{10400}', '\u{10800}')).toEqual({ start: 0, end: 2, text: '\u{10800}' });
    expect(minimalEdit('a\r\nb', 'a\rb')).toEqual({ start: 1, end: 3, text: '\r' });
  });

  it('gives the new text for any two texts, at whole characters', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\r', '\n', '\r\n', '😀', '😁', '\u{10400}', 'é'), maxLength: 12 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const change = minimalEdit(before, after);
        expect(apply(before, change)).toBe(after);
        if (change === null) return;
        for (const part of [before.slice(0, change.start), change.text, before.slice(change.end)])
          expect(part.isWellFormed()).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
