import { commandTable, type CommandEntry, type CommandGroup, type CommandId } from '#shared/commands.ts';
import type { CopyForm } from '#renderer/calls/copy-call.ts';
import { matchesChord, parseChord, writesCharacter, type KeyPress } from '#shared/chords.ts';
import { keysOf, type Shortcuts } from '#shared/shortcuts.ts';
import { choiceCommands, type Appearance, type ChoiceCommandId } from '#shared/choices.ts';
import { areas, type AreaName } from '#shared/areas.ts';

/** Something that the user can do from the palette, by its keys, from the desktop's menu, or by the control that shows them. */
export interface Command extends CommandEntry {
  readonly id: CommandId;
  /** Absent means always. */
  readonly when?: () => boolean;
  readonly run: () => void;
}

/** Functions that the commands call; the shell hands them in. */
export interface CommandActions {
  readonly area: () => string;
  readonly show: (area: AreaName) => void;
  readonly openPalette: (mode: 'everything' | 'quick') => void;
  readonly copyDiagnostics: () => void;
  readonly openHelp: () => void;
  readonly explainFocus: () => void;
  readonly openPlainText: () => void;
  /** The help, which F1 opens and closes. */
  readonly manual: {
    readonly open: () => boolean;
    readonly toggle: () => void;
    readonly goBack: () => void;
    readonly goForward: () => void;
  };
  readonly toggleSidebar: () => void;
  readonly choose: (change: Partial<Appearance>) => void;
  readonly switchEnvironment: () => void;
  /** Takes back the last change that can be taken back. */
  readonly undo: () => void;
  readonly canUndo: () => boolean;
  readonly movePane: (step: 1 | -1) => void;
  readonly newEnvironment: () => void;
  /** Returns whether requests have an environment to be sent to, which the next two open. */
  readonly hasEnvironment: () => boolean;
  readonly setKey: () => void;
  readonly editEnvironment: () => void;
  readonly saveEnvironment: () => void;
  readonly canSaveEnvironment: () => boolean;
  readonly sendOrCancel: () => void;
  readonly canSend: () => boolean;
  readonly cancel: () => void;
  readonly sending: () => boolean;
  /** The launcher's actions on the launch that is shown. */
  readonly launcher: LauncherCommands;
  /** Of the area that is shown. */
  readonly tabs: () => number;
  readonly newTab: () => void;
  readonly duplicateTab: () => void;
  readonly closeTab: () => void;
  readonly reopenTab: () => void;
  readonly canReopen: () => boolean;
  readonly selectTabAt: (index: number) => void;
  readonly saveRequest: () => void;
  readonly saveRequestAs: () => void;
  readonly openDirectory: () => void;
  readonly openPack: () => void;
  readonly importFiles: () => void;
  readonly newFromStarter: () => void;
  readonly toggleOrientation: () => void;
  readonly toggleHashPane: () => void;
  readonly toggleProviderLog: () => void;
  /** Shows the doctor with the keyboard in its paste field. */
  readonly pasteIntoDoctor: () => void;
  readonly isTimeFrozen: () => boolean;
  readonly freezeTime: () => void;
  readonly releaseTime: () => void;
  /** Opens the dialog that starts a run of a collection. */
  readonly newRun: () => void;
  /** Asks which player to forget, with the player of the call in sight filled in. */
  readonly forgetPlayer: () => void;
  readonly openOverrides: () => void;
  /** Returns whether there are calls that the next three act on: the one in sight, or those chosen in the history. */
  readonly hasChosen: () => boolean;
  readonly pinCalls: () => void;
  readonly exportCalls: () => void;
  readonly deleteCalls: () => void;
  /** Returns whether the request in sight, or the row with the keyboard, is in a collection. */
  readonly hasCollection: () => boolean;
  readonly editVariables: () => void;
  /** Returns whether the file of the request in sight, or of the row with the keyboard, has another version in git. */
  readonly canCompareVersions: () => boolean;
  readonly compareVersions: () => void;
  readonly copyAs: (form: CopyForm) => void;
  /** Opens the palette at the forms in which a call is copied. */
  readonly chooseCode: () => void;
  /** Moves the keyboard to the address of the request. */
  readonly goToAddress: () => void;
  readonly copyAnswer: () => void;
  readonly canCopyAnswer: () => boolean;
  /** Compares the call that is shown, after code 8, or the one selected in the history. */
  readonly compareLastGood: () => void;
  readonly canCompareLastGood: () => boolean;
  /** Compares two calls of the history, while exactly two are ticked. */
  readonly compareTicked: () => void;
  readonly canCompareTicked: () => boolean;
  /**
   * Returns whether there is one call that the next three act on: the one in sight or the selected one, with or without a response.
   */
  readonly hasCall: () => boolean;
  readonly editAndResign: () => void;
  readonly repeatExactly: () => void;
  /** Returns whether there is one call, also of a support pack, that the doctor can open. */
  readonly canExamine: () => boolean;
  readonly openInDoctor: () => void;
  /** Returns whether the tab in sight has a response with values that the next one can be about. */
  readonly hasValues: () => boolean;
  /** Makes a check, or a variable, of the value at the cursor of the response. */
  readonly useValue: (as: 'check' | 'take') => void;
  readonly canKeepExample: () => boolean;
  readonly keepExample: () => void;
}

