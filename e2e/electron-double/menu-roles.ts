const apple = process.platform === 'darwin';
const windows = process.platform === 'win32';

/** Properties that Electron gives an item by its role. */
export interface Role {
  readonly label: string;
  readonly accelerator?: string;
  /** Returns the zoom level that the page with the keyboard gets. */
  readonly zoom?: (level: number) => number;
  readonly submenu?: readonly Electron.MenuItemConstructorOptions[];
}

const ofWindows: readonly Electron.MenuItemConstructorOptions[] = apple
  ? [{ role: 'minimize' }, { role: 'zoom' }, { type: 'separator' }, { role: 'front' }]
  : [{ role: 'minimize' }, { role: 'zoom' }, { role: 'close' }];

/** The roles that the app uses and those inside them, by their names in lower case. */
export const roles: Readonly<Record<string, Role>> = {
  undo: { label: 'Undo', accelerator: 'CommandOrControl+Z' },
  redo: { label: 'Redo', accelerator: windows ? 'Control+Y' : 'Shift+CommandOrControl+Z' },
  cut: { label: 'Cut', accelerator: 'CommandOrControl+X' },
  copy: { label: 'Copy', accelerator: 'CommandOrControl+C' },
  paste: { label: 'Paste', accelerator: 'CommandOrControl+V' },
  selectall: { label: 'Select All', accelerator: 'CommandOrControl+A' },
  quit: windows ? { label: 'Exit' } : { label: 'Quit', accelerator: 'CommandOrControl+Q' },
  togglefullscreen: { label: 'Toggle Full Screen', accelerator: apple ? 'Control+Command+F' : 'F11' },
  minimize: { label: 'Minimize', accelerator: 'CommandOrControl+M' },
  zoom: { label: 'Zoom' },
  front: { label: 'Bring All to Front' },
  close: { label: apple ? 'Close Window' : 'Close', accelerator: 'CommandOrControl+W' },
  resetzoom: { label: 'Actual Size', accelerator: 'CommandOrControl+0', zoom: () => 0 },
  zoomin: { label: 'Zoom In', accelerator: 'CommandOrControl+Plus', zoom: (level) => level + 0.5 },
  zoomout: { label: 'Zoom Out', accelerator: 'CommandOrControl+-', zoom: (level) => level - 0.5 },
  appmenu: { label: 'App', submenu: [{ role: 'quit' }] },
  windowmenu: { label: 'Window', submenu: ofWindows },
};
