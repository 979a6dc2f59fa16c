import { describe, expect, it } from 'vitest';
import { chordOf, isChord, matchesChord, parseChord, type KeyPress } from './chords.ts';
import { commandTable } from './commands.ts';

const press = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...held,
});

describe('matchesChord', () => {
  it('wants exactly the keys of the chord', () => {
    const chord = parseChord('Mod+Shift+H');
    expect(matchesChord(chord, press('H', { ctrlKey: true, shiftKey: true }), false)).toBe(true);
    expect(matchesChord(chord, press('H', { metaKey: true, shiftKey: true }), true)).toBe(true);
    expect(matchesChord(chord, press('H', { metaKey: true, shiftKey: true }), false)).toBe(false);
    expect(matchesChord(chord, press('h', { ctrlKey: true }), false)).toBe(false);
    expect(matchesChord(chord, press('H', { ctrlKey: true, shiftKey: true, altKey: true }), false)).toBe(false);
  });

  it('goes by the character, and by the place of the key on a layout without it', () => {
    expect(matchesChord(parseChord('Mod+K'), press('л', { ctrlKey: true, code: 'KeyK' }), false)).toBe(true);
    expect(matchesChord(parseChord('Mod+Q'), press('a', { ctrlKey: true, code: 'KeyQ' }), false)).toBe(false);
    expect(matchesChord(parseChord('Mod+Period'), press('v', { ctrlKey: true, code: 'Period' }), false)).toBe(false);
    expect(matchesChord(parseChord('Alt+N'), press('˜', { altKey: true, code: 'KeyN' }), true)).toBe(true);
    expect(matchesChord(parseChord('Mod+Shift+Slash'), press('?', { ctrlKey: true, shiftKey: true, code: 'Slash' }), false)).toBe(
      true,
    );
    expect(
      matchesChord(parseChord('Mod+Shift+Slash'), press('/', { ctrlKey: true, shiftKey: true, code: 'Digit7' }), false),
    ).toBe(true);
    expect(matchesChord(parseChord('Mod+1'), press('&', { ctrlKey: true, code: 'Digit1' }), false)).toBe(true);
  });
});

describe('chordOf', () => {
  it.each([
    ['Mod+Shift+H', press('H', { ctrlKey: true, shiftKey: true, code: 'KeyH' })],
    ['Mod+Alt+V', press('v', { ctrlKey: true, altKey: true, code: 'KeyV' })],
    ['Alt+F1', press('F1', { altKey: true, code: 'F1' })],
    ['F8', press('F8', { code: 'F8' })],
    ['Mod+1', press('&', { ctrlKey: true, code: 'Digit1' })],
    ['Mod+4', press("'", { ctrlKey: true, code: 'Digit4' })],
    ['Mod+Shift+Semicolon', press(':', { ctrlKey: true, shiftKey: true, code: 'Period' })],
    ['Mod+Comma', press('б', { ctrlKey: true, code: 'Comma', keyCode: 188 })],
    ['Mod+Shift+Slash', press('?', { ctrlKey: true, shiftKey: true, code: 'Slash' })],
    ['Mod+Shift+Slash', press('/', { ctrlKey: true, shiftKey: true, code: 'Digit7' })],
    ['Mod+K', press('л', { ctrlKey: true, code: 'KeyK' })],
    ['Alt+ArrowUp', press('ArrowUp', { altKey: true, code: 'ArrowUp' })],
    ['Mod+Enter', press('Enter', { ctrlKey: true, code: 'Enter' })],
  ])('reads %s, which the same keys match', (chord, pressed) => {
    expect(chordOf(pressed, false)).toEqual({ chord });
    expect(matchesChord(parseChord(chord), pressed, false)).toBe(true);
    expect(isChord(chord)).toBe(true);
  });

  it('waits while only modifiers are down', () => {
    for (const key of ['Control', 'Shift', 'Alt', 'Meta', 'AltGraph']) expect(chordOf(press(key), false)).toBeNull();
  });

  it.each([
    ['a letter alone', press('r', { code: 'KeyR' }), 'Hold Ctrl or Alt'],
    ['Enter alone', press('Enter', { code: 'Enter' }), 'Hold Ctrl or Alt'],
    ['copying', press('c', { ctrlKey: true, code: 'KeyC' }), 'Ctrl+C copies in text fields.'],
    ['pasting', press('v', { ctrlKey: true, code: 'KeyV' }), 'pastes'],
    ['redoing', press('Z', { ctrlKey: true, shiftKey: true, code: 'KeyZ' }), 'redoes'],
    ['zooming', press('0', { ctrlKey: true, code: 'Digit0' }), 'zooms'],
    ['quitting', press('q', { ctrlKey: true, code: 'KeyQ' }), 'quits'],
    ['closing the window', press('F4', { altKey: true, code: 'F4' }), 'closes the window'],
    ['a key of the system', press('e', { metaKey: true, code: 'KeyE' }), 'The system reserves this key'],
    ['a key that nobody has', press('MediaPlayPause'), "can't use this key"],
    ['a letter that chords have no name for', press('ö', { ctrlKey: true, code: 'Semicolon' }), "can't use this key"],
    ['the space bar', press(' ', { ctrlKey: true, code: 'Space' }), "can't use this key"],
  ])('refuses %s and says why', (_name, pressed, why) => {
    expect(chordOf(pressed, false)).toEqual({ refused: expect.stringContaining(why) as string });
  });

  it('refuses AltGr, which writes characters, and Control on a Mac', () => {
    const at = press('q', { ctrlKey: true, altKey: true, altGraph: true, code: 'KeyQ' });
    expect(chordOf(at, false)).toEqual({ refused: expect.stringContaining('AltGr') as string });
    const control = press('j', { ctrlKey: true, code: 'KeyJ' });
    expect(chordOf(control, true)).toEqual({ refused: 'Use Command instead of Control.' });
  });
});

describe('isChord', () => {
  it('holds for every key of the commands', () => {
    for (const chord of commandTable.flatMap(({ keys }) => [...keys])) expect(isChord(chord), chord).toBe(true);
  });

  it.each(['', 'Mod', 'Mod+', 'Mod+Mod+K', 'Ctrl+K', 'Mod+k', 'Mod+Nonsense', 'K+Mod+J'])('does not hold for %j', (text) => {
    expect(isChord(text)).toBe(false);
  });
});
