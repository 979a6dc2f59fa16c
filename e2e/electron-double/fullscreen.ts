import { randomBytes } from 'node:crypto';
import type { CdpSession } from './cdp.ts';

/** The page whose elements fill its place, in the window that shows it. */
export interface FullscreenOwner {
  readonly preferences: Electron.WebPreferences;
  readonly shownIn: FullscreenWindow | null;
  emit(name: 'enter-html-full-screen' | 'leave-html-full-screen'): boolean;
}
export interface FullscreenWindow {
  isFullScreen(): boolean;
  setFullScreen(full: boolean): void;
  emit(name: string): boolean;
}

/**
 * Follows Electron's `SetHtmlApiFullscreen`: the window changes too unless `disableHtmlFullscreenWindowResize` is set, both emit
 * the event, and Escape leaves. Watches the page's main frame: an element in a frame inside it makes that frame's own element the
 * main frame's.
 */
export async function followFullscreen(cdp: CdpSession, owner: FullscreenOwner): Promise<void> {
  const name = `double${randomBytes(12).toString('hex')}Full`;
  let wasFull = false;
  cdp.on('Runtime.bindingCalled', ({ name: called, payload }) => {
    if (called !== name) return;
    const full = payload === 'true';
    const window = owner.shownIn;
    if (window !== null && owner.preferences.disableHtmlFullscreenWindowResize !== true) {
      if (full) wasFull = window.isFullScreen();
      if (!wasFull) window.setFullScreen(full);
    }
    const event = full ? 'enter-html-full-screen' : 'leave-html-full-screen';
    owner.emit(event);
    window?.emit(event);
  });
  await cdp.send('Runtime.addBinding', { name });
  const source = `(${String(watchFullscreen)})('${name}')`;
  await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source, runImmediately: true });
}

/** Runs in the page; sent there as source text. */
function watchFullscreen(name: string): void {
  const tell = Reflect.get(window, name) as (text: string) => void;
  Reflect.deleteProperty(window, name);
  if (window.top !== window) return;
  document.addEventListener('fullscreenchange', () => tell(String(document.fullscreenElement !== null)), { capture: true });
  // Electron takes the key before the page gets it.
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || document.fullscreenElement === null) return;
      event.stopImmediatePropagation();
      event.preventDefault();
      void document.exitFullscreen();
    },
    { capture: true },
  );
}
