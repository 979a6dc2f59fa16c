import { describe, expect, it } from 'vitest';
import { comparisonText } from './plain-texts.ts';

describe('comparisonText', () => {
  const left = { title: 'Call 1', text: '{\n  "a": 1\n}' };
  const right = { title: 'Call 2', text: '{\n  "a": 2,\n  "b": 3\n}' };

  it('begins with the lines that differ', () => {
    const text = comparisonText(left, right, [{ left: { from: 2, to: 3 }, right: { from: 2, to: 4 } }]);
    expect(text.split('\n\n')[0]).toBe(
      'Difference 1 of 1\nCall 1, line 2:\n  "a": 1\nCall 2, lines 2 to 3:\n  "a": 2,\n  "b": 3',
    );
    expect(text).toContain('Call 2, all of it:\n{');
  });

  it('says where a side has nothing, and that nothing differs', () => {
    expect(comparisonText(left, right, [{ left: { from: 3, to: 3 }, right: { from: 3, to: 4 } }])).toContain(
      'Call 1: nothing, before line 3',
    );
    expect(comparisonText(left, left, [])).toMatch(/^No differences\./);
    expect(comparisonText(left, left, null)).toMatch(/^Still comparing\./);
  });
});