/** The launcher's own commands; `has…` and `can…` say whether there is something to act on. */
export interface LauncherCommands {
  readonly newLaunch: () => void;
  readonly open: () => boolean;
  readonly launched: () => boolean;
  /** Returns whether the host lays the game over the page. */
  readonly hasView: () => boolean;
  readonly play: () => void;
  readonly mute: () => void;
  readonly reload: () => void;
  readonly closeGame: () => void;
  readonly screenshot: () => void;
  readonly exportEvidence: (as: 'folder' | 'html') => void;
  readonly saveNetworkLog: () => void;
  readonly setDevice: (device: 'desktop' | 'tablet' | 'phone') => void;
  readonly rotate: () => void;
}

/**
 * Creates every command of the shared list with its action. The palette, the keyboard and the list of keys are derived from these
 * alone.
 */
export function createCommands(actions: CommandActions): readonly Command[] {
  const { launcher } = actions;
  const inRequests = () => actions.area() === 'requests';
  const inLauncher = () => actions.area() === 'launcher';
  const toAreas = Object.fromEntries(areas.map(({ name }) => [name, { run: () => actions.show(name) }])) as Record<
    AreaName,
    Behaviour
  >;
  const choices = Object.fromEntries(
    choiceCommands.map(({ id, setting, value }) => [id, { run: () => actions.choose({ [setting]: value }) }]),
  ) as Record<ChoiceCommandId, Behaviour>;
  const hasTabs = () => (inRequests() || inLauncher()) && actions.tabs() > 0;
  const hasTab = () => inRequests() && actions.tabs() > 0;
  const savesEnvironment = () => actions.area() === 'environments' && actions.canSaveEnvironment();
  const tab = (number: number): Behaviour => ({
    when: () => (inRequests() || inLauncher()) && actions.tabs() >= number,
    run: () => actions.selectTabAt(number - 1),
  });
  const behaviours: Record<CommandId, Behaviour> = {
    send: { when: actions.canSend, run: actions.sendOrCancel },
    cancel: { when: actions.sending, run: actions.cancel },
    newTab: { run: actions.newTab },
    duplicateTab: { when: hasTab, run: actions.duplicateTab },
    closeTab: { when: hasTabs, run: actions.closeTab },
    save: {
      when: () => hasTab() || savesEnvironment(),
      run: () => (savesEnvironment() ? actions.saveEnvironment() : actions.saveRequest()),
    },
    saveRequestAs: { when: hasTab, run: actions.saveRequestAs },
    openDirectory: { run: actions.openDirectory },
    openPack: { run: actions.openPack },
    importFiles: { run: actions.importFiles },
    newFromStarter: { run: actions.newFromStarter },
    reopenTab: { when: actions.canReopen, run: actions.reopenTab },
    overrides: { when: hasTab, run: actions.openOverrides },
    address: { run: actions.goToAddress },
    code: { when: actions.hasCall, run: actions.chooseCode },
    copyAsCurl: { when: actions.hasCall, run: () => actions.copyAs('curl') },
    copyAsPhp: { when: actions.hasCall, run: () => actions.copyAs('phpSigning') },
    copyAsNode: { when: actions.hasCall, run: () => actions.copyAs('nodeSigning') },
    copyAsPython: { when: actions.hasCall, run: () => actions.copyAs('pythonSigning') },
    copyAsHar: { when: actions.hasCall, run: () => actions.copyAs('har') },
    copyHashInput: { when: actions.hasCall, run: () => actions.copyAs('hashInput') },
    copyRequestBody: { when: actions.hasCall, run: () => actions.copyAs('body') },
    copyAnswer: { when: () => inRequests() && actions.canCopyAnswer(), run: actions.copyAnswer },
    pinCalls: { when: actions.hasChosen, run: actions.pinCalls },
    exportCalls: { when: actions.hasChosen, run: actions.exportCalls },
    deleteCalls: { when: actions.hasChosen, run: actions.deleteCalls },
    compareLastGood: { when: actions.canCompareLastGood, run: actions.compareLastGood },
    compareTicked: { when: () => actions.area() === 'history' && actions.canCompareTicked(), run: actions.compareTicked },
    freezeTime: { when: () => !actions.isTimeFrozen(), run: actions.freezeTime },
    releaseTime: { when: actions.isTimeFrozen, run: actions.releaseTime },
    variables: { when: actions.hasCollection, run: actions.editVariables },
    compareVersions: { when: actions.canCompareVersions, run: actions.compareVersions },
    newRun: { run: actions.newRun },
    forgetPlayer: { run: actions.forgetPlayer },
    editAndResign: { when: actions.hasCall, run: actions.editAndResign },
    checkValue: { when: () => inRequests() && actions.hasValues(), run: () => actions.useValue('check') },
    takeValue: { when: () => inRequests() && actions.hasValues(), run: () => actions.useValue('take') },
    keepExample: { when: () => inRequests() && actions.canKeepExample(), run: actions.keepExample },
    repeatExactly: { when: actions.hasCall, run: actions.repeatExactly },
    openInDoctor: { when: actions.canExamine, run: actions.openInDoctor },
    tab1: tab(1),
    tab2: tab(2),
    tab3: tab(3),
    tab4: tab(4),
    tab5: tab(5),
    tab6: tab(6),
    tab7: tab(7),
    tab8: tab(8),
    tab9: tab(9),
    palette: { run: () => actions.openPalette('everything') },
    quickOpen: { run: () => actions.openPalette('quick') },
    ...toAreas,
    explainFocus: { run: actions.explainFocus },
    plainText: { run: actions.openPlainText },
    manual: { run: actions.manual.toggle },
    // Also without a page to go back to: a browser would leave the workbench.
    manualBack: { when: actions.manual.open, run: actions.manual.goBack },
    manualForward: { when: actions.manual.open, run: actions.manual.goForward },
    pasteIntoDoctor: { run: actions.pasteIntoDoctor },
    newLaunch: { run: launcher.newLaunch },
    reloadGame: { when: () => inLauncher() && launcher.open(), run: launcher.reload },
    closeGame: { when: () => inLauncher() && launcher.open(), run: launcher.closeGame },
    playGame: { when: () => inLauncher() && launcher.hasView(), run: launcher.play },
    muteGame: { when: () => inLauncher() && launcher.hasView(), run: launcher.mute },
    screenshot: { when: () => inLauncher() && launcher.hasView(), run: launcher.screenshot },
    exportFolder: { when: () => inLauncher() && launcher.launched(), run: () => launcher.exportEvidence('folder') },
    exportHar: { when: () => inLauncher() && launcher.launched(), run: launcher.saveNetworkLog },
    exportHtml: { when: () => inLauncher() && launcher.launched(), run: () => launcher.exportEvidence('html') },
    deviceDesktop: { when: inLauncher, run: () => launcher.setDevice('desktop') },
    deviceTablet: { when: inLauncher, run: () => launcher.setDevice('tablet') },
    devicePhone: { when: inLauncher, run: () => launcher.setDevice('phone') },
    rotateDevice: { when: inLauncher, run: launcher.rotate },
    switchEnvironment: { run: actions.switchEnvironment },
    setKey: { when: actions.hasEnvironment, run: actions.setKey },
    editEnvironment: { when: actions.hasEnvironment, run: actions.editEnvironment },
    newEnvironment: { run: actions.newEnvironment },
    sidebar: { run: actions.toggleSidebar },
    orientation: { when: inRequests, run: actions.toggleOrientation },
    hashPane: { when: inRequests, run: actions.toggleHashPane },
    providerLog: { run: actions.toggleProviderLog },
    undo: { when: actions.canUndo, run: actions.undo },
    nextPane: { run: () => actions.movePane(1) },
    previousPane: { run: () => actions.movePane(-1) },
    ...choices,
    copyDiagnostics: { run: actions.copyDiagnostics },
    help: { run: actions.openHelp },
  };
  return commandTable.map((entry) => ({ ...entry, ...behaviours[entry.id] }));
}

