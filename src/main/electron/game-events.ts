import { webFrameMain, type WebContents, type WebFrameMain } from 'electron';
import type { GameViewEvent, GameViewOptions } from '#core/host/host.ts';

/** A game whose page Croupier observes. */
export type FollowedGame = ReturnType<typeof followGame>;

/** Lines of a console that come along with its uncaught errors. */
const mostLines = 3_000;

/** Chromium's error codes of loads that are not reported as failures. */
const [aborted, blockedByClient, blockedByResponse, tunnelFailed] = [-3, -20, -27, -111];

/** Returns the frame with these numbers; it may be gone. */
const frameOf = (processId: number, routingId: number) => webFrameMain.fromId(processId, routingId);

/**
 * Reports events of a game page, from before its first navigation. `operator` is the URL of the page that frames the game; null if the
 * game is the page itself. `onAttached` is called when the debugger is back after it was lost.
 */
export function followGame(
  contents: WebContents,
  {
    onEvent,
    operator,
    onAttached,
  }: Pick<GameViewOptions, 'onEvent'> & { readonly operator: string | null; readonly onAttached: () => void },
) {
  /** Returns whether a navigation is the game's own: in a frame also one that takes the whole page away. */
  function isGame(url: string, isMainFrame: boolean, frame: WebFrameMain | null | undefined): boolean {
    if (operator === null) return isMainFrame;
    if (isMainFrame) return url !== operator;
    const parent = frame?.parent ?? null;
    return parent !== null && parent.parent === null;
  }
  contents.setWindowOpenHandler(({ url }) => {
    onEvent({ type: 'window', url });
    return { action: 'deny' };
  });
  // True if the present page is Chromium's error page, or one that broke off.
  let failed = false;
  contents.on('did-start-navigation', ({ url, isMainFrame, isSameDocument, frame }) => {
    if (isSameDocument || (isMainFrame && url === operator)) return;
    onEvent({ type: 'navigation', url, main: isGame(url, isMainFrame, frame) });
  });
  contents.on('did-redirect-navigation', ({ url, isMainFrame, frame }) =>
    onEvent({ type: 'redirect', url, main: isGame(url, isMainFrame, frame) }),
  );
  contents.on('did-frame-navigate', (_event, url, status, _text, isMainFrame, processId, routingId) => {
    if (!isGame(url, isMainFrame, frameOf(processId, routingId))) return;
    failed = false;
    onEvent({ type: 'arrived', url, status });
  });
  contents.on('did-fail-load', (_event, code, reason, url, isMainFrame, processId, routingId) => {
    // The page navigated away meanwhile.
    if (code === aborted) return;
    const main = isGame(url, isMainFrame, frameOf(processId, routingId));
    if (main) failed = true;
    if (main && operator !== null && code === blockedByResponse) return onEvent({ type: 'unframed', url });
    // A refusal was reported, and the proxy reported why it made no tunnel.
    if (code === blockedByClient || code === tunnelFailed) return;
    // Electron has no description for a load that breaks off after its page began.
    onEvent({ type: 'failed', url, reason: reason === '' ? `it broke off (error ${code})` : reason, main });
  });
  // Chromium's error page finishes loading, too.
  contents.on('did-frame-finish-load', (_event, isMainFrame, processId, routingId) => {
    const url = isMainFrame ? contents.getURL() : '';
    if (!failed && isGame(url, isMainFrame, frameOf(processId, routingId))) onEvent({ type: 'loaded' });
  });
  contents.on('console-message', ({ level, message, sourceId, lineNumber }) =>
    onEvent({ type: 'console', level, text: message, source: sourceId, line: lineNumber }),
  );
  contents.on('render-process-gone', (_event, { reason }) => {
    if (reason !== 'clean-exit') onEvent({ type: 'crash', reason });
  });
  contents.on('enter-html-full-screen', () => onEvent({ type: 'fullscreen', full: true }));
  contents.on('leave-html-full-screen', () => onEvent({ type: 'fullscreen', full: false }));
  // A game cannot prevent leaving.
  contents.on('will-prevent-unload', (event) => event.preventDefault());
  return {
    /** Stops watching its dialogs, because Chromium waits forever for a hanging page that is being debugged. */
    release: watchDialogs(contents, onEvent, onAttached),
  };
}

