import { randomBytes } from 'node:crypto';
import type { CdpSession } from './cdp.ts';
import { preventable } from './strict.ts';

/**
 * Emits `before-input-event` for keys as they reach the page. A prevented key reaches it all the same: Chromium offers no more
 * here.
 */
export async function followInput(
  cdp: CdpSession,
  contents: { emit(name: string, ...values: unknown[]): boolean },
): Promise<void> {
  const name = `double${randomBytes(12).toString('hex')}Key`;
  cdp.on('Runtime.bindingCalled', ({ name: called, payload }) => {
    if (called === name) contents.emit('before-input-event', preventable({}), JSON.parse(payload) as Electron.Input);
  });
  await cdp.send('Runtime.addBinding', { name });
  const source = `(${String(watchKeys)})('${name}')`;
  await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source, runImmediately: true });
}

/** Runs in the page; sent there as source text. */
function watchKeys(name: string): void {
  const tell = Reflect.get(window, name) as (text: string) => void;
  Reflect.deleteProperty(window, name);
  for (const [event, type] of [
    ['keydown', 'keyDown'],
    ['keyup', 'keyUp'],
  ] as const) {
    window.addEventListener(
      event,
      ({ key, code, repeat, isComposing, shiftKey, ctrlKey, altKey, metaKey, location }) =>
        tell(
          JSON.stringify({
            type,
            key,
            code,
            isAutoRepeat: repeat,
            isComposing,
            shift: shiftKey,
            control: ctrlKey,
            alt: altKey,
            meta: metaKey,
            location,
            modifiers: [],
          }),
        ),
      { capture: true },
    );
  }
}
