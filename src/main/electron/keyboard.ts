import { app, BrowserWindow, type Input, type WebContents } from 'electron';
import { matchesChord, parseChord } from '#shared/chords.ts';
import { commandTable, type CommandId } from '#shared/commands.ts';
import { keysOf, type Shortcuts } from '#shared/shortcuts.ts';

/**
 * Decides who gets the keyboard if a game lies over the page.
 *
 * While a game has it, the chords of commands go to the game, because the page below it is hidden. They are taken from the menu key by
 * key, so that quitting, full screen and zoom stay with Croupier. The focus at the moment a menu item is chosen cannot decide, because
 * a clicked item looks the same. The palette's chord stays, as a way out of a game by keys.
 */
export function shareKeyboard(shortcuts: () => Shortcuts): void {
  let holder: WebContents | null = null;
  app.on('web-contents-created', (_event, contents) => {
    contents.on('focus', () => (holder = contents));
    contents.on('before-input-event', (event, input) => {
      if (input.type !== 'keyDown' || isWindow(contents)) return;
      contents.setIgnoreMenuShortcuts(isCommand(input, process.platform === 'darwin', shortcuts()));
      // F6, which moves between panes, also leads out of a game.
      if (input.key !== 'F6') return;
      event.preventDefault();
      BrowserWindow.getAllWindows()[0]?.webContents.focus();
    });
  });
  // A window that gets the focus back gives it to its own page, so the game gets it again.
  app.on('browser-window-created', (_event, window) => {
    let left: WebContents | null = null;
    window.on('blur', () => (left = holder));
    window.on('focus', () => {
      const game = window.contentView.children.find((view) => 'webContents' in view && view.webContents === left);
      if (game?.getVisible() === true && left?.isDestroyed() === false) left.focus();
    });
  });
}

/** Moves the keyboard to the page for a command chosen in the menu, unless the command concerns the game. */
export function putKeyboardIntoPage(id: CommandId): void {
  const group = commandTable.find((entry) => entry.id === id)?.group;
  if (group !== 'Launcher') for (const { webContents } of BrowserWindow.getAllWindows()) webContents.focus();
}

function isWindow(contents: WebContents): boolean {
  return BrowserWindow.getAllWindows().some((window) => window.webContents === contents);
}

/** Returns whether a key is the chord of a command, except the palette's. */
export function isCommand(
  { key, code, control, meta, shift, alt }: Pick<Input, 'key' | 'code' | 'shift' | 'control' | 'alt' | 'meta'>,
  apple: boolean,
  shortcuts: Shortcuts,
): boolean {
  const press = { key, code, ctrlKey: control, metaKey: meta, shiftKey: shift, altKey: alt };
  return commandTable.some(
    ({ id }) =>
      id !== 'palette' &&
      keysOf(id, shortcuts).some((chord) => chord !== 'Escape' && matchesChord(parseChord(chord), press, apple)),
  );
}
