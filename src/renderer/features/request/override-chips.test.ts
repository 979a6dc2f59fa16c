import { describe, expect, it } from 'vitest';
import { overrideChips } from './override-chips.ts';

describe('overrideChips', () => {
  it('has a chip for each fault, and each can go alone', () => {
    const chips = overrideChips({ hash: 'wrong', platform: '"1"', omit: ['time', 'data'] });
    expect(chips.map(({ label }) => label)).toEqual([
      'Hash wrong on purpose',
      'platform set to "1"',
      'time left out',
      'data left out',
    ]);
    expect(chips[0]?.without).toEqual({ platform: '"1"', omit: ['time', 'data'] });
    expect(chips[2]?.without).toEqual({ hash: 'wrong', platform: '"1"', omit: ['data'] });
    expect(overrideChips({ omit: ['time'] })[0]?.without).toEqual({});
  });

  it('shortens long texts and names an empty one', () => {
    expect(overrideChips({ hash: '' })[0]?.label).toBe('Hash set to nothing');
    expect(overrideChips({ time: 'x'.repeat(60) })[0]?.label).toHaveLength('Time set to '.length + 24);
    expect(overrideChips({})).toEqual([]);
  });
});
