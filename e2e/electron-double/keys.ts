import { chordOf } from './accelerators.ts';
import { chooseByKeys } from './application-menu.ts';
import type { CdpSession } from './cdp.ts';

/** The page that has the keyboard. */
interface Pressed {
  once(name: 'before-input-event', listener: (event: { defaultPrevented: boolean }) => void): unknown;
  cdp(): Promise<CdpSession>;
}

const bits: Readonly<Record<string, number>> = { alt: 1, control: 2, meta: 4, shift: 8 };

/**
 * Presses a key: the app gets it first, then the page, and the menu only if neither took it. `asksMenu` is called after the app's
 * listeners.
 */
export async function pressKey(
  contents: Pressed,
  event: Parameters<Electron.WebContents['sendInputEvent']>[0],
  asksMenu: () => boolean,
): Promise<void> {
  if (event.type !== 'keyDown' || !('keyCode' in event))
    throw new Error('The electron double presses keys and sends no other input.');
  const { keyCode, modifiers = [] } = event;
  const held = modifiers.filter((name) => name in bits);
  const letter = /^[a-z]$/i.test(keyCode);
  const key = letter && !held.includes('shift') ? keyCode.toLowerCase() : keyCode;
  const code = letter ? `Key${keyCode.toUpperCase()}` : /^\d$/.test(keyCode) ? `Digit${keyCode}` : keyCode;
  // The page reports it, as every other key. The app's own listeners came before this one.
  const told = new Promise<boolean>((resolve) =>
    contents.once('before-input-event', ({ defaultPrevented }) => resolve(!defaultPrevented && asksMenu())),
  );
  const cdp = await contents.cdp();
  const evaluate = async (expression: string) => {
    const { result } = await cdp.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    return result.value as unknown;
  };
  await evaluate(`globalThis.keyTaken = new Promise((resolve) =>
    addEventListener('keydown', (event) => setTimeout(() => resolve(event.defaultPrevented)), { once: true, capture: true })); 0`);
  await cdp.send('Input.dispatchKeyEvent', {
    type: 'rawKeyDown',
    key,
    code,
    modifiers: held.reduce((sum, name) => sum | (bits[name] ?? 0), 0),
    windowsVirtualKeyCode: keyCode === 'Enter' ? 13 : keyCode.toUpperCase().charCodeAt(0),
  });
  if ((await told) && (await evaluate('globalThis.keyTaken')) !== true) chooseByKeys(chordOf(held, keyCode));
}
