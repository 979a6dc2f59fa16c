import { app, BrowserWindow, type Input, type WebContents } from 'electron';
import { commandTable, type CommandId } from '#shared/commands.ts';

/**
 * Decides who hears the keyboard where a game lies over the page.
 *
 * While a game has it, the chords of commands are the game's: what they act on lies below it and is not seen. They are taken from the menu key by
 * key, not altogether, since quitting, full screen and zoom stay the program's; and not by asking what has the focus when an item is chosen, since
 * an item that is clicked looks the same. The palette's chord stays, so that there is a way out of a game by keys.
 */
export function shareKeyboard(): void {
  let holder: WebContents | null = null;
  app.on('web-contents-created', (_event, contents) => {
    contents.on('focus', () => (holder = contents));
    contents.on('before-input-event', (event, input) => {
      if (input.type !== 'keyDown' || isWindow(contents)) return;
      contents.setIgnoreMenuShortcuts(isCommand(input, process.platform === 'darwin'));
      // The key that moves between the panes leads out of a game, too.
      if (input.key !== 'F6') return;
      event.preventDefault();
      BrowserWindow.getAllWindows()[0]?.webContents.focus();
    });
  });
  // A window that gets the keyboard back gives it to its own page. The game that was played hears it again.
  app.on('browser-window-created', (_event, window) => {
    let left: WebContents | null = null;
    window.on('blur', () => (left = holder));
    window.on('focus', () => {
      const game = window.contentView.children.find((view) => 'webContents' in view && view.webContents === left);
      if (game?.getVisible() === true && left?.isDestroyed() === false) left.focus();
    });
  });
}

/** A command that is chosen in the menu goes on in the page, but for those that are about the game that is played. */
export function putKeyboardIntoPage(id: CommandId): void {
  const group = commandTable.find((entry) => entry.id === id)?.group;
  if (group !== 'Launcher') for (const { webContents } of BrowserWindow.getAllWindows()) webContents.focus();
}

function isWindow(contents: WebContents): boolean {
  return BrowserWindow.getAllWindows().some((window) => window.webContents === contents);
}

const codes: Readonly<Record<string, string>> = { period: '.', comma: ',', slash: '/' };

/** Returns whether a key is the chord of a command, the palette's excepted. */
export function isCommand(input: Pick<Input, 'key' | 'code' | 'shift' | 'control' | 'alt' | 'meta'>, apple: boolean): boolean {
  const pressed = [input.key, input.code.replace(/^(?:Key|Digit)/, '')].map((name) => name.toLowerCase());
  return commandTable.some(({ id, keys }) => {
    return id !== 'palette' && keys.some((chord) => chord !== 'Escape' && matches(chord));
  });

  function matches(chord: string): boolean {
    const parts = chord.split('+');
    const key = (parts.pop() ?? '').toLowerCase();
    return (
      (pressed.includes(key) || pressed.includes(codes[key] ?? key)) &&
      (apple ? input.meta : input.control) === parts.includes('Mod') &&
      input.shift === parts.includes('Shift') &&
      input.alt === parts.includes('Alt')
    );
  }
}
