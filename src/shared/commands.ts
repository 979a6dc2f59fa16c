import { areas } from './areas.ts';
import { choiceCommands } from './choices.ts';

/** Group of a command in the palette, in the list of shortcuts and in the desktop's menu. */
export type CommandGroup = 'Requests' | 'Go to' | 'Launcher' | 'View' | 'Environments';

/** A command without the function that runs it. */
export interface CommandEntry {
  readonly id: string;
  readonly title: string;
  readonly group: CommandGroup;
  /** Chords such as `Mod+Shift+H`, where `Mod` is Ctrl or the command key; the first is the one that is shown. */
  readonly keys: readonly string[];
  /** Works while a dialog is open too. */
  readonly inDialogs?: boolean;
  /** The browser pastes after it, so it does nothing in a text field or an editor, where the same keys paste. */
  readonly pastes?: true;
  /** Does nothing in a text field or an editor, where the same keys undo what was typed. */
  readonly leavesTexts?: true;
  /** Left out of the palette and of menus: it only makes sense by its keys. */
  readonly byKeysOnly?: boolean;
}

const entries = [
  { id: 'send', title: 'Send or cancel', group: 'Requests', keys: ['Mod+Enter'] },
  { id: 'cancel', title: 'Cancel sending', group: 'Requests', keys: ['Escape'] },
  // A browser keeps Ctrl+N, Ctrl+W and Ctrl+Shift+T for itself; the second chord works there.
  { id: 'newTab', title: 'New request', group: 'Requests', keys: ['Mod+N', 'Alt+N'] },
  { id: 'duplicateTab', title: 'Duplicate request', group: 'Requests', keys: ['Mod+D'] },
  { id: 'closeTab', title: 'Close tab', group: 'Requests', keys: ['Mod+W', 'Alt+W'] },
  { id: 'reopenTab', title: 'Reopen closed request', group: 'Requests', keys: ['Mod+Shift+T', 'Alt+Shift+T'] },
  // One command for both, because a chord has one meaning in the desktop's menu.
  { id: 'save', title: 'Save', group: 'Requests', keys: ['Mod+S'] },
  { id: 'saveRequestAs', title: 'Save request as…', group: 'Requests', keys: [] },
  { id: 'openDirectory', title: 'Open a collection', group: 'Requests', keys: [] },
  { id: 'openPack', title: 'Open support pack…', group: 'Requests', keys: [] },
  { id: 'importFiles', title: 'Import from cURL, Postman, HAR or Bruno', group: 'Requests', keys: [] },
  { id: 'newFromStarter', title: 'New collection from starter…', group: 'Requests', keys: [] },
  { id: 'address', title: 'Go to request URL', group: 'Requests', keys: ['Mod+L'] },
  { id: 'code', title: 'Copy as code…', group: 'Requests', keys: ['Mod+Shift+G'] },
  { id: 'overrides', title: 'Overrides: deliberate faults', group: 'Requests', keys: [] },
  { id: 'copyAnswer', title: 'Copy response body', group: 'Requests', keys: ['Mod+Period'] },
  { id: 'copyAsCurl', title: 'Copy as cURL', group: 'Requests', keys: [] },
  { id: 'copyAsPhp', title: 'Copy as PHP', group: 'Requests', keys: [] },
  { id: 'copyAsNode', title: 'Copy as Node', group: 'Requests', keys: [] },
  { id: 'copyAsPython', title: 'Copy as Python', group: 'Requests', keys: [] },
  { id: 'copyAsHar', title: 'Copy as HAR', group: 'Requests', keys: [] },
  { id: 'copyHashInput', title: 'Copy hash input', group: 'Requests', keys: [] },
  { id: 'copyRequestBody', title: 'Copy request body', group: 'Requests', keys: [] },
  { id: 'pinCalls', title: 'Pin or unpin call', group: 'Requests', keys: [] },
  { id: 'exportCalls', title: 'Export calls…', group: 'Requests', keys: [] },
  { id: 'deleteCalls', title: 'Delete calls', group: 'Requests', keys: [] },
  { id: 'compareLastGood', title: 'Compare with the last accepted call', group: 'Requests', keys: [] },
  { id: 'compareTicked', title: 'Compare the two ticked calls', group: 'Requests', keys: [] },
  { id: 'editAndResign', title: 'Edit and re-sign', group: 'Requests', keys: [] },
  { id: 'openInDoctor', title: 'Open in Doctor', group: 'Requests', keys: [] },
  { id: 'checkValue', title: 'Check the value at the cursor', group: 'Requests', keys: ['Alt+C'] },
  { id: 'takeValue', title: 'Save the value as a variable', group: 'Requests', keys: ['Alt+V'] },
  { id: 'keepExample', title: 'Save response as example', group: 'Requests', keys: [] },
  { id: 'repeatExactly', title: 'Repeat exactly', group: 'Requests', keys: [] },
  { id: 'freezeTime', title: 'Freeze request time', group: 'Requests', keys: [] },
  { id: 'releaseTime', title: 'Unfreeze request time', group: 'Requests', keys: [] },
  { id: 'variables', title: 'Variables and notes', group: 'Requests', keys: [] },
  { id: 'compareVersions', title: 'Compare with last commit', group: 'Requests', keys: [] },
  { id: 'newRun', title: 'New run', group: 'Requests', keys: ['Alt+R'] },
  { id: 'forgetPlayer', title: 'Forget a player…', group: 'Requests', keys: [] },
  { id: 'tab1', title: 'Request 1', group: 'Requests', keys: ['Mod+1'], byKeysOnly: true },
  { id: 'tab2', title: 'Request 2', group: 'Requests', keys: ['Mod+2'], byKeysOnly: true },
  { id: 'tab3', title: 'Request 3', group: 'Requests', keys: ['Mod+3'], byKeysOnly: true },
  { id: 'tab4', title: 'Request 4', group: 'Requests', keys: ['Mod+4'], byKeysOnly: true },
  { id: 'tab5', title: 'Request 5', group: 'Requests', keys: ['Mod+5'], byKeysOnly: true },
  { id: 'tab6', title: 'Request 6', group: 'Requests', keys: ['Mod+6'], byKeysOnly: true },
  { id: 'tab7', title: 'Request 7', group: 'Requests', keys: ['Mod+7'], byKeysOnly: true },
  { id: 'tab8', title: 'Request 8', group: 'Requests', keys: ['Mod+8'], byKeysOnly: true },
  { id: 'tab9', title: 'Request 9', group: 'Requests', keys: ['Mod+9'], byKeysOnly: true },

  { id: 'palette', title: 'Find anything', group: 'Go to', keys: ['Mod+K'], inDialogs: true, byKeysOnly: true },
  {
    id: 'quickOpen',
    title: 'Quick open',
    group: 'Go to',
    keys: ['Mod+P'],
    inDialogs: true,
  },
  ...areas.map(({ name, title, keys }) => ({ id: name, title, group: 'Go to' as const, keys })),
  { id: 'manual', title: 'Help for this screen', group: 'Go to', keys: ['F1'], inDialogs: true },
  { id: 'manualBack', title: 'Back in help', group: 'Go to', keys: ['Alt+ArrowLeft'], inDialogs: true, byKeysOnly: true },
  {
    id: 'manualForward',
    title: 'Forward in help',
    group: 'Go to',
    keys: ['Alt+ArrowRight'],
    inDialogs: true,
    byKeysOnly: true,
  },
  {
    id: 'pasteIntoDoctor',
    title: 'Paste into Doctor',
    group: 'Go to',
    keys: ['Mod+Shift+V'],
    pastes: true,
  },

  { id: 'newLaunch', title: 'New launch', group: 'Launcher', keys: [] },
  { id: 'playGame', title: 'Focus the game', group: 'Launcher', keys: [] },
  { id: 'muteGame', title: 'Mute or unmute the game', group: 'Launcher', keys: [] },
  { id: 'reloadGame', title: 'Reload the game', group: 'Launcher', keys: [] },
  { id: 'closeGame', title: 'Close the game', group: 'Launcher', keys: [] },
  { id: 'screenshot', title: 'Take a screenshot', group: 'Launcher', keys: [] },
  { id: 'exportFolder', title: 'Export evidence as folder', group: 'Launcher', keys: [] },
  { id: 'exportHtml', title: 'Export evidence as HTML', group: 'Launcher', keys: [] },
  { id: 'exportHar', title: 'Save network log as HAR', group: 'Launcher', keys: [] },
  { id: 'deviceDesktop', title: 'Device: desktop', group: 'Launcher', keys: [] },
  { id: 'deviceTablet', title: 'Device: tablet', group: 'Launcher', keys: [] },
  { id: 'devicePhone', title: 'Device: phone', group: 'Launcher', keys: [] },
  { id: 'rotateDevice', title: 'Rotate the device', group: 'Launcher', keys: [] },

  { id: 'switchEnvironment', title: 'Switch environment', group: 'Environments', keys: ['Mod+E'] },
  { id: 'setKey', title: 'Set private key', group: 'Environments', keys: [] },
  { id: 'editEnvironment', title: 'Edit environment', group: 'Environments', keys: [] },
  { id: 'newEnvironment', title: 'New environment', group: 'Environments', keys: [] },

  { id: 'sidebar', title: 'Toggle sidebar', group: 'View', keys: ['Mod+B'] },
  { id: 'orientation', title: 'Toggle side by side', group: 'View', keys: ['Mod+J'] },
  { id: 'hashPane', title: 'Toggle hash input', group: 'View', keys: [] },
  { id: 'providerLog', title: 'Toggle provider log', group: 'View', keys: ['Mod+Shift+L'] },
  // The palette names each change that can be undone, and the menu has the system's own Undo.
  { id: 'undo', title: 'Undo the last change', group: 'View', keys: ['Mod+Z'], byKeysOnly: true, leavesTexts: true },
  { id: 'nextPane', title: 'Next pane', group: 'View', keys: ['F6'], byKeysOnly: true },
  { id: 'previousPane', title: 'Previous pane', group: 'View', keys: ['Shift+F6'], byKeysOnly: true },
  ...choiceCommands.map(({ id, title }) => ({ id, title, group: 'View' as const, keys: [] })),
  { id: 'explainFocus', title: 'Accessibility help', group: 'View', keys: ['Alt+F1'], inDialogs: true },
  { id: 'plainText', title: 'Accessible view', group: 'View', keys: ['Alt+F2'], inDialogs: true },
  { id: 'copyDiagnostics', title: 'Copy diagnostics', group: 'View', keys: [] },
  { id: 'help', title: 'Keyboard shortcuts', group: 'View', keys: ['Mod+Shift+Slash'], inDialogs: true },
] as const satisfies readonly CommandEntry[];

/** The name of one command. */
export type CommandId = (typeof entries)[number]['id'];

/** Every command of the page, in the order of the palette. The desktop's menu is built from the same list. */
export const commandTable: readonly (CommandEntry & { readonly id: CommandId })[] = entries;

/** The names alone, for the contract. */
export const commandIds = entries.map(({ id }) => id);