/** Returns the commands with the keys that the user gave them. */
export function withShortcuts(commands: readonly Command[], shortcuts: Shortcuts): readonly Command[] {
  return commands.map((command) => ({ ...command, keys: keysOf(command.id, shortcuts) }));
}

type Behaviour = Pick<Command, 'when' | 'run'>;

/** Runs a command by its ID, as the desktop's menu asks; ignores one that cannot run now. */
export function runCommand(commands: readonly Command[], id: string, state: { dialogOpen: boolean }): void {
  const command = commands.find((known) => known.id === id);
  if (command === undefined || (state.dialogOpen && command.inDialogs !== true)) return;
  if (command.when?.() ?? true) command.run();
}

/**
 * Returns the command that the pressed keys mean now; null for none. `inText`: they would write in a text field or an editor, which then
 * comes first.
 */
export function commandFor(
  commands: readonly Command[],
  press: KeyPress,
  state: { apple: boolean; dialogOpen: boolean; inText: boolean },
): Command | null {
  if (state.inText && writesCharacter(press, state.apple)) return null;
  const found = commands.find(
    (command) =>
      (!state.dialogOpen || command.inDialogs === true) &&
      (!state.inText || (command.pastes !== true && command.leavesTexts !== true)) &&
      command.keys.some((chord) => matchesChord(parseChord(chord), press, state.apple)) &&
      (command.when?.() ?? true),
  );
  return found ?? null;
}

/** Returns the commands that can run now, for the palette. */
export function paletteCommands(commands: readonly Command[]): readonly Command[] {
  return commands.filter((command) => command.byKeysOnly !== true && (command.when?.() ?? true));
}

/** Returns the lines of the list of keys; the nine tabs share one. */
export function keyLines(
  commands: readonly Command[],
): readonly { group: CommandGroup; title: string; keys: readonly string[] }[] {
  return commands
    .filter((command) => command.keys.length > 0 && !/^tab[2-9]$/.test(command.id))
    .map(({ id, group, title, keys }) =>
      id === 'tab1' ? { group, title: 'Tab 1 to 9', keys: ['Mod+1…9'] } : { group, title, keys },
    );
}
