import { describe, expect, it } from 'vitest';
import type { KeyPress } from '#shared/chords.ts';
import { commandTable, type CommandId } from '#shared/commands.ts';
import { commandFor, createCommands, keyLines, paletteCommands, runCommand, unmetFor, type Behaviours } from './commands.ts';

const press = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...held,
});

/** Makes commands of which some cannot run now. */
function setUp(...off: readonly CommandId[]) {
  const done: string[] = [];
  const behaviours = commandTable.map(({ id }) => [
    id,
    { when: { needs: 'something to do', holds: () => !off.includes(id) }, run: () => done.push(id) },
  ]);
  return { commands: createCommands(Object.fromEntries(behaviours) as Behaviours), done };
}

const page = { apple: false, dialogOpen: false, inText: false };

describe('commands', () => {
  it('have names and keys of their own', () => {
    const { commands } = setUp();
    expect(new Set(commands.map(({ id }) => id)).size).toBe(commands.length);
    const chords = commands.flatMap(({ keys }) => keys);
    expect(new Set(chords).size).toBe(chords.length);
  });

  it('are found by their keys where they make sense', () => {
    const { commands, done } = setUp('tab3');
    for (const [key, held] of [
      ['Enter', { ctrlKey: true }],
      ['Escape', {}],
      ['k', { ctrlKey: true }],
      ['2', { ctrlKey: true }],
      ['w', { altKey: true }],
      ['F6', { shiftKey: true }],
      ['.', { ctrlKey: true }],
    ] as const) {
      commandFor(commands, press(key, held), page)?.run();
    }
    expect(done).toEqual(['send', 'cancel', 'palette', 'tab2', 'closeTab', 'previousPane', 'copyAnswer']);
    expect(commandFor(commands, press('3', { ctrlKey: true }), page)).toBeNull();
    expect(commandFor(commands, press('x', { ctrlKey: true }), page)).toBeNull();
  });

  it('leave keys alone that mean nothing now', () => {
    const { commands, done } = setUp('send', 'save', 'cancel');
    for (const [key, held] of [
      ['Enter', { ctrlKey: true }],
      ['s', { ctrlKey: true }],
      ['Escape', {}],
    ] as const) {
      expect(commandFor(commands, press(key, held), page)).toBeNull();
    }
    for (const id of ['send', 'newTab', 'later']) runCommand(commands, id, { dialogOpen: false });
    expect(done).toEqual(['newTab']);
  });

  it('say what they need if their keys are pressed in vain', () => {
    const { commands } = setUp('save', 'cancel', 'manualBack');
    expect(unmetFor(commands, press('s', { ctrlKey: true }), page)?.when.needs).toBe('something to do');
    for (const [key, held] of [
      ['k', { ctrlKey: true }],
      ['Escape', {}],
      ['ArrowLeft', { altKey: true }],
      ['x', { ctrlKey: true }],
    ] as const)
      expect(unmetFor(commands, press(key, held), page), key).toBeNull();
    expect(unmetFor(commands, press('s', { ctrlKey: true }), { ...page, dialogOpen: true })).toBeNull();
  });

  it('do not reach behind an open dialog, but for those that open or close one', () => {
    const { commands } = setUp();
    const open = { apple: false, dialogOpen: true, inText: false };
    expect(commandFor(commands, press('Enter', { ctrlKey: true }), open)).toBeNull();
    expect(commandFor(commands, press('b', { ctrlKey: true }), open)).toBeNull();
    expect(commandFor(commands, press('k', { ctrlKey: true }), open)?.id).toBe('palette');
  });

  it('open the help everywhere, and move in it while it is open', () => {
    const opened = { apple: false, dialogOpen: true, inText: false };
    for (const at of [page, opened]) expect(commandFor(setUp().commands, press('F1'), at)?.id).toBe('manual');
    const back = press('ArrowLeft', { altKey: true });
    expect(commandFor(setUp().commands, back, opened)?.id).toBe('manualBack');
    expect(commandFor(setUp('manualBack').commands, back, opened)).toBeNull();
  });

  it('fill the palette and the list of keys', () => {
    const { commands } = setUp('send');
    const ids = paletteCommands(commands, false).map(({ command }) => command.id);
    expect(ids).toContain('themeDark');
    expect(ids).not.toContain('send');
    expect(ids).not.toContain('palette');
    const send = paletteCommands(commands, true).find(({ command }) => command.id === 'send');
    expect(send?.needs).toBe('something to do');
    const lines = keyLines(commands);
    expect(lines.filter(({ title }) => title === 'Tab 1 to 9')).toHaveLength(1);
    expect(lines.every(({ keys }) => keys.length > 0)).toBe(true);
  });
});