/** Returns an error as Chromium prints it on the console. */
function uncaughtOf(values: unknown): Extract<GameViewEvent, { type: 'uncaught' }> {
  const { exceptionDetails } = values as {
    exceptionDetails: {
      text: string;
      url?: string;
      lineNumber: number;
      exception?: { description?: string; value?: unknown };
    };
  };
  const { text, url = '', lineNumber, exception } = exceptionDetails;
  const thrown = exception?.description ?? (exception?.value === undefined ? '' : JSON.stringify(exception.value));
  return { type: 'uncaught', text: `${text} ${thrown}`.replace(/^Uncaught /, '').trim(), source: url, line: lineNumber + 1 };
}

/** Watches dialogs, uncaught errors and WebSockets by Chromium's protocol, because Electron answers suppressed dialogs silently and shows file pickers. Returns the function that ends it. */
function watchDialogs(contents: WebContents, onEvent: GameViewOptions['onEvent'], onAttached: () => void): () => void {
  // Kept, because Electron no longer returns the debugger of a page that ended, not even in the event that reports it.
  const { debugger: line } = contents;
  let ended = false;
  let observes = true;

  function tell(now: boolean): void {
    if (ended || observes === now || contents.isDestroyed()) return;
    observes = now;
    onEvent({
      type: 'note',
      message: `Dialogs, file pickers, uncaught errors and WebSockets are ${now ? 'recorded again' : 'no longer recorded'}.`,
    });
  }
  // A page that ends takes its debugger along; only the next task shows whether it has ended.
  const lost = () => void setImmediate(() => tell(false));

  function attach(): void {
    try {
      line.attach();
    } catch {
      return lost();
    }
    // Not awaited: Electron answers a command only after the first navigation (electron/electron#14810).
    line.sendCommand('Page.enable').then(() => tell(true), lost);
    line.sendCommand('Page.setInterceptFileChooserDialog', { enabled: true }).catch(lost);
  }

  let lines = 0;
  /** The URLs of WebSockets by their IDs. */
  const sockets = new Map<string, string>();

  function followSocket(method: string, values: unknown): void {
    const { requestId = '', url = '', errorMessage = '' } = values as Readonly<Record<string, string>>;
    const known = sockets.get(requestId);
    if (method === 'Network.webSocketCreated') sockets.set(requestId, url);
    if (known === undefined) return;
    const tell = (step: 'opened' | 'failed' | 'ended') => onEvent({ type: 'socket', step, url: known, error: errorMessage });
    if (method === 'Network.webSocketHandshakeResponseReceived') tell('opened');
    if (method === 'Network.webSocketFrameError') tell('failed');
    if (method === 'Network.webSocketClosed' && sockets.delete(requestId)) tell('ended');
  }

  /** Ends the errors of a page that logs without end: each of its lines comes along with them, and takes the time of main. */
  function countLine(target: string): void {
    lines += 1;
    if (lines !== mostLines) return;
    const values = [{}, ...(target === '' ? [] : [target])] as const;
    line.sendCommand('Runtime.disable', ...values).catch(() => undefined);
    onEvent({ type: 'note', message: 'The console has too many lines, so uncaught errors are no longer recorded.' });
  }

  line.on('message', (_event, method, values: unknown, target) => {
    if (method === 'Runtime.consoleAPICalled') return countLine(target);
    if (method.startsWith('Network.webSocket')) return followSocket(method, values);
    if (method === 'Runtime.exceptionThrown') return onEvent(uncaughtOf(values));
    if (method === 'Page.fileChooserOpened') return onEvent({ type: 'dialog', dialog: 'file', text: '' });
    if (method !== 'Page.javascriptDialogOpening') return;
    const { type, message } = values as { type: string; message: string };
    if (type !== 'beforeunload') onEvent({ type: 'dialog', dialog: type, text: message });
    // The dialog may already be answered.
    line.sendCommand('Page.handleJavaScriptDialog', { accept: type === 'beforeunload' }).catch(() => undefined);
  });
  // The game's developer tools can take the debugger over until they are closed.
  line.on('detach', lost);
  contents.on('devtools-closed', () => {
    if (ended || line.isAttached()) return;
    attach();
    onAttached();
  });
  attach();
  return () => {
    ended = true;
    line.detach();
  };
}
