import { describe, expect, it } from 'vitest';
import { themeFromTokens } from './themes.ts';

describe('themeFromTokens', () => {
  const tokens: Record<string, string> = {
    '--surface': '#fff',
    '--ink': '#16211d',
    '--accent': '#0b7a56',
    '--code-key': 'not a colour',
  };
  const theme = themeFromTokens('light', (name) => tokens[name] ?? '');

  it('writes colours as Monaco reads them', () => {
    expect(theme.base).toBe('vs');
    expect(theme.colors['editor.background']).toBe('#ffffff');
    expect(theme.colors['editor.selectionBackground']).toBe('#0b7a5640');
    expect(theme.rules).toContainEqual({ token: '', foreground: '16211d' });
  });

  it('takes a theme of high contrast for more contrast, and writes selected text on a full colour', () => {
    const strong = themeFromTokens('dark-contrast', (name) => (name === '--ink-on-accent' ? '#000000' : (tokens[name] ?? '')));
    expect(strong.base).toBe('hc-black');
    expect(strong.colors).toMatchObject({
      'editor.selectionBackground': '#0b7a56',
      'editor.selectionForeground': '#000000',
    });
  });

  it('leaves out a token that is not a colour', () => {
    expect(theme.rules.some((rule) => rule.token === 'string.key.json')).toBe(false);
    expect(Object.values(theme.colors).every((value) => /^#[0-9a-f]{6}([0-9a-f]{2})?$/i.test(value))).toBe(true);
  });
});