describe('the keys of layouts', () => {
  const at = (key: string, code: string, keyCode: number, held: string): KeyPress => ({
    key,
    code,
    keyCode,
    ctrlKey: held.includes('C'),
    metaKey: held.includes('M'),
    shiftKey: held.includes('S'),
    altKey: held.includes('O'),
    altGraph: held.includes('G'),
  });
  const { commands } = setUp('cancel', 'manualBack', 'manualForward');

  // As Chromium reports them. The last: the command in a text field, where it is another one. O is Option or Alt, G AltGr.
  it.each<[string, boolean, string, string, number, string, string | null, (string | null)?]>([
    ['US on a Mac', true, 'r', 'KeyR', 82, 'M', null],
    ['US on a Mac', true, 'k', 'KeyK', 75, 'M', 'palette'],
    ['US on a Mac', true, '®', 'KeyR', 82, 'O', 'newRun', null],
    ['US on a Mac', true, '∑', 'KeyW', 87, 'O', 'closeTab', null],
    ['US on a Mac', true, 'ç', 'KeyC', 67, 'O', 'checkValue', null],
    ['US on a Mac', true, '√', 'KeyV', 86, 'O', 'takeValue', null],
    ['US on a Mac', true, 'Dead', 'KeyN', 78, 'O', 'newTab', null],
    ['US on a Mac', true, 'ˇ', 'KeyT', 84, 'OS', 'reopenTab', null],
    ['US on a Mac', true, 'ArrowLeft', 'ArrowLeft', 37, 'O', null],
    ['US on a Mac', true, 'F1', 'F1', 112, 'O', 'explainFocus'],
    ['US on a Mac', true, 'Enter', 'Enter', 13, 'M', 'send'],
    ['Polish Pro on a Mac', true, 'ń', 'KeyN', 78, 'O', 'newTab', null],
    ['Polish Pro on a Mac', true, 'ć', 'KeyC', 67, 'O', 'checkValue', null],
    ['German on a Mac', true, '@', 'KeyL', 50, 'O', null],
    ['Dvorak on a Mac', true, '®', 'KeyO', 82, 'O', 'newRun', null],
    ['Dvorak on a Mac', true, '®', 'KeyO', 82, 'M', null],
    ['Polish, AltGr', false, 'ń', 'KeyN', 78, 'G', null],
    ['Polish, AltGr as Ctrl with Alt', false, 'ń', 'KeyN', 78, 'CO', null],
    ['US', false, 'n', 'KeyN', 78, 'O', 'newTab'],
    ['US', false, '.', 'Period', 190, 'C', 'copyAnswer'],
    ['US', false, '?', 'Slash', 191, 'CS', 'help'],
    ['US', false, 'V', 'KeyV', 86, 'CS', 'pasteIntoDoctor', null],
    ['US', false, 'z', 'KeyZ', 90, 'C', 'undo', null],
    ['German', false, 'z', 'KeyY', 90, 'C', 'undo', null],
    ['German', false, 'y', 'KeyZ', 89, 'C', null],
    ['German', false, '/', 'Digit7', 55, 'CS', 'help'],
    ['German', false, '?', 'Minus', 219, 'CS', 'help'],
    ['German', false, '-', 'Slash', 189, 'C', null],
    ['German', false, 'ö', 'Semicolon', 192, 'C', null],
    ['German', false, '@', 'KeyQ', 81, 'G', null],
    ['French', false, 'a', 'KeyQ', 65, 'C', null],
    ['French', false, 'z', 'KeyW', 90, 'C', 'undo', null],
    ['French', false, 'w', 'KeyZ', 87, 'C', 'closeTab'],
    ['French', false, '&', 'Digit1', 49, 'C', 'tab1'],
    ['French', false, ';', 'Comma', 190, 'C', null],
    ['French', false, ',', 'KeyM', 188, 'C', 'settings'],
    ['Dvorak', false, 'k', 'KeyV', 75, 'C', 'palette'],
    ['Dvorak', false, 'v', 'Period', 86, 'C', null],
    ['Dvorak', false, '.', 'KeyE', 190, 'C', 'copyAnswer'],
    ['Dvorak', false, ',', 'KeyW', 188, 'C', 'settings'],
    ['Dvorak', false, 'w', 'Comma', 87, 'C', 'closeTab'],
    ['Russian', false, 'л', 'KeyK', 75, 'C', 'palette'],
    ['Russian', false, 'ц', 'KeyW', 87, 'C', 'closeTab'],
    ['Russian', false, 'т', 'KeyN', 78, 'O', 'newTab'],
    ['Russian', false, 'б', 'Comma', 188, 'C', 'settings'],
    ['Russian', false, '.', 'Slash', 191, 'C', 'copyAnswer'],
    ['Russian on a Mac', true, 'л', 'KeyK', 75, 'M', 'palette'],
    ['Greek', false, 'κ', 'KeyK', 75, 'C', 'palette'],
    ['Greek', false, 'ς', 'KeyW', 87, 'C', 'closeTab'],
    ['Hebrew', false, 'ל', 'KeyK', 75, 'C', 'palette'],
    ['Hebrew', false, "'", 'KeyW', 87, 'C', 'closeTab'],
    ['Arabic', false, 'ن', 'KeyK', 75, 'C', 'palette'],
    ['Thai', false, 'า', 'KeyK', 75, 'C', 'palette'],
    ['Japanese, kana', false, 'の', 'KeyK', 75, 'C', 'palette'],
  ])('%s: apple %s, %s at %s (%d) with %j is %s', (_layout, apple, key, code, keyCode, held, plain, inText = plain) => {
    const idOf = (typing: boolean) =>
      commandFor(commands, at(key, code, keyCode, held), { apple, dialogOpen: false, inText: typing })?.id ?? null;
    expect(idOf(false)).toBe(plain);
    expect(idOf(true)).toBe(inText);
  });
});
