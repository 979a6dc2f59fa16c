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
  { id: 'send', title: 'Send, or cancel what is being sent', group: 'Requests', keys: ['Mod+Enter'] },
  { id: 'cancel', title: 'Cancel sending', group: 'Requests', keys: ['Escape'] },
  // A browser keeps Ctrl+N, Ctrl+W and Ctrl+Shift+T for itself; the second chord works there.
  { id: 'newTab', title: 'New request', group: 'Requests', keys: ['Mod+N', 'Alt+N'] },
  { id: 'duplicateTab', title: 'Duplicate request', group: 'Requests', keys: ['Mod+D'] },
  { id: 'closeTab', title: 'Close tab', group: 'Requests', keys: ['Mod+W', 'Alt+W'] },
  { id: 'reopenTab', title: 'Reopen closed request', group: 'Requests', keys: ['Mod+Shift+T', 'Alt+Shift+T'] },
  // One command for both, because a chord has one meaning in the desktop's menu.
  { id: 'save', title: 'Save the request or the environment', group: 'Requests', keys: ['Mod+S'] },
  { id: 'saveRequestAs', title: 'Save request as…', group: 'Requests', keys: [] },
  { id: 'openDirectory', title: 'Open a directory as a collection', group: 'Requests', keys: [] },
  { id: 'openPack', title: 'Open support pack…', group: 'Requests', keys: [] },
  { id: 'importFiles', title: 'Import requests of other tools: cURL, Postman, HAR, Bruno', group: 'Requests', keys: [] },
  { id: 'newFromStarter', title: 'New collection from a starter…', group: 'Requests', keys: [] },
  { id: 'address', title: 'Go to the address of the request', group: 'Requests', keys: ['Mod+L'] },
  { id: 'code', title: 'Copy the call as code…', group: 'Requests', keys: ['Mod+Shift+G'] },
  { id: 'overrides', title: 'Override parts of the request: faults on purpose', group: 'Requests', keys: [] },
  { id: 'copyAnswer', title: 'Copy the response body', group: 'Requests', keys: ['Mod+Period'] },
  { id: 'copyAsCurl', title: 'Copy the call as cURL', group: 'Requests', keys: [] },
  { id: 'copyAsPhp', title: 'Copy the call as PHP that signs it again', group: 'Requests', keys: [] },
  { id: 'copyAsNode', title: 'Copy the call as Node that signs it again', group: 'Requests', keys: [] },
  { id: 'copyAsPython', title: 'Copy the call as Python that signs it again', group: 'Requests', keys: [] },
  { id: 'copyAsHar', title: 'Copy the call as HAR', group: 'Requests', keys: [] },
  { id: 'copyHashInput', title: 'Copy the hash input of the call', group: 'Requests', keys: [] },
  { id: 'copyRequestBody', title: 'Copy the request body of the call', group: 'Requests', keys: [] },
  { id: 'pinCalls', title: 'Pin or unpin the call', group: 'Requests', keys: [] },
  { id: 'exportCalls', title: 'Export the call, or the ticked ones…', group: 'Requests', keys: [] },
  { id: 'deleteCalls', title: 'Delete the call, or the ticked ones, from the history', group: 'Requests', keys: [] },
  { id: 'compareLastGood', title: 'Compare with the last accepted call', group: 'Requests', keys: [] },
  { id: 'compareTicked', title: 'Compare the two ticked calls', group: 'Requests', keys: [] },
  { id: 'editAndResign', title: 'Edit and re-sign the call: fresh time and hash', group: 'Requests', keys: [] },
  { id: 'openInDoctor', title: 'Open the call in the doctor', group: 'Requests', keys: [] },
  { id: 'checkValue', title: 'Check the value at the cursor of the response', group: 'Requests', keys: ['Alt+C'] },
  { id: 'takeValue', title: 'Take the value at the cursor of the response as a variable', group: 'Requests', keys: ['Alt+V'] },
  { id: 'keepExample', title: 'Save the response as an example of its request', group: 'Requests', keys: [] },
  { id: 'repeatExactly', title: 'Repeat the call exactly: same bytes, old time and hash', group: 'Requests', keys: [] },
  { id: 'freezeTime', title: 'Freeze the time of requests at this second', group: 'Requests', keys: [] },
  { id: 'releaseTime', title: 'Let the time of requests run again', group: 'Requests', keys: [] },
  { id: 'variables', title: 'Variables and notes of the collection', group: 'Requests', keys: [] },
  { id: 'compareVersions', title: 'Compare the file of the request with the last commit', group: 'Requests', keys: [] },
  { id: 'newRun', title: 'New run of a collection', group: 'Requests', keys: ['Alt+R'] },
  { id: 'forgetPlayer', title: 'Forget a player: remove everything that names them', group: 'Requests', keys: [] },
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
    title: 'Quick open: requests, files of collections, operations, calls',
    group: 'Go to',
    keys: ['Mod+P'],
    inDialogs: true,
  },
  ...areas.map(({ name, title, keys }) => ({ id: name, title, group: 'Go to' as const, keys })),
  { id: 'manual', title: 'Help for this screen', group: 'Go to', keys: ['F1'], inDialogs: true },
  { id: 'manualBack', title: 'Back in the help', group: 'Go to', keys: ['Alt+ArrowLeft'], inDialogs: true, byKeysOnly: true },
  {
    id: 'manualForward',
    title: 'Forward in the help',
    group: 'Go to',
    keys: ['Alt+ArrowRight'],
    inDialogs: true,
    byKeysOnly: true,
  },
  {
    id: 'pasteIntoDoctor',
    title: 'Paste a rejected request into the doctor',
    group: 'Go to',
    keys: ['Mod+Shift+V'],
    pastes: true,
  },

  { id: 'newLaunch', title: 'New launch', group: 'Launcher', keys: [] },
  { id: 'playGame', title: 'Put the keyboard into the game', group: 'Launcher', keys: [] },
  { id: 'muteGame', title: 'Mute the game, or let it be heard', group: 'Launcher', keys: [] },
  { id: 'reloadGame', title: 'Reload the game', group: 'Launcher', keys: [] },
  { id: 'closeGame', title: 'Close the game', group: 'Launcher', keys: [] },
  { id: 'screenshot', title: 'Take a screenshot of the game', group: 'Launcher', keys: [] },
  { id: 'exportFolder', title: "Export the launch's evidence as a folder", group: 'Launcher', keys: [] },
  { id: 'exportHtml', title: "Export the launch's evidence as one HTML file", group: 'Launcher', keys: [] },
  { id: 'exportHar', title: "Save the game's network log as HAR", group: 'Launcher', keys: [] },
  { id: 'deviceDesktop', title: 'Show the game as on a desktop', group: 'Launcher', keys: [] },
  { id: 'deviceTablet', title: 'Show the game as on a tablet', group: 'Launcher', keys: [] },
  { id: 'devicePhone', title: 'Show the game as on a phone', group: 'Launcher', keys: [] },
  { id: 'rotateDevice', title: 'Rotate the device', group: 'Launcher', keys: [] },

  { id: 'switchEnvironment', title: 'Switch environment', group: 'Environments', keys: ['Mod+E'] },
  { id: 'setKey', title: 'Set the private key of the environment in use', group: 'Environments', keys: [] },
  { id: 'editEnvironment', title: 'Edit the environment in use', group: 'Environments', keys: [] },
  { id: 'newEnvironment', title: 'New environment', group: 'Environments', keys: [] },

  { id: 'sidebar', title: 'Show or hide the sidebar', group: 'View', keys: ['Mod+B'] },
  { id: 'orientation', title: 'Request and response side by side or stacked', group: 'View', keys: ['Mod+J'] },
  { id: 'hashPane', title: 'Show or hide the hash input', group: 'View', keys: [] },
  { id: 'providerLog', title: "Show or hide the provider's log beside the history", group: 'View', keys: ['Mod+Shift+L'] },
  // The palette names each change that can be undone, and the menu has the system's own Undo.
  { id: 'undo', title: 'Undo the last change', group: 'View', keys: ['Mod+Z'], byKeysOnly: true, leavesTexts: true },
  { id: 'nextPane', title: 'Next pane', group: 'View', keys: ['F6'], byKeysOnly: true },
  { id: 'previousPane', title: 'Previous pane', group: 'View', keys: ['Shift+F6'], byKeysOnly: true },
  ...choiceCommands.map(({ id, title }) => ({ id, title, group: 'View' as const, keys: [] })),
  { id: 'explainFocus', title: 'Say what has focus, and its keys', group: 'View', keys: ['Alt+F1'], inDialogs: true },
  { id: 'plainText', title: 'Open what has focus as plain text', group: 'View', keys: ['Alt+F2'], inDialogs: true },
  { id: 'copyDiagnostics', title: 'Copy diagnostics: versions, keychain, sizes, last faults', group: 'View', keys: [] },
  { id: 'help', title: 'Keyboard shortcuts', group: 'View', keys: ['Mod+Shift+Slash'], inDialogs: true },
] as const satisfies readonly CommandEntry[];

/** The name of one command. */
export type CommandId = (typeof entries)[number]['id'];

/** Every command of the page, in the order of the palette. The desktop's menu is built from the same list. */
export const commandTable: readonly (CommandEntry & { readonly id: CommandId })[] = entries;

/** The names alone, for the contract. */
export const commandIds = entries.map(({ id }) => id);
