import { describe, expect, it, vi } from 'vitest';
import { isCommand } from './keyboard.ts';

vi.mock('electron', () => ({ app: {}, BrowserWindow: {} }));

describe('isCommand', () => {
  const key = (name: string, code: string, held: readonly string[] = ['control']) => ({
    key: name,
    code,
    control: held.includes('control'),
    meta: held.includes('meta'),
    shift: held.includes('shift'),
    alt: held.includes('alt'),
  });
  it.each([
    ['Ctrl+Enter', key('Enter', 'Enter'), true],
    ['Ctrl+N', key('n', 'KeyN'), true],
    ['Ctrl+1', key('1', 'Digit1'), true],
    ['Ctrl+.', key('.', 'Period'), true],
    ['Ctrl+?', key('?', 'Slash', ['control', 'shift']), true],
    ['Alt+N', key('n', 'KeyN', ['alt']), true],
    ['F6', key('F6', 'F6', []), true],
    ['Ctrl+K, the way out', key('k', 'KeyK'), false],
    ['Ctrl+Q', key('q', 'KeyQ'), false],
    ['F11', key('F11', 'F11', []), false],
    ['Escape', key('Escape', 'Escape', []), false],
    ['Enter', key('Enter', 'Enter', []), false],
    ['Ctrl+Alt+N', key('n', 'KeyN', ['control', 'alt']), false],
    ['Command+N', key('n', 'KeyN', ['meta']), false],
  ])('%s: %s', (_name, input, expected) => {
    expect(isCommand(input, false, {})).toBe(expected);
  });
  it('goes by the keys that the user chose', () => {
    const changed = { newTab: ['Mod+Alt+T'] } as const;
    expect(isCommand(key('t', 'KeyT', ['control', 'alt']), false, changed)).toBe(true);
    expect(isCommand(key('n', 'KeyN'), false, changed)).toBe(false);
  });
  it('takes the command key on a Mac', () => {
    expect(isCommand(key('n', 'KeyN', ['meta']), true, {})).toBe(true);
    expect(isCommand(key('n', 'KeyN'), true, {})).toBe(false);
  });
});
