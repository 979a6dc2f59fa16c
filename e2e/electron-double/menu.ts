import { readAccelerator } from './accelerators.ts';
import { showApplicationMenu } from './application-menu.ts';
import { BrowserWindow } from './browser-window.ts';
import { focusedContents } from './focus.ts';
import { roles } from './menu-roles.ts';
import { record } from './record.ts';
import { strict } from './strict.ts';
import type { WebContentsDouble } from './web-contents.ts';

type Options = Electron.MenuItemConstructorOptions;

/** One line of a menu, with the options that it was built from. `click` does what choosing it does. */
interface Item {
  readonly id: string;
  readonly label: string;
  readonly role: string | undefined;
  readonly type: string;
  readonly accelerator: string | undefined;
  /** The accelerator in one spelling. */
  readonly chord: string | null;
  readonly submenu: Menu | null;
  enabled: boolean;
  visible: boolean;
  checked: boolean;
  click(): void;
}

/** Electron's `Menu`: nothing is drawn, everything can be chosen. */
export class Menu {
  static #application: Menu | null = null;
  readonly items: readonly Item[];
  constructor(items: readonly Item[] = []) {
    this.items = items;
  }
  static buildFromTemplate(template: readonly Options[]): Menu {
    if (!Array.isArray(template)) throw new TypeError('Invalid template for Menu: Menu template must be an array');
    if (!template.every(isNamed))
      throw new TypeError('Invalid template for MenuItem: must have at least one of label, role or type');
    return new Menu(withoutExtraSeparators(template).map(createItem));
  }
  static setApplicationMenu(menu: Menu | null): void {
    Menu.#application = menu;
    showApplicationMenu(menu?.items ?? []);
    record('Menu.setApplicationMenu', menu?.items.map(({ label }) => label) ?? null);
  }
  static getApplicationMenu(): Menu | null {
    return Menu.#application;
  }
  getMenuItemById(id: string): Item | null {
    for (const item of this.items) {
      const found = item.id === id ? item : (item.submenu?.getMenuItemById(id) ?? null);
      if (found !== null) return found;
    }
    return null;
  }
  popup({ window }: Electron.PopupOptions): void {
    if (!(window instanceof BrowserWindow)) throw new TypeError('The electron double shows a menu over a window.');
    record(
      'menu.popup',
      this.items.map(({ label }) => label),
    );
  }
}

function isNamed(options: unknown): boolean {
  if (typeof options !== 'object' || options === null) return false;
  return 'label' in options || 'role' in options || ('type' in options && options.type === 'separator');
}

/** Works as Electron's `removeExtraSeparators`: none beside another, none at an edge; invisible ones do not count. */
function withoutExtraSeparators(template: readonly Options[]): readonly Options[] {
  const counts = ({ visible, type }: Options) => visible !== false && type === 'separator';
  const single = template.filter((options, at) => !counts(options) || at === 0 || template[at - 1]?.type !== 'separator');
  return single.filter((options, at) => !counts(options) || (at !== 0 && at !== single.length - 1));
}

const types = ['normal', 'separator', 'submenu', 'checkbox', 'radio', 'header', 'palette'];

function createItem(options: Options): Item {
  const name = options.role?.toLowerCase() ?? '';
  const role = roles[name];
  if (name !== '' && role === undefined) throw new Error(`The electron double does not have the role ${name}.`);
  const submenu = options.submenu ?? role?.submenu;
  const { id = '', label = role?.label ?? '', type = submenu === undefined ? 'normal' : 'submenu', click } = options;
  if (!types.includes(type)) throw new Error(`Unknown menu item type: ${type}`);
  if (type === 'submenu' && submenu === undefined) throw new Error('Invalid submenu');
  const accelerator = options.accelerator ?? role?.accelerator;
  return strict<Item>('MenuItem', {
    id,
    label,
    role: name === '' ? undefined : name,
    type,
    accelerator: accelerator === undefined ? undefined : String(accelerator),
    chord: accelerator === undefined ? null : readAccelerator(String(accelerator)),
    submenu: Array.isArray(submenu) ? Menu.buildFromTemplate(submenu) : null,
    enabled: options.enabled ?? true,
    visible: options.visible ?? true,
    checked: options.checked ?? false,
    click() {
      const focused = focusedContents() as WebContentsDouble | null;
      if (role?.zoom !== undefined) focused?.setZoomLevel(role.zoom(focused.getZoomLevel()));
      else if (click === undefined) record('menu-role', name);
      else click(this as never, BrowserWindow.getFocusedWindow() as never, {} as never);
    },
  });
}
