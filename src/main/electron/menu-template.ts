import type { MenuItemConstructorOptions } from 'electron';
import { mayWrite, parseChord, punctuation } from '#shared/chords.ts';
import { choiceCommands, choiceNames } from '#shared/choices.ts';
import { commandTable, type CommandEntry, type CommandId } from '#shared/commands.ts';
import { keysOf, type Shortcuts } from '#shared/shortcuts.ts';

type Item = MenuItemConstructorOptions;

/** The menus with their commands; all commands of the palette are here. */
const places: readonly { label: string; commands: readonly (CommandId | '-')[] }[] = [
  {
    label: '&File',
    commands: [
      'newTab',
      'duplicateTab',
      'closeTab',
      'reopenTab',
      '-',
      'openDirectory',
      'newFromStarter',
      'openPack',
      'save',
      'saveRequestAs',
      '-',
      'newEnvironment',
    ],
  },
  { label: '&Request', commands: ['send', 'cancel', '-', 'copyAnswer', '-', 'switchEnvironment'] },
  { label: '&Go', commands: ['palette', 'quickOpen', '-', 'requests', 'history', 'openPoints', 'environments'] },
  {
    label: '&View',
    commands: [
      'sidebar',
      'hashPane',
      'orientation',
      ...choiceNames.flatMap((name) => [
        '-' as const,
        ...choiceCommands.flatMap(({ setting, id }) => (setting === name ? id : [])),
      ]),
    ],
  },
  { label: '&Help', commands: ['manual', 'help', '-', 'explainFocus', 'plainText', '-', 'copyDiagnostics'] },
];

/** Actions of the menu beside the commands of the page. */
export interface MenuActions {
  readonly choose: (id: CommandId) => void;
  /** Zooms the page, even if a game has the keyboard, because a zoomed game would not have the size of its device. 0 is its usual size. */
  readonly zoom: (step: 1 | -1 | 0) => void;
  /** Shows whether a terminal finds the command line, and what can be done; null where there is none. */
  readonly commandLine: (() => void) | null;
  /** Opens developer tools; null in a released program. */
  readonly inspect: { readonly page: () => void; readonly game: () => void } | null;
}

/** Returns the menu of the desktop: the commands of the page with the user's keys, and the system's usual items. */
export function menuTemplate({ choose, zoom, commandLine, inspect }: MenuActions, apple: boolean, shortcuts: Shortcuts): Item[] {
  const item = (id: CommandId | '-') => itemOf(id, choose, shortcuts, apple);
  const [file, ...others] = places.map(({ label, commands }) => ({ label, submenu: commands.map(item) }));
  const placed = new Set(places.flatMap(({ commands }) => commands));
  // A command without a menu is under Go, so that the menu has every command of the palette.
  const rest = commandTable.filter(({ id, ...entry }) => !placed.has(id) && !isByKeysOnly(entry));
  others.find(({ label }) => label === '&Go')?.submenu.push(...rest.map(({ id }) => item(id)));
  others
    .find(({ label }) => label === '&View')
    ?.submenu.push(
      { type: 'separator' },
      { label: 'Actual size', accelerator: 'CmdOrCtrl+0', click: () => zoom(0) },
      { label: 'Zoom in', accelerator: 'CmdOrCtrl+Plus', click: () => zoom(1) },
      { label: 'Zoom out', accelerator: 'CmdOrCtrl+-', click: () => zoom(-1) },
      { role: 'togglefullscreen' },
      ...(inspect === null ? [] : inspecting(inspect, apple)),
    );
  if (file !== undefined && !apple) file.submenu.push({ type: 'separator' }, { role: 'quit' });
  const edit: Item = {
    label: '&Edit',
    submenu: [
      { role: 'undo' },
      { role: 'redo' },
      { type: 'separator' },
      { role: 'cut' },
      { role: 'copy' },
      { role: 'paste' },
      { role: 'selectAll' },
    ],
  };
  const help = others.filter(({ label }) => label === '&Help');
  if (commandLine !== null) help[0]?.submenu.push({ type: 'separator' }, { label: 'Command line…', click: commandLine });
  const middle = others.filter((menu) => !help.includes(menu));
  const windows: Item[] = apple ? [{ role: 'windowMenu' }] : [];
  const menus: Item[] = [...(file === undefined ? [] : [file]), edit, ...middle, ...windows, ...help];
  return apple ? [{ role: 'appMenu' }, ...menus] : menus;
}

function inspecting({ page, game }: NonNullable<MenuActions['inspect']>, apple: boolean): Item[] {
  return [
    { type: 'separator' },
    { label: 'Page developer tools', accelerator: apple ? 'Alt+Command+I' : 'Ctrl+Shift+I', click: page },
    { label: 'Game developer tools', click: game },
  ];
}

function isByKeysOnly(entry: Pick<CommandEntry, 'byKeysOnly'>): boolean {
  return entry.byKeysOnly === true;
}

function itemOf(id: CommandId | '-', choose: (id: CommandId) => void, shortcuts: Shortcuts, apple: boolean): Item {
  const entry = commandTable.find((known) => known.id === id);
  if (entry === undefined) return { type: 'separator' };
  // A menu would take these keys from text fields, in which they paste.
  const accelerator = 'pastes' in entry ? null : acceleratorOf(keysOf(entry.id, shortcuts)[0], apple);
  return {
    id: entry.id,
    label: entry.title.replaceAll('&', '&&'),
    ...(accelerator === null ? {} : { accelerator }),
    click: () => choose(entry.id),
  };
}

const keyNames: Readonly<Record<string, string>> = {
  ...punctuation,
  Mod: 'CmdOrCtrl',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
};

/**
 * Returns a chord as Electron writes it; null for none, for Escape, which closes dialogs before it means a command, and for one that
 * writes a character in text fields: there the page runs the command, where nothing is written.
 */
export function acceleratorOf(chord: string | undefined, apple: boolean): string | null {
  if (chord === undefined || chord === 'Escape' || mayWrite(parseChord(chord), apple)) return null;
  return chord
    .split('+')
    .map((part) => keyNames[part] ?? part)
    .join('+');
}
