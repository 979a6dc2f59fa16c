import { describe, expect, it } from 'vitest';
import type { KeyPress } from '#shared/chords.ts';
import { commandFor, createCommands, keyLines, paletteCommands, runCommand, type CommandActions } from './commands.ts';

const press = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...held,
});

function setUp(
  state: { area?: string; tabs?: number; sending?: boolean; game?: boolean; offered?: boolean; manual?: boolean } = {},
) {
  const done: string[] = [];
  const actions: CommandActions = {
    area: () => state.area ?? 'requests',
    show: (area) => done.push(`show ${area}`),
    openPalette: (mode) => done.push(mode),
    copyDiagnostics: () => done.push('diagnostics'),
    openHelp: () => done.push('help'),
    manual: {
      open: () => state.manual ?? false,
      toggle: () => done.push('manual'),
      goBack: () => done.push('manual back'),
      goForward: () => done.push('manual forward'),
    },
    toggleSidebar: () => done.push('sidebar'),
    choose: (change) => done.push(...Object.values(change)),
    hasValues: () => true,
    useValue: (as) => done.push(`${as} value`),
    explainFocus: () => done.push('explain'),
    openPlainText: () => done.push('text'),
    switchEnvironment: () => done.push('switch'),
    undo: () => done.push('undo'),
    canUndo: () => true,
    movePane: (step) => done.push(`pane ${step}`),
    newEnvironment: () => done.push('newEnvironment'),
    saveEnvironment: () => done.push('save'),
    saveRequest: () => done.push('save the request'),
    saveRequestAs: () => done.push('save as'),
    openDirectory: () => done.push('open a directory'),
    canExamine: () => true,
    openPack: () => done.push('pack'),
    importFiles: () => done.push('import'),
    newFromStarter: () => done.push('new from a starter'),
    canSaveEnvironment: () => true,
    sendOrCancel: () => done.push('send'),
    canSend: () => state.area !== 'history' && (state.tabs ?? 1) > 0,
    cancel: () => done.push('cancel'),
    sending: () => state.sending ?? false,
    launcher: {
      newLaunch: () => done.push('new launch'),
      open: () => state.game ?? false,
      launched: () => state.game ?? false,
      hasView: () => state.game ?? false,
      play: () => done.push('play'),
      mute: () => done.push('mute'),
      reload: () => done.push('reload'),
      closeGame: () => done.push('close game'),
      screenshot: () => done.push('screenshot'),
      exportEvidence: (as) => done.push(`export ${as}`),
      saveNetworkLog: () => done.push('network log'),
      setDevice: (device) => done.push(device),
      rotate: () => done.push('rotate'),
    },
    tabs: () => state.tabs ?? 1,
    newTab: () => done.push('new'),
    isTimeFrozen: () => false,
    freezeTime: () => done.push('freeze'),
    releaseTime: () => done.push('release'),
    newRun: () => done.push('new'),
    forgetPlayer: () => done.push('forget'),
    duplicateTab: () => done.push('duplicate'),
    closeTab: () => done.push('close'),
    reopenTab: () => done.push('reopen'),
    canReopen: () => true,
    selectTabAt: (index) => done.push(`tab ${index}`),
    toggleOrientation: () => done.push('orientation'),
    toggleHashPane: () => done.push('hash'),
    toggleProviderLog: () => done.push('log'),
    chooseCode: () => done.push('choose code'),
    goToAddress: () => done.push('address'),
    openOverrides: () => done.push('openOverrides'),
    pinCalls: () => done.push('pinCalls'),
    exportCalls: () => done.push('exportCalls'),
    deleteCalls: () => done.push('deleteCalls'),
    editVariables: () => done.push('editVariables'),
    canCompareVersions: () => true,
    compareVersions: () => done.push('compareVersions'),
    setKey: () => done.push('setKey'),
    editEnvironment: () => done.push('editEnvironment'),
    hasChosen: () => true,
    hasCollection: () => true,
    hasEnvironment: () => true,
    copyAs: (form) => done.push(`copy as ${form}`),
    copyAnswer: () => done.push('copy'),
    canCopyAnswer: () => true,
    compareLastGood: () => done.push('compare last good'),
    canCompareLastGood: () => state.offered ?? false,
    compareTicked: () => done.push('compare ticked'),
    canCompareTicked: () => state.offered ?? false,
    hasCall: () => true,
    editAndResign: () => done.push('editAndResign'),
    repeatExactly: () => done.push('repeatExactly'),
    openInDoctor: () => done.push('open in the doctor'),
    pasteIntoDoctor: () => done.push('paste into the doctor'),
    canKeepExample: () => true,
    keepExample: () => done.push('keepExample'),
  };
  return { commands: createCommands(actions), done };
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
    const { commands, done } = setUp({ tabs: 2, sending: true });
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
    expect(done).toEqual(['send', 'cancel', 'everything', 'tab 1', 'close', 'pane -1', 'copy']);
    expect(commandFor(commands, press('3', { ctrlKey: true }), page)).toBeNull();
    expect(commandFor(commands, press('x', { ctrlKey: true }), page)).toBeNull();
  });

  it('act on the launch and its tabs while the launcher is shown, and on a game that is open alone', () => {
    const { commands, done } = setUp({ area: 'launcher', tabs: 1, game: true });
    commandFor(commands, press('Enter', { ctrlKey: true }), page)?.run();
    commandFor(commands, press('w', { ctrlKey: true }), page)?.run();
    for (const id of [
      'reloadGame',
      'playGame',
      'muteGame',
      'screenshot',
      'exportHtml',
      'exportHar',
      'devicePhone',
      'rotateDevice',
    ]) {
      runCommand(commands, id, { dialogOpen: false });
    }
    expect(done).toEqual([
      'send',
      'close',
      'reload',
      'play',
      'mute',
      'screenshot',
      'export html',
      'network log',
      'phone',
      'rotate',
    ]);
    const without = paletteCommands(setUp({ area: 'launcher' }).commands).map(({ id }) => id);
    expect(without).toContain('deviceTablet');
    expect(without).not.toContain('reloadGame');
    expect(paletteCommands(setUp({ game: true }).commands).map(({ id }) => id)).not.toContain('exportFolder');
  });

  it('compare calls where there are two to compare', () => {
    const ids = (state: Parameters<typeof setUp>[0]) => paletteCommands(setUp(state).commands).map(({ id }) => id);
    expect(ids({ offered: true })).toContain('compareLastGood');
    expect(ids({ offered: true })).not.toContain('compareTicked');
    expect(ids({ offered: true, area: 'history' })).toContain('compareTicked');
    expect(ids({ area: 'history' })).not.toContain('compareTicked');
    expect(ids({})).not.toContain('compareLastGood');
  });

  it('leave keys alone that mean nothing now', () => {
    const elsewhere = setUp({ area: 'history' });
    expect(commandFor(elsewhere.commands, press('Enter', { ctrlKey: true }), page)).toBeNull();
    expect(commandFor(elsewhere.commands, press('s', { ctrlKey: true }), page)).toBeNull();
    for (const [area, saved] of [
      ['environments', 'save'],
      ['requests', 'save the request'],
    ] as const) {
      const { commands, done } = setUp({ area });
      commandFor(commands, press('s', { ctrlKey: true }), page)?.run();
      expect(done).toEqual([saved]);
    }
    expect(commandFor(setUp().commands, press('Escape'), page)).toBeNull();
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
    expect(commandFor(setUp({ manual: true }).commands, back, opened)?.id).toBe('manualBack');
    expect(commandFor(setUp().commands, back, opened)).toBeNull();
  });

  it('fill the palette and the list of keys', () => {
    const { commands } = setUp({ tabs: 0 });
    const ids = paletteCommands(commands).map(({ id }) => id);
    expect(ids).toContain('themeDark');
    expect(ids).not.toContain('send');
    expect(ids).not.toContain('palette');
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
  const { commands } = setUp({ tabs: 9 });

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
