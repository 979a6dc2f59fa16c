import { expect, it } from 'vitest';
import type { EventName, Payload } from '#shared/ipc/index.ts';
import { createShortcutsStore } from './shortcuts-store.ts';

function setUp() {
  let tell: (payload: Payload<'settings.changed'>) => void = () => undefined;
  const on = <E extends EventName>(_name: E, listener: (payload: Payload<E>) => void) => {
    tell = listener as typeof tell;
    return () => undefined;
  };
  const store = createShortcutsStore({ on }, 'this page');
  return { store, tell: (value: string, page: string | null) => tell({ name: 'shortcuts', value, page }) };
}

it('changes, resets and remembers the keys of commands', () => {
  const { store } = setUp();
  const { assign, reset, exportText } = store.getState();
  assign('send', ['Mod+Alt+S']);
  assign('palette', []);
  expect(exportText()).toBe('{"send":["Mod+Alt+S"],"palette":[]}');
  reset('send');
  expect(store.getState().changed).toEqual({ palette: [] });
  reset();
  expect(store.getState().changed).toEqual({});
});

it('follows what another page writes, and not the echo of its own words, which may be older by now', () => {
  const { store, tell } = setUp();
  store.getState().assign('send', ['Mod+Alt+S']);
  tell('{}', 'this page');
  expect(store.getState().changed).toEqual({ send: ['Mod+Alt+S'] });
  tell('{"save":["Mod+Alt+W"]}', 'another page');
  expect(store.getState().changed).toEqual({ save: ['Mod+Alt+W'] });
});
