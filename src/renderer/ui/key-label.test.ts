import { expect, it } from 'vitest';
import { ariaKeys, isApplePlatform, keyText, spokenKeys } from './key-label.ts';
import { nextIndex } from './roving.ts';

it('writes chords the way of the platform', () => {
  expect(keyText('Mod+Enter', false)).toBe('Ctrl ↵');
  expect(keyText('Mod+Enter', true)).toBe('⌘↵');
  expect(keyText('Mod+Shift+Slash', false)).toBe('Ctrl Shift /');
  expect(keyText('Alt+BracketLeft', false)).toBe('Alt [');
  expect(keyText('Mod+Shift+H', true)).toBe('⌘⇧H');
  expect([isApplePlatform('MacIntel'), isApplePlatform('Linux x86_64'), isApplePlatform('Win32')]).toEqual([true, false, false]);
});

it('writes chords for a screen reader, too', () => {
  expect(spokenKeys('Mod+Shift+Slash', false)).toBe('Ctrl+Shift+Slash');
  expect(spokenKeys('Alt+ArrowUp', true)).toBe('Alt+Up');
  expect(ariaKeys('Mod+Shift+Slash', false)).toBe('Control+Shift+/');
  expect(ariaKeys('Mod+Enter', true)).toBe('Meta+Enter');
  expect([keyText('Del', false), spokenKeys('Del', false), ariaKeys('Del', false)]).toEqual(['Del', 'Delete', 'Delete']);
  expect([keyText('Del', true), spokenKeys('Del', true), ariaKeys('Del', true)]).toEqual([
    '⌘⌫',
    'Command+Delete',
    'Meta+Backspace',
  ]);
});

it('moves around the ends and knows its axis', () => {
  expect(nextIndex('ArrowRight', 2, 3, 'horizontal')).toBe(0);
  expect(nextIndex('ArrowLeft', 0, 3, 'horizontal')).toBe(2);
  expect(nextIndex('ArrowDown', -1, 3, 'vertical')).toBe(0);
  expect(nextIndex('ArrowUp', -1, 3, 'vertical')).toBe(2);
  expect(nextIndex('ArrowDown', 0, 3, 'horizontal')).toBeNull();
  expect(nextIndex('End', 0, 0, 'horizontal')).toBeNull();
});
