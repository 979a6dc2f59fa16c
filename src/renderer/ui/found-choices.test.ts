import { describe, expect, it } from 'vitest';
import { foundChoices, moveChoice } from './found-choices.ts';

const choices = ['Live Malta', 'Live Sweden', 'Staging Malta', 'Old'].map((text) => ({
  id: text,
  text,
  disabled: text === 'Old',
}));

describe('choices that are found by typing', () => {
  it('hold every word, in any order and in either case', () => {
    const found = (typed: string) => foundChoices(choices, typed).map(({ text }) => text);
    expect(found('malta LIVE')).toEqual(['Live Malta']);
    expect(found('l')).toEqual(['Live Malta', 'Live Sweden', 'Staging Malta', 'Old']);
    expect(found('nothing')).toEqual([]);
    expect(foundChoices(choices, '  ')).toBe(choices);
  });

  it('are found by what their text leaves out', () => {
    const short = { id: 'a', text: 'Casino E…live', whole: 'Casino Europe live' };
    expect(foundChoices([short], 'europe')).toEqual([short]);
  });

  it('are walked around the ends, past what is disabled', () => {
    expect(moveChoice('ArrowDown', -1, choices, 2)).toBe(0);
    expect(moveChoice('ArrowDown', 2, choices, 2)).toBe(0);
    expect(moveChoice('ArrowUp', 0, choices, 2)).toBe(2);
    expect(moveChoice('PageDown', 0, choices, 2)).toBe(2);
    expect(moveChoice('PageUp', 1, choices, 2)).toBe(0);
    expect(moveChoice('a', 0, choices, 2)).toBeNull();
    expect(moveChoice('ArrowDown', -1, [], 2)).toBeNull();
    expect(moveChoice('ArrowDown', 0, [{ id: '', text: '', disabled: true }], 2)).toBeNull();
  });
});
