import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it } from 'vitest';
import { commandTable } from '#shared/commands.ts';
import type { Shortcuts } from '#shared/shortcuts.ts';
import { acceleratorOf, menuTemplate } from './menu-template.ts';

function itemsOf(template: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return template.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? itemsOf(item.submenu) : [])]);
}

function build(apple = false, inspected = false, shortcuts: Shortcuts = {}, packed = false) {
  const chosen: (string | number)[] = [];
  const note = (what: string | number) => void chosen.push(what);
  const inspect = inspected ? { page: () => note('page'), game: () => note('game') } : null;
  const commandLine = packed ? () => note('command line') : null;
  const template = menuTemplate({ choose: note, zoom: note, commandLine, inspect }, apple, shortcuts);
  return { template, items: itemsOf(template), chosen };
}

describe('menuTemplate', () => {
  it('has every command of the palette, once, with its title and its keys', () => {
    const { items } = build();
    for (const { id, title, keys, ...entry } of commandTable) {
      const found = items.filter((item) => item.id === id);
      const palette = !('byKeysOnly' in entry);
      expect(found.length, id).toBe(palette || id === 'palette' ? 1 : 0);
      for (const item of found) {
        expect(item.label).toBe(title);
        // These keys paste in text fields, and a menu would take them.
        expect(item.accelerator ?? null).toBe('pastes' in entry ? null : acceleratorOf(keys[0], false));
      }
    }
  });

  it('shows the keys that the user chose, as Electron writes them', () => {
    const { items } = build(false, false, { save: ['Mod+Alt+ArrowUp'], send: [], sidebar: ['Alt+BracketLeft'] });
    const keysOf = (id: string) => items.find((item) => item.id === id)?.accelerator;
    expect(keysOf('save')).toBe('CmdOrCtrl+Alt+Up');
    expect(keysOf('send')).toBeUndefined();
    expect(keysOf('sidebar')).toBe('Alt+[');
  });

  it('sends the id of what is chosen', () => {
    const { items, chosen } = build();
    const commands = items.filter(({ id }) => id !== undefined);
    for (const { click } of commands) click?.({} as never, undefined, {} as never);
    expect(chosen).toEqual(commands.map(({ id }) => id));
  });

  it('uses no accelerator twice, roles included', () => {
    const { items } = build(false, true);
    const keys = items.map(({ accelerator }) => accelerator).filter((key) => key !== undefined);
    const roles = ['CmdOrCtrl+Z', 'CmdOrCtrl+X', 'CmdOrCtrl+C', 'CmdOrCtrl+V', 'CmdOrCtrl+A', 'CmdOrCtrl+Q', 'F11'];
    expect(new Set([...keys, ...roles]).size).toBe(keys.length + roles.length);
  });

  it('gives no way to load or to close behind the page’s back, and none to inspect but in a development start', () => {
    for (const apple of [true, false]) {
      const { items } = build(apple);
      for (const role of ['reload', 'forceReload', 'toggleDevTools', 'close', 'viewMenu', 'fileMenu'] as const)
        expect(items.map((item) => item.role)).not.toContain(role);
      expect(items.filter(({ label }) => label?.includes('developer tools'))).toEqual([]);
      const { items: more, chosen } = build(apple, true);
      for (const { label, click } of more)
        if (label?.includes('developer tools') === true) click?.({} as never, undefined, {} as never);
      expect(chosen).toEqual(['page', 'game']);
    }
  });

  it('leads to the command line in a package alone, last in Help', () => {
    const last = (packed: boolean) => {
      const { items, chosen } = build(false, false, {}, packed);
      items.at(-1)?.click?.({} as never, undefined, {} as never);
      return chosen;
    };
    expect(last(true)).toEqual(['command line']);
    expect(last(false)).not.toEqual(['command line']);
  });

  it('zooms the page and not what has the keyboard', () => {
    const { items, chosen } = build();
    for (const role of ['resetZoom', 'zoomIn', 'zoomOut'] as const) expect(items.map((item) => item.role)).not.toContain(role);
    for (const { accelerator, click } of items)
      if (/\+(?:0|Plus|-)$/.test(String(accelerator))) click?.({} as never, undefined, {} as never);
    expect(chosen).toEqual([0, 1, -1]);
  });

  it('has the windows’ own menu before Help on a Mac, which has Minimise and its keys, and nowhere else', () => {
    const names = (apple: boolean) => build(apple).template.map(({ label, role }) => label ?? role);
    expect(names(true).slice(-3)).toEqual(['&View', 'windowMenu', '&Help']);
    expect(names(false)).not.toContain('windowMenu');
  });

  it('uses keys that Electron knows: it leaves out another without a word', () => {
    const key = /^(?:(?:CmdOrCtrl|Ctrl|Command|Alt|Shift)\+)*(?:[A-Z0-9]|F\d\d?|[.,/-]|Plus|Enter)$/;
    for (const apple of [true, false])
      for (const { accelerator } of build(apple, true).items) if (accelerator !== undefined) expect(accelerator).toMatch(key);
  });

  it('begins with the program’s own menu on a Mac and ends the file menu with Quit elsewhere', () => {
    expect(build(true).template[0]).toEqual({ role: 'appMenu' });
    expect(itemsOf(build(false).template.slice(0, 1)).at(-1)).toEqual({ role: 'quit' });
  });
});

describe('acceleratorOf', () => {
  it.each<[string | undefined, string | null, (string | null)?]>([
    ['Mod+N', 'CmdOrCtrl+N'],
    ['Mod+Shift+Slash', 'CmdOrCtrl+Shift+/'],
    ['Mod+Period', 'CmdOrCtrl+.'],
    ['Mod+Enter', 'CmdOrCtrl+Enter'],
    ['F6', 'F6'],
    ['Escape', null],
    [undefined, null],
    // What writes a character in a text field is not the menu's: Option on a Mac, AltGr elsewhere, which may be Ctrl with Alt.
    ['Alt+R', 'Alt+R', null],
    ['Alt+Shift+T', 'Alt+Shift+T', null],
    ['Alt+BracketLeft', 'Alt+[', null],
    ['Mod+Alt+V', null, 'CmdOrCtrl+Alt+V'],
    ['Alt+F1', 'Alt+F1'],
    ['Mod+Alt+ArrowUp', 'CmdOrCtrl+Alt+Up'],
  ])('%s is %s, or on a Mac %s', (chord, accelerator, onMac) => {
    expect(acceleratorOf(chord, false)).toBe(accelerator);
    expect(acceleratorOf(chord, true)).toBe(onMac === undefined ? accelerator : onMac);
  });
});
