import type { WebContents } from 'electron';
import type { GameViewOptions } from '#core/host/host.ts';

/** A game whose page is followed. */
export interface FollowedGame {
  /** Stops watching its dialogs. Chromium waits for ever for a page that hangs while somebody debugs it. */
  release(): void;
}

/** Chromium's names for what a load can end with that is no failure to tell of. */
const [aborted, blockedByClient, tunnelFailed] = [-3, -20, -111];

/** Tells what a game page does, from before its first navigation. */
export function followGame(contents: WebContents, { onEvent }: Pick<GameViewOptions, 'onEvent'>): FollowedGame {
  contents.setWindowOpenHandler(({ url }) => {
    onEvent({ type: 'window', url });
    return { action: 'deny' };
  });
  // Whether the page that is there is Chromium's own about an error, or one that broke off.
  let failed = false;
  contents.on('did-start-navigation', ({ url, isMainFrame, isSameDocument }) => {
    if (!isSameDocument) onEvent({ type: 'navigation', url, main: isMainFrame });
  });
  contents.on('did-redirect-navigation', ({ url, isMainFrame }) => onEvent({ type: 'redirect', url, main: isMainFrame }));
  contents.on('did-navigate', (_event, url, status) => {
    failed = false;
    onEvent({ type: 'arrived', url, status });
  });
  contents.on('did-fail-load', (_event, code, reason, url, isMainFrame) => {
    // It went elsewhere meanwhile.
    if (code === aborted) return;
    if (isMainFrame) failed = true;
    // One that was refused has been told, and the proxy has told why it made no tunnel.
    if (code === blockedByClient || code === tunnelFailed) return;
    // Electron has no words for a load that breaks off after its page began.
    onEvent({ type: 'failed', url, reason: reason === '' ? `it broke off (error ${code})` : reason, main: isMainFrame });
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
  return { release: watchDialogs(contents, onEvent) };
}

/** Electron answers a suppressed dialog without telling, and shows pickers of files; Chromium's own protocol tells. Gives the way to end it. */
function watchDialogs(contents: WebContents, onEvent: GameViewOptions['onEvent']): () => void {
  // Kept: once the page is gone, Electron lets nobody ask it for its debugger, not even in the event that says so.
  const { debugger: line } = contents;
  let ended = false;
  let observes = true;

  function tell(now: boolean): void {
    if (ended || observes === now || contents.isDestroyed()) return;
    observes = now;
    onEvent({ type: 'note', message: `From now on, dialogs and pickers of files are ${now ? 'noted again' : 'not noted'}.` });
  }
  // A page that goes takes its debugger with it: only in the next task is it known whether it is gone.
  const lost = () => void setImmediate(() => tell(false));

  function attach(): void {
    try {
      line.attach();
    } catch {
      return lost();
    }
    // Electron answers a command after the first navigation and not before (electron/electron#14810): nothing waits for these.
    line.sendCommand('Page.enable').then(() => tell(true), lost);
    line.sendCommand('Page.setInterceptFileChooserDialog', { enabled: true }).catch(lost);
  }

  line.on('message', (_event, method, values: unknown) => {
    if (method === 'Page.fileChooserOpened') return onEvent({ type: 'dialog', dialog: 'file', text: '' });
    if (method !== 'Page.javascriptDialogOpening') return;
    const { type, message } = values as { type: string; message: string };
    if (type !== 'beforeunload') onEvent({ type: 'dialog', dialog: type, text: message });
    // It may be answered already.
    line.sendCommand('Page.handleJavaScriptDialog', { accept: type === 'beforeunload' }).catch(() => undefined);
  });
  // Developer tools that are opened for the game can take the line over, until they are closed.
  line.on('detach', lost);
  contents.on('devtools-closed', () => {
    if (!ended && !line.isAttached()) attach();
  });
  attach();
  return () => {
    ended = true;
    line.detach();
  };
}
