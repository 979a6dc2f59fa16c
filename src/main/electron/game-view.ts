import { app, BrowserWindow, session, WebContentsView, type WebContents, type WebPreferences } from 'electron';
import type { GameView, GameViewOptions, GameViews } from '#core/host.ts';
import { AppError } from '#shared/errors.ts';
import { lockDownGameSession } from './game-session.ts';
import type { Guards } from './guards.ts';
import { windowPreferences } from './window-preferences.ts';

/** A game gets no preload and no dialogs; nothing is added to these but its session. */
export const gamePreferences: Readonly<WebPreferences> = Object.freeze({
  ...windowPreferences,
  disableDialogs: true,
  // A way to a server that `webRequest` does not see.
  disableBlinkFeatures: 'WebTransport',
});

/** Shows game pages over the window, each in a session of its own that is forgotten when it closes. */
export function createGameViews(guards: Pick<Guards, 'admit'>): GameViews {
  return {
    async open(options) {
      const [window] = BrowserWindow.getAllWindows();
      if (window === undefined) throw new AppError('unsupported', 'There is no window to show the game in.');
      const own = session.fromPartition(options.partition);
      lockDownGameSession(own, options);
      const view = new WebContentsView({
        webPreferences: { ...gamePreferences, devTools: !app.isPackaged, partition: options.partition },
      });
      const contents = view.webContents;
      guards.admit(contents, createNavigationRule(options));
      contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
      follow(contents, options);
      const noteDialogs = watchDialogs(contents, options);

      // A page of ours that is loaded anew does not know where the game lay.
      const hide = (details: { isMainFrame: boolean; isSameDocument: boolean }) => {
        if (details.isMainFrame && !details.isSameDocument) view.setVisible(false);
      };
      const hideAlways = () => view.setVisible(false);
      window.webContents.on('did-start-navigation', hide);
      window.webContents.on('render-process-gone', hideAlways);
      view.setBounds(options.bounds);
      window.contentView.addChildView(view);
      await noteDialogs;
      // What goes wrong is told by `did-fail-load`.
      contents.loadURL(options.url).catch(() => undefined);

      const alive = (work: () => void) => {
        if (!contents.isDestroyed()) work();
      };
      const game: GameView = {
        setBounds: (bounds) => alive(() => view.setBounds(bounds)),
        setVisible: (visible) => alive(() => view.setVisible(visible)),
        reload: () => alive(() => contents.reload()),
        goBack: () =>
          alive(() => {
            if (contents.navigationHistory.canGoBack()) contents.navigationHistory.goBack();
          }),
        setZoom: (factor) => alive(() => contents.setZoomFactor(factor)),
        async capture() {
          if (contents.isDestroyed() || contents.isCrashed()) return new Uint8Array();
          const picture = await contents.capturePage();
          return picture.isEmpty() ? new Uint8Array() : picture.toPNG();
        },
        async close() {
          if (!window.isDestroyed()) {
            window.webContents.off('did-start-navigation', hide);
            window.webContents.off('render-process-gone', hideAlways);
            window.contentView.removeChildView(view);
          }
          if (!contents.isDestroyed()) contents.close();
          await own.closeAllConnections();
          await own.clearStorageData();
          await own.clearCache();
        },
      };
      return game;
    },
  };
}

/** Where a game may go: to https addresses; the session judges each of them again. Inside it, to what it made itself. */
function createNavigationRule({ onEvent }: GameViewOptions): (address: string, isMainFrame: boolean) => boolean {
  let told: string | null = null;
  return (address, isMainFrame) => {
    const protocol = URL.parse(address)?.protocol ?? '';
    const inert = ['about:', 'blob:', 'data:'];
    if (protocol === 'https:' || (!isMainFrame && inert.includes(protocol))) return true;
    // One navigation asks two or three times.
    if (told !== address) {
      told = address;
      setImmediate(() => (told = null));
      onEvent({ type: 'refused', url: address, message: 'A game page goes to https addresses only.', local: false });
    }
    return false;
  };
}

function follow(contents: WebContents, { onEvent }: GameViewOptions): void {
  contents.setWindowOpenHandler(({ url }) => {
    onEvent({ type: 'window', url });
    return { action: 'deny' };
  });
  contents.on('did-start-navigation', ({ url, isMainFrame, isSameDocument }) => {
    if (!isSameDocument) onEvent({ type: 'navigation', url, main: isMainFrame });
  });
  contents.on('did-redirect-navigation', ({ url, isMainFrame }) => onEvent({ type: 'redirect', url, main: isMainFrame }));
  contents.on('did-navigate', (_event, url, status) => onEvent({ type: 'arrived', url, status }));
  contents.on('did-finish-load', () => onEvent({ type: 'loaded' }));
  contents.on('did-fail-load', (_event, code, reason, url, isMainFrame) => {
    // -3: it went elsewhere meanwhile; -20: it was refused, which has been told.
    if (code !== -3 && code !== -20) onEvent({ type: 'failed', url, reason, main: isMainFrame });
  });
  contents.on('console-message', ({ level, message, sourceId, lineNumber }) =>
    onEvent({ type: 'console', level, text: message, source: sourceId, line: lineNumber }),
  );
  contents.on('render-process-gone', (_event, { reason }) => {
    if (reason !== 'clean-exit') onEvent({ type: 'crash', reason });
  });
  // A game cannot keep anybody from leaving.
  contents.on('will-prevent-unload', (event) => event.preventDefault());
}

/** Electron answers a suppressed dialog without telling; Chromium's own protocol tells. */
async function watchDialogs(contents: WebContents, { onEvent }: GameViewOptions): Promise<void> {
  try {
    contents.debugger.attach();
    contents.debugger.on('message', (_event, method, values: unknown) => {
      if (method !== 'Page.javascriptDialogOpening') return;
      const { type, message } = values as { type: string; message: string };
      if (type !== 'beforeunload') onEvent({ type: 'dialog', dialog: type, text: message });
      // It may be answered already.
      contents.debugger.sendCommand('Page.handleJavaScriptDialog', { accept: type === 'beforeunload' }).catch(() => undefined);
    });
    await contents.debugger.sendCommand('Page.enable');
  } catch {
    onEvent({ type: 'unobserved', message: 'Dialogs are suppressed and cannot be noted.' });
  }
}
