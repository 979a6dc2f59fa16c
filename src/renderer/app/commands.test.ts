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
    setTheme: (theme) => done.push(theme),
    setContrast: (contrast) => done.push(contrast),
    setScreenReader: (screenReader) => done.push(screenReader),
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

const page = { apple: false, dialogOpen: false };

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
    const open = { apple: false, dialogOpen: true };
    expect(commandFor(commands, press('Enter', { ctrlKey: true }), open)).toBeNull();
    expect(commandFor(commands, press('b', { ctrlKey: true }), open)).toBeNull();
    expect(commandFor(commands, press('k', { ctrlKey: true }), open)?.id).toBe('palette');
  });

  it('open the help everywhere, and move in it while it is open', () => {
    const opened = { apple: false, dialogOpen: true };
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
