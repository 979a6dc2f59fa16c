import { BrowserWindow } from './browser-window.ts';
import { record } from './record.ts';
import { strict } from './strict.ts';

type Options = Electron.MenuItemConstructorOptions;

/** One line of a menu, as it was asked for. `click` does what choosing it does. */
interface Item {
  readonly id: string;
  readonly label: string;
  readonly role: string;
  readonly type: string;
  readonly accelerator: string;
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
    return new Menu(template.map(createItem));
  }
  static setApplicationMenu(menu: Menu | null): void {
    Menu.#application = menu;
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
  popup(): void {
    record(
      'menu.popup',
      this.items.map(({ label }) => label),
    );
  }
}

function createItem(options: Options): Item {
  const { id = '', label = '', role = '', type = 'normal', accelerator = '', submenu, click } = options;
  return strict<Item>('MenuItem', {
    id,
    label,
    role: String(role),
    type,
    accelerator: String(accelerator),
    submenu: Array.isArray(submenu) ? Menu.buildFromTemplate(submenu) : null,
    enabled: options.enabled ?? true,
    visible: options.visible ?? true,
    checked: options.checked ?? false,
    click() {
      if (click === undefined) record('menu-role', role);
      else click(this as never, BrowserWindow.getFocusedWindow() as never, {} as never);
    },
  });
}
