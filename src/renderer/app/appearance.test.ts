import { describe, expect, it } from 'vitest';
import { readAppearance, writeAppearance, writesForScreenReader } from './appearance.ts';
import { drawnTheme } from './theme.ts';

const usual = { theme: 'system', contrast: 'system', screenReader: 'system', rowKeys: 'on' } as const;

describe('readAppearance', () => {
  it('reads back what was written, and what an older version wrote', () => {
    const chosen = { theme: 'dark', contrast: 'more', screenReader: 'on', rowKeys: 'off' } as const;
    expect(readAppearance(writeAppearance(chosen))).toEqual(chosen);
    expect(readAppearance('{"theme":"light"}')).toEqual({ ...usual, theme: 'light' });
  });

  it('takes the system’s in place of what it does not understand', () => {
    for (const text of [undefined, '', '[]', '{"theme":"pink","contrast":7,"screenReader":true}'])
      expect(readAppearance(text)).toEqual(usual);
  });
});

describe('drawnTheme', () => {
  const system = { dark: false, moreContrast: false, forcedColors: false };
  it('is the chosen theme, or the system’s', () => {
    expect(drawnTheme(usual, { ...system, dark: true })).toBe('dark');
    expect(drawnTheme(usual, system)).toBe('light');
    expect(drawnTheme({ ...usual, theme: 'light' }, { ...system, dark: true })).toBe('light');
  });

  it('has more contrast if it is chosen, or if the system prefers it', () => {
    expect(drawnTheme({ theme: 'dark', contrast: 'more' }, system)).toBe('dark-contrast');
    expect(drawnTheme(usual, { ...system, moreContrast: true })).toBe('light-contrast');
    expect(drawnTheme({ ...usual, contrast: 'normal' }, { ...system, moreContrast: true })).toBe('light');
  });

  it('follows the system alone while it forces its colours', () => {
    expect(drawnTheme({ theme: 'light', contrast: 'normal' }, { dark: true, moreContrast: false, forcedColors: true })).toBe(
      'dark-contrast',
    );
  });
});

describe('writesForScreenReader', () => {
  it('is the choice, or else what the host hears', () => {
    expect(writesForScreenReader('on', false)).toBe(true);
    expect(writesForScreenReader('off', true)).toBe(false);
    expect([true, false, null].map((heard) => writesForScreenReader('system', heard))).toEqual([true, false, false]);
  });
});
