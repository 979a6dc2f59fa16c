import type { WebContents } from 'electron';
import type { GameViewOptions } from '#core/host.ts';

/** Chromium's names for what a load can end with that is no failure to tell of. */
const [aborted, blockedByClient, tunnelFailed] = [-3, -20, -111];

/** Tells what a game page does, from before its first navigation. */
export function followGame(contents: WebContents, { onEvent }: Pick<GameViewOptions, 'onEvent'>): void {
  contents.setWindowOpenHandler(({ url }) => {
    onEvent({ type: 'window', url });
    return { action: 'deny' };
  });
  let failed = false;
  contents.on('did-start-navigation', ({ url, isMainFrame, isSameDocument }) => {
    if (isSameDocument) return;
    if (isMainFrame) failed = false;
    onEvent({ type: 'navigation', url, main: isMainFrame });
  });
  contents.on('did-redirect-navigation', ({ url, isMainFrame }) => onEvent({ type: 'redirect', url, main: isMainFrame }));
  contents.on('did-navigate', (_event, url, status) => onEvent({ type: 'arrived', url, status }));
  contents.on('did-fail-load', (_event, code, reason, url, isMainFrame) => {
    // It went elsewhere meanwhile.
    if (code === aborted) return;
    if (isMainFrame) failed = true;
    // A load that breaks after its page began has no words. One that was refused has been told, and the proxy has told why it made no tunnel.
    if (code !== blockedByClient && code !== tunnelFailed)
      onEvent({ type: 'failed', url, reason: reason === '' ? `error ${code}` : reason, main: isMainFrame });
  });
  // Chromium's own page about an error loads, too.
  contents.on('did-finish-load', () => {
    if (!failed) onEvent({ type: 'loaded' });
  });
  contents.on('console-message', ({ level, message, sourceId, lineNumber }) =>
    onEvent({ type: 'console', level, text: message, source: sourceId, line: lineNumber }),
  );
  contents.on('render-process-gone', (_event, { reason }) => {
    if (reason !== 'clean-exit') onEvent({ type: 'crash', reason });
  });
  contents.on('enter-html-full-screen', () => onEvent({ type: 'fullscreen', full: true }));
  contents.on('leave-html-full-screen', () => onEvent({ type: 'fullscreen', full: false }));
  // A game cannot keep anybody from leaving.
  contents.on('will-prevent-unload', (event) => event.preventDefault());
  watchDialogs(contents, onEvent);
}

/** Electron answers a suppressed dialog without telling; Chromium's own protocol tells. */
function watchDialogs(contents: WebContents, onEvent: GameViewOptions['onEvent']): void {
  const unobserved = () => {
    if (!contents.isDestroyed()) onEvent({ type: 'unobserved', message: 'Dialogs are suppressed and cannot be noted.' });
  };
  // Kept: once the page is gone, Electron lets nobody ask it for its debugger, not even in the event that says so.
  const { debugger: line } = contents;
  const begin = () => {
    try {
      line.attach();
    } catch {
      return unobserved();
    }
    // Electron answers a command after the first navigation and not before (electron/electron#14810): nothing waits for this one.
    line.sendCommand('Page.enable').catch(unobserved);
  };
  // Developer tools that are opened for the game take the line over.
  line.on('detach', unobserved);
  contents.on('devtools-closed', () => {
    if (!contents.isDestroyed() && !line.isAttached()) begin();
  });
  contents.once('destroyed', () => line.off('detach', unobserved));
  line.on('message', (_event, method, values: unknown) => {
    if (method !== 'Page.javascriptDialogOpening') return;
    const { type, message } = values as { type: string; message: string };
    if (type !== 'beforeunload') onEvent({ type: 'dialog', dialog: type, text: message });
    // It may be answered already.
    line.sendCommand('Page.handleJavaScriptDialog', { accept: type === 'beforeunload' }).catch(() => undefined);
  });
  begin();
}
