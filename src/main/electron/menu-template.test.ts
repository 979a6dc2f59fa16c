import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it } from 'vitest';
import { commandTable, type CommandId } from '#shared/commands.ts';
import { acceleratorOf, menuTemplate } from './menu-template.ts';

function itemsOf(template: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return template.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? itemsOf(item.submenu) : [])]);
}

function build(apple = false) {
  const chosen: CommandId[] = [];
  const template = menuTemplate((id) => chosen.push(id), apple);
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
        expect(item.accelerator ?? null).toBe(acceleratorOf(keys[0]));
      }
    }
  });

  it('sends the id of what is chosen', () => {
    const { items, chosen } = build();
    const commands = items.filter(({ id }) => id !== undefined);
    for (const { click } of commands) click?.({} as never, undefined, {} as never);
    expect(chosen).toEqual(commands.map(({ id }) => id));
  });

  it('uses no accelerator twice, roles included', () => {
    const { items } = build();
    const keys = items.map(({ accelerator }) => accelerator).filter((key) => key !== undefined);
    const roles = [
      'CmdOrCtrl+Z',
      'CmdOrCtrl+X',
      'CmdOrCtrl+C',
      'CmdOrCtrl+V',
      'CmdOrCtrl+A',
      'CmdOrCtrl+Q',
      'CmdOrCtrl+0',
      'F11',
    ];
    expect(new Set([...keys, ...roles]).size).toBe(keys.length + roles.length);
  });

  it('gives no way to load, to inspect or to close behind the page’s back', () => {
    for (const apple of [true, false]) {
      const roles = build(apple).items.map(({ role }) => role);
      for (const role of ['reload', 'forceReload', 'toggleDevTools', 'close', 'viewMenu', 'fileMenu', 'windowMenu'] as const)
        expect(roles).not.toContain(role);
    }
  });

  it('begins with the program’s own menu on a Mac and ends the file menu with Quit elsewhere', () => {
    expect(build(true).template[0]).toEqual({ role: 'appMenu' });
    expect(itemsOf(build(false).template.slice(0, 1)).at(-1)).toEqual({ role: 'quit' });
  });
});

describe('acceleratorOf', () => {
  it.each([
    ['Mod+N', 'CmdOrCtrl+N'],
    ['Mod+Shift+Slash', 'CmdOrCtrl+Shift+/'],
    ['Mod+Period', 'CmdOrCtrl+.'],
    ['Mod+Enter', 'CmdOrCtrl+Enter'],
    ['F6', 'F6'],
    ['Escape', null],
    [undefined, null],
  ])('%s is %s', (chord, accelerator) => {
    expect(acceleratorOf(chord)).toBe(accelerator);
  });
});
