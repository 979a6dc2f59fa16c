import type { MenuItemConstructorOptions } from 'electron';
import { commandTable, type CommandEntry, type CommandId } from '#shared/commands.ts';

type Item = MenuItemConstructorOptions;

/** Which command stands where. What the page's palette shows is here, all of it. */
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
    commands: ['sidebar', 'hashPane', 'orientation', '-', 'themeSystem', 'themeLight', 'themeDark'],
  },
  { label: '&Help', commands: ['help'] },
];

/** The menu of the desktop: the commands of the page by `choose`, and what the system offers in every program. */
export function menuTemplate(choose: (id: CommandId) => void, apple: boolean): Item[] {
  const [file, ...others] = places.map(({ label, commands }) => ({ label, submenu: commands.map((id) => item(id, choose)) }));
  const placed = new Set(places.flatMap(({ commands }) => commands));
  // A command that nobody gave a place is under Go, so that the menu never has less than the palette.
  const rest = commandTable.filter(({ id, ...entry }) => !placed.has(id) && !isByKeysOnly(entry));
  others.find(({ label }) => label === '&Go')?.submenu.push(...rest.map(({ id }) => item(id, choose)));
  others
    .find(({ label }) => label === '&View')
    ?.submenu.push(
      { type: 'separator' },
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { role: 'togglefullscreen' },
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
  const menus: Item[] = [...(file === undefined ? [] : [file]), edit, ...others];
  return apple ? [{ role: 'appMenu' }, ...menus] : menus;
}

function isByKeysOnly(entry: Pick<CommandEntry, 'byKeysOnly'>): boolean {
  return entry.byKeysOnly === true;
}

function item(id: CommandId | '-', choose: (id: CommandId) => void): Item {
  const entry = commandTable.find((known) => known.id === id);
  if (entry === undefined) return { type: 'separator' };
  const accelerator = acceleratorOf(entry.keys[0]);
  return {
    id: entry.id,
    label: entry.title.replaceAll('&', '&&'),
    ...(accelerator === null ? {} : { accelerator }),
    click: () => choose(entry.id),
  };
}

const keyNames: Readonly<Record<string, string>> = { Mod: 'CmdOrCtrl', Period: '.', Comma: ',', Slash: '/' };

/** A chord as Electron writes it; null for none, and for Escape, which closes what is open long before it means a command. */
export function acceleratorOf(chord: string | undefined): string | null {
  if (chord === undefined || chord === 'Escape') return null;
  return chord
    .split('+')
    .map((part) => keyNames[part] ?? part)
    .join('+');
}
